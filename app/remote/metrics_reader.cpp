// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/remote: one server's metrics page.
#include "app/remote/metrics_reader.h"

#include <array>
#include <utility>

#include "app/remote/metric_names.h"
#include "app/remote/remote_texts.h"
#include "ui/bridge/qt_convert.h"

namespace vitrine::app {

namespace {

// trtllm-serve answers /metrics with JSON of its own and keeps Prometheus' text elsewhere.
constexpr std::array kPaths = {"/metrics", "/prometheus/metrics"};

} // namespace

MetricsReader::MetricsReader(QNetworkAccessManager& network, ServerAddress server, QObject* parent)
    : QObject(parent), m_network(network), m_server(std::move(server)) {}

void MetricsReader::read(Done done) {
    if (m_done)
        return;
    m_done = std::move(done);
    m_numTried = 0;
    ask();
}

void MetricsReader::ask() {
    QNetworkRequest request = requestTo(m_server, QLatin1String(kPaths[static_cast<std::size_t>(m_path)]), kTimeout);
    request.setRawHeader("Accept", "text/plain; version=0.0.4");
    QNetworkReply* reply = getPage(m_network, request, *this);
    connect(reply, &QNetworkReply::finished, this, [this, reply] { take(reply); });
}

void MetricsReader::take(QNetworkReply* reply) {
    reply->deleteLater();
    const QByteArray page = bodyOf(*reply);
    const auto failure = failureOf(*reply, m_server, page);
    const int status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    const bool isElsewhere = status == 404 || (!failure && (page.startsWith('[') || page.startsWith('{')));
    if (isElsewhere && ++m_numTried < static_cast<int>(kPaths.size())) {
        m_path = (m_path + 1) % static_cast<int>(kPaths.size());
        return ask();
    }
    const Done done = std::exchange(m_done, nullptr);
    if (isElsewhere)
        return done(fail(ErrorCode::not_found, ui::toStdString(Remote::tr("%1 has no metrics page").arg(m_server.name)),
            ui::toStdString(Remote::tr(
                "Start SGLang with --enable-metrics and llama-server with --metrics; llama-cpp-python has none."))));
    if (status == 501) // llama-server's answer without the flag
        return done(
            fail(ErrorCode::not_found, ui::toStdString(Remote::tr("%1 does not give its metrics").arg(m_server.name)),
                ui::toStdString(Remote::tr("Start llama-server with --metrics."))));
    if (failure)
        return done(tl::unexpected(*failure));
    done(parseMetrics(std::string_view(page.constData(), static_cast<std::size_t>(page.size()))));
}

QString metricsProblem(const Result<std::vector<MetricSample>>& samples) {
    if (!samples)
        return ui::toQString(samples.error().message) + QStringLiteral(". ") + ui::toQString(samples.error().remedy);
    if (serverKind(*samples) != ui::ServerKind::unknown)
        return {};
    return Remote::tr("None of the %1 samples on its metrics page has a name of an engine that Vitrine knows.")
        .arg(samples->size());
}

} // namespace vitrine::app
