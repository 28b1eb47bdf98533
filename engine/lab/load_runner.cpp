// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/lab: an open load against the engine.
#include "engine/lab/load_runner.h"

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

constexpr std::chrono::milliseconds kLookForStop{50};

double seconds_since(TimePoint start) {
    return std::chrono::duration<double>(steady_clock().now() - start).count();
}

class OutcomeSink final : public EventSink {
public:
    OutcomeSink(TimePoint start, std::chrono::microseconds arrival)
        : start_(start), arrival_s_(std::chrono::duration<double>(arrival).count()) {}

    void on_events(std::span<const Event> events) override {
        const std::scoped_lock lock(mutex_);
        for (const Event& event : events)
            std::visit([this](const auto& what) { take(what); }, event.what);
        changed_.notify_all();
    }
    bool wait(std::chrono::milliseconds most) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, most, [this] { return done_; });
    }
    [[nodiscard]] RequestOutcome outcome() {
        const std::scoped_lock lock(mutex_);
        return outcome_;
    }

private:
    void take(const Delta& delta) {
        const auto choice = static_cast<std::size_t>(delta.choice);
        outcome_.ids.resize(std::max(outcome_.ids.size(), choice + 1));
        const double now = seconds_since(start_);
        if (!delta.ids.empty() && outcome_.num_tokens() == 0)
            outcome_.ttft_s = now - arrival_s_;
        outcome_.ids[choice].insert(outcome_.ids[choice].end(), delta.ids.begin(), delta.ids.end());
        if (choice == 0)
            outcome_.token_times_s.insert(outcome_.token_times_s.end(), delta.ids.size(), now);
    }
    void take(const PromptLogprobs& scored) { outcome_.prompt_logprobs = scored.tokens; }
    void take(const Finished& finished) {
        outcome_.finished.push_back(finished);
        end(finished.last);
    }
    void take(const Rejected& rejected) {
        outcome_.rejected = rejected.error;
        end(true);
    }
    template <class Other>
    void take(const Other&) {}
    void end(bool last) {
        outcome_.end_s = seconds_since(start_);
        done_ = done_ || last;
    }

    const TimePoint start_;
    const double arrival_s_;
    std::mutex mutex_;
    std::condition_variable changed_;
    RequestOutcome outcome_;
    bool done_ = false;
};

struct Submitted {
    std::shared_ptr<OutcomeSink> sink;
    RequestId id{};
};

/// What happens when: submits and cancels, in order of time.
struct Act {
    std::chrono::microseconds time{0};
    std::size_t request = 0;
    bool cancels = false;
};

std::vector<Act> acts_of(std::span<const TimedRequest> load) {
    std::vector<Act> acts;
    for (std::size_t i = 0; i < load.size(); ++i) {
        acts.push_back({load[i].arrival, i, false});
        if (load[i].cancel_after)
            acts.push_back({load[i].arrival + *load[i].cancel_after, i, true});
    }
    std::ranges::stable_sort(acts, {}, &Act::time);
    return acts;
}

/// False: stop was requested.
bool sleep_until(TimePoint when, const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        const TimePoint now = steady_clock().now();
        if (now >= when)
            return true;
        std::this_thread::sleep_for(std::min<TimePoint::duration>(when - now, kLookForStop));
    }
    return false;
}

} // namespace

Result<std::vector<RequestOutcome>> run_load(
    Engine& engine, std::span<const TimedRequest> load, const std::stop_token& stop) {
    const TimePoint start = steady_clock().now();
    std::vector<Submitted> submitted(load.size());
    Result<void> failed;
    for (const Act& act : acts_of(load)) {
        if (!failed || !sleep_until(start + act.time, stop))
            break;
        Submitted& one = submitted[act.request];
        if (act.cancels) {
            engine.cancel(one.id);
            continue;
        }
        one.sink = std::make_shared<OutcomeSink>(start, load[act.request].arrival);
        if (auto id = engine.submit(load[act.request].request, one.sink)) {
            one.id = *id;
        } else {
            one.sink.reset();
            failed = tl::unexpected(id.error());
        }
    }
    bool cancelled = false;
    std::vector<RequestOutcome> outcomes;
    for (const Submitted& one : submitted) {
        while (one.sink && !one.sink->wait(kLookForStop)) {
            if (cancelled || (failed && !stop.stop_requested()))
                continue;
            cancelled = true;
            for (const Submitted& other : submitted)
                engine.cancel(other.id);
        }
        if (one.sink)
            outcomes.push_back(one.sink->outcome());
    }
    VT_TRY(failed);
    if (stop.stop_requested())
        return fail(ErrorCode::cancelled, say(Sentence::load_stopped));
    return outcomes;
}

} // namespace vitrine::engine
