// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/gui: the endpoint as ui/bridge/endpoint_control.h wants it.
#include "app/gui/endpoint_adapter.h"

#include <QJsonDocument>
#include <QJsonObject>

#pragma push_macro("slots")
#undef slots
#include "app/endpoint/access_log.h"
#include "app/endpoint/endpoint.h"
#pragma pop_macro("slots")
#include "ui/bridge/error_text.h"
#include "ui/bridge/qt_convert.h"

namespace vitrine::app {

using ui::EndpointLogRow;
using ui::toQString;
using ui::toStdString;

namespace {

constexpr int kLogIntervalMs = 500;
constexpr std::size_t kLongestLetter = 4; // bytes of UTF-8: a text is cut between two letters
constexpr std::chrono::milliseconds kGrace{400}; // quitting saves everything within two seconds

EndpointConfig configOf(const ui::EndpointSettings& settings) {
    EndpointConfig config;
    config.host = settings.localNetwork ? "0.0.0.0" : "127.0.0.1";
    config.port = settings.port;
    if (!settings.apiKey.isEmpty())
        config.keys.push_back(toStdString(settings.apiKey));
    for (const QString& origin : settings.allowedOrigins)
        config.origins.push_back(toStdString(origin));
    config.max_waiting = settings.maxWaiting;
    config.grace = kGrace;
    return config;
}

/// The sentence of an error in any of the dialects: {"error": {"message": "..."}}, {"error": "..."}, or plain words.
QString messageOf(const std::string& response) {
    const QJsonValue error =
        QJsonDocument::fromJson(QByteArray::fromStdString(response)).object().value(QStringLiteral("error"));
    const QString said = error.isObject() ? error[QStringLiteral("message")].toString() : error.toString();
    return said.isEmpty() ? toQString(response) : said;
}

EndpointLogRow rowOf(const AccessRow& row) {
    EndpointLogRow shown;
    shown.number = row.number;
    shown.time = QDateTime::fromMSecsSinceEpoch(
        std::chrono::duration_cast<std::chrono::milliseconds>(row.time.time_since_epoch()).count());
    shown.client = toQString(row.client);
    shown.method = toQString(row.method);
    shown.route = toQString(row.path);
    shown.model = toQString(row.model);
    shown.status = row.status;
    shown.queueSeconds = row.queue_s;
    shown.firstTokenSeconds = row.first_token_s;
    shown.totalSeconds = row.total_s;
    shown.promptTokens = row.prompt_tokens;
    shown.cachedTokens = row.cached_tokens;
    shown.outputTokens = row.output_tokens;
    const double decode = row.total_s - row.first_token_s;
    if (row.first_token_s >= 0 && row.output_tokens > 1 && decode > 0)
        shown.tokensPerSecond = (row.output_tokens - 1) / decode;
    shown.finish = toQString(row.finish);
    if (row.status >= 400 && row.output_tokens == 0) // else the text is an answer that broke off
        shown.error = messageOf(row.response_text);
    shown.requestBody = toQString(row.request_body);
    shown.isBodyCut = row.request_body.size() + kLongestLetter > AccessLog::kMaxTextBytes;
    shown.prompt = toQString(row.prompt_text);
    shown.response = toQString(row.response_text);
    shown.finished = row.status != 0 && row.total_s >= 0;
    return shown;
}

} // namespace

EndpointAdapter::EndpointAdapter(engine::Engine& engine, QObject* parent)
    : EndpointControl(parent), m_endpoint(std::make_unique<Endpoint>(engine)) {
    m_logTimer.setInterval(kLogIntervalMs);
    connect(&m_logTimer, &QTimer::timeout, this, &EndpointAdapter::readLog);
}

EndpointAdapter::~EndpointAdapter() {
    shutdown();
}

void EndpointAdapter::run(std::function<void()> work) {
    if (m_thread.joinable())
        m_thread.join(); // its last act was to post the state we are in: it has ended
    m_thread = std::thread(std::move(work));
}

void EndpointAdapter::start(const ui::EndpointSettings& settings) {
    if (m_state == State::starting || m_state == State::running || m_state == State::stopping)
        return;
    setState(State::starting);
    run([this, config = configOf(settings)] {
        const Result<void> result = m_endpoint->start(config);
        QMetaObject::invokeMethod(
            this, [this, result] { onStarted(result); }, Qt::QueuedConnection);
    });
}

void EndpointAdapter::onStarted(const Result<void>& result) {
    if (m_state != State::starting)
        return; // shut down meanwhile
    if (!result) {
        m_error = ui::worded(result.error());
        setState(State::failed);
        return;
    }
    m_port = static_cast<quint16>(m_endpoint->port());
    m_url = QUrl(toQString(m_endpoint->url())).adjusted(QUrl::RemovePath); // the root; pages add /v1
    m_logTimer.start();
    setState(State::running);
}

void EndpointAdapter::stop() {
    if (m_state != State::running)
        return;
    setState(State::stopping);
    run([this] {
        m_endpoint->stop();
        QMetaObject::invokeMethod(
            this,
            [this] {
                readLog();
                m_logTimer.stop();
                m_port = 0;
                m_url.clear();
                setState(State::off);
            },
            Qt::QueuedConnection);
    });
}

void EndpointAdapter::shutdown() {
    m_logTimer.stop();
    if (m_thread.joinable())
        m_thread.join();
    m_endpoint->stop();
    m_state = State::off;
}

void EndpointAdapter::setState(State state) {
    m_state = state;
    emit stateChanged();
}

/// Rows that still run are read again until they have ended; each change is pushed as a newer row of the same number.
void EndpointAdapter::readLog() {
    bool hasNew = false;
    const quint64 from = m_open.empty() ? m_readUntil : std::min(m_readUntil, m_open.begin()->first - 1);
    for (const AccessRow& row : m_endpoint->log(from)) {
        const auto open = m_open.find(row.number);
        const bool isNew = row.number > m_readUntil;
        if (!isNew && open == m_open.end())
            continue; // final and shown
        const EndpointLogRow shown = rowOf(row);
        const bool hasChanged = isNew || shown.finished || open->second != row.output_tokens;
        if (shown.finished)
            m_open.erase(row.number);
        else
            m_open[row.number] = row.output_tokens;
        m_readUntil = std::max<quint64>(m_readUntil, row.number);
        if (hasChanged && row.number > m_cleared) {
            m_rows.push(shown);
            hasNew = true;
        }
    }
    if (hasNew)
        emit rowsChanged();
}

void EndpointAdapter::clearRows() {
    m_rows.clear();
    m_cleared = m_readUntil;
    emit rowsChanged();
}

} // namespace vitrine::app
