// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: the ring of recent requests, in memory only.  Thread: any.
#pragma once

#include <deque>
#include <functional>
#include <mutex>
#include <string_view>
#include <vector>

#include "app/endpoint/endpoint.h"

namespace vitrine::app {

struct HttpRequest;
struct HttpResponse;

/// Invariant: rows are ordered by number, at most kMaxRows of them.
class AccessLog {
public:
    static constexpr std::size_t kMaxRows = 5000;
    static constexpr std::size_t kMaxTextBytes = 64 << 10; // of one text
    static constexpr std::size_t kMaxAllTextBytes = 16 << 20; // beyond it the oldest rows lose theirs
    static constexpr std::size_t kMaxPathBytes = 256; // of a request nobody asked for

    /// At most kMaxTextBytes of `text`, up to the end of a whole letter of UTF-8.
    [[nodiscard]] static std::string beginning(std::string_view text);
    /// Keeps the beginnings of the texts of `row`.
    std::uint64_t add(AccessRow row);
    /// Changes a row that is still in the ring.
    void update(std::uint64_t number, const std::function<void(AccessRow&)>& change);
    /// A request that was refused or answered at once, unless a job keeps a row of its own for it.  What programs ask
    /// for all the time (health, metrics) is kept only when it fails, or it would push all else out.
    void note_answer(const HttpRequest& request, const HttpResponse& response);
    [[nodiscard]] std::vector<AccessRow> rows_after(std::uint64_t number) const;

private:
    [[nodiscard]] static std::size_t text_bytes(const AccessRow& row);
    static void cut_texts(AccessRow& row);
    void drop_old_texts();
    [[nodiscard]] bool holds(const std::string& id) const;

    mutable std::mutex mutex_;
    std::deque<AccessRow> rows_;
    std::uint64_t next_ = 1;
    std::uint64_t next_with_text_ = 1; // rows before it have lost their texts
    std::size_t num_text_bytes_ = 0;
};

} // namespace vitrine::app
