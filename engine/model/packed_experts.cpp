// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: MXFP4 experts.
#include "engine/model/packed_experts.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include <fmt/format.h>

#include "engine/quant/convert_rows.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

using kernels::WeightFormat;
using safetensors::Tensor;

constexpr std::size_t kBlockBytes = 16; // 32 codes
constexpr std::size_t kOutBytes = 17; // with the exponent

/// Where a part of one layer's experts goes.
struct Target {
    std::string name; // "blk.3.ffn_gate_exps"
    std::int64_t first_row = 0, row_step = 1; // of each expert's rows
};

tl::unexpected<Error> bad(const std::string& name, Phrase what) {
    return fail(
        ErrorCode::bad_file, say(Sentence::tensor_malformed, name, std::move(what)), say(Sentence::fetch_model_again));
}

/// Pairs of neighbours become pairs 16 apart.
void repack(const std::byte* source, std::byte scale, std::byte* out) {
    const auto code = [&](std::size_t i) {
        const auto pair = std::to_integer<unsigned>(source[i / 2]);
        return i % 2 == 0 ? pair & 0xFU : pair >> 4U;
    };
    out[0] = scale;
    for (std::size_t i = 0; i < kBlockBytes; ++i)
        out[1 + i] = static_cast<std::byte>(code(i) | (code(i + 16) << 4U));
}

gguf::Tensor described(std::string name, std::vector<std::int64_t> dims, WeightFormat format) {
    return {std::move(name), std::move(dims), static_cast<std::uint32_t>(kernels::format_info(format).ggml_type),
        format, {}};
}

/// blocks: [experts, rows, in / 32, 16], scales: [experts, rows, in / 32].
Result<OwnedTensor> unpack_weights(const Tensor& blocks, const Tensor& scales, const Target& target) {
    const bool fits = blocks.dtype == "U8" && scales.dtype == "U8" && blocks.shape.size() == 4 &&
        blocks.shape[3] == static_cast<std::int64_t>(kBlockBytes) &&
        scales.shape == std::vector<std::int64_t>(blocks.shape.begin(), blocks.shape.begin() + 3) &&
        blocks.shape[1] % target.row_step == 0 && !blocks.bytes.empty();
    if (!fits)
        return bad(blocks.name, say(Sentence::parts_do_not_fit, "blocks", "scales"));
    const std::int64_t experts = blocks.shape[0], all_rows = blocks.shape[1], row_blocks = blocks.shape[2];
    const std::int64_t rows = all_rows / target.row_step;
    OwnedTensor result{described(target.name + ".weight", {row_blocks * 32, rows, experts}, WeightFormat::mxfp4),
        std::vector<std::byte>(static_cast<std::size_t>(experts * rows * row_blocks) * kOutBytes)};
    std::byte* out = result.bytes.data();
    for (std::int64_t expert = 0; expert < experts; ++expert)
        for (std::int64_t row = target.first_row; row < all_rows; row += target.row_step)
            for (std::int64_t i = 0; i < row_blocks; ++i, out += kOutBytes) {
                const auto at = static_cast<std::size_t>((expert * all_rows + row) * row_blocks + i);
                repack(blocks.bytes.data() + at * kBlockBytes, scales.bytes[at], out);
            }
    return result;
}

/// bias: [experts, rows].
Result<OwnedTensor> unpack_bias(const Tensor& bias, const Target& target) {
    const auto format = kernels::format_from_name(bias.dtype);
    const bool is_float = bias.dtype == "F32" || bias.dtype == "F16" || bias.dtype == "BF16";
    if (!format || !is_float || bias.shape.size() != 2 || bias.shape[1] % target.row_step != 0 || bias.bytes.empty())
        return bad(bias.name, say(Sentence::part_found, "bias", bias.dtype, "F32, F16, BF16 [experts, rows]"));
    const auto all = convert_rows(*format, bias.bytes, WeightFormat::f32, {bias.shape[0], bias.shape[1]}, 1);
    VT_TRY(all);
    const std::int64_t rows = bias.shape[1] / target.row_step;
    OwnedTensor result{described(target.name + ".bias", {rows, bias.shape[0]}, WeightFormat::f32), {}};
    for (std::int64_t i = 0; i < bias.shape[0] * rows; ++i) {
        const std::int64_t source = i / rows * bias.shape[1] + target.first_row + i % rows * target.row_step;
        const auto value = all->begin() + source * 4;
        result.bytes.insert(result.bytes.end(), value, value + 4);
    }
    return result;
}

constexpr std::string_view kLayers = "model.layers.";
constexpr std::string_view kExperts = ".mlp.experts.";

/// Layer number of a packed expert tensor, -1 for others; `part`: "gate_up_proj_blocks".
int layer_of(std::string_view name, std::string_view& part) {
    if (!name.starts_with(kLayers))
        return -1;
    name.remove_prefix(kLayers.size());
    int layer = -1;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), layer);
    name.remove_prefix(static_cast<std::size_t>(end - name.data()));
    if (error != std::errc() || !name.starts_with(kExperts) || layer < 0)
        return -1;
    part = name.substr(kExperts.size());
    return layer;
}

} // namespace

bool is_packed_expert(const std::string& name) {
    constexpr std::array<std::string_view, 6> kParts{"gate_up_proj_blocks", "gate_up_proj_scales", "gate_up_proj_bias",
        "down_proj_blocks", "down_proj_scales", "down_proj_bias"};
    std::string_view part;
    return layer_of(name, part) >= 0 && std::find(kParts.begin(), kParts.end(), part) != kParts.end();
}

Result<std::vector<OwnedTensor>> unpack_experts(const TensorTable& tensors) {
    std::vector<OwnedTensor> unpacked;
    for (const auto& [name, blocks] : tensors) {
        std::string_view part;
        const int layer = layer_of(name, part);
        constexpr std::string_view kBlocks = "_blocks";
        if (layer < 0 || !part.ends_with(kBlocks))
            continue;
        const std::string stem = name.substr(0, name.size() - kBlocks.size());
        const auto scales = tensors.find(stem + "_scales"), bias = tensors.find(stem + "_bias");
        if (scales == tensors.end() || bias == tensors.end())
            return bad(name, say(Sentence::part_missing, scales == tensors.end() ? "scales" : "bias"));
        const bool pair = part.starts_with("gate_up_proj");
        const auto target = [&](std::string_view kind) { return fmt::format("blk.{}.ffn_{}_exps", layer, kind); };
        const std::vector<Target> targets = pair ? std::vector<Target>{{target("gate"), 0, 2}, {target("up"), 1, 2}}
                                                 : std::vector<Target>{{target("down"), 0, 1}};
        for (const Target& to : targets) {
            auto weights = unpack_weights(*blocks, *scales->second, to);
            VT_TRY(weights);
            unpacked.push_back(*std::move(weights));
            auto biases = unpack_bias(*bias->second, to);
            VT_TRY(biases);
            unpacked.push_back(*std::move(biases));
        }
    }
    return unpacked;
}

} // namespace vitrine::engine
