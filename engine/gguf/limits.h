// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/gguf: what a header may claim before it is refused, whatever the file's size.
#pragma once

#include <cstdint>

namespace vitrine::engine::gguf {

inline constexpr std::uint64_t kMaxKeyBytes = 65535; // the specification's limit
inline constexpr std::uint64_t kMaxNameBytes = 1024; // llama.cpp: 64
inline constexpr std::uint64_t kMaxStringBytes = std::uint64_t{1} << 30;
inline constexpr std::uint64_t kMaxArrayItems = std::uint64_t{1} << 30;
inline constexpr std::uint32_t kMaxDims = 4;
inline constexpr std::uint64_t kMaxAlignment = std::uint64_t{1} << 30;
inline constexpr std::int64_t kMaxParts = 1024; // of a split file
inline constexpr std::uint64_t kDefaultAlignment = 32;

} // namespace vitrine::engine::gguf
