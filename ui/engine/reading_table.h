// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: the last readings of a server elsewhere as a table, newest first: exactly as it gave them.
#pragma once

#include "ui/bridge/history_ring.h"
#include "ui/bridge/server_reading.h"

#include <QAbstractTableModel>

#include <deque>

namespace vitrine::ui {

class ReadingTableModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        age,
        running,
        waiting,
        kv,
        prompt,
        generated,
        queries,
        hits,
        drafted,
        accepted,
        preempted,
        numColumns
    };
    explicit ReadingTableModel(QObject* parent = nullptr);

    /// The readings of a range, the newest kMaxRows of them.
    void setReadings(const HistoryRing<ServerReading>& readings, double start, double end);
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    static constexpr int kMaxRows = 1'000;

private:
    std::deque<ServerReading> m_readings; // newest first
};

} // namespace vitrine::ui
