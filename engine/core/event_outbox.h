// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: collects the events of one step and hands each sink its own in one call.
#pragma once

#include <memory>
#include <vector>

#include "engine/api/event.h"

namespace vitrine::engine {

/// Events of one sink keep their order.  Thread: engine.
class EventOutbox {
public:
    void add(const std::shared_ptr<EventSink>& sink, Event event);
    /// Calls every sink once, then forgets them.
    void deliver();
    [[nodiscard]] bool empty() const noexcept { return letters_.empty(); }

private:
    struct Letter {
        std::shared_ptr<EventSink> sink;
        std::vector<Event> events;
    };
    std::vector<Letter> letters_;
};

} // namespace vitrine::engine
