// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: steps as rows.
#include "ui/engine/step_table.h"

#include "ui/engine/lane_history.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/table_delegate.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace vitrine::ui {
namespace {

double hostMs(const StepRecord& step) {
    return (step.schedule_us + step.sample_us + step.commit_us) / 1e3;
}

/// Names and values of the export; the table shows a part of them.
std::vector<std::pair<const char*, double>> fields(const StepRecord& step) {
    return {{"step", static_cast<double>(step.step)}, {"start_us", static_cast<double>(step.start_us)},
        {"schedule_us", step.schedule_us}, {"forward_us", step.forward_us}, {"sample_us", step.sample_us},
        {"commit_us", step.commit_us}, {"prefill_tokens", step.prefill_tokens}, {"prefill_seqs", step.prefill_seqs},
        {"decode_rows", step.decode_rows}, {"draft_rows", step.draft_rows}, {"accepted", step.accepted},
        {"emitted", step.emitted}, {"blocks_free", step.blocks_free}, {"blocks_cached", step.blocks_cached},
        {"blocks_active", step.blocks_active}, {"blocks_shared", step.blocks_shared},
        {"blocks_taken", step.blocks_taken}, {"blocks_released", step.blocks_released},
        {"blocks_evicted", step.blocks_evicted}, {"prefix_queries", step.prefix_queries},
        {"prefix_hits", step.prefix_hits}, {"running", step.running}, {"waiting", step.waiting},
        {"preempted", step.preempted}};
}

} // namespace

StepTableModel::StepTableModel(QObject* parent) : QAbstractTableModel(parent) {}

void StepTableModel::append(const HistoryRing<StepRecord>& steps) {
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

QByteArray StepTableModel::toCsv() const {
    QByteArray csv;
    for (auto row = m_steps.rbegin(); row != m_steps.rend(); ++row) {
        const auto cells = fields(*row);
        QByteArrayList line;
        if (csv.isEmpty()) {
            for (const auto& [name, value] : cells)
                line += name;
            csv = line.join(',') + '\n';
            line.clear();
        }
        for (const auto& [name, value] : cells)
            line += QByteArray::number(value, 'f', 0);
        csv += line.join(',') + '\n';
    }
    return csv;
}

QByteArray StepTableModel::toJson() const {
    QJsonArray steps;
    for (auto row = m_steps.rbegin(); row != m_steps.rend(); ++row) {
        QJsonObject object;
        for (const auto& [name, value] : fields(*row))
            object.insert(QLatin1String(name), value);
        steps.append(object);
    }
    return QJsonDocument(steps).toJson();
}

} // namespace vitrine::ui
