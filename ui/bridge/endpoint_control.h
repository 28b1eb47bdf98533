// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: what pages may ask of the endpoint; app/gui implements it, tests fake it.
#pragma once

#include <QDateTime>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QUrl>

#include "ui/bridge/history_ring.h"
#include "ui/bridge/values.h"

namespace vitrine::ui {

struct EndpointSettings {
    quint16 port = 8080; // 0: any free one
    bool localNetwork = false; // false: loopback only; true demands a key
    QString apiKey; // empty: none asked
    QStringList allowedOrigins;
    int maxWaiting = 64; // requests beyond those that run, before 429
};

/// One answered or refused request, as the log shows it.  Times in seconds; -1: did not come to that.
struct EndpointLogRow {
    quint64 number = 0; // rising
    QDateTime time;
    QString client; // "127.0.0.1:53122"
    QString method;
    QString route; // "/v1/chat/completions"
    QString model;
    int status = 0; // HTTP
    double queueSeconds = -1;
    double firstTokenSeconds = -1;
    double totalSeconds = -1;
    int promptTokens = 0;
    int cachedTokens = 0;
    int outputTokens = 0;
    double tokensPerSecond = -1;
    QString finish; // "stop", "length", ...; empty: none
    QString error; // message of a refusal
    RequestId request{};
    QString requestBody; // kept in memory only; empty when not kept
    bool isBodyCut = false; // requestBody is the beginning of what was sent
    QString prompt; // exact rendered prompt
    QString response;
    bool finished = true; // false: still running; a later row with the same number replaces it
};

/// Thread: GUI.  start() and stop() return at once; stateChanged() tells the outcome.
class EndpointControl : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    enum class State { off, starting, running, stopping, failed };
    Q_ENUM(State)

    virtual void start(const EndpointSettings& settings) = 0;
    virtual void stop() = 0;
    [[nodiscard]] virtual State state() const = 0;
    [[nodiscard]] virtual QUrl url() const = 0; // "http://127.0.0.1:8080"; empty unless running
    [[nodiscard]] virtual quint16 port() const = 0;
    [[nodiscard]] virtual Error error() const = 0; // with failed
    [[nodiscard]] virtual const HistoryRing<EndpointLogRow>& rows() const = 0; // oldest first
    virtual void clearRows() = 0;
    /// False in a build without the endpoint; `error()` says so.
    [[nodiscard]] virtual bool isAvailable() const = 0;

    static constexpr std::size_t kRowCapacity = 5'000;

signals:
    void stateChanged();
    void rowsChanged(); // at most ten a second, however many requests
};

} // namespace vitrine::ui
