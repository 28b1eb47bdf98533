// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/quant: writers of the 256-weight formats with two levels of scales.
#pragma once

#include <cstddef>

#include "engine/quant/block_fit.h"

namespace vitrine::engine {

/// block: 256 finite values   out: one block in file order (84, 110, 144, 176 and 210 bytes)
void encode_q2_k(const FitBlock& block, std::byte* out) noexcept;
void encode_q3_k(const FitBlock& block, std::byte* out) noexcept;
void encode_q4_k(const FitBlock& block, std::byte* out) noexcept;
void encode_q5_k(const FitBlock& block, std::byte* out) noexcept;
void encode_q6_k(const FitBlock& block, std::byte* out) noexcept;

} // namespace vitrine::engine
