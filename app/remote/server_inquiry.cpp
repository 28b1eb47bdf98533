// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/remote: who is this server and what does it offer?
#include "app/remote/server_inquiry.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "app/remote/metric_names.h"
#include "app/remote/remote_texts.h"
#include "ui/bridge/qt_convert.h"

namespace vitrine::app {

using namespace ui;

namespace {

OfferedModel modelOf(const QJsonObject& entry) {
    OfferedModel model;
    model.id = entry.value(QLatin1String("id")).toString();
    const QJsonObject meta = entry.value(QLatin1String("meta")).toObject();
    const QJsonValue told[] = {entry.value(QLatin1String("max_model_len")), // vLLM, SGLang
        meta.value(QLatin1String("n_ctx")), meta.value(QLatin1String("n_ctx_train"))}; // Vitrine; llama.cpp
    for (const QJsonValue& value : told)
        if (model.context == 0)
            model.context = value.toInt();
    return model;
}

} // namespace

ServerKind kindOfOwner(const QString& owner) {
    const std::pair<const char*, ServerKind> owners[] = {{"vllm", ServerKind::vllm}, {"sglang", ServerKind::sglang},
        {"llamacpp", ServerKind::llamaCpp}, {"tensorrt", ServerKind::tensorRtLlm}, {"vitrine", ServerKind::vitrine}};
    for (const auto& [name, kind] : owners)
        if (owner.startsWith(QLatin1String(name), Qt::CaseInsensitive))
            return kind;
    return ServerKind::unknown;
}

ServerInquiry::ServerInquiry(QNetworkAccessManager& network, ServerAddress server, QObject* parent)
    : QObject(parent), m_network(network), m_server(std::move(server)), m_metrics(network, m_server) {
    m_result.facts.name = m_server.name;
    m_result.facts.host = m_server.url.authority(QUrl::FullyEncoded);
}

void ServerInquiry::start() {
    QNetworkReply* reply = getPage(m_network, requestTo(m_server, QStringLiteral("/v1/models"), kTimeout), *this);
    connect(reply, &QNetworkReply::finished, this, [this, reply] { takeModels(reply); });
}

void ServerInquiry::takeModels(QNetworkReply* reply) {
    reply->deleteLater();
    const QByteArray body = bodyOf(*reply);
    if (const auto failure = failureOf(*reply, m_server, body)) {
        m_result.error = *failure;
        return end();
    }
    const QJsonValue data = QJsonDocument::fromJson(body).object().value(QLatin1String("data"));
    for (const QJsonValue entry : data.toArray()) {
        const OfferedModel model = modelOf(entry.toObject());
        if (!model.id.isEmpty())
            m_result.models.append(model);
        if (m_result.facts.kind == ServerKind::unknown)
            m_result.facts.kind = kindOfOwner(entry.toObject().value(QLatin1String("owned_by")).toString());
    }
    if (!data.isArray() || m_result.models.isEmpty()) {
        m_result.error = {ErrorCode::bad_file,
            toStdString(data.isArray()
                    ? Remote::tr("%1 offers no model").arg(m_server.name)
                    : Remote::tr("%1 answers /v1/models with something else than a list").arg(m_server.name)),
            toStdString(data.isArray() ? Remote::tr("Load a model there.")
                                       : Remote::tr("See that the address is that of an OpenAI-compatible server."))};
        return end();
    }
    m_metrics.read([this](const Result<std::vector<MetricSample>>& samples) { takeMetrics(samples); });
}

void ServerInquiry::takeMetrics(const Result<std::vector<MetricSample>>& samples) {
    m_result.facts.metricsProblem = metricsProblem(samples);
    if (m_result.facts.metricsProblem.isEmpty())
        m_result.facts.kind = serverKind(*samples);
    askVersion();
}

void ServerInquiry::askVersion() {
    QNetworkReply* reply =
        getPage(m_network, requestTo(m_server, QStringLiteral("/version"), MetricsReader::kTimeout), *this);
    connect(reply, &QNetworkReply::finished, this, [this, reply] {
        reply->deleteLater();
        if (reply->error() == QNetworkReply::NoError)
            m_result.facts.version =
                QJsonDocument::fromJson(bodyOf(*reply)).object().value(QLatin1String("version")).toString().left(40);
        end();
    });
}

void ServerInquiry::end() {
    emit finished(m_result);
    deleteLater();
}

} // namespace vitrine::app
