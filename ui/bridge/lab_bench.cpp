// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: waiting for the engine on a worker thread.
#include "ui/bridge/lab_bench.h"

#include <QCoreApplication>

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include "engine/api/engine.h"
#include "ui/bridge/error_text.h"
#include "ui/bridge/qt_convert.h"

namespace vitrine::ui {
namespace {

struct BenchText {
    Q_DECLARE_TR_FUNCTIONS(BenchText)
};

using Clock = std::chrono::steady_clock;
constexpr auto kLook = std::chrono::milliseconds(50); // how often the flag is looked at
constexpr std::size_t kStepChunk = 256;

/// Collects what the engine says about the requests of one run.
class Collector final : public engine::EventSink {
public:
    explicit Collector(std::size_t count) : m_answers(count) {}

    void expect(RequestId id, std::size_t index) {
        const std::lock_guard lock(m_mutex);
        m_index[id] = index;
        m_submitted[id] = Clock::now();
        ++m_open;
        // Events that came before the id was known.
        for (const engine::Event& event : m_early)
            if (event.request == id)
                take(event);
    }
    void on_events(std::span<const engine::Event> events) override {
        const std::lock_guard lock(m_mutex);
        for (const engine::Event& event : events)
            if (m_index.contains(event.request))
                take(event);
            else
                m_early.push_back(event);
        m_changed.notify_all();
    }
    /// True when every request has ended.
    bool wait() {
        std::unique_lock lock(m_mutex);
        return m_changed.wait_for(lock, kLook, [this] { return m_open == 0; });
    }
    [[nodiscard]] std::optional<Error> error() {
        const std::lock_guard lock(m_mutex);
        return m_error;
    }
    [[nodiscard]] std::vector<LabAnswer> take() {
        const std::lock_guard lock(m_mutex);
        return std::move(m_answers);
    }

private:
    void take(const engine::Event& event) {
        LabAnswer& answer = m_answers[m_index[event.request]];
        if (const auto* admitted = std::get_if<Admitted>(&event.what)) {
            answer.promptIds = admitted->prompt_ids;
        } else if (const auto* delta = std::get_if<Delta>(&event.what)) {
            const std::chrono::duration<double> since = Clock::now() - m_submitted[event.request];
            answer.arrivals.insert(answer.arrivals.end(), delta->ids.size(), since.count());
            answer.ids.insert(answer.ids.end(), delta->ids.begin(), delta->ids.end());
            answer.text += toQString(delta->text);
        } else if (const auto* logprobs = std::get_if<engine::PromptLogprobs>(&event.what)) {
            answer.promptLogprobs = logprobs->tokens;
        } else if (const auto* finished = std::get_if<Finished>(&event.what)) {
            answer.usage = finished->usage;
            answer.timings = finished->timings;
            answer.finish = finished->reason;
            if (finished->error)
                m_error = finished->error;
            m_open -= finished->last;
        } else if (const auto* rejected = std::get_if<Rejected>(&event.what)) {
            m_error = rejected->error;
            --m_open;
        }
    }

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::map<RequestId, std::size_t> m_index;
    std::map<RequestId, Clock::time_point> m_submitted;
    std::vector<engine::Event> m_early;
    std::vector<LabAnswer> m_answers;
    std::optional<Error> m_error;
    int m_open = 0;
};

class LoadWait final : public engine::LoadSink {
public:
    void on_load_progress(const engine::LoadProgress& progress) override {
        const std::lock_guard lock(m_mutex);
        m_last = progress;
        m_changed.notify_all();
    }
    bool wait() {
        std::unique_lock lock(m_mutex);
        return m_changed.wait_for(lock, kLook, [this] { return m_last.phase >= engine::LoadPhase::done; });
    }
    [[nodiscard]] Result<void> outcome() {
        const std::lock_guard lock(m_mutex);
        if (m_last.phase == engine::LoadPhase::done)
            return {};
        if (m_last.error)
            return tl::unexpected(worded(*m_last.error));
        return fail(ErrorCode::cancelled, toStdString(BenchText::tr("The load was cancelled.")));
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    engine::LoadProgress m_last;
};

tl::unexpected<Error> noModel() {
    return fail(ErrorCode::not_found, toStdString(BenchText::tr("No model is loaded.")),
        toStdString(BenchText::tr("Load a model, then run the experiment.")));
}

tl::unexpected<Error> cancelled() {
    return fail(ErrorCode::cancelled, toStdString(BenchText::tr("The experiment was stopped.")));
}

} // namespace

LabBench::LabBench(engine::Engine& engine, const std::atomic<bool>& flag) : m_engine(engine), m_cancelled(flag) {}

std::shared_ptr<const Snapshot> LabBench::snapshot() const {
    return m_engine.snapshot();
}

std::shared_ptr<const LoadedModel> LabBench::model() const {
    return m_engine.snapshot()->model;
}

int LabBench::foreignRequests() const {
    const auto snapshot = m_engine.snapshot();
    return snapshot->running + snapshot->waiting + snapshot->preparing;
}

Result<std::vector<LabAnswer>> LabBench::run(std::vector<Request> requests) {
    m_used = true;
    auto collector = std::make_shared<Collector>(requests.size());
    std::vector<RequestId> ids;
    std::optional<Error> refused;
    for (std::size_t i = 0; i < requests.size() && !refused; ++i) {
        requests[i].source = RequestSource::lab;
        const auto id = m_engine.submit(std::move(requests[i]), collector);
        if (!id) {
            refused = id.error();
            break;
        }
        collector->expect(*id, i);
        ids.push_back(*id);
    }
    bool told = false;
    while (!collector->wait()) {
        if (told || !(m_cancelled || refused || collector->error()))
            continue;
        told = true; // the last events still come
        for (const RequestId id : ids)
            m_engine.cancel(id);
    }
    if (refused)
        return tl::unexpected(worded(*refused));
    if (m_cancelled)
        return cancelled();
    if (const auto error = collector->error())
        return tl::unexpected(worded(*error));
    return collector->take();
}

Result<LabAnswer> LabBench::run(Request request) {
    std::vector<Request> one;
    one.push_back(std::move(request));
    auto answers = run(std::move(one));
    if (!answers)
        return tl::unexpected(answers.error());
    return std::move(answers->front());
}

Result<void> LabBench::load(const EngineConfig& config) {
    m_used = true;
    const auto now = model();
    if (!now)
        return noModel();
    if (!m_original)
        m_original = now;
    auto sink = std::make_shared<LoadWait>();
    VT_TRY(m_engine.load(m_original->info.path, config, sink));
    bool told = false;
    while (!sink->wait())
        if (m_cancelled && !told) {
            m_engine.cancel_load();
            told = true;
        }
    VT_TRY(sink->outcome());
    const auto generation = now->generation;
    while (!m_cancelled && (!model() || model()->generation == generation)) // it is published with the next snapshot
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (m_cancelled)
        return cancelled();
    return {};
}

Result<void> LabBench::unload() {
    m_used = true;
    const auto now = model();
    if (!now)
        return noModel();
    if (!m_original)
        m_original = now;
    m_engine.unload();
    while (!m_cancelled && model())
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (m_cancelled)
        return cancelled();
    return {};
}

Result<void> LabBench::restore() {
    const auto original = std::exchange(m_original, nullptr);
    if (!original || (model() && model()->generation == original->generation))
        return {};
    auto sink = std::make_shared<LoadWait>();
    VT_TRY(m_engine.load(original->info.path, original->config, sink));
    while (!sink->wait()) {
    } // not cancelled: the user's model comes back
    return sink->outcome();
}

Result<std::vector<TokenId>> LabBench::tokenize(const QString& text) const {
    const auto model = m_engine.text_model();
    if (!model)
        return noModel();
    return model->tokenize(toStdString(text), true, false);
}

QString LabBench::tokenText(TokenId token) const {
    const auto model = m_engine.text_model();
    return model ? toQString(model->token_bytes(token)) : QString();
}

quint64 LabBench::nextStep() const {
    const auto snapshot = m_engine.snapshot();
    quint64 next = snapshot->last_step;
    for (const StepRecord& step : stepsFrom(next))
        next = std::max<quint64>(next, step.step);
    return next + 1;
}

std::vector<StepRecord> LabBench::stepsFrom(quint64 step) const {
    std::vector<StepRecord> result;
    std::vector<StepRecord> chunk(kStepChunk);
    while (true) {
        const std::size_t count = m_engine.read_steps(step, chunk);
        result.insert(result.end(), chunk.begin(), chunk.begin() + static_cast<std::ptrdiff_t>(count));
        if (count < chunk.size())
            return result;
        step = result.back().step + 1;
    }
}

void LabBench::forgetPrefixes() {
    m_engine.reset_prefix_cache();
}

} // namespace vitrine::ui
