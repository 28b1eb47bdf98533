// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/gguf: the number tables of the GGUF specification.
#include "engine/gguf/types.h"

#include <array>
#include <fmt/core.h>

namespace vitrine::engine::gguf {
namespace {

struct TypeRow {
    std::uint32_t type;
    std::string_view name;
    BlockInfo block;
};

// ggml's type numbers and block layouts, as PyPI gguf 0.17 lists them (GGML_QUANT_SIZES).
constexpr std::array<TypeRow, 34> kTensorTypes{{
    {0, "F32", {1, 4}},
    {1, "F16", {1, 2}},
    {2, "Q4_0", {32, 18}},
    {3, "Q4_1", {32, 20}},
    {6, "Q5_0", {32, 22}},
    {7, "Q5_1", {32, 24}},
    {8, "Q8_0", {32, 34}},
    {9, "Q8_1", {32, 40}},
    {10, "Q2_K", {256, 84}},
    {11, "Q3_K", {256, 110}},
    {12, "Q4_K", {256, 144}},
    {13, "Q5_K", {256, 176}},
    {14, "Q6_K", {256, 210}},
    {15, "Q8_K", {256, 292}},
    {16, "IQ2_XXS", {256, 66}},
    {17, "IQ2_XS", {256, 74}},
    {18, "IQ3_XXS", {256, 98}},
    {19, "IQ1_S", {256, 50}},
    {20, "IQ4_NL", {32, 18}},
    {21, "IQ3_S", {256, 110}},
    {22, "IQ2_S", {256, 82}},
    {23, "IQ4_XS", {256, 136}},
    {24, "I8", {1, 1}},
    {25, "I16", {1, 2}},
    {26, "I32", {1, 4}},
    {27, "I64", {1, 8}},
    {28, "F64", {1, 8}},
    {29, "IQ1_M", {256, 56}},
    {30, "BF16", {1, 2}},
    {34, "TQ1_0", {256, 54}},
    {35, "TQ2_0", {256, 66}},
    {39, "MXFP4", {32, 17}},
    {40, "NVFP4", {64, 36}},
    {41, "Q1_0", {128, 18}},
}};

const TypeRow* find_type(std::uint32_t type) noexcept {
    for (const TypeRow& row : kTensorTypes) {
        if (row.type == type)
            return &row;
    }
    return nullptr;
}

} // namespace

int value_bytes(ValueType type) noexcept {
    switch (type) {
    case ValueType::u8:
    case ValueType::i8:
    case ValueType::boolean:
        return 1;
    case ValueType::u16:
    case ValueType::i16:
        return 2;
    case ValueType::u32:
    case ValueType::i32:
    case ValueType::f32:
        return 4;
    case ValueType::u64:
    case ValueType::i64:
    case ValueType::f64:
    case ValueType::text:
        return 8;
    case ValueType::array:
        return 12;
    }
    return 12;
}

std::string_view value_type_name(const Value& value) noexcept {
    constexpr std::array<std::string_view, std::variant_size_v<Value>> kNames{"a boolean", "an integer", "an integer",
        "a real number", "a text", "an array of booleans", "an array of integers", "an array of real numbers",
        "an array of texts"};
    return kNames[value.index()];
}

std::optional<BlockInfo> block_info(std::uint32_t tensor_type) noexcept {
    const TypeRow* row = find_type(tensor_type);
    return row == nullptr ? std::nullopt : std::optional(row->block);
}

std::string tensor_type_name(std::uint32_t tensor_type) {
    const TypeRow* row = find_type(tensor_type);
    return row == nullptr ? fmt::format("type {}", tensor_type) : std::string(row->name);
}

} // namespace vitrine::engine::gguf
