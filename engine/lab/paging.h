// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/lab: the same requests with a dense KV reservation and with blocks.
#pragma once

#include <cstdint>
#include <span>

namespace vitrine::engine {

struct PagingRequest {
    int prompt = 0; // tokens
    int output = 0;
    [[nodiscard]] int tokens() const noexcept { return prompt + output; }
};
struct PagingQuestion {
    std::int64_t memory_bytes = 0; // for KV
    std::int64_t kv_bytes_per_token = 0;
    int context = 0; // tokens a dense place reserves
    int block_tokens = 16;
};
struct PagingSide {
    std::int64_t reserved_bytes = 0; // for all requests
    std::int64_t used_bytes = 0; // tokens they really hold
    std::int64_t wasted_bytes = 0; // reserved - used
    int fit = 0; // requests that fit into the memory at once, in the order given
};
struct PagingComparison {
    PagingSide dense; // the full context for each, at admission
    PagingSide paged; // ceil(tokens / block) blocks for each, as they grow
};

/// Pure.  A request longer than the context fits in neither.
[[nodiscard]] PagingComparison compare_paging(std::span<const PagingRequest> requests, const PagingQuestion& question);

} // namespace vitrine::engine
