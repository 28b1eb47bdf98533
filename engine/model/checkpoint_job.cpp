// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: writing packed checkpoints.
#include "engine/model/checkpoint_job.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/model/awq_layer.h"
#include "engine/model/checkpoint_folder.h"
#include "engine/model/checkpoint_packer.h"
#include "engine/model/checkpoint_weights.h"
#include "engine/model/hf_config_writer.h"
#include "engine/quant/convert_rows.h"
#include "engine/safetensors/hf_config.h"
#include "engine/safetensors/safetensors_writer.h"
#include "kernels/api/cpu_isa.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

using kernels::WeightFormat;
using nlohmann::ordered_json;
using safetensors::HfModel;

constexpr std::int64_t kSliceWeights = std::int64_t{16} << 20;

/// "blk.7.attn_q.weight" -> 7; -1 outside the layers.
int layer_of(std::string_view name) {
    int layer = -1;
    if (name.starts_with("blk."))
        std::from_chars(name.data() + 4, name.data() + name.size(), layer);
    return layer;
}

/// "blk.7.attn_q.weight" -> "attn_q", "blk.7.attn_q.bias" -> "attn_q.bias".
std::string short_name(std::string_view name) {
    std::string_view tail = name.substr(name.find('.', 4) + 1);
    if (tail.ends_with(".weight"))
        tail.remove_suffix(7);
    return std::string(tail);
}

struct Job {
    const gguf::Tensor* tensor = nullptr;
    std::string name; // in the folder, part included
    std::string module; // without the part
    int layer = -1;
    bool packed = false;
};

/// The folder's own config.json, or one made for a GGUF file.
Result<std::string> config_of(const gguf::File& source) {
    std::error_code error;
    const std::filesystem::path folder(source.path());
    if (!std::filesystem::is_directory(folder, error))
        return write_hf_config(source);
    std::ostringstream whole;
    whole << std::ifstream(folder / "config.json", std::ios::binary).rdbuf();
    return whole.str();
}

class CheckpointWriter {
public:
    CheckpointWriter(const gguf::File& source, const CheckpointOptions& options, CheckpointFolder& folder)
        : source_(source), options_(options), folder_(folder), writer_(folder.file("model.safetensors")),
          format_(options, {}) {}

    Result<QuantizeReport> run() {
        VT_TRY(kernels::choose_cpu_isa({}));
        VT_TRY(read_names());
        VT_TRY(plan());
        VT_TRY(choose_group());
        for (Job& job : jobs_)
            job.packed = job.packed && format_.fits(job.tensor->out_dim(), job.tensor->in_dim());
        VT_TRY(folder_.write_text("config.json", config_text()));
        VT_TRY(folder_.add_tokenizer(source_));
        declare();
        VT_TRY(writer_.begin());
        for (std::size_t first = 0; first < jobs_.size();)
            VT_TRY(write_set(first));
        VT_TRY(writer_.finish());
        report_.bytes_after = writer_.data_bytes();
        if (num_weights_ > 0)
            report_.bits_per_weight =
                8.0 * static_cast<double>(report_.bytes_after) / static_cast<double>(num_weights_);
        return std::move(report_);
    }

private:
    [[nodiscard]] bool is_awq() const { return options_.target.kind == CheckpointKind::awq; }
    [[nodiscard]] tl::unexpected<Error> unsupported(Sentence why, const std::string& what) const {
        return fail(ErrorCode::unsupported, say(why, source_.path(), what), say(Sentence::quantize_to_gguf));
    }

    Result<void> read_names() {
        const auto text = config_of(source_);
        VT_TRY(text);
        auto model = safetensors::read_config(source_.path(), *text);
        VT_TRY(model);
        model_ = *std::move(model);
        config_ = ordered_json::parse(*text);
        constexpr std::array<std::string_view, 8> kKnown{
            "llama", "qwen2", "qwen3", "gemma", "gemma2", "gemma3", "granite", "smollm3"};
        if (is_awq() && std::find(kKnown.begin(), kKnown.end(), model_.architecture) == kKnown.end())
            return unsupported(Sentence::awq_without_place, model_.architecture);
        return {};
    }
    Result<void> plan() {
        for (const gguf::Tensor& tensor : source_.tensors()) {
            if (tensor.name.starts_with("rope_f")) // numbers of config.json in a folder
                continue;
            auto name = safetensors::hf_name(model_, tensor.name);
            if (!name || !tensor.format || tensor.dims.size() > 2 || tensor.bytes.empty())
                return unsupported(Sentence::tensor_not_packed, tensor.name);
            const std::size_t dot = name->rfind('.');
            const int layer = layer_of(tensor.name);
            const bool matrix = layer >= 0 && tensor.dims.size() == 2 && tensor.out_dim() > 1 &&
                tensor.name.find("ffn_gate_inp") == std::string::npos;
            jobs_.push_back({&tensor, *name, name->substr(0, dot), layer, matrix});
            total_bytes_ += static_cast<std::int64_t>(tensor.bytes.size());
            num_weights_ += tensor.in_dim() * tensor.out_dim();
        }
        std::stable_sort(jobs_.begin(), jobs_.end(), [](const Job& a, const Job& b) { return a.layer < b.layer; });
        return {};
    }
    Result<void> choose_group() {
        GroupRule rule{options_.target.bits, options_.group_size, options_.symmetric};
        const auto divides = [&](int size) {
            return std::all_of(jobs_.begin(), jobs_.end(),
                [&](const Job& job) { return !job.packed || job.tensor->in_dim() % size == 0; });
        };
        constexpr std::array kSizes{128, 64, 32};
        if (rule.group_size == 0)
            rule.group_size = *std::find_if(kSizes.begin(), kSizes.end() - 1, divides);
        else if (rule.group_size < 8 || rule.group_size % 8 != 0 || !divides(rule.group_size))
            return fail(ErrorCode::invalid_argument,
                say(Sentence::group_size_divides_not, rule.group_size, source_.path()),
                say(Sentence::use_smaller_groups));
        format_ = CheckpointPacker(options_, rule);
        using safetensors::CheckpointMethod;
        constexpr std::array kMethods{CheckpointMethod::gptq, CheckpointMethod::awq, CheckpointMethod::bitsandbytes,
            CheckpointMethod::bitsandbytes, CheckpointMethod::fp8}; // in the order of CheckpointKind
        stored_ = {kMethods[static_cast<std::size_t>(options_.target.kind)], options_.target.bits, is_awq()};
        return {};
    }
    [[nodiscard]] std::string config_text() const {
        std::vector<std::string> left;
        for (const Job& job : jobs_)
            if (!job.packed && job.layer >= 0 && job.tensor->dims.size() == 2)
                left.push_back(job.module);
        ordered_json config = config_;
        config["quantization_config"] = format_.config(left);
        config.erase("dtype");
        config["torch_dtype"] = "float16";
        return config.dump(2) + "\n";
    }
    void declare() {
        for (const Job& job : jobs_) {
            if (job.packed)
                for (const PackedPart& part : format_.parts(job.tensor->out_dim(), job.tensor->in_dim()))
                    writer_.declare(fmt::format("{}.{}", job.module, part.name), part.dtype, part.shape);
            else
                writer_.declare(job.name, job.tensor->dims.size() == 1 ? "F32" : "F16",
                    {job.tensor->dims.rbegin(), job.tensor->dims.rend()});
        }
    }

    /// Layers from `first` on whose sums of inputs fit together; moves `first` behind them.
    Result<void> write_set(std::size_t& first) {
        std::set<std::string> tensors;
        std::int64_t bytes = 0;
        std::size_t last = first;
        while (last < jobs_.size()) {
            std::size_t end = last;
            std::int64_t layer_bytes = 0;
            for (; end < jobs_.size() && jobs_[end].layer == jobs_[last].layer; ++end)
                layer_bytes += product_bytes(jobs_[end]);
            if (last > first && bytes + layer_bytes > options_.product_bytes)
                break;
            bytes += layer_bytes;
            for (; last < end; ++last)
                if (jobs_[last].packed)
                    tensors.insert(jobs_[last].tensor->name);
        }
        ProductsByTensor products;
        if (options_.target.calibrated && !tensors.empty()) {
            auto run = options_.calibrate(tensors);
            VT_TRY(run);
            products = *std::move(run);
        }
        while (first < last) {
            if (is_awq() && jobs_[first].layer >= 0)
                VT_TRY(write_awq_layer(first, products));
            else
                VT_TRY(write_one(jobs_[first++], products));
        }
        return {};
    }
    /// Inputs that q, k and v, or gate and up, share count once.
    [[nodiscard]] static std::int64_t product_bytes(const Job& job) {
        const std::string name = job.packed ? short_name(job.tensor->name) : "";
        const bool counted = job.packed && name != "attn_k" && name != "attn_v" && name != "ffn_gate";
        return counted ? job.tensor->in_dim() * job.tensor->in_dim() * 4 : 0;
    }
    Result<void> write_one(const Job& job, const ProductsByTensor& products) {
        if (job.layer < 0 && job.tensor->dims.size() == 2)
            return write_vocabulary(job);
        auto matrix = floats_of(job);
        VT_TRY(matrix);
        if (!job.packed)
            return write_plain(job, *std::move(matrix));
        const InputProducts* inputs = nullptr;
        if (options_.target.calibrated) {
            const auto found = products.find(job.tensor->name);
            if (found == products.end())
                return fail(ErrorCode::internal, say(Sentence::tensor_without_calibration, job.tensor->name),
                    say(Sentence::use_rounding));
            inputs = found->second.get();
        }
        return write_packed(job, *matrix, inputs, {});
    }
    Result<void> write_awq_layer(std::size_t& first, const ProductsByTensor& products) {
        const int number = jobs_[first].layer;
        LayerTensors layer;
        ProductsByTensor inputs;
        std::size_t last = first;
        for (; last < jobs_.size() && jobs_[last].layer == number; ++last) {
            auto matrix = floats_of(jobs_[last]);
            VT_TRY(matrix);
            const std::string& name = jobs_[last].tensor->name;
            layer.emplace(short_name(name), *std::move(matrix));
            if (const auto found = products.find(name); found != products.end())
                inputs.emplace(short_name(name), found->second);
        }
        const auto importance = apply_awq(layer, inputs, format_.rule(), options_.num_threads);
        VT_TRY(importance);
        for (; first < last; ++first) {
            DenseMatrix& tensor = layer.at(short_name(jobs_[first].tensor->name));
            const auto weights = importance->find(short_name(jobs_[first].tensor->name));
            if (!jobs_[first].packed)
                VT_TRY(write_plain(jobs_[first], std::move(tensor)));
            else
                VT_TRY(write_packed(jobs_[first], tensor, nullptr,
                    weights == importance->end() ? std::span<const float>() : std::span(weights->second)));
        }
        return {};
    }

    [[nodiscard]] Result<std::vector<std::byte>> convert(
        const Job& job, std::int64_t first, std::int64_t rows, WeightFormat to) const {
        const gguf::Tensor& tensor = *job.tensor;
        const auto row_bytes = kernels::row_bytes(*tensor.format, tensor.in_dim());
        if (options_.stop.stop_requested())
            return fail(ErrorCode::cancelled, say(Sentence::quantizing_cancelled, source_.path()),
                say(Sentence::nothing_was_written));
        auto bytes = convert_rows(*tensor.format,
            tensor.bytes.subspan(
                static_cast<std::size_t>(first * row_bytes), static_cast<std::size_t>(rows * row_bytes)),
            to, {rows, tensor.in_dim()}, options_.num_threads);
        if (!bytes)
            return tl::unexpected(wrapped(
                bytes.error(), say(Sentence::tensor_refused, source_.path(), tensor.name, cause_of(bytes.error()))));
        return bytes;
    }
    /// In the order of rows that a folder has.
    [[nodiscard]] Result<DenseMatrix> floats_of(const Job& job) const {
        const std::int64_t rows = job.tensor->out_dim(), width = job.tensor->in_dim();
        const auto bytes = convert(job, 0, rows, WeightFormat::f32);
        VT_TRY(bytes);
        DenseMatrix matrix(rows, width);
        std::memcpy(matrix.values.data(), bytes->data(), bytes->size());
        source_.drop_pages(*job.tensor);
        const bool query = job.tensor->name.find(".attn_q.") != std::string::npos;
        const bool key = job.tensor->name.find(".attn_k.") != std::string::npos;
        if (model_.permute_heads && (query || key))
            unpair_rows(matrix, query ? model_.num_heads : model_.num_kv_heads);
        return matrix;
    }
    /// GGUF keeps the two halves of a head as pairs; the reader of folders makes them.
    static void unpair_rows(DenseMatrix& matrix, std::int64_t heads) {
        const bool vector = matrix.num_rows == 1;
        const std::int64_t rows = vector ? matrix.num_columns : matrix.num_rows,
                           width = vector ? 1 : matrix.num_columns;
        const std::int64_t half = rows / heads / 2;
        const std::vector<float> paired = matrix.values;
        for (std::int64_t row = 0; row < rows; ++row) {
            const std::int64_t in_head = row % (2 * half);
            const std::int64_t target = row - in_head + in_head / 2 + in_head % 2 * half;
            std::copy_n(paired.begin() + row * width, width, matrix.values.begin() + target * width);
        }
    }

    /// Embeddings and head, in slices.
    Result<void> write_vocabulary(const Job& job) {
        const std::int64_t rows = job.tensor->out_dim(),
                           step = std::max<std::int64_t>(1, kSliceWeights / job.tensor->in_dim());
        for (std::int64_t first = 0; first < rows; first += step) {
            const auto bytes = convert(job, first, std::min(step, rows - first), WeightFormat::f16);
            VT_TRY(bytes);
            VT_TRY(writer_.write(*bytes));
        }
        source_.drop_pages(*job.tensor);
        return done(job, "f16", 2 * rows * job.tensor->in_dim(), 0);
    }
    /// Vectors as they are, matrices that cannot be packed in 16 bits.
    Result<void> write_plain(const Job& job, DenseMatrix tensor) {
        if (model_.norm_plus_one && job.tensor->name.ends_with("norm.weight"))
            for (float& value : tensor.values)
                value -= 1;
        const auto floats = std::as_bytes(std::span(tensor.values));
        if (job.tensor->dims.size() == 1) {
            VT_TRY(writer_.write(floats));
            return done(job, "f32", 4 * std::ssize(tensor.values), 0);
        }
        const auto halves = convert_rows(
            WeightFormat::f32, floats, WeightFormat::f16, {tensor.num_rows, tensor.num_columns}, options_.num_threads);
        VT_TRY(halves);
        VT_TRY(writer_.write(*halves));
        return done(job, "f16", std::ssize(*halves), 0);
    }
    Result<void> write_packed(
        const Job& job, const DenseMatrix& matrix, const InputProducts* inputs, std::span<const float> importance) {
        const auto parts = format_.pack(matrix, inputs, importance);
        VT_TRY(parts);
        std::int64_t bytes = 0;
        for (const PackedPart& part : *parts) {
            VT_TRY(writer_.write(part.bytes));
            bytes += std::ssize(part.bytes);
        }
        const auto error = error_of(job, matrix, *parts);
        VT_TRY(error);
        return done(job, format_.name(), bytes, *error);
    }
    /// What the reader of such folders will get, against what it was made from.
    [[nodiscard]] Result<double> error_of(const Job& job, const DenseMatrix& matrix, const PackedParts& parts) const {
        std::vector<safetensors::Tensor> tensors;
        for (const PackedPart& part : parts)
            tensors.push_back({fmt::format("{}.{}", job.module, part.name), part.dtype, part.shape, part.bytes});
        TensorTable table;
        for (const safetensors::Tensor& tensor : tensors)
            table.emplace(tensor.name, &tensor);
        const auto after = unpack_matrix(stored_, job.module, table);
        VT_TRY(after);
        double difference = 0, norm = 0;
        for (std::size_t i = 0; i < matrix.values.size(); ++i) {
            const double before = static_cast<double>(matrix.values[i]);
            difference += std::pow(static_cast<double>(after->values[i]) - before, 2);
            norm += before * before;
        }
        return norm > 0 ? std::sqrt(difference / norm) : 0;
    }
    Result<void> done(const Job& job, const std::string& to, std::int64_t bytes, double error) {
        report_.bytes_before += static_cast<std::int64_t>(job.tensor->bytes.size());
        if (job.tensor->dims.size() == 2)
            report_.tensors.push_back({job.tensor->name, std::string(kernels::format_info(*job.tensor->format).name),
                to, job.tensor->in_dim() * job.tensor->out_dim(), bytes, error});
        if (options_.progress)
            options_.progress(report_.bytes_before, total_bytes_);
        return {};
    }

    const gguf::File& source_;
    const CheckpointOptions& options_;
    CheckpointFolder& folder_;
    safetensors::Writer writer_;
    CheckpointPacker format_;
    safetensors::CheckpointFormat stored_; // as the reader sees it
    HfModel model_;
    ordered_json config_;
    std::vector<Job> jobs_; // by layer
    QuantizeReport report_;
    std::int64_t total_bytes_ = 0, num_weights_ = 0;
};

} // namespace

Result<QuantizeReport> write_checkpoint(
    const gguf::File& source, const std::string& target, const CheckpointOptions& options) {
    auto folder = CheckpointFolder::create(target);
    VT_TRY(folder);
    CheckpointWriter writer(source, options, *folder);
    auto report = writer.run();
    VT_TRY(report);
    VT_TRY(folder->finish());
    return report;
}

} // namespace vitrine::engine
