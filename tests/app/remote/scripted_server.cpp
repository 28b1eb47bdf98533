// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/remote/scripted_server.h"

#include <QTcpSocket>
#include <QTimer>

namespace vitrine::testing {

ScriptedServer::ScriptedServer(QObject* parent) : QObject(parent) {
    m_server.listen(QHostAddress::LocalHost);
    connect(&m_server, &QTcpServer::newConnection, this, [this] {
        while (QTcpSocket* socket = m_server.nextPendingConnection()) {
            connect(socket, &QTcpSocket::readyRead, this, [this, socket] { read(*socket); });
            connect(socket, &QTcpSocket::disconnected, this, [this, socket] {
                ++numClosed;
                m_input.remove(socket);
                socket->deleteLater();
            });
        }
    });
}

QUrl ScriptedServer::url() const {
    return QUrl(QStringLiteral("http://127.0.0.1:%1").arg(m_server.serverPort()));
}

void ScriptedServer::read(QTcpSocket& socket) {
    QByteArray& input = m_input[&socket];
    input += socket.readAll();
    const qsizetype end = input.indexOf("\r\n\r\n");
    if (end < 0)
        return;
    const QByteArray head = input.left(end);
    const qsizetype at = head.toLower().indexOf("content-length:");
    const qsizetype length = at < 0 ? 0 : head.mid(at + 15).split('\r').first().trimmed().toLongLong();
    if (input.size() < end + 4 + length)
        return;
    bodies.append(input.mid(end + 4, length));
    heads.append(head);
    input.clear();
    answer(socket, head);
}

void ScriptedServer::answer(QTcpSocket& socket, const QByteArray& head) {
    const QString path = QString::fromLatin1(head.split(' ').value(1));
    ScriptedReply reply =
        replies.value(path, {404, "application/json", {"{\"detail\":\"Not Found\"}"}, true, false, 0, {}});
    socket.write("HTTP/1.1 " + QByteArray::number(reply.status) + " X\r\nContent-Type: " + reply.type + "\r\n" +
        reply.headers + (reply.chunked ? "Transfer-Encoding: chunked\r\n\r\n" : "Connection: close\r\n\r\n"));
    if (reply.everyMs > 0)
        return drip(socket, reply);
    for (const QByteArray& piece : std::as_const(reply.pieces)) {
        socket.write(reply.chunked ? QByteArray::number(piece.size(), 16) + "\r\n" + piece + "\r\n" : piece);
        socket.flush();
    }
    if (reply.hangs)
        return;
    if (reply.chunked)
        socket.write("0\r\n\r\n");
    else
        socket.disconnectFromHost();
}

/// Chunks of a body that comes slowly, and its end.
void ScriptedServer::drip(QTcpSocket& socket, const ScriptedReply& reply) {
    auto* timer = new QTimer(&socket);
    connect(timer, &QTimer::timeout, &socket, [&socket, timer, pieces = reply.pieces]() mutable {
        if (pieces.isEmpty()) {
            socket.write("0\r\n\r\n");
            return timer->stop();
        }
        const QByteArray piece = pieces.takeFirst();
        socket.write(QByteArray::number(piece.size(), 16) + "\r\n" + piece + "\r\n");
    });
    timer->start(reply.everyMs);
}

ScriptedReply eventStream(const QList<QByteArray>& payloads) {
    ScriptedReply reply;
    reply.type = "text/event-stream";
    for (const QByteArray& payload : payloads)
        reply.pieces.append("data: " + payload + "\n\n");
    return reply;
}

} // namespace vitrine::testing
