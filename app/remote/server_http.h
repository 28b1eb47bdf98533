// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/remote: requests to a server, and failures of the network as sentences.
#pragma once

#include <QNetworkReply>
#include <QNetworkRequest>
#include <QUrl>
#include <chrono>
#include <optional>

#include "kernels/api/result.h"

class QNetworkAccessManager;

namespace vitrine::app {

/// Where a server is and what opens it.
struct ServerAddress {
    QString name; // for sentences
    QUrl url; // base, without /v1
    QString key; // bearer token; empty: none
};

/// `path` begins with '/'.  Redirects are not followed: the key would go where the user did not send it.
[[nodiscard]] QNetworkRequest requestTo(
    const ServerAddress& server, const QString& path, std::chrono::milliseconds timeout);
/// Remembers why a certificate was refused, for failureOf().  Nothing is ever accepted against the system's verdict.
void watchTls(QNetworkReply& reply);

/// Asks for a page of at most kMaxPageBytes that is whole within the request's timeout; what is not is ended, and failureOf()
/// says so.  The reply is a child of `owner`, and watched for TLS.
[[nodiscard]] QNetworkReply* getPage(QNetworkAccessManager& network, const QNetworkRequest& request, QObject& owner);
constexpr qint64 kMaxPageBytes = 64 << 20;
/// What a finished reply brought; empty if it was ended.
[[nodiscard]] QByteArray bodyOf(QNetworkReply& reply);

/// Why this finished reply is no success; nothing when it is one (2xx).  `body`: what it brought.
[[nodiscard]] std::optional<Error> failureOf(
    const QNetworkReply& reply, const ServerAddress& server, const QByteArray& body);

} // namespace vitrine::app
