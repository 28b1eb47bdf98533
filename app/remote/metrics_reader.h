// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/remote: one server's metrics page, asked for again and again.
#pragma once

#include <QObject>
#include <functional>

#include "app/remote/prometheus_text.h"
#include "app/remote/server_http.h"

namespace vitrine::app {

/// Thread: the one it and its network manager live on.  At most one request is on its way.
class MetricsReader final : public QObject {
    Q_OBJECT
public:
    using Done = std::function<void(const Result<std::vector<MetricSample>>&)>;

    MetricsReader(QNetworkAccessManager& network, ServerAddress server, QObject* parent = nullptr);
    /// `done` once, unless the reader dies first.  While an answer is awaited the call does nothing.
    void read(Done done);

    static constexpr std::chrono::milliseconds kTimeout{5'000};

private:
    void ask();
    void take(QNetworkReply* reply);

    QNetworkAccessManager& m_network;
    ServerAddress m_server;
    Done m_done; // empty: nothing is awaited
    int m_path = 0; // index into the paths servers use; the one that answered stays
    int m_numTried = 0;
};

/// Why such a page shows nothing, as sentences; empty: it does.
[[nodiscard]] QString metricsProblem(const Result<std::vector<MetricSample>>& samples);

} // namespace vitrine::app
