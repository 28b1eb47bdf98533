// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/gui: one process a data directory; a second start raises the first.
#pragma once

#include <QLocalServer>
#include <QLockFile>
#include <QObject>
#include <memory>

namespace vitrine::app {

/// Two processes would fold in each other's running journals.  Thread: GUI.
class SingleInstance final : public QObject {
    Q_OBJECT
public:
    explicit SingleInstance(const QString& dataDir, QObject* parent = nullptr);

    /// True: this process owns the directory and listens.  False: another one does, and was asked to show `model`.
    [[nodiscard]] bool claim(const QString& model);

signals:
    void raiseRequested(const QString& model); // empty: just the window

private:
    void listen();
    void tell(const QString& model);

    QString m_serverName;
    std::unique_ptr<QLockFile> m_lock;
    std::unique_ptr<QLocalServer> m_server;
};

} // namespace vitrine::app
