// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui: the fake Hub.
#include "tests/ui/support/fake_hub.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTcpSocket>

namespace vitrine::testing {

FakeHub::FakeHub(QObject* parent) : QObject(parent) {
    m_server.listen(QHostAddress::LocalHost, 0);
    connect(&m_server, &QTcpServer::newConnection, this, [this] {
        QTcpSocket* socket = m_server.nextPendingConnection();
        connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
        connect(socket, &QTcpSocket::readyRead, this, [this, socket] {
            QByteArray& head = m_heads[socket];
            head += socket->readAll();
            if (head.contains("\r\n\r\n"))
                answer(*socket, m_heads.take(socket));
        });
    });
}

QUrl FakeHub::url() const {
    return QUrl(QStringLiteral("http://127.0.0.1:%1").arg(m_server.serverPort()));
}

void FakeHub::send(QTcpSocket& socket, int code, const QByteArray& type, const QByteArray& content) {
    socket.write("HTTP/1.1 " + QByteArray::number(code) + " X\r\nContent-Type: " + type +
        "\r\nContent-Length: " + QByteArray::number(content.size()) + "\r\nConnection: close\r\n\r\n" + content);
    socket.disconnectFromHost();
}

void FakeHub::answer(QTcpSocket& socket, const QByteArray& head) {
    const QByteArray line = head.left(head.indexOf("\r\n"));
    requests += line;
    const QByteArray path = line.split(' ').value(1);
    if (status != 0)
        return send(socket, status, "text/plain", "no");
    if (path.startsWith("/api/models?")) {
        const QJsonArray repos{QJsonObject{{"id", "lab/Tiny-GGUF"}, {"downloads", 1234},
            {"lastModified", "2026-10-03T08:00:00.000Z"}, {"gated", false}}};
        return send(socket, 200, "application/json", QJsonDocument(repos).toJson());
    }
    if (path.startsWith("/api/models/lab/Tiny-GGUF/tree/main")) {
        QJsonObject file{{"type", "file"}, {"path", "tiny.gguf"}, {"size", body.size()}};
        if (!hash.isEmpty())
            file.insert("lfs", QJsonObject{{"oid", QString::fromLatin1(hash)}, {"size", body.size()}});
        const QJsonArray files{QJsonObject{{"type", "file"}, {"path", "README.md"}, {"size", 10}}, file};
        return send(socket, 200, "application/json", QJsonDocument(files).toJson());
    }
    if (path != "/lab/Tiny-GGUF/resolve/main/tiny.gguf")
        return send(socket, 404, "text/plain", "not here");
    static const QRegularExpression kRange(
        QStringLiteral("Range: *(bytes=[0-9-]+)"), QRegularExpression::CaseInsensitiveOption);
    sendFile(socket, kRange.match(QString::fromLatin1(head)).captured(1).toLatin1());
}

void FakeHub::sendFile(QTcpSocket& socket, const QByteArray& range) {
    ranges += range;
    const bool isPart = !range.isEmpty() && !ignoresRanges;
    const qint64 first = isPart ? range.mid(6).split('-').first().toLongLong() : 0;
    const QByteArray content = body.mid(first);
    QByteArray head = isPart ? "HTTP/1.1 206 Partial\r\nContent-Range: bytes " + QByteArray::number(first) + '-' +
            QByteArray::number(body.size() - 1) + '/' + QByteArray::number(body.size()) + "\r\n"
                             : QByteArray("HTTP/1.1 200 OK\r\n");
    socket.write(head + "Content-Length: " + QByteArray::number(content.size()) + "\r\nConnection: close\r\n\r\n");
    if (const qint64 cut = std::exchange(cutAfter, -1); cut >= 0) {
        socket.write(content.left(cut));
        socket.disconnectFromHost();
    } else if (const qint64 stall = std::exchange(stallAfter, -1); stall >= 0) {
        socket.write(content.left(stall));
    } else {
        socket.write(content);
        socket.disconnectFromHost();
    }
}

} // namespace vitrine::testing
