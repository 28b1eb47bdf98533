// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/lab: dense reservation against blocks.
#include "engine/lab/paging.h"

namespace vitrine::engine {
namespace {

/// Bytes reserved for one request; counts it in.
void add(PagingSide& side, std::int64_t reserved, std::int64_t used, std::int64_t memory, bool& open) {
    open = open && side.reserved_bytes + reserved <= memory; // first come, first served: nobody is passed
    side.fit += open;
    side.reserved_bytes += reserved;
    side.used_bytes += used;
    side.wasted_bytes = side.reserved_bytes - side.used_bytes;
}

} // namespace

PagingComparison compare_paging(std::span<const PagingRequest> requests, const PagingQuestion& q) {
    PagingComparison result;
    bool dense_open = true, paged_open = true;
    for (const PagingRequest& request : requests) {
        if (request.tokens() > q.context)
            continue;
        const std::int64_t used = request.tokens() * q.kv_bytes_per_token;
        const std::int64_t blocks = (request.tokens() + q.block_tokens - 1) / q.block_tokens;
        add(result.dense, q.context * q.kv_bytes_per_token, used, q.memory_bytes, dense_open);
        add(result.paged, blocks * q.block_tokens * q.kv_bytes_per_token, used, q.memory_bytes, paged_open);
    }
    return result;
}

} // namespace vitrine::engine
