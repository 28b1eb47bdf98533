// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: which kernel runs each operation of the loaded model.
#pragma once

#include "ui/bridge/values.h"

#include <QAbstractTableModel>

#include <vector>

namespace vitrine::ui {

/// Equal operations of different layers are one row with their count.
class KernelTableModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { operation, kernel, count, fused, reason, numColumns };
    explicit KernelTableModel(QObject* parent = nullptr);

    void setModel(const std::shared_ptr<const LoadedModel>& model);
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        QString operation, kernel, reason;
        int count = 0;
        bool fused = true;
    };
    std::shared_ptr<const LoadedModel> m_model;
    std::vector<Row> m_rows;
};

} // namespace vitrine::ui
