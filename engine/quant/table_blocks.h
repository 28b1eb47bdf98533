// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/quant: writers of the formats whose codes stand for the entries of a table.
#pragma once

#include <cstddef>

#include "engine/quant/block_fit.h"

namespace vitrine::engine {

/// x: 32 finite values   out: one block in file order (18 and 17 bytes)
void encode_iq4_nl(const FitBlock& block, std::byte* out) noexcept;
void encode_mxfp4(const FitBlock& block, std::byte* out) noexcept;
/// x: 256 finite values   out: one block (136 bytes)
void encode_iq4_xs(const FitBlock& block, std::byte* out) noexcept;

} // namespace vitrine::engine
