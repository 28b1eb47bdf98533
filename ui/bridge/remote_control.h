// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: what the window may ask about engines that run elsewhere; app/gui implements it, tests fake it.
#pragma once

#include <QList>
#include <QObject>
#include <QUrl>

#include "ui/bridge/server_reading.h"
#include "ui/bridge/values.h"

namespace vitrine::ui {

/// A server the user added.
struct RemoteServer {
    QString id; // given by save()
    QString name;
    QUrl url; // base, without /v1
    QString key; // sent as a bearer token; empty: none
    QString model; // id at the server; empty: the first it offers
};

/// What a server said when it was asked who it is.
struct ServerProbe {
    quint64 ticket = 0;
    Error error; // an empty message: it answered
    ServerFacts facts;
    QStringList models; // ids
};

/// Thread: GUI.  Every function returns at once.
class RemoteControl : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    enum class State { local, connecting, connected, failed };
    Q_ENUM(State)

    [[nodiscard]] virtual QList<RemoteServer> servers() const = 0;
    /// Adds a server, or changes the one with this id; returns its id.  invalid_argument: an address that is none.
    virtual Result<QString> save(const RemoteServer& server) = 0;
    virtual void remove(const QString& id) = 0; // in use: back to this computer
    /// Asks a server that need not be saved for its kind and models -> probed() with the ticket.
    virtual quint64 probe(const RemoteServer& server) = 0;

    /// From now on chats are answered and plots are fed by this server.  The outcome comes as stateChanged().
    virtual void use(const QString& id) = 0;
    virtual void useLocal() = 0;
    [[nodiscard]] virtual QString current() const = 0; // id; empty: the engine of this computer
    [[nodiscard]] virtual State state() const = 0;
    [[nodiscard]] virtual Error error() const = 0; // with failed
    [[nodiscard]] virtual ServerFacts facts() const = 0; // of the current server
    [[nodiscard]] virtual QString localModelName() const = 0; // what this computer would answer with; empty: nothing

signals:
    void serversChanged();
    void stateChanged(); // state, current server or facts
    void probed(const vitrine::ui::ServerProbe& probe);
};

/// "http://host:8000" of what people type: a missing scheme, a trailing /v1 or / are put right.  invalid_argument: no
/// address, another scheme, a user name in it.
[[nodiscard]] Result<QUrl> serverUrl(const QString& typed);

} // namespace vitrine::ui
