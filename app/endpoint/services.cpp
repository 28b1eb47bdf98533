// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/endpoint/services.h"

#include <algorithm>
#include <fmt/format.h>

namespace vitrine::app {
namespace {

int most_sequences(const Services& services) {
    const auto model = services.engine.snapshot()->model;
    return (model ? model->config.max_seqs : services.config.load.max_seqs) + services.config.max_waiting;
}

ApiError queue_full(const Services& services, int open) {
    ApiError error;
    error.status = 429;
    error.type = "rate_limit_error";
    error.code = "rate_limit_exceeded";
    error.message = fmt::format("The queue is full with {} requests; try again later.", open);
    const double rate = std::max(services.engine.snapshot()->rates.decode_tokens_per_s, 1.0);
    error.retry_after_s = std::clamp(static_cast<int>(open * 64 / rate), 1, 120); // 64 tokens each, as a guess
    return error;
}

} // namespace

OpenSlot::OpenSlot(Services& services) : services_(services) {
    ++services_.open_requests;
    ++services_.open_sequences;
}

OpenSlot::~OpenSlot() {
    services_.open_sequences -= num_sequences_;
    --services_.open_requests;
}

tl::expected<std::shared_ptr<OpenSlot>, ApiError> OpenSlot::take(Services& services) {
    const int open = services.open_sequences;
    if (open >= most_sequences(services))
        return tl::unexpected(queue_full(services, open));
    return std::shared_ptr<OpenSlot>(new OpenSlot(services));
}

std::optional<ApiError> OpenSlot::widen(int num_sequences) {
    const int others = services_.open_sequences - num_sequences_;
    if (others > 0 && others + num_sequences > most_sequences(services_))
        return queue_full(services_, others);
    services_.open_sequences += num_sequences - num_sequences_;
    num_sequences_ = num_sequences;
    return std::nullopt;
}

} // namespace vitrine::app
