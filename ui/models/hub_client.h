// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/models: searches the Hugging Face Hub for GGUF files.
#pragma once

#include <QDate>
#include <QList>
#include <QObject>
#include <QString>
#include <QUrl>

class QNetworkAccessManager;
class QNetworkReply;

namespace vitrine::ui {

struct HubRepo {
    QString id; // "bartowski/SmolLM2-135M-Instruct-GGUF"
    qint64 downloads = 0;
    QDate updated;
    bool isGated = false; // terms have to be accepted on the web first
};
struct HubFile {
    QString path; // inside the repository
    qint64 bytes = 0;
    QString sha256; // lower case hex; empty: not published
};

/// Thread: GUI; asynchronous.  Nothing is sent before search() or listFiles() is called.  A newer question replaces a
/// running one of its kind.  The API is the Hub's own (https://huggingface.co/docs/hub/api).
class HubClient final : public QObject {
    Q_OBJECT
public:
    HubClient(QUrl base, QNetworkAccessManager& network, QObject* parent = nullptr);
    /// HF_ENDPOINT, as Hugging Face's own tools read it, else https://huggingface.co.
    [[nodiscard]] static QUrl baseFromEnvironment();
    [[nodiscard]] QString host() const;
    [[nodiscard]] QUrl fileUrl(const QString& repo, const QString& path) const;

    void search(const QString& query); // repositories with GGUF files, most downloaded first
    void listFiles(const QString& repo); // its .gguf files

signals:
    void found(const QList<vitrine::ui::HubRepo>& repos);
    void listed(const QString& repo, const QList<vitrine::ui::HubFile>& files);
    void failed(const QString& what, const QString& remedy);

private:
    QNetworkReply* get(const QString& path, const QList<std::pair<QString, QString>>& query);
    void fail(const QNetworkReply& reply, const QString& subject);

    QUrl m_base;
    QNetworkAccessManager& m_network;
    quint64 m_search = 0;
    quint64 m_listing = 0;
};

} // namespace vitrine::ui
