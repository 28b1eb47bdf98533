// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/remote: the network's side of a RemoteEngine.
#include "app/remote/remote_link.h"

#include <algorithm>
#include <cmath>

#include "app/remote/metric_names.h"
#include "app/remote/remote_snapshot.h"
#include "ui/bridge/qt_convert.h"

namespace vitrine::app {

using namespace ui;

namespace {

constexpr std::int64_t kAskedLatelyMs = 2'500;
constexpr int kTicksWithoutPage = 30; // a server without metrics may be started anew with them
constexpr int kPublishMs = 50;
constexpr std::size_t kMaxEnded = 16;
constexpr double kKeptSeconds = 70; // of readings: rates look a minute back
constexpr std::uint8_t kDecodeLine = 1, kFinishedLine = 4, kSubmittedLine = 5; // SequenceLine::kind

} // namespace

RemoteEngine::Link::Link(RemoteEngine& owner)
    : m_owner(owner), m_facts(owner.m_target.facts), m_model(remoteModel(owner.m_target)) {}

double RemoteEngine::Link::now() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_owner.m_origin).count();
}

void RemoteEngine::Link::begin() {
    m_network = std::make_unique<QNetworkAccessManager>();
    m_metrics = std::make_unique<MetricsReader>(*m_network, m_owner.m_target.server);
    m_timer = std::make_unique<QTimer>();
    connect(m_timer.get(), &QTimer::timeout, this, &Link::tick);
    m_timer->start(kReadIntervalMs);
    m_publishTimer = std::make_unique<QTimer>();
    m_publishTimer->setSingleShot(true);
    connect(m_publishTimer.get(), &QTimer::timeout, this, [this] { m_owner.publish(makeSnapshot()); });
    tick();
}

void RemoteEngine::Link::close() {
    const auto running = m_running; // ending takes them out
    for (const auto& [id, answer] : running)
        answer->cancel();
    m_timer.reset();
    m_publishTimer.reset();
    m_metrics.reset();
    m_network.reset();
}

void RemoteEngine::Link::tick() {
    const auto nowMs = static_cast<std::int64_t>(now() * 1e3);
    if (nowMs - m_owner.m_lastAskedMs > kAskedLatelyMs && m_running.empty())
        return; // nobody looks
    if (!m_facts.metricsProblem.isEmpty())
        addReading(ownReading());
    if (m_ticksToWait > 0)
        --m_ticksToWait;
    else
        m_metrics->read([this](const Result<std::vector<MetricSample>>& samples) { takeMetrics(samples); });
}

void RemoteEngine::Link::takeMetrics(const Result<std::vector<MetricSample>>& samples) {
    if (const QString problem = metricsProblem(samples); !problem.isEmpty()) {
        m_ticksToWait = samples || samples.error().code == ErrorCode::not_found ? kTicksWithoutPage : 0;
        return setProblem(problem);
    }
    m_facts.kind = serverKind(*samples);
    setProblem({});
    addReading(readMetrics(*samples, toStdString(m_owner.m_target.model)));
}

/// Without metrics: what this program's own requests show.
ServerReading RemoteEngine::Link::ownReading() const {
    ServerReading reading;
    reading.own = true;
    reading.running = static_cast<double>(m_running.size());
    reading.promptTokens = m_ownPromptTokens;
    reading.generationTokens = m_ownTokens;
    return reading;
}

void RemoteEngine::Link::addReading(ServerReading reading) {
    reading.time = now();
    reading.restarted = !m_readings.empty() && hasRestarted(m_readings.back(), reading);
    if (reading.restarted)
        m_readings.clear(); // what was counted before is no base for rates
    m_readings.push_back(reading);
    while (m_readings.front().time < reading.time - kKeptSeconds)
        m_readings.pop_front();
    m_owner.publish(makeSnapshot());
    emit m_owner.readingTaken(reading);
}

void RemoteEngine::Link::setProblem(const QString& problem) {
    if (problem == m_facts.metricsProblem)
        return;
    m_facts.metricsProblem = problem;
    m_readings.clear(); // figures of the server and figures of this program do not mix
    emit m_owner.factsChanged(m_facts);
}

void RemoteEngine::Link::start(RemoteAnswer::Order order) {
    order.sequence = m_nextSequence++;
    const RequestId id = order.id;
    const std::uint32_t sequence = order.sequence;
    auto* answer = new RemoteAnswer(m_owner.m_target, std::move(order), this);
    m_running.emplace(static_cast<std::uint64_t>(id), answer);
    line(id, sequence, kSubmittedLine, 0);
    connect(answer, &RemoteAnswer::tokensCame, this, [this, id, sequence](int count) {
        m_ownTokens += count;
        line(id, sequence, kDecodeLine, count);
        publishSoon();
    });
    connect(answer, &RemoteAnswer::ended, this, [this, answer] { onEnded(answer); });
    m_owner.publish(makeSnapshot());
    if (m_network)
        answer->start(*m_network);
    else
        answer->cancel(); // closed meanwhile
}

void RemoteEngine::Link::onEnded(RemoteAnswer* answer) {
    const SequenceStatus status = answer->status();
    m_ownPromptTokens += status.prompt_tokens;
    engine::SequenceLine last;
    last.request = static_cast<std::uint64_t>(status.request);
    last.sequence = status.sequence;
    last.kind = kFinishedLine;
    last.finish = static_cast<std::uint8_t>(answer->finishReason());
    last.time_us = static_cast<std::uint64_t>(now() * 1e6);
    m_owner.addLine(last);
    m_running.erase(static_cast<std::uint64_t>(status.request));
    m_owner.m_numRunning.fetch_sub(1);
    m_ended.push_back(status);
    if (m_ended.size() > kMaxEnded)
        m_ended.pop_front();
    m_owner.publish(makeSnapshot());
    answer->deleteLater();
}

void RemoteEngine::Link::cancel(RequestId request) {
    const auto found = m_running.find(static_cast<std::uint64_t>(request));
    if (found != m_running.end())
        found->second->cancel();
}

void RemoteEngine::Link::line(RequestId request, std::uint32_t sequence, std::uint8_t kind, int count) {
    engine::SequenceLine made;
    made.request = static_cast<std::uint64_t>(request);
    made.sequence = sequence;
    made.kind = kind;
    made.count = static_cast<std::uint32_t>(count);
    made.time_us = static_cast<std::uint64_t>(now() * 1e6);
    m_owner.addLine(made);
}

void RemoteEngine::Link::publishSoon() {
    if (m_publishTimer && !m_publishTimer->isActive())
        m_publishTimer->start(kPublishMs);
}

std::shared_ptr<const Snapshot> RemoteEngine::Link::makeSnapshot() {
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->number = ++m_number;
    snapshot->time = std::chrono::steady_clock::now();
    snapshot->engine_us = static_cast<std::uint64_t>(now() * 1e6);
    snapshot->model = m_model;
    int waiting = 0;
    for (const auto& [id, answer] : m_running) {
        snapshot->sequences.push_back(answer->status());
        waiting += snapshot->sequences.back().state == SequenceState::waiting;
    }
    snapshot->sequences.insert(snapshot->sequences.end(), m_ended.begin(), m_ended.end());
    snapshot->running = static_cast<int>(m_running.size()) - waiting;
    snapshot->waiting = waiting;
    applyReadings(m_readings, *snapshot);
    return snapshot;
}

} // namespace vitrine::app
