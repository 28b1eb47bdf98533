// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/gui: engines elsewhere as ui/bridge/remote_control.h wants them.
#pragma once

#include <QNetworkAccessManager>
#include <QPointer>
#include <memory>

#include "ui/bridge/remote_control.h"

namespace vitrine::ui {
class Settings;
}

namespace vitrine::app {

class EngineSwitch;
class RemoteEngine;
struct InquiryResult;
struct ServerAddress;

/// Keeps the servers in the settings, their keys beside the key of our own server.  Thread: GUI; nothing is asked of the
/// network before use() or probe().
class RemoteAdapter final : public ui::RemoteControl {
    Q_OBJECT
public:
    RemoteAdapter(EngineSwitch& engines, ui::Settings& settings, QObject* parent = nullptr);
    ~RemoteAdapter() override; // shutdown()

    [[nodiscard]] QList<ui::RemoteServer> servers() const override;
    Result<QString> save(const ui::RemoteServer& server) override;
    void remove(const QString& id) override;
    quint64 probe(const ui::RemoteServer& server) override;
    void use(const QString& id) override;
    void useLocal() override;
    [[nodiscard]] QString current() const override { return m_current; }
    [[nodiscard]] State state() const override { return m_state; }
    [[nodiscard]] Error error() const override { return m_error; }
    [[nodiscard]] ui::ServerFacts facts() const override { return m_facts; }
    [[nodiscard]] QString localModelName() const override;
    /// The server that was in use when the program ended; empty: this computer.
    [[nodiscard]] QString lastUsed() const;
    /// Its requests end as cancelled.  Blocks until the network's thread has ended.
    void shutdown();

signals:
    void engineSwitched(); // the switch has another engine now
    void readingTaken(const vitrine::ui::ServerReading& reading);

private:
    void onAnswered(const ui::RemoteServer& server, const InquiryResult& result);
    void fail(const Error& error);
    void connectTo(const ui::RemoteServer& server, const InquiryResult& result);
    void leave(); // the remote engine in use, if there is one
    [[nodiscard]] const ui::RemoteServer* find(const QString& id) const;
    void write();

    EngineSwitch& m_engines;
    ui::Settings& m_settings;
    QNetworkAccessManager m_network;
    QList<ui::RemoteServer> m_servers;
    std::shared_ptr<RemoteEngine> m_engine; // null: local
    QString m_current, m_wanted; // ids; m_wanted while connecting
    State m_state = State::local;
    Error m_error;
    ui::ServerFacts m_facts;
    quint64 m_nextTicket = 1;
};

} // namespace vitrine::app
