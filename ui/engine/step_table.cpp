// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: steps as rows.
#include "ui/engine/step_table.h"

#include "ui/widgets/numbers.h"
#include "ui/widgets/table_delegate.h"

#include <algorithm>

namespace vitrine::ui {
namespace {

double hostMs(const StepRecord& step) {
    return (step.draft_us + step.schedule_us + step.sample_us + step.commit_us) / 1e3;
}

} // namespace

StepTableModel::StepTableModel(QObject* parent) : QAbstractTableModel(parent) {}

void StepTableModel::clear() {
    beginResetModel();
    m_steps.clear();
    m_isRange = false;
    endResetModel();
}

void StepTableModel::setRange(const HistoryRing<StepRecord>& steps, std::size_t first, std::size_t last) {
    last = std::min(last, steps.size());
    first = std::max(first, last > kMaxRows ? last - kMaxRows : 0);
    const bool same = m_isRange && m_steps.size() == last - std::min(first, last) &&
        (m_steps.empty() || (m_steps.front().step == steps[last - 1].step && m_steps.back().step == steps[first].step));
    if (same)
        return;
    beginResetModel();
    m_steps.clear();
    for (std::size_t i = first; i < last; ++i)
        m_steps.push_front(steps[i]);
    m_isRange = true;
    endResetModel();
}

void StepTableModel::append(const HistoryRing<StepRecord>& steps) {
    if (m_isRange)
        clear();
    std::size_t first = steps.size();
    const std::size_t oldest = steps.size() > kMaxRows ? steps.size() - kMaxRows : 0;
    while (first > oldest && (m_steps.empty() || steps[first - 1].step > m_steps.front().step))
        --first;
    const int added = static_cast<int>(steps.size() - first);
    if (added == 0)
        return;
    if (const int surplus = std::min(rowCount(), rowCount() + added - kMaxRows); surplus > 0) {
        beginRemoveRows({}, rowCount() - surplus, rowCount() - 1);
        m_steps.resize(m_steps.size() - static_cast<std::size_t>(surplus));
        endRemoveRows();
    }
    beginInsertRows({}, 0, added - 1);
    for (std::size_t i = first; i < steps.size(); ++i)
        m_steps.push_front(steps[i]);
    endInsertRows();
    if (rowCount() > added) // ages are counted from the newest step
        emit dataChanged(index(added, age), index(rowCount() - 1, age), {Qt::DisplayRole});
}

int StepTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_steps.size());
}

int StepTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : numColumns;
}

QVariant StepTableModel::data(const QModelIndex& index, int role) const {
    const StepRecord& row = m_steps[static_cast<std::size_t>(index.row())];
    if (role == Qt::TextAlignmentRole)
        return int(index.column() == step ? Qt::AlignLeft : Qt::AlignRight);
    if (role == kInkRole) {
        const bool zero = index.data(Qt::DisplayRole).toString() == QLatin1String("0");
        return int(zero ? Color::text3 : Color::text1);
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case step:
        return countText(static_cast<qint64>(row.step));
    case age:
        return fixedText(stepStart(m_steps.front()) - stepStart(row), 2);
    case prefill:
        return countText(row.prefill_tokens);
    case rows:
        return QStringLiteral("%1 + %2").arg(row.decode_rows).arg(row.draft_rows);
    case emitted:
        return countText(row.emitted);
    case taken:
        return countText(row.blocks_taken);
    case freed:
        return countText(row.blocks_released);
    case evicted:
        return countText(row.blocks_evicted);
    case host:
        return fixedText(hostMs(row), 1);
    case device:
        return fixedText(row.forward_us / 1e3, 1);
    default:
        return {};
    }
}

QVariant StepTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == step ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case step:
        return tr("Step");
    case age:
        return tr("Age s");
    case prefill:
        return tr("Prefill tok");
    case rows:
        return tr("Decode + draft");
    case emitted:
        return tr("Emitted");
    case taken:
        return tr("Blocks taken");
    case freed:
        return tr("Freed");
    case evicted:
        return tr("Evicted");
    case host:
        return tr("Host ms");
    case device:
        return tr("Device ms");
    default:
        return {};
    }
}

} // namespace vitrine::ui
