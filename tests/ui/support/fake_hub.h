// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui: a loopback server that speaks the Hub's API, with faults on demand.
#pragma once

#include <QByteArray>
#include <QHash>
#include <QObject>
#include <QTcpServer>
#include <QUrl>

class QTcpSocket;

namespace vitrine::testing {

/// Serves one repository, "lab/Tiny-GGUF", with one file of `body`.  Thread: GUI.
class FakeHub final : public QObject {
    Q_OBJECT
public:
    explicit FakeHub(QObject* parent = nullptr);
    [[nodiscard]] QUrl url() const;
    void close() { m_server.close(); } // connections are refused from now on

    QByteArray body;
    QByteArray hash; // published; empty: none
    qint64 cutAfter = -1; // the connection ends after so many bytes of a file, once
    qint64 stallAfter = -1; // no byte after so many, once
    bool ignoresRanges = false;
    int status = 0; // of every answer; 0: as it should be
    QList<QByteArray> requests; // first lines
    QList<QByteArray> ranges; // Range headers of file requests; empty: none

private:
    void answer(QTcpSocket& socket, const QByteArray& head);
    void sendFile(QTcpSocket& socket, const QByteArray& range);
    void send(QTcpSocket& socket, int code, const QByteArray& type, const QByteArray& content);

    QTcpServer m_server;
    QHash<QTcpSocket*, QByteArray> m_heads;
};

} // namespace vitrine::testing
