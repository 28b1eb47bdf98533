// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/quant: file quantization.
#include "engine/quant/quantize_job.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "engine/gguf/writer.h"
#include "engine/quant/convert_rows.h"
#include "kernels/api/cpu_isa.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

using kernels::WeightFormat;

constexpr std::int64_t kSliceWeights = std::int64_t{16} << 20;
constexpr std::size_t kAheadBytes = std::size_t{32} << 20; // of the next tensor, read while this one is converted

/// "blk.7.attn_q.weight" -> 7; -1 outside the layers.
int layer_of(std::string_view name) {
    if (!name.starts_with("blk."))
        return -1;
    int layer = -1;
    std::from_chars(name.data() + 4, name.data() + name.size(), layer);
    return layer;
}

/// Biases of experts have two dimensions as well; routers are small and decide everything.
bool is_matrix(const gguf::Tensor& tensor) {
    return tensor.dims.size() >= 2 && tensor.out_dim() > 1 && tensor.format.has_value() &&
        tensor.name.ends_with(".weight") && tensor.name.find("ffn_gate_inp") == std::string::npos;
}

double relative(const RowError& error) {
    return error.norm > 0 ? std::sqrt(error.difference / error.norm) : 0;
}

class FileQuantizer {
public:
    FileQuantizer(const gguf::File& source, const std::string& target, const QuantizeOptions& options)
        : source_(source), options_(options), writer_(target) {}

    Result<QuantizeReport> run() {
        VT_TRY(check_source());
        writer_.copy_metadata(source_);
        writer_.set("general.file_type", static_cast<std::uint64_t>(options_.mix.file_type));
        for (const gguf::Tensor& tensor : source_.tensors())
            VT_TRY(writer_.declare(tensor.name, tensor.dims, format_of(tensor)));
        VT_TRY(writer_.begin());
        const std::vector<gguf::Tensor>& tensors = source_.tensors();
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            if (i + 1 < tensors.size()) {
                const std::span<const std::byte> next = tensors[i + 1].bytes;
                source_.want_pages(next.first(std::min(next.size(), kAheadBytes)));
            }
            VT_TRY(convert(tensors[i]));
        }
        if (num_weights_ > 0)
            report_.bits_per_weight =
                8.0 * static_cast<double>(report_.bytes_after) / static_cast<double>(num_weights_);
        VT_TRY(writer_.finish());
        return std::move(report_);
    }

private:
    Result<void> check_source() {
        VT_TRY(kernels::choose_cpu_isa({}));
        for (const gguf::Tensor& tensor : source_.tensors()) {
            if (!tensor.format)
                return fail(ErrorCode::unsupported,
                    say(Sentence::source_tensor_unreadable, source_.path(), tensor.name, std::to_string(tensor.type)),
                    say(Sentence::start_from_common_type));
            num_layers_ = std::max(num_layers_, layer_of(tensor.name) + 1);
            total_bytes_ += static_cast<std::int64_t>(tensor.bytes.size());
        }
        return options_.importance != nullptr ? check_importance() : Result<void>{};
    }
    /// Some names must be the model's, and lengths must fit: a matrix of another model is worse than none.
    Result<void> check_importance() const {
        bool any = false;
        for (const auto& [name, values] : options_.importance->mean_square) {
            const gguf::Tensor* tensor = source_.find_tensor(name);
            if (tensor == nullptr)
                continue;
            const std::int64_t runs = tensor->dims.size() > 2 ? tensor->dims[2] : 1;
            if (std::ssize(values) != tensor->in_dim() * runs)
                return fail(ErrorCode::bad_file,
                    say(Sentence::importance_of_other_length, options_.importance->path, values.size(), name,
                        tensor->in_dim() * runs),
                    say(Sentence::choose_importance_of_model));
            any = true;
        }
        if (!any)
            return fail(ErrorCode::bad_file,
                say(Sentence::importance_of_other_model, options_.importance->path, source_.path()),
                say(Sentence::choose_importance_of_model));
        return {};
    }
    [[nodiscard]] WeightFormat format_of(const gguf::Tensor& tensor) const {
        return is_matrix(tensor)
            ? mixed_format(options_.mix, tensor.name, layer_of(tensor.name), num_layers_, tensor.in_dim())
            : *tensor.format;
    }
    [[nodiscard]] std::span<const float> importance_of(const gguf::Tensor& tensor) const {
        if (options_.importance == nullptr || !is_matrix(tensor))
            return {};
        const auto found = options_.importance->mean_square.find(tensor.name);
        return found == options_.importance->mean_square.end() ? std::span<const float>() : std::span(found->second);
    }

    Result<void> convert(const gguf::Tensor& tensor) {
        const WeightFormat to = format_of(tensor);
        const std::int64_t in_dim = std::max<std::int64_t>(1, tensor.in_dim());
        const std::span<const float> importance = importance_of(tensor);
        // A slice never spans two runs of rows with their own importance (experts): convert_rows takes one row's.
        const std::int64_t num_runs = std::max<std::int64_t>(1, std::ssize(importance) / in_dim);
        const std::int64_t run_rows = tensor.out_dim() / num_runs;
        const std::int64_t step =
            std::clamp<std::int64_t>(kSliceWeights / in_dim, 1, std::max<std::int64_t>(1, run_rows));
        const std::int64_t from_bytes = kernels::row_bytes(*tensor.format, tensor.in_dim());
        QuantizedTensor entry{tensor.name, std::string(kernels::format_info(*tensor.format).name),
            std::string(kernels::format_info(to).name), tensor.out_dim() * tensor.in_dim(), 0, 0};
        RowError errors;
        for (std::int64_t row = 0; row < tensor.out_dim();) {
            const std::int64_t run = row / run_rows;
            const std::int64_t rows = std::min(step, (run + 1) * run_rows - row);
            const auto begin = static_cast<std::size_t>(row * from_bytes);
            const auto size = static_cast<std::size_t>(rows * from_bytes);
            source_.want_pages(tensor.bytes.subspan(
                begin + size, std::min(size, tensor.bytes.size() - begin - size))); // read while this one is converted
            const RowConversion slice{*tensor.format, to, tensor.bytes.subspan(begin, size), {rows, tensor.in_dim()},
                importance.empty()
                    ? importance
                    : importance.subspan(static_cast<std::size_t>(run * in_dim), static_cast<std::size_t>(in_dim)),
                options_.num_threads};
            VT_TRY(convert(slice, tensor.name, is_matrix(tensor) ? &errors : nullptr, entry.bytes));
            row += rows;
        }
        add(std::move(entry), errors, is_matrix(tensor), !importance.empty());
        source_.drop_pages(tensor);
        return {};
    }
    /// `errors`: null for what is not measured.
    Result<void> convert(const RowConversion& slice, const std::string& name, RowError* errors, std::int64_t& bytes) {
        if (options_.stop.stop_requested())
            return fail(ErrorCode::cancelled, say(Sentence::quantizing_cancelled, source_.path()),
                say(Sentence::nothing_was_written));
        converted_.resize(
            static_cast<std::size_t>(slice.shape.num_rows * kernels::row_bytes(slice.to, slice.shape.in_dim)));
        row_errors_.resize(
            errors != nullptr && slice.from != slice.to ? static_cast<std::size_t>(slice.shape.num_rows) : 0);
        if (auto done = convert_rows_into(slice, converted_, row_errors_); !done)
            return tl::unexpected(
                wrapped(done.error(), say(Sentence::tensor_refused, source_.path(), name, cause_of(done.error()))));
        VT_TRY(writer_.write(converted_));
        bytes += std::ssize(converted_);
        for (const RowError& row : row_errors_) { // in order, so that the sum does not depend on threads
            errors->difference += row.difference;
            errors->norm += row.norm;
        }
        report_.bytes_before += std::ssize(slice.source);
        if (options_.progress)
            options_.progress(report_.bytes_before, total_bytes_);
        return {};
    }
    void add(QuantizedTensor entry, const RowError& errors, bool is_matrix, bool is_weighted) {
        report_.bytes_after += entry.bytes;
        num_weights_ += entry.weights;
        report_.weighted_tensors += is_weighted ? 1 : 0;
        entry.relative_error = relative(errors);
        if (is_matrix)
            report_.tensors.push_back(std::move(entry));
    }

    const gguf::File& source_;
    const QuantizeOptions& options_;
    gguf::Writer writer_;
    QuantizeReport report_;
    int num_layers_ = 0;
    std::int64_t total_bytes_ = 0;
    std::int64_t num_weights_ = 0;
    std::vector<std::byte> converted_; // of the slice at work
    std::vector<RowError> row_errors_;
};

} // namespace

Result<QuantizeReport> quantize_file(
    const gguf::File& source, const std::string& target, const QuantizeOptions& options) {
    return FileQuantizer(source, target, options).run();
}

} // namespace vitrine::engine
