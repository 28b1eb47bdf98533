// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/base: the engine's strong ids: an index or a number that cannot be mistaken for another.
#pragma once

#include <cstdint>

#include "kernels/api/ids.h"

namespace vitrine::engine {

using kernels::StrongId;

/// Index of a KV block; 0 is the null block.
using BlockId = StrongId<struct BlockTag>;

/// One sequence (one choice of a request), unique in one process, rising.  0: none.
enum class SequenceId : std::uint32_t {};

} // namespace vitrine::engine
