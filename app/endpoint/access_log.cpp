// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/endpoint/access_log.h"

#include <algorithm>
#include <utility>

#include "app/endpoint/http_message.h"

namespace vitrine::app {

std::string AccessLog::beginning(std::string_view text) {
    std::size_t most = std::min(text.size(), kMaxTextBytes);
    while (most > 0 && most < text.size() && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U)
        --most;
    return std::string(text.substr(0, most));
}

void AccessLog::cut_texts(AccessRow& row) {
    for (std::string* text : {&row.request_body, &row.prompt_text, &row.response_text})
        if (text->size() > kMaxTextBytes)
            *text = beginning(*text);
}

std::size_t AccessLog::text_bytes(const AccessRow& row) {
    return row.request_body.capacity() + row.prompt_text.capacity() + row.response_text.capacity();
}

std::uint64_t AccessLog::add(AccessRow row) {
    const std::lock_guard lock(mutex_);
    row.number = next_++;
    cut_texts(row);
    num_text_bytes_ += text_bytes(row);
    rows_.push_back(std::move(row));
    if (rows_.size() > kMaxRows) {
        num_text_bytes_ -= text_bytes(rows_.front());
        rows_.pop_front();
    }
    drop_old_texts();
    return next_ - 1;
}

void AccessLog::update(std::uint64_t number, const std::function<void(AccessRow&)>& change) {
    const std::lock_guard lock(mutex_);
    const auto row = std::lower_bound(
        rows_.begin(), rows_.end(), number, [](const AccessRow& r, std::uint64_t n) { return r.number < n; });
    if (row == rows_.end() || row->number != number)
        return;
    num_text_bytes_ -= text_bytes(*row);
    change(*row);
    cut_texts(*row);
    num_text_bytes_ += text_bytes(*row);
    drop_old_texts();
}

bool AccessLog::holds(const std::string& id) const {
    const std::lock_guard lock(mutex_);
    return std::any_of(rows_.rbegin(), rows_.rend(), [&id](const AccessRow& row) { return row.id == id; });
}

void AccessLog::note_answer(const HttpRequest& request, const HttpResponse& response) {
    const bool failed = response.status >= 400;
    const bool is_polled = request.path == "/health" || request.path == "/metrics" || request.method == "OPTIONS";
    if (request.path.empty() || (!failed && is_polled) || holds(request.id))
        return;
    AccessRow row;
    row.time = std::chrono::system_clock::now();
    row.id = request.id;
    row.client = request.client;
    row.method = request.method;
    row.path = request.path.substr(0, kMaxPathBytes);
    row.status = response.status;
    row.total_s = 0;
    row.request_body = beginning(request.body);
    if (failed)
        row.response_text = beginning(response.body);
    add(std::move(row));
}

void AccessLog::drop_old_texts() {
    for (; num_text_bytes_ > kMaxAllTextBytes && next_with_text_ < next_; ++next_with_text_) {
        const auto row = std::lower_bound(rows_.begin(), rows_.end(), next_with_text_,
            [](const AccessRow& r, std::uint64_t n) { return r.number < n; });
        if (row == rows_.end())
            return;
        num_text_bytes_ -= text_bytes(*row);
        for (std::string* text : {&row->request_body, &row->prompt_text, &row->response_text})
            std::string().swap(*text); // assigning an empty one would keep the memory
        num_text_bytes_ += text_bytes(*row);
    }
}

std::vector<AccessRow> AccessLog::rows_after(std::uint64_t number) const {
    const std::lock_guard lock(mutex_);
    const auto first = std::upper_bound(
        rows_.begin(), rows_.end(), number, [](std::uint64_t n, const AccessRow& r) { return n < r.number; });
    return {first, rows_.end()};
}

} // namespace vitrine::app
