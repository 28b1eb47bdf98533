// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: where engine threads leave events for the GUI thread.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <functional>
#include <mutex>
#include <vector>

#include "ui/bridge/values.h"

namespace vitrine::ui {

/// An EventSink that never blocks the engine: append under a lock, post one wake-up if none is pending.  The GUI side
/// drains at most once in 16 ms, and consecutive deltas of one choice are merged while they wait, so that a slow window
/// costs memory for text only.  While nothing but tokens comes, drains stand up to 120 ms apart, eighty times what one of
/// them has cost this thread: the engine computes on the same cores, and nobody reads faster.
/// Thread: on_events() from any; everything else GUI.  Invariant: a wake-up is pending iff events wait and the reader
/// is not draining.
class EventMailbox final : public engine::EventSink {
public:
    using Reader = std::function<void(const engine::Event&)>;
    /// `reader` is called on the thread that made the mailbox, until close().
    explicit EventMailbox(Reader reader);
    ~EventMailbox() override;

    void on_events(std::span<const engine::Event> events) override;
    /// Delivers everything now.
    void drain();
    /// From here on events are dropped; the engine may keep the sink alive longer than its reader.
    void close();

    static constexpr int kMinIntervalMs = 16;
    static constexpr int kMaxIntervalMs = 120; // only deltas and progress wait

private:
    [[nodiscard]] bool isStreaming();
    [[nodiscard]] int interval(); // ms from one drain to the next
    void wake(); // GUI thread: drains now, or arms the timer for the rest of the interval

    Reader m_reader;
    std::unique_ptr<QObject> m_context; // receives the posted wake-up; lives on the GUI thread
    std::unique_ptr<QTimer> m_timer;
    QElapsedTimer m_sinceDrain;
    double m_cpuAtDrain = 0; // ms this thread has computed
    double m_cost = 0; // ms of it from one drain to the next, a mean: reading, layout and painting
    std::mutex m_mutex;
    std::vector<engine::Event> m_waiting; // guarded
    bool m_wakePosted = false; // guarded
    bool m_closed = false; // guarded
};

/// Appends `event` to `waiting`, or merges it: a delta into the last delta of the same request and choice if only
/// deltas and progress of other requests lie between, a progress over an older one.  Exposed for its test.
void appendMerged(std::vector<engine::Event>& waiting, const engine::Event& event);

} // namespace vitrine::ui
