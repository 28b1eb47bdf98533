// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/frame: the strip's state, layout and input.
#include "ui/frame/pulse_strip.h"

#include "ui/bridge/snapshot_feed.h"
#include "ui/widgets/numbers.h"

#include <QFocusEvent>
#include <QFontMetrics>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QStyle>
#include <QToolTip>

#include <algorithm>

namespace vitrine::ui {
namespace {

constexpr int kRefreshMs = 250; // live numbers change at most four times a second
constexpr std::size_t kNumRates = 60;
constexpr int kModelMin = 120, kModelMax = 280, kKv = 188, kRequests = 160, kRequestsBare = 116, kRate = 164,
              kRateBare = 104, kPrefix = 100, kAccept = 118, kAcceptBare = 96, kServer = 104, kLink = 110,
              kLoading = 340;
constexpr int kModelExtra = 44; // icon and padding
constexpr int kNoGraphs = 1040, kNoPrefix = 880, kNoDrafts = 780,
              kNoSquares = 700; // widths below which something leaves

} // namespace

PulseStrip::PulseStrip(const Theme& theme, EngineClient& client, SnapshotFeed& snapshots, EndpointControl& endpoint,
    SequenceIndex& sequences, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_client(client), m_snapshots(snapshots), m_endpoint(endpoint),
      m_sequences(sequences) {
    setLayoutDirection(Qt::LeftToRight); // painted by hand, numbers in the main
    setMouseTracking(true);
    setFocusPolicy(Qt::TabFocus);
    setProperty("focusRing", "none"); // the segment shows it
    setAccessibleName(tr("Engine pulse"));
    setFixedHeight(theme.px(Measure::kPulse));
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &PulseStrip::refresh);
    connect(&snapshots, &SnapshotFeed::updated, this, &PulseStrip::refreshSoon);
    connect(&snapshots, &SnapshotFeed::idleChanged, this, &PulseStrip::refresh);
    connect(&client, &EngineClient::modelChanged, this, &PulseStrip::refresh);
    connect(&client, &EngineClient::loadChanged, this, &PulseStrip::refreshSoon);
    connect(&endpoint, &EndpointControl::stateChanged, this, &PulseStrip::refresh);
    connect(&theme, &Theme::changed, this, [this] {
        setFixedHeight(m_theme.px(Measure::kPulse));
        update();
    });
    refresh();
}

void PulseStrip::refreshSoon() {
    if (!isVisible() || m_timer.isActive())
        return;
    const qint64 since = m_sinceRefresh.isValid() ? m_sinceRefresh.elapsed() : kRefreshMs;
    if (since >= kRefreshMs)
        refresh();
    else
        m_timer.start(static_cast<int>(kRefreshMs - since));
}

void PulseStrip::refresh() {
    m_sinceRefresh.restart();
    const Snapshot& snapshot = *m_snapshots.latest();
    PulseState state = makePulseState(m_client, snapshot, m_snapshots.isIdle(), m_endpoint, m_sequences);
    if (state.mode == PulseState::Mode::ready && !state.idle) {
        m_rates.push_back(snapshot.rates.decode_tokens_per_s);
        if (m_rates.size() > kNumRates)
            m_rates.pop_front();
    }
    state.rates.assign(m_rates.begin(), m_rates.end());
    if (state == m_state)
        return;
    m_state = std::move(state);
    setAccessibleDescription(textTwin());
    update();
}

void PulseStrip::showEvent(QShowEvent*) {
    refresh();
}

QSize PulseStrip::sizeHint() const {
    return {960, m_theme.px(Measure::kPulse)};
}

bool PulseStrip::has(Segment segment) const {
    return std::any_of(
        m_placed.begin(), m_placed.end(), [segment](const Placed& placed) { return placed.segment == segment; });
}

int PulseStrip::modelWidth(int room) const {
    QFont strong = m_theme.font(TextRole::small);
    strong.setWeight(QFont::DemiBold);
    int advance = QFontMetrics(strong).horizontalAdvance(m_state.model) + m_theme.px(kModelExtra);
    if (room >= kNoDevice)
        advance += QFontMetrics(m_theme.font(TextRole::small)).horizontalAdvance(modelDetail());
    return advance * 100 / m_theme.textPercent();
}

int PulseStrip::noModelWidth() const {
    const int advance = QFontMetrics(m_theme.font(TextRole::small)).horizontalAdvance(tr("No model loaded"));
    return (advance + m_theme.px(kModelExtra)) * 100 / m_theme.textPercent();
}

QString PulseStrip::modelDetail() const {
    QString detail; // a server elsewhere does not tell how its weights are stored
    for (const QString& part : {m_state.quant, m_state.device})
        if (!part.isEmpty())
            detail += QStringLiteral(" · ") + part;
    return detail;
}

void PulseStrip::layoutSegments() {
    m_placed.clear();
    const int room = width() * 100 / m_theme.textPercent(); // what gives way depends on the room for text
    const int server = std::max(m_theme.px(kServer), serverWidth()), serverRoom = server * 100 / m_theme.textPercent();
    int x = 0;
    const auto place = [&](Segment segment, int length) {
        const int pixels = m_theme.px(length);
        m_placed.push_back({segment, QRect(x, 0, pixels, height())});
        x += pixels;
    };
    switch (m_state.mode) {
    case PulseState::Mode::empty:
        place(Segment::model, std::max(kModelMin, noModelWidth()));
        place(Segment::openModel, kLink);
        break;
    case PulseState::Mode::loading:
        place(Segment::model, std::clamp(room - kLoading - kLink - serverRoom, kModelMin, kModelMax - 40));
        place(Segment::rate, kLoading);
        place(Segment::cancelLoad, 72);
        break;
    case PulseState::Mode::ready: {
        const bool drafts = !m_state.drafted.isEmpty() && room >= kNoDrafts, graphs = room >= kNoGraphs,
                   prefix = room >= kNoPrefix;
        const int rate = graphs ? kRate : kRateBare, accept = drafts ? (graphs ? kAccept : kAcceptBare) : 0;
        const int requests = room >= kNoSquares ? kRequests : kRequestsBare;
        const int fixed = kKv + requests + rate + (prefix ? kPrefix : 0) + accept + serverRoom;
        place(Segment::model, std::clamp(std::min(room - fixed, modelWidth(room)), kModelMin, kModelMax));
        place(Segment::kv, kKv);
        place(Segment::requests, requests);
        place(Segment::rate, rate);
        if (prefix)
            place(Segment::prefix, kPrefix);
        if (drafts)
            place(Segment::accept, accept);
        break;
    }
    }
    if (x + server <= width())
        m_placed.push_back({Segment::server, QRect(width() - server, 0, server, height())});
    for (Placed& placed : m_placed)
        placed.rect = QStyle::visualRect(layoutDirection(), rect(), placed.rect);
}

QString PulseStrip::tooltip(Segment segment) const {
    const Snapshot& snapshot = *m_snapshots.latest();
    switch (segment) {
    case Segment::model:
        return m_state.mode == PulseState::Mode::empty ? tr("No model is loaded. Click: Models")
            : m_state.quant.isEmpty()
            ? tr("%1, on %2. Click: Models").arg(m_state.model, m_state.device)
            : tr("%1, %2, on %3. Click: Models").arg(m_state.model, m_state.quant, m_state.device);
    case Segment::openModel:
        return tr("Choose a model file");
    case Segment::cancelLoad:
        return tr("Stop loading; the model of before stays");
    case Segment::kv:
        if (snapshot.blocks.total == 0)
            return tr("This server does not tell how many KV blocks it has. Click: what it tells");
        return tr("KV blocks in use: %1 of %2 are held by running requests; %3 more hold reusable prefixes; %4 are "
                  "free. Click: this plot, last 60 s")
            .arg(countText(snapshot.blocks.active), countText(snapshot.blocks.total), countText(snapshot.blocks.cached),
                countText(snapshot.blocks.free));
    case Segment::requests:
        return tr("Sequences that run in the batch, and those that wait for room. Click: their lanes");
    case Segment::rate:
        return tr("Tokens made per second, the sum of all requests over the last 10 s. Click: this plot");
    case Segment::prefix:
        return tr("Share of prompt tokens found in the prefix cache instead of computed, last 60 s. Click: this plot");
    case Segment::accept:
        return tr("Draft tokens accepted in one step of one sequence; a bar for each draft position. Click: this plot");
    case Segment::server:
        return m_state.serverOn ? tr("The endpoint answers on port %1. Click: Server").arg(m_state.serverPort)
                                : tr("The endpoint is off. Click: Server");
    }
    return {};
}

QString PulseStrip::textTwin() const {
    const QString server = m_state.serverOn ? tr("server on port %1").arg(m_state.serverPort) : tr("server off");
    switch (m_state.mode) {
    case PulseState::Mode::empty:
        return tr("No model loaded, %1").arg(server);
    case PulseState::Mode::loading:
        return tr("Loading %1, %2 of %3")
            .arg(m_state.model, bytesText(static_cast<double>(m_state.bytesDone)),
                bytesText(static_cast<double>(m_state.bytesTotal)));
    case PulseState::Mode::ready:
        return tr("%1, %2 of %3 KV blocks, %4 running, %5 waiting, %6 tokens per second, prefix %7, %8")
            .arg(m_state.model)
            .arg(m_state.activeBlocks)
            .arg(m_state.totalBlocks)
            .arg(m_state.running)
            .arg(m_state.waiting)
            .arg(m_state.rate, m_state.prefix, server);
    }
    return {};
}

int PulseStrip::hit(const QPoint& position) const {
    for (int i = 0; i < static_cast<int>(m_placed.size()); ++i)
        if (m_placed[static_cast<std::size_t>(i)].rect.contains(position))
            return i;
    return -1;
}

void PulseStrip::mouseMoveEvent(QMouseEvent* event) {
    if (const int index = hit(event->pos()); index != m_hover) {
        m_hover = index;
        setCursor(index >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
        update();
    }
}

void PulseStrip::leaveEvent(QEvent*) {
    if (std::exchange(m_hover, -1) >= 0)
        update();
}

void PulseStrip::mouseReleaseEvent(QMouseEvent* event) {
    if (const int index = hit(event->pos()); index >= 0 && event->button() == Qt::LeftButton)
        emit segmentActivated(m_placed[static_cast<std::size_t>(index)].segment);
}

void PulseStrip::keyPressEvent(QKeyEvent* event) {
    const int count = static_cast<int>(m_placed.size());
    if (count == 0)
        return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right: {
        const bool isNext = (event->key() == Qt::Key_Right) != isRightToLeft();
        m_focused = std::clamp(m_focused + (isNext ? 1 : -1), 0, count - 1);
        break;
    }
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        return emit segmentActivated(m_placed[static_cast<std::size_t>(std::clamp(m_focused, 0, count - 1))].segment);
    default:
        return QWidget::keyPressEvent(event);
    }
    update();
}

void PulseStrip::focusOutEvent(QFocusEvent*) {
    m_focused = -1;
    update();
}

bool PulseStrip::event(QEvent* event) {
    if (event->type() == QEvent::FocusIn) {
        const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
        m_focused = reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason ? 0 : -1;
        update();
    } else if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const int index = hit(help->pos()); index >= 0)
            QToolTip::showText(help->globalPos(), tooltip(m_placed[static_cast<std::size_t>(index)].segment), this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace vitrine::ui
