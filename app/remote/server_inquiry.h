// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/remote: who is this server and what does it offer?
#pragma once

#include <QObject>
#include <QStringList>

#include "app/remote/metrics_reader.h"
#include "ui/bridge/server_reading.h"

namespace vitrine::app {

struct OfferedModel {
    QString id;
    int context = 0; // tokens of one sequence; 0: not told
};

struct InquiryResult {
    Error error; // an empty message: it answered
    QList<OfferedModel> models;
    ui::ServerFacts facts; // with metricsProblem, if there is one
};

/// Asks GET /v1/models, then the metrics page, then /version.  Only the first decides whether the server is there.
/// Thread: the one it lives on.  Deletes itself after finished().
class ServerInquiry final : public QObject {
    Q_OBJECT
public:
    ServerInquiry(QNetworkAccessManager& network, ServerAddress server, QObject* parent = nullptr);
    void start();

    static constexpr std::chrono::milliseconds kTimeout{10'000};

signals:
    void finished(const vitrine::app::InquiryResult& result);

private:
    void takeModels(QNetworkReply* reply);
    void takeMetrics(const Result<std::vector<MetricSample>>& samples);
    void askVersion();
    void end();

    QNetworkAccessManager& m_network;
    ServerAddress m_server;
    MetricsReader m_metrics;
    InquiryResult m_result;
};

/// Of a list of models, the kind its server writes into owned_by; unknown where it writes nothing of the sort.
[[nodiscard]] ui::ServerKind kindOfOwner(const QString& owner);

} // namespace vitrine::app
