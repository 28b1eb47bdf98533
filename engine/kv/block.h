// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/kv: the record of one KV block.
#pragma once

#include <cstdint>

#include "engine/base/clock.h"
#include "engine/base/strong_id.h"

namespace vitrine::engine {

/// ref_count 0 <=> linked in the free list, exactly once.  `cached`: its content is findable in the prefix cache.
struct Block {
    std::int32_t ref_count = 0;
    std::int32_t previous = -1; // free list, by index; -1: not linked
    std::int32_t next = -1;
    bool cached = false;
    bool window_freed = false; // its last reference went because a window moved on; until the next one comes
    std::uint8_t group = 0; // of layers that its K and V belong, or belonged, to
    TimePoint born{}; // last allocate
    TimePoint last_used{}; // last allocate, retain or release
};

} // namespace vitrine::engine
