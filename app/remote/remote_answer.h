// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/remote: one answer of a server, from the request to its last event.
#pragma once

#include <QObject>
#include <chrono>
#include <memory>

#include "app/remote/chat_wire.h"
#include "app/remote/server_http.h"
#include "app/remote/sse_parser.h"

namespace vitrine::app {

/// The server an engine stands for, as ServerInquiry found it.
struct RemoteTarget {
    ServerAddress server;
    QString model;
    int context = 0; // tokens; 0: not told
    ui::ServerFacts facts;
};

/// Sends Admitted, Delta and exactly one Finished or Rejected to the sink.  Times are measured here, from submit; what
/// the server does between request and first token (queue, prefill) it does not tell apart.  Tokens are those of the
/// server's usage; until that comes, one a chunk.
/// Thread: the one it and its network manager live on.
class RemoteAnswer final : public QObject {
    Q_OBJECT
public:
    struct Order {
        ui::RequestId id{};
        std::uint32_t sequence = 0;
        ui::Request request;
        std::shared_ptr<engine::EventSink> sink;
        std::chrono::steady_clock::time_point submitted;
    };
    RemoteAnswer(const RemoteTarget& target, Order order, QObject* parent = nullptr);

    void start(QNetworkAccessManager& network);
    void cancel(); // finished() follows at once
    [[nodiscard]] bool hasEnded() const noexcept { return m_hasEnded; }
    [[nodiscard]] ui::SequenceStatus status() const; // as of now
    [[nodiscard]] ui::FinishReason finishReason() const noexcept { return m_finish; }

    /// Without a byte for so long the server is given up: a long prompt behind a long queue may take minutes.
    static constexpr std::chrono::milliseconds kSilence{300'000};

signals:
    void tokensCame(int count);
    void ended();

private:
    void readSome();
    void take(const QList<ServerEvent>& events);
    void takeChunk(ChatChunk chunk);
    void sendDelta(const ChatChunk& chunk);
    void onReplyFinished();
    void end(ui::FinishReason reason, std::optional<Error> error = {});
    void reject(const Error& error);
    void send(engine::Event event);
    [[nodiscard]] std::chrono::microseconds sinceSubmit() const;

    RemoteTarget m_target;
    Order m_order;
    QNetworkReply* m_reply = nullptr;
    SseParser m_parser;
    QByteArray m_plainBody; // until the first event: an error, or an answer without a stream
    QString m_heldText, m_heldReasoning; // the first half of a character that two chunks share
    ui::Usage m_usage;
    bool m_hasUsage = false;
    std::optional<ui::FinishReason> m_toldFinish;
    ui::FinishReason m_finish = ui::FinishReason::stop;
    std::chrono::microseconds m_firstToken{0}, m_lastToken{0};
    int m_numChunks = 0; // with text
    bool m_hasEvents = false;
    bool m_hasEnded = false;
};

} // namespace vitrine::app
