// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: readings as rows.
#include "ui/engine/reading_table.h"

#include "ui/widgets/numbers.h"
#include "ui/widgets/table_delegate.h"

#include <cmath>

namespace vitrine::ui {

ReadingTableModel::ReadingTableModel(QObject* parent) : QAbstractTableModel(parent) {}

void ReadingTableModel::setReadings(const HistoryRing<ServerReading>& readings, double start, double end) {
    std::deque<ServerReading> fresh;
    for (std::size_t i = readings.size(); i-- > 0 && static_cast<int>(fresh.size()) < kMaxRows;) {
        if (readings[i].time < start)
            break;
        if (readings[i].time <= end)
            fresh.push_back(readings[i]);
    }
    const bool same = fresh.size() == m_readings.size() &&
        (fresh.empty() ||
            (fresh.front().time == m_readings.front().time && fresh.back().time == m_readings.back().time));
    if (same)
        return;
    beginResetModel();
    m_readings = std::move(fresh);
    endResetModel();
}

int ReadingTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_readings.size());
}

int ReadingTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : numColumns;
}

QVariant ReadingTableModel::data(const QModelIndex& index, int role) const {
    if (role == Qt::TextAlignmentRole)
        return int(index.column() == age ? Qt::AlignLeft : Qt::AlignRight);
    const ServerReading& row = m_readings[static_cast<std::size_t>(index.row())];
    const auto count = [](double told) { return std::isnan(told) ? QString(kNone) : countText(std::llround(told)); };
    if (role == kInkRole)
        return int(index.data(Qt::DisplayRole).toString() == QString(kNone) ? Color::text3 : Color::text1);
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case age:
        return fixedText(m_readings.front().time - row.time, 1) +
            (row.own                ? tr(" own requests")
                    : row.restarted ? tr(" restarted")
                                    : QString());
    case running:
        return count(row.running);
    case waiting:
        return count(row.waiting);
    case kv:
        return std::isnan(row.kvUsage) ? QString(kNone) : fixedText(row.kvUsage * 100, 1);
    case prompt:
        return count(row.promptTokens);
    case generated:
        return count(row.generationTokens);
    case queries:
        return count(row.prefixQueries);
    case hits:
        return count(row.prefixHits);
    case drafted:
        return count(row.draftTokens);
    case accepted:
        return count(row.acceptedTokens);
    case preempted:
        return count(row.preemptions);
    default:
        return {};
    }
}

QVariant ReadingTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == age ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    const QString names[numColumns] = {tr("Age s"), tr("Running"), tr("Waiting"), tr("KV %"), tr("Prompt tok"),
        tr("Generated"), tr("Looked up"), tr("Hits"), tr("Drafted"), tr("Accepted"), tr("Preempted")};
    return names[section];
}

} // namespace vitrine::ui
