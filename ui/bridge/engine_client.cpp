// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: the window's one client of the engine.
#include "ui/bridge/engine_client.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "engine/api/engine.h"
#include "ui/bridge/error_text.h"
#include "ui/bridge/event_mailbox.h"
#include "ui/bridge/lab_bench.h"
#include "ui/bridge/qt_convert.h"

namespace vitrine::ui {

/// One thread for what reads files or tokenizes.  A job runs there and returns what is to be done on the GUI thread.
class EngineClient::Worker {
public:
    using Delivery = std::function<void()>;
    using Job = std::function<Delivery()>;

    explicit Worker(EngineClient& client) : m_client(client), m_thread([this] { run(); }) {}
    ~Worker() {
        {
            const std::lock_guard lock(m_mutex);
            m_stopping = true;
        }
        m_wake.notify_one();
        m_thread.join();
    }
    void post(Job job) {
        {
            const std::lock_guard lock(m_mutex);
            m_jobs.push_back(std::move(job));
        }
        m_wake.notify_one();
    }
    /// At most one count waits: a newer text replaces it.
    void postCount(Job job) {
        {
            const std::lock_guard lock(m_mutex);
            m_count = std::move(job);
        }
        m_wake.notify_one();
    }

private:
    void run() {
        while (true) {
            Job job;
            {
                std::unique_lock lock(m_mutex);
                m_wake.wait(lock, [this] { return m_stopping || !m_jobs.empty() || m_count; });
                if (m_stopping)
                    return;
                if (m_count) {
                    job = std::exchange(m_count, nullptr);
                } else {
                    job = std::move(m_jobs.front());
                    m_jobs.pop_front();
                }
            }
            QMetaObject::invokeMethod(&m_client, job(), Qt::QueuedConnection);
        }
    }

    EngineClient& m_client;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<Job> m_jobs;
    Job m_count;
    bool m_stopping = false;
    std::thread m_thread; // last: starts when the rest is built
};

/// Brings a load's progress to the GUI thread; only the newest value waits, and the last one always arrives.
class EngineClient::LoadRelay final : public engine::LoadSink {
public:
    explicit LoadRelay(EngineClient* client) : m_client(client) {}

    void on_load_progress(const engine::LoadProgress& progress) override {
        const std::lock_guard lock(m_mutex);
        if (m_client == nullptr)
            return;
        const bool waits = m_newest.has_value();
        m_newest = progress;
        if (!waits)
            QMetaObject::invokeMethod(
                m_client, [this] { deliver(); }, Qt::QueuedConnection);
    }
    void close() {
        const std::lock_guard lock(m_mutex);
        m_client = nullptr;
    }

private:
    void deliver() { // GUI thread
        std::optional<engine::LoadProgress> progress;
        {
            const std::lock_guard lock(m_mutex);
            progress = std::exchange(m_newest, std::nullopt);
        }
        if (progress && m_client != nullptr)
            m_client->applyLoad(*progress);
    }

    std::mutex m_mutex;
    EngineClient* m_client; // guarded
    std::optional<engine::LoadProgress> m_newest; // guarded
};

EngineClient::EngineClient(engine::Engine& engine, QObject* parent, engine::Engine* lab)
    : QObject(parent), m_engine(engine), m_labEngine(lab != nullptr ? *lab : engine),
      m_mailbox(std::make_shared<EventMailbox>([this](const engine::Event& event) { deliver(event); })),
      m_worker(std::make_unique<Worker>(*this)) {
    qRegisterMetaType<RequestId>();
    m_model = m_engine.snapshot()->model;
    m_modelSince = std::chrono::steady_clock::now();
}

EngineClient::~EngineClient() {
    m_worker.reset();
    m_mailbox->close();
    if (m_relay)
        m_relay->close();
}

Result<RequestId> EngineClient::submit(Request request) {
    if (m_chatFirst && request.source == RequestSource::chat)
        request.priority = kChatPriority;
    const Result<RequestId> id = m_engine.submit(std::move(request), m_mailbox);
    if (!id)
        return tl::unexpected(worded(id.error()));
    emit requestSubmitted(*id);
    return id;
}

void EngineClient::cancel(RequestId request) {
    m_engine.cancel(request);
}

void EngineClient::resetPrefixCache() {
    m_engine.reset_prefix_cache();
}

Result<void> EngineClient::load(const QString& path, const EngineConfig& config) {
    // One relay a load: progress of a cancelled load that still ends cannot be taken for the next one's.
    auto relay = std::make_shared<LoadRelay>(this);
    if (const auto started = m_engine.load(toStdString(path), config, relay); !started)
        return tl::unexpected(worded(started.error()));
    if (m_relay)
        m_relay->close();
    m_relay = std::move(relay);
    m_loadState = LoadState{.path = path, .stage = LoadStage::reading, .bytesDone = 0, .bytesTotal = 0, .error = {}};
    m_isLoading = true;
    emit loadChanged(m_loadState);
    return {};
}

void EngineClient::cancelLoad() {
    m_engine.cancel_load();
}

void EngineClient::unload() {
    const bool isElsewhere = m_engine.snapshot()->model != m_labEngine.snapshot()->model;
    m_engine.unload();
    if (!isElsewhere)
        setModel(nullptr);
}

void EngineClient::applyLoad(const engine::LoadProgress& progress) {
    m_loadState.stage = static_cast<LoadStage>(progress.phase); // same order, checked below
    static_assert(static_cast<int>(LoadStage::cancelled) == static_cast<int>(engine::LoadPhase::cancelled));
    static_assert(static_cast<int>(LoadStage::kvPool) == static_cast<int>(engine::LoadPhase::kv_pool));
    m_loadState.bytesDone = progress.bytes_done;
    m_loadState.bytesTotal = progress.bytes_total;
    m_loadState.error = worded(progress.error.value_or(Error{}));
    const bool isOver = progress.phase == engine::LoadPhase::done || progress.phase == engine::LoadPhase::failed ||
        progress.phase == engine::LoadPhase::cancelled;
    m_isLoading = !isOver;
    if (progress.phase == engine::LoadPhase::done)
        setModel(progress.model);
    emit loadChanged(m_loadState);
}

void EngineClient::setModel(std::shared_ptr<const LoadedModel> model) {
    m_modelSince = std::chrono::steady_clock::now();
    if (model == m_model)
        return;
    m_model = std::move(model);
    emit modelChanged();
}

void EngineClient::noteEngine() {
    setModel(m_engine.snapshot()->model);
}

void EngineClient::noteSnapshot(const std::shared_ptr<const Snapshot>& snapshot) {
    if (!m_isLoading && snapshot->time > m_modelSince && snapshot->model != m_model)
        setModel(snapshot->model);
}

quint64 EngineClient::inspect(const QString& path) {
    const quint64 ticket = m_nextTicket++;
    m_worker->post([this, ticket, path]() -> Worker::Delivery {
        return [this, answer = Inspection{ticket, path, m_engine.inspect(toStdString(path)).map_error(worded)}] {
            emit inspected(answer);
        };
    });
    return ticket;
}

quint64 EngineClient::plan(const QString& path, const EngineConfig& config) {
    const quint64 ticket = m_nextTicket++;
    m_worker->post([this, ticket, path, config]() -> Worker::Delivery {
        return [this, answer = Planning{ticket, path, m_engine.plan(toStdString(path), config).map_error(worded)}] {
            emit planned(answer);
        };
    });
    return ticket;
}

quint64 EngineClient::probeDevices() {
    const quint64 ticket = m_nextTicket++;
    m_worker->post([this]() -> Worker::Delivery {
        QList<DeviceChoice> found;
        for (const engine::Engine::DeviceChoice& device : m_engine.devices()) {
            DeviceChoice choice{device.info, {}, {}};
            if (device.unusable_reason) {
                choice.unusableReason = asCause(*device.unusable_reason);
                choice.nextStep = toQString(worded(*device.unusable_reason).remedy);
            }
            found.append(choice);
        }
        return [this, found] { emit devicesProbed(found); };
    });
    return ticket;
}

quint64 EngineClient::countTokens(const QString& text) {
    const quint64 ticket = m_nextTicket++;
    m_worker->postCount([this, ticket, text]() -> Worker::Delivery {
        TokenCount count{ticket, -1};
        if (const auto model = m_engine.text_model())
            if (const auto ids = model->tokenize(toStdString(text), false, false))
                count.tokens = static_cast<int>(ids->size());
        return [this, count] { emit tokensCounted(count); };
    });
    return ticket;
}

QList<QByteArray> EngineClient::tokenBytes(const std::vector<TokenId>& ids) const {
    QList<QByteArray> bytes;
    const auto model = m_engine.text_model();
    if (!model)
        return bytes;
    bytes.reserve(static_cast<qsizetype>(ids.size()));
    for (const TokenId id : ids)
        bytes.append(QByteArray::fromStdString(model->token_bytes(id)));
    return bytes;
}

QString EngineClient::blockText(int block) const {
    return toQString(m_engine.block_text(block));
}

std::unique_ptr<LabBench> EngineClient::makeBench(const std::atomic<bool>& cancelled) {
    return std::make_unique<LabBench>(m_labEngine, cancelled);
}

std::shared_ptr<const LoadedModel> EngineClient::labModel() const {
    return m_labEngine.snapshot()->model;
}

QString EngineClient::chatTemplate() const {
    const auto model = m_engine.text_model();
    return model ? toQString(model->chat_template()) : QString();
}

void EngineClient::drainNow() {
    m_mailbox->drain();
}

void EngineClient::deliver(const engine::Event& event) {
    struct Emitter {
        EngineClient& client;
        RequestId id;
        void operator()(const Admitted& what) const { emit client.requestAdmitted(id, what); }
        void operator()(const Progress& what) const { emit client.requestProgressed(id, what); }
        void operator()(const Delta& what) const { emit client.requestDelta(id, what); }
        void operator()(const engine::ToolCallPart&) const {} // the chat offers no tools
        void operator()(const engine::ToolCallFound&) const {}
        void operator()(const engine::PromptLogprobs&) const {} // nor asks for these
        void operator()(const engine::Embedded&) const {}
        void operator()(const Finished& what) const {
            Finished told = what;
            if (told.error)
                told.error = worded(*told.error);
            emit client.requestFinished(id, told);
        }
        void operator()(const Rejected& what) const {
            Rejected told = what;
            told.error = worded(told.error);
            emit client.requestRejected(id, told);
        }
    };
    std::visit(Emitter{*this, event.request}, event.what);
}

} // namespace vitrine::ui
