// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/remote: requests to a server, and failures of the network as sentences.
#include "app/remote/server_http.h"

#include <QNetworkAccessManager>
#include <QSslError>
#include <QSslSocket>
#include <QStringList>
#include <QTimer>

#include "app/remote/chat_wire.h"
#include "app/remote/remote_texts.h"
#include "ui/bridge/qt_convert.h"

namespace vitrine::app {

using ui::toStdString;

namespace {

constexpr const char* kTlsProperty = "vitrineTlsProblem";
constexpr const char* kTooLargeProperty = "vitrineTooLarge";
constexpr const char* kTooSlowProperty = "vitrineTooSlow";

Error sentence(ErrorCode code, const QString& message, const QString& remedy) {
    return {code, toStdString(message), toStdString(remedy)};
}

Error statusFailure(int status, const QNetworkReply& reply, const ServerAddress& server, const QByteArray& body) {
    const QString said = messageOfBody(body);
    const QString why = said.isEmpty() ? QString() : QStringLiteral(": ") + said;
    const QString answer =
        Remote::tr("%1 answers %2 to %3%4").arg(server.name, QString::number(status), reply.url().path(), why);
    switch (status) {
    case 301:
    case 302:
    case 303:
    case 307:
    case 308:
        return sentence(ErrorCode::invalid_argument,
            Remote::tr("%1 sends requests on to %2")
                .arg(server.name, reply.header(QNetworkRequest::LocationHeader).toUrl().toString()),
            Remote::tr("Give that address instead; keys are not sent where nobody asked for."));
    case 401:
    case 403:
        return sentence(ErrorCode::invalid_argument,
            Remote::tr("%1 refuses the key (%2)%3").arg(server.name, QString::number(status), why),
            Remote::tr("Check the key of this server."));
    case 404:
    case 405:
    case 501:
        return sentence(ErrorCode::not_found, answer, Remote::tr("Check the address and the model."));
    case 408:
    case 429:
    case 503:
        return sentence(ErrorCode::busy, answer, Remote::tr("Try again in a moment."));
    default:
        return sentence(status >= 500 ? ErrorCode::internal : ErrorCode::invalid_argument, answer,
            status >= 500 ? Remote::tr("The server's own log says more.")
                          : Remote::tr("Change the request, or the settings of this chat."));
    }
}

/// Where it was looked for: "gpu7:8000 (cluster)"; a server without a name of its own is called by its address, once.
QString placeOf(const QUrl& url, const QString& name) {
    const int port = url.port(url.scheme() == QLatin1String("https") ? 443 : 80);
    QString place = QStringLiteral("%1:%2").arg(url.host()).arg(port);
    if (url.host().contains(u':')) // IPv6
        place = QStringLiteral("[%1]:%2").arg(url.host()).arg(port);
    const bool saysMore = !name.isEmpty() && name != place && name != url.host() && name != url.authority();
    return saysMore ? Remote::tr("%1 (%2)").arg(place, name) : place;
}

Error networkFailure(const QNetworkReply& reply, const ServerAddress& server) {
    const QUrl url = reply.url();
    const QString place = placeOf(url, server.name);
    if (reply.property(kTooLargeProperty).toBool())
        return sentence(ErrorCode::bad_file,
            Remote::tr("%1 answers %2 with more than %3 MiB")
                .arg(server.name, url.path(), QString::number(kMaxPageBytes >> 20)),
            Remote::tr("See that the address is that of an inference server."));
    if (reply.property(kTooSlowProperty).toBool())
        return sentence(ErrorCode::io,
            Remote::tr("%1 sends %2 so slowly that it is not there in time").arg(place, url.path()),
            Remote::tr("See what keeps the server or the network to it busy."));
    const QString tls = reply.property(kTlsProperty).toString();
    switch (reply.error()) {
    case QNetworkReply::ConnectionRefusedError:
        return sentence(ErrorCode::io, Remote::tr("Nothing listens at %1").arg(place),
            Remote::tr("See that the server runs, and on which port."));
    case QNetworkReply::HostNotFoundError:
        return sentence(ErrorCode::not_found, Remote::tr("No computer is called %1").arg(url.host()),
            Remote::tr("Check the address."));
    case QNetworkReply::TimeoutError:
    case QNetworkReply::OperationCanceledError: // the transfer timeout aborts
        return sentence(ErrorCode::io, Remote::tr("%1 does not answer in time").arg(place),
            Remote::tr("See that the server runs and that no firewall stands before it."));
    case QNetworkReply::RemoteHostClosedError:
        return sentence(ErrorCode::io, Remote::tr("%1 closed the connection").arg(server.name),
            Remote::tr("See that it still runs; http and https are different doors."));
    case QNetworkReply::SslHandshakeFailedError:
        if (tls.isEmpty()) // no verdict on a certificate: none came
            return sentence(ErrorCode::io,
                Remote::tr("%1 does not speak TLS as it should (%2)").arg(place, reply.errorString()),
                Remote::tr("See whether the address begins with http there instead of https."));
        return sentence(ErrorCode::io, Remote::tr("The certificate of %1 is not trusted: %2").arg(place, tls),
            Remote::tr("Add the certificate of its authority to those of this system, or use the name the certificate "
                       "is for."));
    case QNetworkReply::UnknownNetworkError:
    case QNetworkReply::ProtocolUnknownError:
        if (url.scheme() == QLatin1String("https") && !QSslSocket::supportsSsl())
            return sentence(ErrorCode::unsupported,
                Remote::tr("%1 needs TLS, and this computer's Qt has none").arg(place),
                Remote::tr("Install the OpenSSL libraries."));
        break;
    default:
        break;
    }
    return sentence(ErrorCode::io, Remote::tr("%1: %2").arg(place, reply.errorString()),
        Remote::tr("See that the server runs and can be reached."));
}

} // namespace

QNetworkRequest requestTo(const ServerAddress& server, const QString& path, std::chrono::milliseconds timeout) {
    QUrl url = server.url;
    url.setPath(url.path() + path);
    QNetworkRequest request(url);
    request.setTransferTimeout(static_cast<int>(timeout.count()));
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    request.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::Http2AllowedAttribute, false); // Python's servers speak HTTP/1.1
    request.setHeader(QNetworkRequest::UserAgentHeader, QStringLiteral("Vitrine"));
    if (!server.key.isEmpty())
        request.setRawHeader("Authorization", "Bearer " + server.key.toUtf8());
    return request;
}

void watchTls(QNetworkReply& reply) {
    QObject::connect(&reply, &QNetworkReply::sslErrors, &reply, [&reply](const QList<QSslError>& errors) {
        QStringList reasons;
        for (const QSslError& error : errors)
            reasons += error.errorString();
        reasons.removeDuplicates();
        reply.setProperty(kTlsProperty, reasons.join(QStringLiteral("; ")));
    });
}

QNetworkReply* getPage(QNetworkAccessManager& network, const QNetworkRequest& request, QObject& owner) {
    QNetworkReply* reply = network.get(request);
    reply->setParent(&owner);
    watchTls(*reply);
    QObject::connect(reply, &QNetworkReply::downloadProgress, reply, [reply](qint64 received, qint64) {
        if (received <= kMaxPageBytes)
            return;
        reply->setProperty(kTooLargeProperty, true);
        reply->abort();
    });
    // The transfer timeout begins anew with every byte; a page that drips would be awaited for ever.
    QTimer::singleShot(request.transferTimeout(), reply, [reply] {
        if (reply->isFinished())
            return;
        reply->setProperty(kTooSlowProperty, reply->bytesAvailable() > 0);
        reply->abort();
    });
    return reply;
}

QByteArray bodyOf(QNetworkReply& reply) {
    return reply.isOpen() ? reply.readAll() : QByteArray();
}

std::optional<Error> failureOf(const QNetworkReply& reply, const ServerAddress& server, const QByteArray& body) {
    const int status = reply.attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (status >= 300)
        return statusFailure(status, reply, server, body);
    if (reply.error() != QNetworkReply::NoError)
        return networkFailure(reply, server);
    return std::nullopt;
}

} // namespace vitrine::app
