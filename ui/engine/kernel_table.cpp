// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: kernels as rows.
#include "ui/engine/kernel_table.h"

#include "ui/bridge/qt_convert.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/table_delegate.h"

#include <QRegularExpression>

#include <algorithm>

namespace vitrine::ui {
namespace {

/// "linear qkv blk.12" -> "linear qkv".
QString withoutLayer(const QString& operation) {
    static const QRegularExpression kLayer(QStringLiteral(R"(\s*\b(blk|layer)[. ]?\d+\b\.?)"));
    return QString(operation).remove(kLayer).simplified();
}

} // namespace

KernelTableModel::KernelTableModel(QObject* parent) : QAbstractTableModel(parent) {}

void KernelTableModel::setModel(const std::shared_ptr<const LoadedModel>& model) {
    if (model == m_model)
        return;
    beginResetModel();
    m_model = model;
    m_rows.clear();
    if (model)
        for (const auto& report : model->kernels) {
            Row row{withoutLayer(toQString(report.op)), toQString(report.kernel), toQString(report.reason), 1,
                report.fused};
            const auto same = std::find_if(m_rows.begin(), m_rows.end(), [&](const Row& known) {
                return known.operation == row.operation && known.kernel == row.kernel && known.fused == row.fused &&
                    known.reason == row.reason;
            });
            if (same == m_rows.end())
                m_rows.push_back(std::move(row));
            else
                ++same->count;
        }
    endResetModel();
}

int KernelTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int KernelTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : numColumns;
}

QVariant KernelTableModel::data(const QModelIndex& index, int role) const {
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    if (role == Qt::TextAlignmentRole)
        return int((index.column() == count ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == kMonoRole)
        return index.column() == kernel;
    if (role == kInkRole)
        return int(index.column() == fused && !row.fused ? Color::warn : Color::text1);
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case operation:
        return row.operation;
    case kernel:
        return row.kernel;
    case count:
        return countText(row.count);
    case fused:
        return row.fused ? tr("fused") : tr("decomposed");
    case reason:
        return row.reason;
    default:
        return {};
    }
}

QVariant KernelTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == count ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case operation:
        return tr("Operation");
    case kernel:
        return tr("Kernel");
    case count:
        return tr("Times a step");
    case fused:
        return tr("Form");
    case reason:
        return tr("Why not fused");
    default:
        return {};
    }
}

} // namespace vitrine::ui
