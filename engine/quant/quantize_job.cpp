// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/quant: file quantization.
#include "engine/quant/quantize_job.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "engine/gguf/writer.h"
#include "engine/quant/convert_rows.h"
#include "kernels/ref/dequantize.h"

namespace vitrine::engine {
namespace {

using kernels::WeightFormat;

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

double relative_error(const gguf::Tensor& before, WeightFormat to, std::span<const std::byte> after) {
    const std::int64_t in_dim = before.in_dim();
    std::vector<float> a(static_cast<std::size_t>(in_dim)), b(a.size());
    double difference = 0, norm = 0;
    for (std::int64_t row = 0; row < before.out_dim(); ++row) {
        kernels::dequantize_row(
            *before.format, before.bytes.data() + row * kernels::row_bytes(*before.format, in_dim), in_dim, a.data());
        kernels::dequantize_row(to, after.data() + row * kernels::row_bytes(to, in_dim), in_dim, b.data());
        for (std::size_t i = 0; i < a.size(); ++i) {
            const double x = static_cast<double>(a[i]), y = static_cast<double>(b[i]);
            difference += (x - y) * (x - y);
            norm += x * x;
        }
    }
    return norm > 0 ? std::sqrt(difference / norm) : 0;
}

} // namespace

Result<QuantizeReport> quantize_file(
    const gguf::File& source, const std::string& target, const QuantMix& mix, int num_threads) {
    int num_layers = 0;
    for (const gguf::Tensor& tensor : source.tensors()) {
        if (!tensor.format)
            return fail(ErrorCode::unsupported,
                fmt::format(
                    "{}: tensor {} has type number {}, which cannot be read", source.path(), tensor.name, tensor.type),
                "Start from a file of a common type such as F16 or Q8_0.");
        num_layers = std::max(num_layers, layer_of(tensor.name) + 1);
    }
    const auto format_of = [&](const gguf::Tensor& tensor) {
        return is_matrix(tensor) ? mixed_format(mix, tensor.name, layer_of(tensor.name), num_layers, tensor.in_dim())
                                 : *tensor.format;
    };
    gguf::Writer writer(target);
    writer.copy_metadata(source);
    writer.set("general.file_type", static_cast<std::uint64_t>(mix.file_type));
    for (const gguf::Tensor& tensor : source.tensors())
        VT_TRY(writer.declare(tensor.name, tensor.dims, format_of(tensor)));
    VT_TRY(writer.begin());

    QuantizeReport report;
    std::int64_t weights = 0;
    for (const gguf::Tensor& tensor : source.tensors()) {
        const WeightFormat to = format_of(tensor);
        const std::int64_t num_rows = tensor.out_dim();
        auto converted = convert_rows(*tensor.format, tensor.bytes, to, {num_rows, tensor.in_dim()}, num_threads);
        if (!converted)
            return fail(converted.error().code,
                fmt::format("{}: tensor {}: {}", source.path(), tensor.name, converted.error().message),
                converted.error().remedy);
        VT_TRY(writer.write(*converted));
        report.bytes_before += static_cast<std::int64_t>(tensor.bytes.size());
        report.bytes_after += static_cast<std::int64_t>(converted->size());
        weights += num_rows * tensor.in_dim();
        if (is_matrix(tensor))
            report.tensors.push_back(
                QuantizedTensor{tensor.name, std::string(kernels::format_info(*tensor.format).name),
                    std::string(kernels::format_info(to).name), num_rows * tensor.in_dim(),
                    static_cast<std::int64_t>(converted->size()), relative_error(tensor, to, *converted)});
        source.drop_pages(tensor);
    }
    report.bits_per_weight =
        weights > 0 ? 8.0 * static_cast<double>(report.bytes_after) / static_cast<double>(weights) : 0;
    VT_TRY(writer.finish());
    return report;
}

} // namespace vitrine::engine
