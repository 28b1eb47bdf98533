// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: the ring of recent requests, in memory only.  Thread: any.
#pragma once

#include <deque>
#include <functional>
#include <mutex>
#include <vector>

#include "app/endpoint/endpoint.h"

namespace vitrine::app {

/// Invariant: rows are ordered by number, at most kMaxRows of them.
class AccessLog {
public:
    static constexpr std::size_t kMaxRows = 5000;
    static constexpr std::size_t kMaxTextBytes = 64 << 10;

    std::uint64_t add(AccessRow row);
    /// Changes a row that is still in the ring.
    void update(std::uint64_t number, const std::function<void(AccessRow&)>& change);
    [[nodiscard]] std::vector<AccessRow> rows_after(std::uint64_t number) const;

private:
    mutable std::mutex mutex_;
    std::deque<AccessRow> rows_;
    std::uint64_t next_ = 1;
};

} // namespace vitrine::app
