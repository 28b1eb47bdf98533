// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/server: the request log.
#include "ui/server/request_log_model.h"

#include "ui/widgets/numbers.h"
#include "ui/widgets/table_delegate.h"

#include <algorithm>

namespace vitrine::ui {
namespace {

QString orNone(double value, QString (*text)(double)) {
    return value < 0 ? QString(kNone) : text(value);
}

bool isError(const EndpointLogRow& row) {
    return row.status >= 400;
}

/// The prompt was long enough for a block and none of it came from the cache.
bool missedPrefix(const EndpointLogRow& row) {
    return row.finished && row.outputTokens > 0 && row.promptTokens >= 64 && row.cachedTokens == 0;
}

} // namespace

RequestLogModel::RequestLogModel(QObject* parent) : QAbstractTableModel(parent) {}

bool RequestLogModel::matches(const EndpointLogRow& row, Filter filter) const {
    switch (filter) {
    case Filter::all:
        return true;
    case Filter::running:
        return !row.finished;
    case Filter::errors:
        return isError(row);
    case Filter::missed:
        return missedPrefix(row);
    }
    return true;
}

std::vector<std::size_t> RequestLogModel::shownOf(const std::vector<EndpointLogRow>& all) const {
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const EndpointLogRow& row = all[i];
        const bool hit = m_text.isEmpty() || row.client.contains(m_text, Qt::CaseInsensitive) ||
            row.route.contains(m_text, Qt::CaseInsensitive) || row.prompt.contains(m_text, Qt::CaseInsensitive);
        if (hit && matches(row, m_filter))
            shown.push_back(i);
    }
    return shown;
}

void RequestLogModel::update(const HistoryRing<EndpointLogRow>& rows) {
    std::vector<EndpointLogRow> all;
    all.reserve(rows.size());
    for (std::size_t i = rows.size(); i-- > 0;)
        all.push_back(rows[i]);
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.number > b.number; });
    // A later row with the same number replaces the earlier one.
    all.erase(std::unique(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.number == b.number; }),
        all.end());
    show(std::move(all));
}

/// New rows come in above and the oldest go below: selection and scrolling stay, also under a filter and in a full ring.
void RequestLogModel::show(std::vector<EndpointLogRow> all) {
    std::vector<std::size_t> shown = shownOf(all);
    const auto numberBefore = [this](std::size_t i) { return m_all[m_shown[i]].number; };
    const auto numberNow = [&](std::size_t i) { return all[shown[i]].number; };
    const quint64 newest = m_shown.empty() ? 0 : numberBefore(0);
    const quint64 oldest = shown.empty() ? 0 : numberNow(shown.size() - 1);
    std::size_t added = 0, kept = m_shown.size();
    while (added < shown.size() && numberNow(added) > newest)
        ++added;
    while (kept > 0 && (shown.empty() || numberBefore(kept - 1) < oldest))
        --kept;
    bool isSame = added + kept == shown.size();
    for (std::size_t i = 0; isSame && i < kept; ++i)
        isSame = numberBefore(i) == numberNow(added + i);
    if (!isSame) { // one in the middle came under the filter or left it
        beginResetModel();
        m_all = std::move(all);
        m_shown = std::move(shown);
        return endResetModel();
    }
    if (kept < m_shown.size()) {
        beginRemoveRows({}, static_cast<int>(kept), static_cast<int>(m_shown.size()) - 1);
        m_shown.resize(kept);
        endRemoveRows();
    }
    if (added > 0)
        beginInsertRows({}, 0, static_cast<int>(added) - 1);
    m_all = std::move(all);
    m_shown = std::move(shown);
    if (added > 0)
        endInsertRows();
    if (kept > 0) // running ones may have moved on
        emit dataChanged(index(static_cast<int>(added), 0), index(rowCount() - 1, numColumns - 1));
}

void RequestLogModel::setFilter(Filter filter, const QString& text) {
    if (filter == m_filter && text == m_text)
        return;
    beginResetModel();
    m_filter = filter;
    m_text = text;
    m_shown = shownOf(m_all);
    endResetModel();
}

int RequestLogModel::count(Filter filter) const {
    return static_cast<int>(
        std::count_if(m_all.begin(), m_all.end(), [&](const auto& row) { return matches(row, filter); }));
}

int RequestLogModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

int RequestLogModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : numColumns;
}

QVariant RequestLogModel::data(const QModelIndex& index, int role) const {
    const EndpointLogRow& row = this->row(index.row());
    const int column = index.column();
    if (role == Qt::TextAlignmentRole)
        return int(
            column == queue || column == first || column == tokens || column == rate ? Qt::AlignRight : Qt::AlignLeft);
    if (role == Qt::ToolTipRole)
        return row.error;
    if (role == kInkRole) {
        if (column == status && row.status > 0)
            return int(row.status == 429 ? Color::warn : isError(row) ? Color::error : Color::ok);
        return int(column == finish ? Color::text2 : Color::text1);
    }
    if (role != Qt::DisplayRole)
        return {};
    const bool generated = row.promptTokens > 0;
    switch (column) {
    case time:
        return row.time.toLocalTime().toString(QStringLiteral("HH:mm:ss"));
    case client:
        return row.client;
    case route:
        return row.route;
    case status:
        return row.status > 0 ? plainText(row.status) : tr("…");
    case queue:
        return orNone(row.queueSeconds, secondsText);
    case first:
        return orNone(row.firstTokenSeconds, secondsText);
    case tokens:
        return generated
            ? QStringLiteral("%1 / %2 / %3")
                  .arg(countText(row.promptTokens), countText(row.cachedTokens), countText(row.outputTokens))
            : QString(kNone);
    case rate:
        return orNone(row.tokensPerSecond, [](double value) { return rateText(value); });
    case finish:
        return !row.finished       ? tr("running")
            : row.finish.isEmpty() ? (isError(row) ? tr("error") : QString(kNone))
                                   : row.finish;
    default:
        return {};
    }
}

QVariant RequestLogModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole) {
        const bool right = section == queue || section == first || section == tokens || section == rate;
        return int((right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case time:
        return tr("Time");
    case client:
        return tr("Client");
    case route:
        return tr("Route");
    case status:
        return tr("Status");
    case queue:
        return tr("Queue s");
    case first:
        return tr("First s");
    case tokens:
        return tr("In / cached / out");
    case rate:
        return tr("tok/s");
    case finish:
        return tr("Finish");
    default:
        return {};
    }
}

} // namespace vitrine::ui
