// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/quant: importance matrices.
#include "engine/quant/importance_matrix.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "engine/base/mapped_file.h"
#include "engine/gguf/file.h"
#include "engine/gguf/writer.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

using kernels::WeightFormat;

tl::unexpected<Error> bad(const std::string& path, PhraseValue what) {
    return fail(ErrorCode::bad_file, say(Sentence::importance_malformed, path, std::move(what)),
        say(Sentence::make_importance_again));
}

/// Unseen inputs take the mean of the seen ones.
Result<void> settle(const std::string& path, const std::string& name, std::vector<float>& values) {
    double sum = 0;
    std::size_t seen = 0;
    for (const float value : values) {
        if (!std::isfinite(value) || value < 0)
            return bad(path, say(Sentence::part_found, name, six_digits(value), ">= 0"));
        sum += static_cast<double>(value);
        seen += value > 0 ? 1 : 0;
    }
    const float filler = seen == 0 ? 1.0F : static_cast<float>(sum / static_cast<double>(seen));
    std::replace(values.begin(), values.end(), 0.0F, filler);
    return {};
}

std::vector<float> floats_of(const gguf::Tensor& tensor) {
    std::vector<float> values(tensor.bytes.size() / sizeof(float));
    std::memcpy(values.data(), tensor.bytes.data(), values.size() * sizeof(float));
    return values;
}

Result<ImportanceMatrix> read_gguf(const std::string& path) {
    auto file = gguf::File::open(path);
    VT_TRY(file);
    const auto type = (*file)->text_or("general.type", "");
    VT_TRY(type);
    if (*type != "imatrix")
        return bad(path, say(Sentence::part_found, "general.type", "\"" + type->substr(0, 64) + "\"", "imatrix"));
    ImportanceMatrix matrix;
    matrix.path = path;
    const auto chunks = (*file)->integer_or("imatrix.chunk_count", 0);
    VT_TRY(chunks);
    matrix.num_chunks = *chunks;
    if (const auto* datasets = (*file)->texts("imatrix.datasets"); datasets != nullptr && !datasets->empty())
        matrix.dataset = datasets->front();
    constexpr std::string_view kSums = ".in_sum2";
    for (const gguf::Tensor& tensor : (*file)->tensors()) {
        if (!tensor.name.ends_with(kSums))
            continue;
        const std::string name = tensor.name.substr(0, tensor.name.size() - kSums.size());
        const gguf::Tensor* counts = (*file)->find_tensor(name + ".counts");
        const bool floats =
            counts != nullptr && tensor.format == WeightFormat::f32 && counts->format == WeightFormat::f32;
        if (!floats || tensor.in_dim() <= 0 ||
            counts->in_dim() * counts->out_dim() != tensor.out_dim()) // dims: in_dim, experts; 1, experts
            return bad(path, say(Sentence::parts_do_not_fit, tensor.name, name + ".counts"));
        std::vector<float> values = floats_of(tensor);
        const std::vector<float> number = floats_of(*counts);
        const auto in_dim = static_cast<std::size_t>(tensor.in_dim());
        for (std::size_t i = 0; i < values.size(); ++i) {
            const float count = number[i / in_dim];
            values[i] = count > 0 ? values[i] / count : 0;
        }
        VT_TRY(settle(path, tensor.name, values));
        matrix.mean_square.emplace(name, std::move(values));
    }
    return matrix.mean_square.empty() ? bad(path, say(Sentence::part_missing, "*.in_sum2"))
                                      : Result<ImportanceMatrix>(std::move(matrix));
}

/// Bytes of the older form, every length checked.
class DatCursor {
public:
    DatCursor(const std::string& path, std::span<const std::byte> bytes) : path_(path), bytes_(bytes) {}
    [[nodiscard]] bool at_end() const noexcept { return bytes_.empty(); }
    [[nodiscard]] Result<std::int32_t> integer() {
        std::int32_t value = 0;
        if (bytes_.size() < sizeof value)
            return bad(path_, say(Sentence::part_found, "int32", bytes_.size(), sizeof value));
        std::memcpy(&value, bytes_.data(), sizeof value);
        bytes_ = bytes_.subspan(sizeof value);
        return value;
    }
    /// `count` elements of `width` bytes.
    [[nodiscard]] Result<std::span<const std::byte>> take(std::int32_t count, std::size_t width) {
        if (count < 0 || static_cast<std::size_t>(count) > bytes_.size() / width)
            return bad(path_, say(Sentence::part_found_most, fmt::format("{} B", width), count, bytes_.size() / width));
        const auto part = bytes_.first(static_cast<std::size_t>(count) * width);
        bytes_ = bytes_.subspan(part.size());
        return part;
    }

private:
    const std::string& path_;
    std::span<const std::byte> bytes_;
};

std::string text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Result<ImportanceMatrix> read_dat(const std::string& path, std::span<const std::byte> bytes) {
    ImportanceMatrix matrix;
    matrix.path = path;
    DatCursor cursor(path, bytes);
    const auto entries = cursor.integer();
    VT_TRY(entries);
    for (std::int32_t i = 0; i < *entries; ++i) {
        const auto length = cursor.integer();
        VT_TRY(length);
        const auto name = cursor.take(*length, 1);
        VT_TRY(name);
        const auto calls = cursor.integer();
        VT_TRY(calls);
        const auto count = cursor.integer();
        VT_TRY(count);
        const auto raw = cursor.take(*count, sizeof(float));
        VT_TRY(raw);
        std::vector<float> values(static_cast<std::size_t>(*count));
        std::memcpy(values.data(), raw->data(), raw->size());
        for (float& value : values)
            value = *calls > 0 ? value / static_cast<float>(*calls) : value;
        VT_TRY(settle(path, text_of(*name), values));
        if (values.empty() || !matrix.mean_square.emplace(text_of(*name), std::move(values)).second)
            return bad(path, say(Sentence::part_no_size, "\"" + text_of(*name).substr(0, 64) + "\""));
    }
    if (matrix.mean_square.empty())
        return bad(path, say(Sentence::part_found, "entries", *entries, ">= 1"));
    if (cursor.at_end()) // the oldest files end here
        return matrix;
    const auto chunks = cursor.integer();
    VT_TRY(chunks);
    matrix.num_chunks = *chunks;
    const auto length = cursor.integer();
    VT_TRY(length);
    const auto dataset = cursor.take(*length, 1);
    VT_TRY(dataset);
    matrix.dataset = text_of(*dataset);
    return matrix;
}

} // namespace

Result<ImportanceMatrix> read_importance_matrix(const std::string& path) {
    auto file = MappedFile::open(path);
    VT_TRY(file);
    constexpr std::string_view kMagic = "GGUF";
    const auto bytes = file->bytes();
    if (bytes.size() >= kMagic.size() && std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) == 0)
        return read_gguf(path);
    return read_dat(path, bytes);
}

void InputStatistics::on_input(
    const kernels::WeightGroupSpec& group, int expert, int num_experts, std::span<const float> x) {
    using kernels::WeightRole;
    if (group.role == WeightRole::head || group.role == WeightRole::tied_head)
        return;
    for (const kernels::WeightMember& member : group.members) {
        Sums& sums = sums_[member.name];
        const auto row = static_cast<std::size_t>(expert);
        if (sums.counts.empty()) {
            sums.in_dim = member.in_dim;
            sums.counts.resize(static_cast<std::size_t>(num_experts), 0);
            sums.squares.resize(static_cast<std::size_t>(num_experts) * x.size(), 0);
        }
        // A fused tensor is several members with one input: it counts once.
        if (&member != &group.members.front() && member.name == group.members.front().name)
            continue;
        double* squares = sums.squares.data() + row * x.size();
        for (std::size_t i = 0; i < x.size(); ++i)
            squares[i] += static_cast<double>(x[i]) * static_cast<double>(x[i]);
        sums.counts[row] += 1;
    }
}

Result<void> InputStatistics::write(
    const std::string& path, const std::string& dataset, std::int64_t num_chunks, std::int64_t chunk_tokens) const {
    gguf::Writer writer(path);
    writer.set("general.type", std::string("imatrix"));
    writer.set("imatrix.datasets", std::vector<std::string>{dataset});
    writer.set("imatrix.chunk_count", num_chunks);
    writer.set("imatrix.chunk_size", chunk_tokens);
    for (const auto& [name, sums] : sums_) {
        const std::int64_t num_experts = std::ssize(sums.counts);
        VT_TRY(writer.declare(name + ".in_sum2", {sums.in_dim, num_experts}, WeightFormat::f32));
        VT_TRY(writer.declare(name + ".counts", {1, num_experts}, WeightFormat::f32));
    }
    VT_TRY(writer.begin());
    for (const auto& [name, sums] : sums_) {
        const std::vector<float> squares(sums.squares.begin(), sums.squares.end());
        const std::vector<float> counts(sums.counts.begin(), sums.counts.end());
        VT_TRY(writer.write(std::as_bytes(std::span(squares))));
        VT_TRY(writer.write(std::as_bytes(std::span(counts))));
    }
    return writer.finish();
}

} // namespace vitrine::engine
