// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/models: one model file on its way here.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QString>
#include <QThreadPool>
#include <QTimer>
#include <QUrl>

#include <atomic>
#include <functional>
#include <memory>

class QFile;
class QNetworkAccessManager;
class QNetworkReply;

namespace vitrine::ui {

/// What is fetched and where it goes.  Kept beside the part file, so that a restart can go on.
struct DownloadSpec {
    QUrl url;
    qint64 bytes = 0;
    QString sha256; // empty: not published
    QString target; // final path; until then target + ".part"
};

struct DownloadLimits {
    int stallMs = 15'000; // no byte for so long: the connection is given up and tried again
    int retryMs = 2'000; // doubled with each try
    int maxRetries = 5; // without a new byte
    qint64 spareBytes = 256 << 20; // left free on the disk
    std::function<qint64(const QString& folder)> freeBytes; // empty: asks the disk
};

/// Thread: GUI; the file is written and hashed on a pool thread of its own.  The final name appears only after size and
/// SHA-256 are right; a file with a wrong hash becomes target + ".bad".
class DownloadJob final : public QObject {
    Q_OBJECT
public:
    enum class State { paused, running, waiting, checking, done, failed }; // waiting: for the next try
    DownloadJob(
        DownloadSpec spec, QNetworkAccessManager& network, DownloadLimits limits = {}, QObject* parent = nullptr);
    ~DownloadJob() override; // the part file stays

    void start(); // or go on
    void pause();
    void remove(); // pauses, and deletes the part file

    [[nodiscard]] State state() const noexcept { return m_state; }
    [[nodiscard]] const DownloadSpec& spec() const noexcept { return m_spec; }
    [[nodiscard]] qint64 received() const noexcept { return m_received; } // or checked, while checking
    [[nodiscard]] double bytesPerSecond() const; // since start(); -1: unknown
    [[nodiscard]] QString error() const { return m_error; }
    [[nodiscard]] QString remedy() const { return m_remedy; }

    /// Downloads that a former process left unfinished in `folder`.
    [[nodiscard]] static QList<DownloadSpec> unfinished(const QString& folder);

signals:
    void changed();
    void finished(const QString& path);

private:
    [[nodiscard]] QString partPath() const { return m_spec.target + QStringLiteral(".part"); }
    [[nodiscard]] QString notePath() const { return m_spec.target + QStringLiteral(".part.json"); }
    [[nodiscard]] bool hasRoom();
    void writeNote() const;
    void request();
    bool takeHead(); // false: the answer is none to use
    void takeBytes();
    void wrote(qint64 bytes, const QString& failure);
    void takeEnd();
    void retry(const QString& reason);
    void check();
    void takeHash(const QString& hash);
    void fail(const QString& error, const QString& remedy);
    void dropReply();
    void setState(State state);

    DownloadSpec m_spec;
    QNetworkAccessManager& m_network;
    DownloadLimits m_limits;
    QThreadPool m_files; // one thread
    std::shared_ptr<QFile> m_file; // used on that thread
    QPointer<QNetworkReply> m_reply;
    State m_state = State::paused;
    qint64 m_received = 0;
    qint64 m_receivedAtStart = 0;
    QElapsedTimer m_since;
    QTimer m_stall, m_retry;
    int m_numRetries = 0;
    bool m_hasHead = false;
    bool m_isWriting = false;
    bool m_startAgain = false; // asked for while writing
    std::atomic<bool> m_stop = false; // the hash need not be finished
    QString m_error, m_remedy;
};

} // namespace vitrine::ui
