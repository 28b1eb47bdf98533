// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: GPTQ, AWQ, FP8 and bitsandbytes.
#include "engine/model/checkpoint_weights.h"

#include <array>
#include <cstring>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/json_depth.h"
#include "engine/quant/small_floats.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

using safetensors::CheckpointFormat;
using safetensors::CheckpointMethod;
using safetensors::Tensor;

template <class T>
T load_at(const Tensor& tensor, std::size_t index) {
    T value;
    std::memcpy(&value, tensor.bytes.data() + index * sizeof(T), sizeof(T));
    return value;
}

/// Finds the parts of one module and says what is wrong with them.
class Module {
public:
    Module(const std::string& name, const TensorTable& tensors) : name_(name), tensors_(tensors) {}

    [[nodiscard]] const Tensor* find(std::string_view part) const {
        const auto found = tensors_.find(fmt::format("{}.{}", name_, part));
        return found == tensors_.end() ? nullptr : found->second;
    }
    [[nodiscard]] Result<const Tensor*> part(std::string_view part, std::string_view dtype, std::size_t dims) const {
        const Tensor* tensor = find(part);
        if (tensor == nullptr || tensor->dtype != dtype || tensor->shape.size() != dims)
            return bad(say(Sentence::part_found, part, tensor == nullptr ? "-" : tensor->dtype,
                fmt::format("{} [{}]", dtype, dims)));
        return tensor;
    }
    /// Scales of any float type as floats.
    [[nodiscard]] Result<std::vector<float>> floats(std::string_view part) const {
        const Tensor* tensor = find(part);
        if (tensor == nullptr)
            return bad(say(Sentence::part_missing, part));
        const std::size_t bytes_each = tensor->dtype == "F32" ? 4 : 2;
        if (tensor->dtype != "F32" && tensor->dtype != "F16" && tensor->dtype != "BF16")
            return bad(say(Sentence::part_found, part, tensor->dtype, "F32, F16, BF16"));
        std::vector<float> values(tensor->bytes.size() / bytes_each);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = bytes_each == 4 ? load_at<float>(*tensor, i)
                                        : half_to_float(load_at<std::uint16_t>(*tensor, i), tensor->dtype == "BF16");
        return values;
    }
    [[nodiscard]] tl::unexpected<Error> bad(Phrase what) const {
        return fail(ErrorCode::bad_file, say(Sentence::packed_matrix_malformed, name_, std::move(what)),
            say(Sentence::choose_gguf_or_fetch));
    }

private:
    const std::string& name_;
    const TensorTable& tensors_;
};

UnpackedMatrix empty_matrix(std::int64_t out_dim, std::int64_t in_dim) {
    return {out_dim, in_dim, std::vector<float>(static_cast<std::size_t>(out_dim) * static_cast<std::size_t>(in_dim))};
}

std::uint32_t bits_of(const Tensor& words, std::size_t word, int position, int bits) {
    return (load_at<std::uint32_t>(words, word) >> (position * bits)) & ((1U << bits) - 1);
}

/// qweight packs the input dimension, qzeros the output dimension; both lowest bits first.
Result<UnpackedMatrix> unpack_gptq(const CheckpointFormat& format, const Module& module) {
    const auto weights = module.part("qweight", "I32", 2);
    VT_TRY(weights);
    const auto zeros = module.part("qzeros", "I32", 2);
    VT_TRY(zeros);
    const auto scales = module.floats("scales");
    VT_TRY(scales);
    const int per_word = 32 / format.bits;
    const std::int64_t out_dim = (*weights)->shape[1];
    const std::int64_t in_dim = (*weights)->shape[0] * per_word;
    const std::int64_t groups = (*zeros)->shape[0];
    const Tensor* order = module.find("g_idx"); // with it the last group may be shorter
    if (groups <= 0 || in_dim <= 0 || (order == nullptr && in_dim % groups != 0) ||
        (*zeros)->shape[1] * per_word != out_dim || std::ssize(*scales) != groups * out_dim)
        return module.bad(say(Sentence::groups_do_not_fit, groups, out_dim, in_dim));
    if (order != nullptr && (order->dtype != "I32" || order->shape != std::vector<std::int64_t>{in_dim}))
        return module.bad(say(Sentence::part_found, "g_idx", order->dtype, fmt::format("I32 [{}]", in_dim)));
    const std::uint32_t mask = (1U << format.bits) - 1;
    UnpackedMatrix matrix = empty_matrix(out_dim, in_dim);
    for (std::int64_t k = 0; k < in_dim; ++k) {
        const std::int64_t group =
            order != nullptr ? load_at<std::int32_t>(*order, static_cast<std::size_t>(k)) : k / (in_dim / groups);
        if (group < 0 || group >= groups)
            return module.bad(say(Sentence::part_found_range, "g_idx", group, 0, groups - 1));
        for (std::int64_t o = 0; o < out_dim; ++o) {
            const auto code = bits_of(**weights, static_cast<std::size_t>(k / per_word * out_dim + o),
                static_cast<int>(k % per_word), format.bits);
            const auto stored = bits_of(**zeros, static_cast<std::size_t>(group * (out_dim / per_word) + o / per_word),
                static_cast<int>(o % per_word), format.bits);
            const std::uint32_t zero = format.zeros_are_exact ? stored : (stored + 1) & mask;
            matrix.values[static_cast<std::size_t>(o * in_dim + k)] =
                (static_cast<float>(code) - static_cast<float>(zero)) *
                (*scales)[static_cast<std::size_t>(group * out_dim + o)];
        }
    }
    return matrix;
}

/// Eight outputs a word, in the order 0 2 4 6 1 3 5 7.
Result<UnpackedMatrix> unpack_awq(const Module& module) {
    constexpr std::array<int, 8> kPlaces{0, 4, 1, 5, 2, 6, 3, 7}; // of output i % 8 in its word
    const auto weights = module.part("qweight", "I32", 2);
    VT_TRY(weights);
    const auto zeros = module.part("qzeros", "I32", 2);
    VT_TRY(zeros);
    const auto scales = module.floats("scales");
    VT_TRY(scales);
    const std::int64_t in_dim = (*weights)->shape[0];
    const std::int64_t words = (*weights)->shape[1];
    const std::int64_t out_dim = words * 8;
    const std::int64_t groups = (*zeros)->shape[0];
    if (groups <= 0 || in_dim <= 0 || in_dim % groups != 0 || (*zeros)->shape[1] != words ||
        std::ssize(*scales) != groups * out_dim)
        return module.bad(say(Sentence::groups_do_not_fit, groups, out_dim, in_dim));
    UnpackedMatrix matrix = empty_matrix(out_dim, in_dim);
    for (std::int64_t k = 0; k < in_dim; ++k) {
        const std::int64_t group = k / (in_dim / groups);
        for (std::int64_t o = 0; o < out_dim; ++o) {
            const int place = kPlaces[static_cast<std::size_t>(o % 8)];
            const auto code = bits_of(**weights, static_cast<std::size_t>(k * words + o / 8), place, 4);
            const auto zero = bits_of(**zeros, static_cast<std::size_t>(group * words + o / 8), place, 4);
            matrix.values[static_cast<std::size_t>(o * in_dim + k)] =
                (static_cast<float>(code) - static_cast<float>(zero)) *
                (*scales)[static_cast<std::size_t>(group * out_dim + o)];
        }
    }
    return matrix;
}

/// One scale for all, for each output, or for each block (128 by 128 as a rule; the shapes say which).
Result<UnpackedMatrix> unpack_fp8(const Module& module) {
    const auto weights = module.part("weight", "F8_E4M3", 2);
    VT_TRY(weights);
    const std::string_view scale_name =
        module.find("weight_scale_inv") != nullptr ? "weight_scale_inv" : "weight_scale";
    const auto scales = module.floats(scale_name);
    VT_TRY(scales);
    const std::int64_t out_dim = (*weights)->shape[0];
    const std::int64_t in_dim = (*weights)->shape[1];
    const std::vector<std::int64_t>& shape = module.find(scale_name)->shape;
    const std::int64_t rows = shape.empty() ? 1 : shape[0];
    const std::int64_t columns = shape.size() < 2 ? 1 : shape[1];
    const auto block_of = [](std::int64_t size, std::int64_t parts) {
        constexpr std::int64_t kUsual = 128;
        return (size + kUsual - 1) / kUsual == parts && parts > 1 ? kUsual : (size + parts - 1) / parts;
    };
    if (rows <= 0 || columns <= 0 || rows > out_dim || columns > in_dim || std::ssize(*scales) != rows * columns)
        return module.bad(say(Sentence::scales_do_not_fit, fmt::format("{} x {}", rows, columns), out_dim, in_dim));
    const std::int64_t block_rows = block_of(out_dim, rows), block_columns = block_of(in_dim, columns);
    UnpackedMatrix matrix = empty_matrix(out_dim, in_dim);
    for (std::int64_t o = 0; o < out_dim; ++o)
        for (std::int64_t k = 0; k < in_dim; ++k) {
            const auto at = static_cast<std::size_t>(o * in_dim + k);
            matrix.values[at] = fp8_to_float(load_at<std::uint8_t>(**weights, at)) *
                (*scales)[static_cast<std::size_t>(o / block_rows * columns + k / block_columns)];
        }
    return matrix;
}

Result<UnpackedMatrix> unpack_int8(const Module& module, const Tensor& weights) {
    const auto scales = module.floats("SCB");
    VT_TRY(scales);
    const std::int64_t out_dim = weights.shape[0], in_dim = weights.shape[1];
    if (std::ssize(*scales) != out_dim)
        return module.bad(say(Sentence::part_found, "SCB", scales->size(), out_dim));
    UnpackedMatrix matrix = empty_matrix(out_dim, in_dim);
    for (std::int64_t o = 0; o < out_dim; ++o)
        for (std::int64_t k = 0; k < in_dim; ++k) {
            const auto at = static_cast<std::size_t>(o * in_dim + k);
            matrix.values[at] =
                static_cast<float>(load_at<std::int8_t>(weights, at)) * (*scales)[static_cast<std::size_t>(o)] / 127;
        }
    return matrix;
}

/// Shape, block sizes and offset of 4-bit data, as bitsandbytes writes them: JSON in bytes.
struct FourBitState {
    std::int64_t out_dim = 0, in_dim = 0, block = 0, nested_block = 0;
    float nested_offset = 0;
};

Result<FourBitState> read_state(const Module& module) {
    const Tensor* packed = module.find("weight.quant_state.bitsandbytes__nf4");
    if (packed == nullptr)
        packed = module.find("weight.quant_state.bitsandbytes__fp4");
    if (packed == nullptr)
        return module.bad(say(Sentence::part_missing, "quant_state"));
    const auto* text = reinterpret_cast<const char*>(packed->bytes.data());
    if (!json_depth_is_bounded({text, packed->bytes.size()}))
        return module.bad(say(Sentence::part_no_json, "quant_state", kMaxFileJsonDepth));
    const auto json = nlohmann::json::parse(text, text + packed->bytes.size(), nullptr, false);
    const auto number = [&](const nlohmann::json& from) {
        return from.is_number_unsigned() && from.get<std::uint64_t>() < (1U << 26) ? from.get<std::int64_t>() : 0;
    };
    FourBitState state;
    const bool sound = json.is_object() && json.contains("shape") && json["shape"].is_array() &&
        json["shape"].size() == 2 && json.contains("blocksize");
    if (sound) {
        state.out_dim = number(json["shape"][0]);
        state.in_dim = number(json["shape"][1]);
        state.block = number(json["blocksize"]);
        state.nested_block = number(json.value("nested_blocksize", nlohmann::json()));
        if (const auto offset = json.value("nested_offset", nlohmann::json()); offset.is_number())
            state.nested_offset = offset.get<float>();
    }
    if (state.out_dim <= 0 || state.in_dim <= 0 || state.block <= 0)
        return module.bad(say(Sentence::part_no_size, "quant_state: shape, blocksize"));
    return state;
}

Result<UnpackedMatrix> unpack_four_bits(const Module& module, const Tensor& weights) {
    const auto state = read_state(module);
    VT_TRY(state);
    const auto table = module.floats("weight.quant_map");
    VT_TRY(table);
    const std::int64_t count = state->out_dim * state->in_dim;
    const std::int64_t blocks = (count + state->block - 1) / state->block;
    if (table->size() != 16 || std::ssize(weights.bytes) != (count + 1) / 2)
        return module.bad(say(Sentence::scales_do_not_fit, fmt::format("{} B, {}", weights.bytes.size(), table->size()),
            state->out_dim, state->in_dim));
    std::vector<float> scales;
    const Tensor* absmax = module.find("weight.absmax");
    if (absmax != nullptr && absmax->dtype == "U8") { // double quantization
        const auto nested = module.floats("weight.nested_absmax");
        VT_TRY(nested);
        const auto nested_table = module.floats("weight.nested_quant_map");
        VT_TRY(nested_table);
        if (std::ssize(absmax->bytes) != blocks || nested_table->size() != 256 || state->nested_block <= 0 ||
            std::ssize(*nested) != (blocks + state->nested_block - 1) / state->nested_block)
            return module.bad(say(Sentence::part_found, "weight.absmax", absmax->bytes.size(), blocks));
        for (std::int64_t i = 0; i < blocks; ++i)
            scales.push_back((*nested_table)[load_at<std::uint8_t>(*absmax, static_cast<std::size_t>(i))] *
                    (*nested)[static_cast<std::size_t>(i / state->nested_block)] +
                state->nested_offset);
    } else {
        auto plain = module.floats("weight.absmax");
        VT_TRY(plain);
        scales = *std::move(plain);
    }
    if (std::ssize(scales) != blocks)
        return module.bad(say(Sentence::part_found, "weight.absmax", scales.size(), blocks));
    UnpackedMatrix matrix = empty_matrix(state->out_dim, state->in_dim);
    for (std::int64_t i = 0; i < count; ++i) { // the high nibble comes first
        const auto pair = load_at<std::uint8_t>(weights, static_cast<std::size_t>(i / 2));
        const unsigned code = i % 2 == 0 ? pair >> 4U : pair & 0xFU;
        matrix.values[static_cast<std::size_t>(i)] =
            (*table)[code] * scales[static_cast<std::size_t>(i / state->block)];
    }
    return matrix;
}

} // namespace

std::string packed_module(const CheckpointFormat& format, const std::string& name, const TensorTable& tensors) {
    const auto without = [&](std::string_view tail) {
        return name.ends_with(tail) ? name.substr(0, name.size() - tail.size()) : std::string();
    };
    const auto beside = [&](const std::string& module, std::string_view part) {
        return !module.empty() && tensors.contains(fmt::format("{}.{}", module, part));
    };
    switch (format.method) {
    case CheckpointMethod::none:
    case CheckpointMethod::mxfp4: // experts alone: packed_experts
        return {};
    case CheckpointMethod::gptq:
    case CheckpointMethod::awq:
        return without(".qweight");
    case CheckpointMethod::fp8: {
        const std::string module = without(".weight");
        return beside(module, "weight_scale_inv") || beside(module, "weight_scale") ? module : std::string();
    }
    case CheckpointMethod::bitsandbytes: {
        const std::string module = without(".weight");
        return beside(module, "SCB") || beside(module, "weight.absmax") ? module : std::string();
    }
    }
    return {};
}

Result<UnpackedMatrix> unpack_matrix(
    const CheckpointFormat& format, const std::string& name, const TensorTable& tensors) {
    const Module module(name, tensors);
    if (format.method == CheckpointMethod::gptq)
        return unpack_gptq(format, module);
    if (format.method == CheckpointMethod::awq)
        return unpack_awq(module);
    if (format.method == CheckpointMethod::fp8)
        return unpack_fp8(module);
    const Tensor* weights = module.find("weight");
    if (weights != nullptr && weights->dtype == "I8" && weights->shape.size() == 2)
        return unpack_int8(module, *weights);
    if (weights != nullptr && weights->dtype == "U8")
        return unpack_four_bits(module, *weights);
    return module.bad(say(Sentence::part_found, "weight", weights == nullptr ? "-" : weights->dtype, "I8, U8"));
}

} // namespace vitrine::engine
