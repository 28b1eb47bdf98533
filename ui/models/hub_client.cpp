// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/models: the two questions to the Hub, and why one failed.
#include "ui/models/hub_client.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QRegularExpression>
#include <QUrlQuery>

#include <algorithm>

namespace vitrine::ui {
namespace {

constexpr int kTimeoutMs = 15'000;
constexpr qint64 kMaxAnswerBytes = 8 << 20;
constexpr int kMaxRepos = 40;

QJsonDocument readJson(QNetworkReply& reply) {
    return reply.bytesAvailable() > kMaxAnswerBytes ? QJsonDocument() : QJsonDocument::fromJson(reply.readAll());
}

HubFile fileFrom(const QJsonObject& entry) {
    static const QRegularExpression kHash(QStringLiteral("^[0-9a-f]{64}$"));
    const QJsonObject lfs = entry.value(QStringLiteral("lfs")).toObject();
    HubFile file{entry.value(QStringLiteral("path")).toString(), entry.value(QStringLiteral("size")).toInteger(-1),
        lfs.value(QStringLiteral("oid")).toString().toLower()};
    if (file.sha256.startsWith(QLatin1String("sha256:")))
        file.sha256.remove(0, 7);
    if (!kHash.match(file.sha256).hasMatch())
        file.sha256.clear();
    return file;
}

} // namespace

HubClient::HubClient(QUrl base, QNetworkAccessManager& network, QObject* parent)
    : QObject(parent), m_base(std::move(base)), m_network(network) {}

QUrl HubClient::baseFromEnvironment() {
    const QUrl given(qEnvironmentVariable("HF_ENDPOINT"));
    const bool isWeb = given.scheme() == QLatin1String("https") || given.scheme() == QLatin1String("http");
    return isWeb && !given.host().isEmpty() ? given : QUrl(QStringLiteral("https://huggingface.co"));
}

QString HubClient::host() const {
    return m_base.host();
}

QUrl HubClient::fileUrl(const QString& repo, const QString& path) const {
    QUrl url = m_base;
    url.setPath(QStringLiteral("/%1/resolve/main/%2").arg(repo, path));
    return url;
}

QNetworkReply* HubClient::get(const QString& path, const QList<std::pair<QString, QString>>& query) {
    QUrl url = m_base;
    url.setPath(path);
    QUrlQuery items;
    for (const auto& [name, value] : query)
        items.addQueryItem(name, QString::fromLatin1(QUrl::toPercentEncoding(value)));
    url.setQuery(items);
    QNetworkRequest request(url);
    request.setTransferTimeout(kTimeoutMs);
    request.setHeader(QNetworkRequest::UserAgentHeader, QStringLiteral("vitrine"));
    return m_network.get(request);
}

void HubClient::search(const QString& query) {
    const quint64 number = ++m_search;
    QNetworkReply* reply = get(QStringLiteral("/api/models"),
        {{QStringLiteral("search"), query}, {QStringLiteral("filter"), QStringLiteral("gguf")},
            {QStringLiteral("sort"), QStringLiteral("downloads")}, {QStringLiteral("direction"), QStringLiteral("-1")},
            {QStringLiteral("limit"), QString::number(kMaxRepos)}});
    connect(reply, &QNetworkReply::finished, this, [this, reply, number] {
        reply->deleteLater();
        if (number != m_search)
            return;
        if (reply->error() != QNetworkReply::NoError)
            return fail(*reply, tr("The search"));
        const QJsonDocument answer = readJson(*reply);
        if (!answer.isArray())
            return emit failed(tr("%1 gave no list of models.").arg(host()), tr("Try again in a minute."));
        QList<HubRepo> repos;
        const QJsonArray entries = answer.array();
        for (const QJsonValue& entry : entries) {
            const QJsonValue gated = entry[QStringLiteral("gated")]; // false, "auto" or "manual"
            HubRepo repo{entry[QStringLiteral("id")].toString(), entry[QStringLiteral("downloads")].toInteger(0),
                QDate::fromString(entry[QStringLiteral("lastModified")].toString().left(10), Qt::ISODate),
                gated.isString() || gated.toBool(false)};
            if (repo.id.count(u'/') == 1)
                repos += repo;
        }
        emit found(repos);
    });
}

void HubClient::listFiles(const QString& repo) {
    const quint64 number = ++m_listing;
    QNetworkReply* reply = get(
        QStringLiteral("/api/models/%1/tree/main").arg(repo), {{QStringLiteral("recursive"), QStringLiteral("true")}});
    connect(reply, &QNetworkReply::finished, this, [this, reply, number, repo] {
        reply->deleteLater();
        if (number != m_listing)
            return;
        if (reply->error() != QNetworkReply::NoError)
            return fail(*reply, repo);
        QList<HubFile> files;
        const QJsonArray entries = readJson(*reply).array();
        for (const QJsonValue& entry : entries) {
            const HubFile file = fileFrom(entry.toObject());
            if (file.path.endsWith(QLatin1String(".gguf"), Qt::CaseInsensitive) && file.bytes > 0)
                files += file;
        }
        std::sort(files.begin(), files.end(), [](const HubFile& a, const HubFile& b) { return a.bytes < b.bytes; });
        emit listed(repo, files);
    });
}

void HubClient::fail(const QNetworkReply& reply, const QString& subject) {
    const int status = reply.attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    switch (status) {
    case 0:
        return emit failed(tr("%1 cannot be reached: %2.").arg(host(), reply.errorString()),
            tr("Check the connection and try again. The models on this computer go on working."));
    case 401:
    case 403:
        return emit failed(tr("%1 is not open to everybody (HTTP %2).").arg(subject).arg(status),
            tr("Accept its terms on %1 and download the file there.").arg(host()));
    case 404:
        return emit failed(tr("%1 was not found (HTTP 404).").arg(subject), tr("Search for it again."));
    case 429:
        return emit failed(tr("%1 asks for a pause (HTTP 429).").arg(host()), tr("Try again in a few minutes."));
    default:
        return emit failed(tr("%1 answered with HTTP %2.").arg(host()).arg(status), tr("Try again in a minute."));
    }
}

} // namespace vitrine::ui
