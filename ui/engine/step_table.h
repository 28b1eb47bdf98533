// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: the last thousand steps as a table, newest first, and as CSV or JSON.
#pragma once

#include "ui/bridge/step_feed.h"

#include <QAbstractTableModel>

#include <deque>

namespace vitrine::ui {

class StepTableModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { step, age, prefill, rows, emitted, taken, freed, evicted, host, device, numColumns };
    explicit StepTableModel(QObject* parent = nullptr);

    void append(const HistoryRing<StepRecord>& steps); // those newer than the newest row
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    [[nodiscard]] QByteArray toCsv() const;
    [[nodiscard]] QByteArray toJson() const;

    static constexpr int kMaxRows = 1'000;

private:
    std::deque<StepRecord> m_steps; // newest first
};

} // namespace vitrine::ui
