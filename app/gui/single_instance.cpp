// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/gui: one process a data directory.
#include "app/gui/single_instance.h"

#include <QCryptographicHash>
#include <QDir>
#include <QLocalSocket>

namespace vitrine::app {

namespace {

constexpr int kConnectMs = 500;

} // namespace

SingleInstance::SingleInstance(const QString& dataDir, QObject* parent) : QObject(parent) {
    QDir().mkpath(dataDir);
    QString path = QDir(dataDir).canonicalPath(); // one process, however the folder is called: links lead to the same
    if (path.isEmpty())
        path = QDir(dataDir).absolutePath(); // it cannot be made
    const QByteArray hash = QCryptographicHash::hash(path.toUtf8(), QCryptographicHash::Sha1).toHex().left(16);
    m_serverName = QStringLiteral("vitrine-%1").arg(QString::fromLatin1(hash));
    m_lock = std::make_unique<QLockFile>(QDir(path).filePath(QStringLiteral("vitrine.lock")));
    m_lock->setStaleLockTime(0); // a lock is stale when its process is gone, however old it is
}

bool SingleInstance::claim(const QString& model) {
    if (m_lock->tryLock(0)) {
        listen();
        return true;
    }
    // A directory that cannot be written (no lock possible) must not keep the window from opening.
    if (m_lock->error() != QLockFile::LockFailedError)
        return true;
    tell(model);
    return false;
}

void SingleInstance::listen() {
    QLocalServer::removeServer(m_serverName); // of a process that was killed; the lock says that none lives
    m_server = std::make_unique<QLocalServer>();
    m_server->setSocketOptions(QLocalServer::UserAccessOption);
    m_server->listen(m_serverName);
    connect(m_server.get(), &QLocalServer::newConnection, this, [this] {
        QLocalSocket* socket = m_server->nextPendingConnection();
        connect(socket, &QLocalSocket::disconnected, this, [this, socket] {
            emit raiseRequested(QString::fromUtf8(socket->readAll()));
            socket->deleteLater();
        });
    });
}

void SingleInstance::tell(const QString& model) {
    QLocalSocket socket;
    socket.connectToServer(m_serverName);
    if (!socket.waitForConnected(kConnectMs))
        return;
    socket.write(model.toUtf8());
    socket.waitForBytesWritten(kConnectMs);
    socket.disconnectFromServer();
}

} // namespace vitrine::app
