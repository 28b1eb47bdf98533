// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/server: requests of the endpoint as a table, newest first.
#pragma once

#include "ui/bridge/endpoint_control.h"

#include <QAbstractTableModel>

#include <vector>

namespace vitrine::ui {

class RequestLogModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { time, client, route, status, queue, first, tokens, rate, finish, numColumns };
    enum class Filter : std::uint8_t { all, running, errors, missed };
    explicit RequestLogModel(QObject* parent = nullptr);

    /// Takes what changed since the last call; one dataChanged or insertion range however many requests.
    void update(const HistoryRing<EndpointLogRow>& rows);
    void setFilter(Filter filter, const QString& text);
    [[nodiscard]] int count(Filter filter) const;
    [[nodiscard]] const EndpointLogRow& row(int index) const { return m_all[m_shown[static_cast<std::size_t>(index)]]; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] bool matches(const EndpointLogRow& row, Filter filter) const;
    [[nodiscard]] std::vector<std::size_t> shownOf(const std::vector<EndpointLogRow>& all) const;
    void show(std::vector<EndpointLogRow> all);

    std::vector<EndpointLogRow> m_all; // newest first
    std::vector<std::size_t> m_shown; // into m_all
    Filter m_filter = Filter::all;
    QString m_text;
};

} // namespace vitrine::ui
