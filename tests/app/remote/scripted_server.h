// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/app/remote: an HTTP server on loopback that says what it is told, in the pieces it is told.
#pragma once

#include <QByteArray>
#include <QHash>
#include <QObject>
#include <QTcpServer>
#include <QUrl>

class QTcpSocket;

namespace vitrine::testing {

struct ScriptedReply {
    int status = 200;
    QByteArray type = "application/json";
    QList<QByteArray> pieces; // sent one by one, each when the one before has left
    bool chunked = true; // false: a plain body that ends with the connection
    bool hangs = false; // after the pieces nothing more comes
    int everyMs = 0; // between two pieces; 0: at once
    QByteArray headers; // further lines, each with \r\n
};

/// Answers by path.  Thread: the one it was made on.
class ScriptedServer final : public QObject {
    Q_OBJECT
public:
    explicit ScriptedServer(QObject* parent = nullptr);
    [[nodiscard]] QUrl url() const;
    void close() { m_server.close(); }

    QHash<QString, ScriptedReply> replies; // by path; others are 404
    QList<QByteArray> heads, bodies; // of requests
    int numClosed = 0; // connections the client closed

private:
    void read(QTcpSocket& socket);
    void answer(QTcpSocket& socket, const QByteArray& head);
    static void drip(QTcpSocket& socket, const ScriptedReply& reply);

    QHash<QTcpSocket*, QByteArray> m_input; // outlives the server, whose sockets take their entries out
    QTcpServer m_server;
};

/// An answer's stream: each payload as one event.
[[nodiscard]] ScriptedReply eventStream(const QList<QByteArray>& payloads);

} // namespace vitrine::testing
