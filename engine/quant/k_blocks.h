// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/quant: writers of the 256-weight formats with two levels of scales.
#pragma once

#include <cstddef>
#include <span>

namespace vitrine::engine {

/// x: 256 finite values   out: one block in file order (84, 110, 144, 176 and 210 bytes)
void encode_q2_k(std::span<const float> x, std::byte* out) noexcept;
void encode_q3_k(std::span<const float> x, std::byte* out) noexcept;
void encode_q4_k(std::span<const float> x, std::byte* out) noexcept;
void encode_q5_k(std::span<const float> x, std::byte* out) noexcept;
void encode_q6_k(std::span<const float> x, std::byte* out) noexcept;

} // namespace vitrine::engine
