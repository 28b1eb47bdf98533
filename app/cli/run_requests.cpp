// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: request collection.
#include "app/cli/run_requests.h"

#include <condition_variable>
#include <mutex>
#include <utility>

namespace vitrine::app {
namespace {

/// Receives the events of one request on the engine thread; wait() is the caller's.
class Collector final : public engine::EventSink {
public:
    void on_events(std::span<const engine::Event> events) override {
        const std::scoped_lock lock(mutex_);
        for (const engine::Event& event : events)
            std::visit([this](const auto& what) { take(what); }, event.what);
        if (done_)
            changed_.notify_all();
    }
    RequestResult wait() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return done_; });
        return std::move(result_);
    }

private:
    ChoiceResult& choice(int index) {
        if (result_.choices.size() <= static_cast<std::size_t>(index))
            result_.choices.resize(static_cast<std::size_t>(index) + 1);
        return result_.choices[static_cast<std::size_t>(index)];
    }
    void take(const engine::Admitted& admitted) { result_.admitted = admitted; }
    void take(const engine::Progress&) {}
    void take(const engine::ToolCallPart&) {}
    void take(const engine::ToolCallFound&) {}
    void take(const engine::Embedded&) {}
    void take(const engine::Delta& delta) {
        ChoiceResult& to = choice(delta.choice);
        to.text += delta.text;
        to.reasoning += delta.reasoning;
        to.ids.insert(to.ids.end(), delta.ids.begin(), delta.ids.end());
        to.logprobs.insert(to.logprobs.end(), delta.logprobs.begin(), delta.logprobs.end());
    }
    void take(const engine::PromptLogprobs& logprobs) { result_.prompt_logprobs = logprobs.tokens; }
    void take(const engine::Finished& finished) {
        choice(finished.choice).finished = finished;
        done_ = done_ || finished.last;
    }
    void take(const engine::Rejected& rejected) {
        result_.rejected = rejected.error;
        done_ = true;
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    RequestResult result_;
    bool done_ = false;
};

} // namespace

Result<std::vector<RequestResult>> run_requests(engine::Engine& engine, std::vector<engine::Request> requests) {
    std::vector<std::shared_ptr<Collector>> collectors;
    for (engine::Request& request : requests) {
        collectors.push_back(std::make_shared<Collector>());
        if (auto submitted = engine.submit(std::move(request), collectors.back()); !submitted)
            return tl::unexpected(submitted.error());
    }
    std::vector<RequestResult> results;
    for (const auto& collector : collectors)
        results.push_back(collector->wait());
    return results;
}

} // namespace vitrine::app
