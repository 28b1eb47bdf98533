// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/remote: one answer of a server.
#include "app/remote/remote_answer.h"

#include <QJsonDocument>
#include <QNetworkAccessManager>
#include <algorithm>
#include <utility>

#include "app/remote/remote_texts.h"
#include "ui/bridge/qt_convert.h"

namespace vitrine::app {

using namespace ui;
using std::chrono::microseconds;

namespace {

constexpr qsizetype kMaxPlainBody = 1 << 20;

/// Text that can be sent now: a lone first half of a surrogate pair waits in `held` for the second.
std::string whole(QString& held, const QString& fresh) {
    QString text = std::exchange(held, QString()) + fresh;
    if (!text.isEmpty() && text.back().isHighSurrogate()) {
        held = text.back();
        text.chop(1);
    }
    return toStdString(text);
}

} // namespace

RemoteAnswer::RemoteAnswer(const RemoteTarget& target, Order order, QObject* parent)
    : QObject(parent), m_target(target), m_order(std::move(order)) {}

microseconds RemoteAnswer::sinceSubmit() const {
    return std::chrono::duration_cast<microseconds>(std::chrono::steady_clock::now() - m_order.submitted);
}

void RemoteAnswer::send(engine::Event event) {
    m_order.sink->on_events({&event, 1});
}

void RemoteAnswer::start(QNetworkAccessManager& network) {
    const Result<QByteArray> body = chatBody(m_order.request, m_target.facts.kind, m_target.model);
    if (!body)
        return reject(body.error());
    Admitted admitted; // the prompt's ids are the server's; what is known exactly is what was sent
    admitted.prompt_text = QJsonDocument::fromJson(*body).toJson().toStdString();
    admitted.seed = m_order.request.sampling.seed.value_or(0);
    send({m_order.id, std::move(admitted)});
    QNetworkRequest request = requestTo(m_target.server, QStringLiteral("/v1/chat/completions"), kSilence);
    request.setHeader(QNetworkRequest::ContentTypeHeader, QStringLiteral("application/json"));
    request.setRawHeader("Accept", "text/event-stream");
    m_reply = network.post(request, *body);
    m_reply->setParent(this);
    watchTls(*m_reply);
    connect(m_reply, &QNetworkReply::readyRead, this, &RemoteAnswer::readSome);
    connect(m_reply, &QNetworkReply::finished, this, &RemoteAnswer::onReplyFinished);
}

void RemoteAnswer::readSome() {
    if (m_hasEnded)
        return;
    const QByteArray bytes = m_reply->readAll();
    const int status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (!m_hasEvents && m_plainBody.size() < kMaxPlainBody)
        m_plainBody += bytes;
    if (status == 0 || status >= 300)
        return; // its body is read when it is whole
    take(m_parser.feed(bytes));
    if (m_parser.overflowed() && !m_hasEnded)
        end(FinishReason::error,
            Error{ErrorCode::bad_file,
                toStdString(Remote::tr("%1 sent an event of more than %2 bytes")
                                .arg(m_target.server.name)
                                .arg(SseParser::kMaxEventBytes)),
                toStdString(Remote::tr("See that the address is that of an OpenAI-compatible server."))});
}

void RemoteAnswer::take(const QList<ServerEvent>& events) {
    for (const ServerEvent& event : events) {
        if (m_hasEnded)
            return;
        m_hasEvents = true;
        m_plainBody.clear();
        takeChunk(parseChatChunk(event.type, event.data, m_target.server.name));
    }
}

void RemoteAnswer::takeChunk(ChatChunk chunk) {
    if (chunk.error)
        return end(FinishReason::error, std::move(chunk.error));
    if (chunk.usage) {
        m_usage = *chunk.usage;
        m_hasUsage = true;
    }
    if (!chunk.text.isEmpty() || !chunk.reasoning.isEmpty() || !chunk.logprobs.empty())
        sendDelta(chunk);
    if (chunk.finish)
        m_toldFinish = chunk.finish;
    if (chunk.isLast)
        end(m_toldFinish.value_or(FinishReason::stop));
}

void RemoteAnswer::sendDelta(const ChatChunk& chunk) {
    m_lastToken = sinceSubmit();
    if (m_numChunks++ == 0)
        m_firstToken = m_lastToken;
    Delta delta;
    delta.text = whole(m_heldText, chunk.text);
    delta.reasoning = whole(m_heldReasoning, chunk.reasoning);
    delta.logprobs = chunk.logprobs;
    delta.ids.assign(std::max<std::size_t>(1, chunk.logprobs.size()), -1);
    const int count = static_cast<int>(delta.ids.size());
    if (!m_hasUsage)
        m_usage.output_tokens += count;
    send({m_order.id, std::move(delta)});
    emit tokensCame(count);
}

void RemoteAnswer::onReplyFinished() {
    if (m_hasEnded)
        return;
    readSome();
    const auto failure = failureOf(*m_reply, m_target.server, m_plainBody);
    if (!failure)
        take(m_parser.finish());
    if (m_hasEnded)
        return;
    if (failure && !m_hasEvents)
        return reject(*failure);
    if (failure)
        return end(FinishReason::error, failure);
    if (!m_hasEvents && !m_plainBody.trimmed().isEmpty()) // a server that does not stream
        takeChunk(parseChatChunk({}, m_plainBody, m_target.server.name));
    if (m_hasEnded)
        return;
    if (m_toldFinish)
        return end(*m_toldFinish);
    end(FinishReason::error,
        Error{ErrorCode::io,
            toStdString(
                Remote::tr("%1 closed the connection after %2 tokens without saying that the answer was complete")
                    .arg(m_target.server.name)
                    .arg(m_usage.output_tokens)),
            toStdString(Remote::tr("Try again; the server's own log says more."))});
}

void RemoteAnswer::cancel() {
    if (!m_hasEnded)
        end(FinishReason::cancelled); // closing the connection is how a server learns it
}

void RemoteAnswer::end(FinishReason reason, std::optional<Error> error) {
    m_hasEnded = true;
    m_finish = reason;
    if (m_reply != nullptr)
        m_reply->abort();
    Finished finished;
    finished.reason = reason;
    finished.error = std::move(error);
    finished.usage = m_usage;
    finished.usage.decode_steps = m_numChunks;
    finished.timings.total = sinceSubmit();
    finished.timings.first_token = m_firstToken;
    finished.timings.decode = m_lastToken - m_firstToken;
    send({m_order.id, std::move(finished)});
    emit ended();
}

void RemoteAnswer::reject(const Error& error) {
    m_hasEnded = true;
    m_finish = FinishReason::error;
    send({m_order.id, Rejected{.error = error, .prompt_tokens = 0, .context_length = m_target.context, .param = {}}});
    emit ended();
}

SequenceStatus RemoteAnswer::status() const {
    SequenceStatus status;
    status.request = m_order.id;
    status.sequence = m_order.sequence;
    status.source = m_order.request.source;
    status.label = m_order.request.label;
    status.state = m_hasEnded ? SequenceState::finished
        : m_numChunks > 0     ? SequenceState::decode
                              : SequenceState::waiting;
    status.prompt_tokens = m_usage.prompt_tokens;
    status.cached_tokens = m_usage.cached_tokens;
    status.output_tokens = m_usage.output_tokens;
    status.age = sinceSubmit();
    status.first_token = m_firstToken;
    return status;
}

} // namespace vitrine::app
