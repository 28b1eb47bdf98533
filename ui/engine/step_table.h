// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: the last thousand steps as a table, newest first.
#pragma once

#include "ui/bridge/step_history.h"

#include <QAbstractTableModel>

#include <deque>

namespace vitrine::ui {

class StepTableModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { step, age, prefill, rows, emitted, taken, freed, evicted, host, device, numColumns };
    explicit StepTableModel(QObject* parent = nullptr);

    void append(const HistoryRing<StepRecord>& steps); // those newer than the newest row
    /// Instead: the last kMaxRows of [first, last), indices of `steps`.
    void setRange(const HistoryRing<StepRecord>& steps, std::size_t first, std::size_t last);
    void clear();
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    static constexpr int kMaxRows = 1'000;

private:
    std::deque<StepRecord> m_steps; // newest first
    bool m_isRange = false; // set by setRange: the next append starts anew
};

} // namespace vitrine::ui
