// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/models: ranged download, stall and retry, hash, rename.
#include "ui/models/download_job.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QSaveFile>
#include <QStorageInfo>

#include <algorithm>
#include <utility>

#include "ui/widgets/numbers.h"

namespace vitrine::ui {
namespace {

constexpr qint64 kChunk = 1 << 20;
constexpr qint64 kReadBuffer = 4 << 20; // what may pile up while the disk is slow
constexpr qint64 kHashStep = 64 << 20; // bytes between two reports

qint64 diskFree(const QString& folder) {
    return QStorageInfo(folder).bytesAvailable();
}

QString sizeText(qint64 bytes) {
    return bytesText(static_cast<double>(bytes));
}

/// First byte of "bytes 1024-2047/4096", or -1.
qint64 rangeStart(const QByteArray& header) {
    if (!header.startsWith("bytes "))
        return -1;
    bool isNumber = false;
    const qint64 first = header.mid(6).split('-').first().toLongLong(&isNumber);
    return isNumber ? first : -1;
}

} // namespace

DownloadJob::DownloadJob(DownloadSpec spec, QNetworkAccessManager& network, DownloadLimits limits, QObject* parent)
    : QObject(parent), m_spec(std::move(spec)), m_network(network), m_limits(std::move(limits)) {
    m_files.setMaxThreadCount(1);
    m_received = QFileInfo(partPath()).size();
    m_stall.setSingleShot(true);
    m_stall.setInterval(m_limits.stallMs);
    connect(
        &m_stall, &QTimer::timeout, this, [this] { retry(tr("no byte came for %1 s").arg(m_limits.stallMs / 1'000)); });
    m_retry.setSingleShot(true);
    connect(&m_retry, &QTimer::timeout, this, &DownloadJob::request);
}

DownloadJob::~DownloadJob() {
    dropReply();
    m_stop = true;
    m_files.waitForDone();
}

double DownloadJob::bytesPerSecond() const {
    const double seconds = m_since.isValid() ? static_cast<double>(m_since.elapsed()) / 1e3 : 0;
    return m_state == State::running && seconds > 1 ? static_cast<double>(m_received - m_receivedAtStart) / seconds
                                                    : -1;
}

void DownloadJob::setState(State state) {
    m_state = state;
    emit changed();
}

bool DownloadJob::hasRoom() {
    const QString folder = QFileInfo(m_spec.target).absolutePath();
    const qint64 available = m_limits.freeBytes ? m_limits.freeBytes(folder) : diskFree(folder);
    const qint64 needed = m_spec.bytes - m_received + m_limits.spareBytes;
    if (available < 0 || available >= needed)
        return true;
    fail(tr("The disk is too full: %1 are needed, %2 are free.").arg(sizeText(needed), sizeText(available)),
        tr("Free some space in %1, then go on.").arg(folder));
    return false;
}

void DownloadJob::writeNote() const {
    QSaveFile file(notePath());
    if (file.open(QIODevice::WriteOnly)) {
        file.write(
            QJsonDocument(QJsonObject{{QStringLiteral("url"), m_spec.url.toString(QUrl::FullyEncoded)},
                              {QStringLiteral("bytes"), m_spec.bytes}, {QStringLiteral("sha256"), m_spec.sha256}})
                .toJson());
        file.commit();
    }
}

QList<DownloadSpec> DownloadJob::unfinished(const QString& folder) {
    QList<DownloadSpec> specs;
    const QFileInfoList notes =
        QDir(folder).entryInfoList({QStringLiteral("*.gguf.part.json")}, QDir::Files, QDir::Name);
    for (const QFileInfo& note : notes) {
        QFile file(note.filePath());
        if (!file.open(QIODevice::ReadOnly))
            continue;
        const QJsonObject values = QJsonDocument::fromJson(file.read(kChunk)).object();
        DownloadSpec spec{QUrl(values.value(QStringLiteral("url")).toString()),
            values.value(QStringLiteral("bytes")).toInteger(), values.value(QStringLiteral("sha256")).toString(),
            note.filePath().chopped(10)}; // ".part.json"
        if (spec.url.isValid() && spec.bytes > 0)
            specs += spec;
    }
    return specs;
}

void DownloadJob::start() {
    if (m_state == State::running || m_state == State::checking || m_state == State::done)
        return;
    if (m_isWriting) { // the last piece before a pause is not on the disk yet
        m_startAgain = true;
        return;
    }
    m_error.clear();
    m_remedy.clear();
    m_numRetries = 0;
    QDir().mkpath(QFileInfo(m_spec.target).absolutePath());
    if (QFileInfo::exists(m_spec.target))
        return fail(tr("%1 is there already.").arg(QFileInfo(m_spec.target).fileName()),
            tr("Remove or rename it to download it again."));
    m_received = QFileInfo(partPath()).size();
    if (!hasRoom())
        return;
    writeNote();
    request();
}

void DownloadJob::request() {
    dropReply();
    if (m_isWriting) // a disk slower than the stall limit
        return m_retry.start(m_limits.retryMs);
    m_file = std::make_shared<QFile>(partPath());
    m_hasHead = false;
    m_receivedAtStart = m_received;
    m_since.start();
    if (m_spec.bytes > 0 && m_received == m_spec.bytes)
        return check();
    QNetworkRequest request(m_spec.url);
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::NoLessSafeRedirectPolicy);
    request.setHeader(QNetworkRequest::UserAgentHeader, QStringLiteral("vitrine"));
    request.setRawHeader("Accept-Encoding", "identity"); // a range counts bytes of the file
    if (m_received > 0)
        request.setRawHeader("Range", "bytes=" + QByteArray::number(m_received) + '-');
    m_reply = m_network.get(request);
    m_reply->setReadBufferSize(kReadBuffer);
    connect(m_reply, &QNetworkReply::readyRead, this, &DownloadJob::takeBytes);
    connect(m_reply, &QNetworkReply::finished, this, &DownloadJob::takeBytes);
    m_stall.start();
    setState(State::running);
}

bool DownloadJob::takeHead() {
    m_hasHead = true;
    const int status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (status == 206 && rangeStart(m_reply->rawHeader("Content-Range")) == m_received)
        return true;
    if (status == 416 || status == 206) { // the part is longer than the file, or another range came
        m_received = 0;
        QFile::resize(partPath(), 0);
        retry(tr("the server cannot go on from here"));
        return false;
    }
    if (status >= 400 || m_reply->error() != QNetworkReply::NoError) {
        if (status >= 400 && status < 500 && status != 408 && status != 429)
            fail(tr("%1 refused the file with HTTP %2.").arg(m_spec.url.host()).arg(status),
                tr("Search for the model again; it may have moved or ask for a login."));
        else
            retry(m_reply->errorString());
        return false;
    }
    if (m_received > 0) { // the server ignores ranges: from the start
        m_received = m_receivedAtStart = 0;
        QFile::resize(partPath(), 0);
    }
    return true;
}

void DownloadJob::takeBytes() {
    if (m_isWriting || !m_reply || (!m_hasHead && !takeHead()))
        return;
    const QByteArray chunk = m_reply->read(kChunk);
    if (chunk.isEmpty()) {
        if (m_reply->isFinished())
            takeEnd();
        return;
    }
    m_isWriting = true;
    m_stall.start();
    m_files.start([this, file = m_file, chunk] {
        QString failure;
        if (!file->isOpen() && !file->open(QIODevice::WriteOnly | QIODevice::Append))
            failure = file->errorString();
        else if (file->write(chunk) != chunk.size() || !file->flush())
            failure = file->errorString();
        QMetaObject::invokeMethod(this, [this, bytes = chunk.size(), failure] { wrote(bytes, failure); });
    });
}

void DownloadJob::wrote(qint64 bytes, const QString& failure) {
    m_isWriting = false;
    if (!failure.isEmpty())
        return fail(tr("%1 cannot be written: %2.").arg(partPath(), failure), tr("Free some space, then go on."));
    m_received += bytes;
    m_numRetries = 0;
    emit changed();
    if (std::exchange(m_startAgain, false))
        start();
    else if (m_state == State::running)
        takeBytes();
}

void DownloadJob::takeEnd() {
    if (m_reply->error() != QNetworkReply::NoError)
        return retry(m_reply->errorString());
    if (m_spec.bytes > 0 && m_received < m_spec.bytes)
        return retry(tr("the connection ended at %1 of %2").arg(sizeText(m_received), sizeText(m_spec.bytes)));
    if (m_spec.bytes > 0 && m_received > m_spec.bytes) {
        QFile::remove(partPath());
        m_received = 0;
        return fail(tr("The server sent more than the %1 it announced.").arg(sizeText(m_spec.bytes)),
            tr("Search for the model again; it may have changed."));
    }
    check();
}

void DownloadJob::retry(const QString& reason) {
    dropReply();
    if (++m_numRetries > m_limits.maxRetries)
        return fail(
            tr("The download stopped at %1 of %2: %3.").arg(sizeText(m_received), sizeText(m_spec.bytes), reason),
            tr("What came so far is kept; go on when the connection is back."));
    m_error = reason;
    m_retry.start(m_limits.retryMs << (m_numRetries - 1));
    setState(State::waiting);
}

void DownloadJob::check() {
    dropReply();
    m_error.clear();
    m_stop = false;
    setState(State::checking);
    m_files.start([this, file = m_file, path = partPath()] {
        file->close();
        QFile part(path);
        QCryptographicHash hash(QCryptographicHash::Sha256);
        qint64 done = 0, told = 0;
        if (part.open(QIODevice::ReadOnly))
            for (QByteArray chunk = part.read(kChunk); !chunk.isEmpty() && !m_stop; chunk = part.read(kChunk)) {
                hash.addData(chunk);
                done += chunk.size();
                if (done - told < kHashStep)
                    continue;
                told = done;
                QMetaObject::invokeMethod(this, [this, done] {
                    m_received = done;
                    emit changed();
                });
            }
        QMetaObject::invokeMethod(this, [this, hex = QString::fromLatin1(hash.result().toHex()), done] {
            m_received = done;
            takeHash(hex);
        });
    });
}

void DownloadJob::takeHash(const QString& hash) {
    if (m_state != State::checking)
        return; // removed meanwhile
    QFile::remove(notePath());
    if (!m_spec.sha256.isEmpty() && hash != m_spec.sha256) {
        const QString bad = m_spec.target + QStringLiteral(".bad");
        QFile::remove(bad);
        QFile::rename(partPath(), bad);
        m_received = 0;
        return fail(tr("The file has SHA-256 %1…, the repository says %2….").arg(hash.left(12), m_spec.sha256.left(12)),
            tr("It is kept aside as %1 and not offered. Download it again.").arg(QFileInfo(bad).fileName()));
    }
    if (!QFile::rename(partPath(), m_spec.target))
        return fail(tr("%1 cannot be renamed.").arg(partPath()), tr("Check the rights of the folder, then go on."));
    setState(State::done);
    emit finished(m_spec.target);
}

void DownloadJob::fail(const QString& error, const QString& remedy) {
    dropReply();
    m_error = error;
    m_remedy = remedy;
    setState(State::failed);
}

void DownloadJob::pause() {
    if (m_state != State::running && m_state != State::waiting)
        return;
    dropReply();
    m_error.clear();
    setState(State::paused);
}

void DownloadJob::remove() {
    dropReply();
    m_stop = true;
    m_files.waitForDone();
    m_file.reset();
    QFile::remove(partPath());
    QFile::remove(notePath());
    m_received = 0;
    setState(State::paused);
}

void DownloadJob::dropReply() {
    m_stall.stop();
    m_retry.stop();
    if (!m_reply)
        return;
    QNetworkReply* reply = m_reply;
    m_reply.clear();
    reply->disconnect(this);
    reply->abort();
    reply->deleteLater();
}

} // namespace vitrine::ui
