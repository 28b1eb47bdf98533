// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/endpoint/access_log.h"

#include <algorithm>
#include <utility>

namespace vitrine::app {

std::uint64_t AccessLog::add(AccessRow row) {
    const std::lock_guard lock(mutex_);
    row.number = next_++;
    if (row.request_body.size() > kMaxTextBytes)
        row.request_body.resize(kMaxTextBytes);
    rows_.push_back(std::move(row));
    if (rows_.size() > kMaxRows)
        rows_.pop_front();
    return next_ - 1;
}

void AccessLog::update(std::uint64_t number, const std::function<void(AccessRow&)>& change) {
    const std::lock_guard lock(mutex_);
    const auto row = std::lower_bound(
        rows_.begin(), rows_.end(), number, [](const AccessRow& r, std::uint64_t n) { return r.number < n; });
    if (row != rows_.end() && row->number == number)
        change(*row);
}

std::vector<AccessRow> AccessLog::rows_after(std::uint64_t number) const {
    const std::lock_guard lock(mutex_);
    const auto first = std::upper_bound(
        rows_.begin(), rows_.end(), number, [](std::uint64_t n, const AccessRow& r) { return n < r.number; });
    return {first, rows_.end()};
}

} // namespace vitrine::app
