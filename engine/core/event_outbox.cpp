// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: event delivery.
#include "engine/core/event_outbox.h"

#include <algorithm>
#include <utility>

namespace vitrine::engine {

void EventOutbox::add(const std::shared_ptr<EventSink>& sink, Event event) {
    if (!sink)
        return;
    auto letter = std::find_if(letters_.begin(), letters_.end(), [&](const Letter& l) { return l.sink == sink; });
    if (letter == letters_.end())
        letter = letters_.insert(letters_.end(), Letter{sink, {}});
    letter->events.push_back(std::move(event));
}

void EventOutbox::deliver() {
    const std::vector<Letter> letters = std::exchange(letters_, {});
    for (const Letter& letter : letters)
        letter.sink->on_events(letter.events);
}

} // namespace vitrine::engine
