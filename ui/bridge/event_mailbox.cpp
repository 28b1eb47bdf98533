// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: where engine threads leave events for the GUI thread.
#include "ui/bridge/event_mailbox.h"

#include <time.h>

#include <algorithm>
#include <utility>
#include <variant>

namespace vitrine::ui {

namespace {

// A walk back past this many events costs more than the entry it saves.
constexpr std::size_t kMaxLookBack = 512;

constexpr double kIdleShare = 80; // a stream's text takes one part in so many of this thread's time
constexpr double kCostMemory = 8; // drains
constexpr double kMaxCost = 10; // ms: what else the window did between two drains counts no further

/// What the calling thread has computed so far.
double threadMilliseconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

void mergeInto(engine::Delta& into, const engine::Delta& from) {
    into.text += from.text;
    into.reasoning += from.reasoning;
    into.ids.insert(into.ids.end(), from.ids.begin(), from.ids.end());
    into.logprobs.insert(into.logprobs.end(), from.logprobs.begin(), from.logprobs.end());
    into.num_draft_tokens += from.num_draft_tokens;
}

/// Reasoning comes before text in one delta; merging text-then-reasoning would swap them.
bool keepsOrder(const engine::Delta& into, const engine::Delta& from) {
    return from.reasoning.empty() || into.text.empty();
}

} // namespace

void appendMerged(std::vector<engine::Event>& waiting, const engine::Event& event) {
    const auto* delta = std::get_if<engine::Delta>(&event.what);
    const auto* progress = std::get_if<engine::Progress>(&event.what);
    if (delta == nullptr && progress == nullptr) {
        waiting.push_back(event);
        return;
    }
    std::size_t looked = 0;
    for (auto it = waiting.rbegin(); it != waiting.rend() && looked < kMaxLookBack; ++it, ++looked) {
        if (it->request != event.request)
            continue;
        auto* earlierDelta = std::get_if<engine::Delta>(&it->what);
        auto* earlierProgress = std::get_if<engine::Progress>(&it->what);
        if (delta != nullptr && earlierDelta != nullptr && earlierDelta->choice != delta->choice)
            continue;
        if (delta != nullptr && earlierDelta != nullptr && keepsOrder(*earlierDelta, *delta)) {
            mergeInto(*earlierDelta, *delta);
            return;
        }
        if (progress != nullptr && earlierProgress != nullptr) {
            *earlierProgress = *progress;
            return;
        }
        break;
    }
    waiting.push_back(event);
}

EventMailbox::EventMailbox(Reader reader)
    : m_reader(std::move(reader)), m_context(std::make_unique<QObject>()), m_timer(std::make_unique<QTimer>()) {
    m_timer->setSingleShot(true);
    m_timer->setTimerType(Qt::PreciseTimer);
    QObject::connect(m_timer.get(), &QTimer::timeout, m_context.get(), [this] { drain(); });
}

EventMailbox::~EventMailbox() = default;

void EventMailbox::on_events(std::span<const engine::Event> events) {
    const std::lock_guard lock(m_mutex);
    if (m_closed)
        return;
    for (const engine::Event& event : events)
        appendMerged(m_waiting, event);
    if (std::exchange(m_wakePosted, true))
        return;
    // Posted under the lock: close() deletes the context only after it has set m_closed under the same lock.
    QMetaObject::invokeMethod(
        m_context.get(), [this] { wake(); }, Qt::QueuedConnection);
}

void EventMailbox::wake() {
    const int interval = this->interval();
    const qint64 elapsed = m_sinceDrain.isValid() ? m_sinceDrain.elapsed() : interval;
    if (elapsed >= interval)
        drain();
    else
        m_timer->start(static_cast<int>(interval - elapsed));
}

bool EventMailbox::isStreaming() {
    const std::lock_guard lock(m_mutex);
    return std::all_of(m_waiting.begin(), m_waiting.end(), [](const engine::Event& event) {
        return std::holds_alternative<engine::Delta>(event.what) ||
            std::holds_alternative<engine::Progress>(event.what);
    });
}

int EventMailbox::interval() {
    if (!isStreaming())
        return kMinIntervalMs;
    return std::clamp(static_cast<int>(kIdleShare * m_cost), kMinIntervalMs, kMaxIntervalMs);
}

void EventMailbox::drain() {
    std::vector<engine::Event> events;
    {
        const std::lock_guard lock(m_mutex);
        events.swap(m_waiting);
        m_wakePosted = false;
        if (m_closed)
            return;
    }
    const double now = threadMilliseconds();
    m_cost += (std::min(now - m_cpuAtDrain, kMaxCost) - m_cost) / kCostMemory;
    m_cpuAtDrain = now;
    m_sinceDrain.restart();
    for (const engine::Event& event : events) {
        if (!m_reader)
            return; // closed by a reader
        m_reader(event);
    }
}

void EventMailbox::close() {
    {
        const std::lock_guard lock(m_mutex);
        m_closed = true;
        m_waiting.clear();
    }
    m_timer.reset();
    m_context.reset();
    m_reader = nullptr;
}

} // namespace vitrine::ui
