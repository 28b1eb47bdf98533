// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/gguf: the number tables of the GGUF specification.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/gguf/file.h"

namespace vitrine::engine::gguf {

inline constexpr std::uint32_t kMagic = 0x46554747; // "GGUF", little endian
inline constexpr std::string_view kAlignmentKey = "general.alignment";

enum class ValueType : std::uint32_t { u8, i8, u16, i16, u32, i32, f32, boolean, text, array, u64, i64, f64 };
inline constexpr std::uint32_t kNumValueTypes = 13;

/// Bytes of one value in the file; for text and array the least it can take (its length fields).
[[nodiscard]] int value_bytes(ValueType type) noexcept;
[[nodiscard]] std::string_view value_type_name(const Value& value) noexcept;

/// Block of a tensor type: of every type GGUF has had, computable here or not.
struct BlockInfo {
    int weights = 0;
    int bytes = 0;
};
[[nodiscard]] std::optional<BlockInfo> block_info(std::uint32_t tensor_type) noexcept;
/// "Q4_1", or "type 99" for a number this build has never heard of.
[[nodiscard]] std::string tensor_type_name(std::uint32_t tensor_type);

} // namespace vitrine::engine::gguf
