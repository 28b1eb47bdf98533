// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: the request sheet of a lane.
#include "ui/engine/lane_sheet.h"

#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/numbers.h"

#include <QGridLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace vitrine::ui {
namespace {

constexpr int kMaxRows = 400;

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
        LaneSheet::tr("preempted"), LaneSheet::tr("finished")};
    return kind < std::size(names) ? names[kind] : QString();
}

} // namespace

LaneSheet::LaneSheet(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_title(makeLabel({}, "section")), m_grid(new QGridLayout),
      m_steps(new QTableWidget) {
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
    m_grid->setHorizontalSpacing(16);
    m_grid->setVerticalSpacing(4);
    m_grid->setColumnStretch(1, 1);
    m_grid->setColumnStretch(3, 1);
    column->addLayout(m_grid);
    m_steps->setColumnCount(5);
    m_steps->setHorizontalHeaderLabels({tr("Step"), tr("Work"), tr("From"), tr("Tokens"), tr("Accepted")});
    m_steps->verticalHeader()->hide();
    m_steps->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_steps->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_steps->verticalHeader()->setDefaultSectionSize(theme.px(Measure::kDenseRow));
    m_steps->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_steps->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_steps->setShowGrid(false);
    m_steps->setAccessibleName(tr("Steps of the request"));
    column->addWidget(m_steps, 1);
    connect(&theme, &Theme::changed, this, [this] { update(); });
}

void LaneSheet::showLane(const Lane& lane, const StepHistory& history) {
    const bool isNew = lane.sequence != m_sequence;
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
    while (QLayoutItem* item = m_grid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (int i = 0; i < static_cast<int>(m_facts.size()); ++i) {
        const auto& [name, value] = m_facts[static_cast<std::size_t>(i)];
        m_grid->addWidget(makeLabel(name, "small"), i / 2, i % 2 * 2);
        QLabel* label = makeLabel(value, "smallStrong");
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        m_grid->addWidget(label, i / 2, i % 2 * 2 + 1);
    }
    if (isNew || !lane.ended)
        fillSteps(history);
}

void LaneSheet::fillSteps(const StepHistory& history) {
    std::vector<SequenceLine> found;
    const auto& lines = history.lines();
    for (std::size_t i = lines.size(); i-- > 0 && static_cast<int>(found.size()) < kMaxRows;)
        if (lines[i].sequence == m_sequence)
            found.push_back(lines[i]);
    m_steps->setRowCount(static_cast<int>(found.size()));
    for (int row = 0; row < m_steps->rowCount(); ++row) {
        const SequenceLine& line = found[static_cast<std::size_t>(row)];
        const QString cells[] = {countText(static_cast<qint64>(line.step)), kindText(line.kind),
            countText(line.first_position), countText(line.count),
            line.kind == 2 ? countText(line.accepted) : QString()};
        for (int column = 0; column < 5; ++column)
            m_steps->setItem(row, column, new QTableWidgetItem(cells[column]));
    }
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
