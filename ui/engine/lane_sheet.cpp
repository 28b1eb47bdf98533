// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: the request sheet of a lane.
#include "ui/engine/lane_sheet.h"

#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/selectable_text.h"
#include "ui/widgets/table_delegate.h"
#include "ui/widgets/tile_layout.h"

#include <QGridLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollArea>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace vitrine::ui {
namespace {

constexpr int kFactColumns = 3;
constexpr int kLeastRows = 5; // of the steps, the head among them

QString seconds(double value) {
    return value <= 0 ? QString(kNone) : secondsText(value) + (value < 60 ? QString(kNoBreakSpace) + u's' : QString());
}

QString sourceText(RequestSource source) {
    switch (source) {
    case RequestSource::chat:
        return LaneSheet::tr("chat");
    case RequestSource::api:
        return LaneSheet::tr("API");
    case RequestSource::lab:
        return LaneSheet::tr("laboratory");
    }
    return {};
}

double lengthOf(const Lane& lane, LaneSegment::Kind kind) {
    double sum = 0;
    for (const LaneSegment& segment : lane.segments)
        sum += segment.kind == kind ? segment.end - segment.start : 0;
    return sum;
}

/// "Prefill", "Decode" ... of SequenceLine::kind.
QString kindText(std::uint8_t kind) {
    const QString names[] = {LaneSheet::tr("prefill"), LaneSheet::tr("decode"), LaneSheet::tr("verify"),
        LaneSheet::tr("preempted"), LaneSheet::tr("finished"), LaneSheet::tr("submitted")};
    return kind < std::size(names) ? names[kind] : QString();
}

} // namespace

LaneSheet::LaneSheet(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_title(makeLabel({}, "section")), m_miss(makeLabel({}, "small")),
      m_grid(new TileLayout(kFactColumns, 16, 6)), m_view(new QTableView) {
    setAccessibleName(tr("Request"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 12, 16, 12);
    column->setSpacing(12);
    auto* head = new QHBoxLayout;
    head->addWidget(m_title, 1);
    auto* zoom = new Button(theme, tr("Zoom to it"), Button::Kind::link);
    connect(zoom, &Button::clicked, this, [this] { emit zoomRequested(m_start, m_end); });
    head->addWidget(zoom);
    auto* close = new IconButton(theme, QStringLiteral("close"), tr("Close the request"));
    connect(close, &IconButton::clicked, this, &LaneSheet::closed);
    head->addWidget(close);
    column->addLayout(head);
    auto* content = new QWidget; // scrolls in a low page and with large text
    content->setProperty("surface", "none");
    auto* inner = new QVBoxLayout(content);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->setSpacing(12);
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(content);
    column->addWidget(scroll, 1);
    inner->addLayout(m_grid);
    m_miss->setWordWrap(true);
    makeSelectable(*m_miss);
    inner->addWidget(m_miss);
    m_view->setModel(&m_steps);
    setUpTable(*m_view, theme, Measure::kDenseRow);
    keepHeadsWhole(*m_view, theme, {LaneStepsModel::from});
    m_view->setAccessibleName(tr("Steps of the request"));
    inner->addWidget(m_view, 1);
    const auto resize = [this, &theme] { m_view->setMinimumHeight(kLeastRows * theme.px(Measure::kDenseRow)); };
    resize();
    connect(&theme, &Theme::changed, this, [this, resize] {
        resize();
        update();
    });
}

void LaneSheet::showLane(const Lane& lane, const StepHistory& history) {
    m_sequence = lane.sequence;
    m_start = lane.firstTime();
    m_end = lane.ended ? lane.endTime : (lane.segments.empty() ? lane.endTime : lane.segments.back().end);
    m_title->setText(lane.label.isEmpty() ? tr("Request %1").arg(lane.request) : lane.label);
    const double waited = lengthOf(lane, LaneSegment::Kind::queued);
    const double decode = lane.firstToken > 0 && lane.arrival > 0 ? m_end - lane.arrival - lane.firstToken : 0;
    const QString none(kNone);
    m_facts = {{tr("Request"), countText(static_cast<qint64>(lane.request))}, {tr("From"), sourceText(lane.source)},
        {tr("Prompt"), tr("%1 tokens").arg(countText(lane.promptTokens))},
        {tr("From the cache"), tr("%1 tokens").arg(countText(lane.hitTokens))},
        {tr("Answer"), tr("%1 tokens").arg(countText(lane.outputTokens))},
        {tr("KV blocks, most"), countText(lane.blocks)}, {tr("Waited"), seconds(waited)},
        {tr("First token"), seconds(lane.firstToken)},
        {tr("Time per token"),
            lane.outputTokens > 1 && decode > 0
                ? fixedText(decode * 1000 / (lane.outputTokens - 1), 1) + kNoBreakSpace + QStringLiteral("ms")
                : none},
        {tr("In the system"), seconds(lane.arrival > 0 ? m_end - lane.arrival : m_end - m_start)},
        {tr("Preempted"), countText(lane.preemptions)},
        {tr("End"), lane.ended ? QLatin1String(engine::finish_reason_name(lane.finish)) : tr("still running")}};
    m_miss->setText(lane.miss);
    m_miss->setVisible(!lane.miss.isEmpty());
    showFacts();
    m_steps.read(history, lane.sequence);
}

/// Labels are made once: while a request runs their texts change four times a second.
void LaneSheet::showFacts() {
    for (int i = static_cast<int>(m_labels.size()); i < static_cast<int>(m_facts.size()); ++i) {
        m_labels.emplace_back(makeLabel({}, "small"), makeLabel({}, "smallStrong"));
        makeSelectable(*m_labels.back().second);
        auto* fact = new QWidget;
        auto* lines = new QVBoxLayout(fact);
        lines->setContentsMargins(0, 0, 0, 0);
        lines->setSpacing(0);
        lines->addWidget(m_labels.back().first);
        lines->addWidget(m_labels.back().second);
        m_grid->addWidget(fact);
    }
    for (std::size_t i = 0; i < m_facts.size(); ++i) {
        m_labels[i].first->setText(m_facts[i].first);
        m_labels[i].second->setText(m_facts[i].second);
    }
}

LaneStepsModel::LaneStepsModel(QObject* parent) : QAbstractTableModel(parent) {}

void LaneStepsModel::read(const StepHistory& history, quint32 sequence) {
    if (sequence != m_sequence) {
        beginResetModel();
        m_lines.clear();
        m_sequence = sequence;
        endResetModel();
    }
    const auto& lines = history.lines();
    std::vector<SequenceLine> fresh; // newest first
    for (std::size_t i = lines.size(); i-- > 0 && static_cast<int>(fresh.size()) < kMaxRows;) {
        if (!m_lines.empty() && lines[i].step <= m_lines.front().step && lines[i].kind <= m_lines.front().kind)
            break; // a step has at most one line of a kind
        if (lines[i].sequence == m_sequence)
            fresh.push_back(lines[i]);
    }
    if (fresh.empty())
        return;
    beginInsertRows({}, 0, static_cast<int>(fresh.size()) - 1);
    m_lines.insert(m_lines.begin(), fresh.begin(), fresh.end());
    endInsertRows();
    if (const int surplus = rowCount() - kMaxRows; surplus > 0) {
        beginRemoveRows({}, kMaxRows, rowCount() - 1);
        m_lines.resize(kMaxRows);
        endRemoveRows();
    }
}

int LaneStepsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_lines.size());
}

int LaneStepsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : numColumns;
}

QVariant LaneStepsModel::data(const QModelIndex& index, int role) const {
    if (role == Qt::TextAlignmentRole)
        return int((index.column() <= work ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    const SequenceLine& line = m_lines[static_cast<std::size_t>(index.row())];
    switch (index.column()) {
    case step:
        return countText(static_cast<qint64>(line.step));
    case work:
        return kindText(line.kind);
    case from:
        return countText(line.first_position);
    case tokens:
        return countText(line.count);
    case accepted:
        return line.kind == 2 ? countText(line.accepted) : QString();
    default:
        return {};
    }
}

QVariant LaneStepsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section <= work ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    const QString names[] = {LaneSheet::tr("Step"), LaneSheet::tr("Work"), LaneSheet::tr("From"),
        LaneSheet::tr("Tokens"), LaneSheet::tr("Accepted")};
    return role == Qt::DisplayRole && section < numColumns ? names[section] : QVariant();
}

void LaneSheet::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme.color(Color::outline), 1));
    painter.setBrush(m_theme.color(Color::popup));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), Measure::kRadiusCard, Measure::kRadiusCard);
}

void LaneSheet::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        emit closed();
    else
        QWidget::keyPressEvent(event);
}

} // namespace vitrine::ui
