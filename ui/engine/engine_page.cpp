// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: the page's flow of values; engine_page_build.cpp lays it out, engine_page_session.cpp reads and
// writes files.
#include "ui/engine/engine_page.h"

#include "ui/bridge/engine_client.h"
#include "ui/bridge/qt_convert.h"
#include "ui/engine/block_map.h"
#include "ui/engine/engine_page_parts.h"
#include "ui/engine/lane_sheet.h"
#include "ui/engine/request_lanes.h"
#include "ui/engine/server_panel.h"
#include "ui/engine/slow_line.h"
#include "ui/engine/slow_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/segmented_control.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QScrollArea>
#include <QTableView>
#include <QTimerEvent>

#include <cmath>

namespace vitrine::ui {
namespace {

constexpr double kSpans[] = {10, 60, 600, 0}; // 0: the session
constexpr double kIdleTail = 0.5; // seconds shown after the last step
constexpr int kNarrowPage = 1000, kTallPage = 900;
constexpr int kMapLow = 160, kMapHigh = 240;
constexpr int kReplayMs = 50;
constexpr double kShortestMove = 0.05; // seconds; and not less than a pixel
constexpr int kNumbersMs = 240; // live numbers change at most four times a second

/// The sentence above the plots of a server: why there is nothing to see, or what holds it back.
QString serverLine(const ServerFacts& server, const HistoryRing<ServerReading>& readings) {
    if (!server.metricsProblem.isEmpty())
        return EnginePage::tr("Only this program's own requests are shown. %1").arg(server.metricsProblem);
    if (readings.empty())
        return EnginePage::tr("The metrics of %1 are read once a second.").arg(server.name);
    const ServerReading& last = readings.back();
    const auto count = [](double told) { return countText(std::llround(told)); };
    if (!(last.waiting > 0))
        return EnginePage::tr("Nothing waits at %1.").arg(server.name);
    if (std::isnan(last.running))
        return EnginePage::tr("%1 requests wait at %2.").arg(count(last.waiting), server.name);
    if (last.kvUsage > 0)
        return EnginePage::tr("%1 requests wait at %2: %3 run, and %4 of its KV cache is in use.")
            .arg(count(last.waiting), server.name, count(last.running), percentText(last.kvUsage));
    return EnginePage::tr("%1 requests wait at %2, %3 run.").arg(count(last.waiting), server.name, count(last.running));
}

} // namespace

double EnginePage::Parts::now() const {
    const auto& records = history().steps().steps();
    const auto& last = context.recording.session ? context.recording.session->last() : context.snapshots.latest();
    const double lastEnd = records.empty() ? 0 : stepEnd(records.back());
    if (isIdle() || !last)
        return records.empty() ? (last ? snapshotTime(*last) : 0) : lastEnd + kIdleTail;
    const std::chrono::duration<double> since = std::chrono::steady_clock::now() - last->time;
    return std::max(snapshotTime(*last) + since.count(), lastEnd);
}

EnginePage::EnginePage(const Context& context, QWidget* parent) : QWidget(parent), m(std::make_unique<Parts>(context)) {
    buildHeader();
    buildTracks();
    buildTable();
    buildSheet();
    connect(&context.snapshots, &SnapshotFeed::updated, this, [this](const std::shared_ptr<const Snapshot>& snapshot) {
        refresh(snapshot->running + snapshot->waiting + snapshot->preparing > 0);
    });
    connect(&context.snapshots, &SnapshotFeed::idleChanged, this, [this] { refresh(); });
    connect(&context.client, &EngineClient::modelChanged, this, [this] { refresh(); });
    connect(&context.steps, &StepFeed::readingAdded, this, [this] { refresh(); });
    connect(&context.steps, &StepFeed::restarted, this, [this] {
        if (!m->context.recording.session)
            backToLive(); // lanes, table and map of the engine before
    });
    connectWindow();
    takeSource();
}

EnginePage::~EnginePage() {
    m->pool.waitForDone();
}

void EnginePage::connectWindow() {
    const TimeWindow* window = &m->window;
    connect(window, &TimeWindow::cursorChanged, this, [this] {
        refreshReadouts();
        if (m->window.paused())
            refreshMap();
    });
    connect(window, &TimeWindow::playheadChanged, this, [this] {
        refreshReadouts();
        refreshMap();
        refreshTable();
    });
    connect(window, &TimeWindow::selectionChanged, this, [this] {
        if (m->window.selection() && !m->window.paused())
            m->window.setPaused(true); // what was selected must not run away
        refresh();
    });
    connect(window, &TimeWindow::zoomed, this, [this] {
        m->zoomed = true;
        refresh();
    });
    connect(window, &TimeWindow::windowChanged, this, [this] {
        if (m->window.paused())
            refresh();
    });
    connect(window, &TimeWindow::pausedChanged, this, [this](bool paused) {
        m->pause->setIconName(paused ? QStringLiteral("play") : QStringLiteral("pause"));
        if (!paused && m->replayTimer != 0)
            toggleReplay();
        if (!paused)
            m->window.setSelection({});
        refresh();
    });
}

/// Drafts cost rows and seldom pay below a fifth; said only where nothing weighs more.
bool EnginePage::Parts::hasPoorDrafts() const {
    constexpr double kPoor = 0.2;
    const Rates& rates = snapshot->rates;
    const bool nothingElse = snapshot->slow_cause == SlowCause::none || snapshot->slow_cause == SlowCause::sharing;
    return !context.recording.session && !isServer() && !isIdle() && nothingElse && rates.drafts_per_step >= 1 &&
        rates.accepted_per_step < kPoor * rates.drafts_per_step;
}

bool EnginePage::Parts::isTableInView() const {
    const QTableView* const views[] = {steps, kernelView, readingView};
    return std::ranges::any_of(views, [](const QTableView* view) { return !view->visibleRegion().isEmpty(); });
}

void EnginePage::refresh(bool live) {
    if (!isVisible())
        return; // showEvent catches up
    ++m->refreshes;
    const auto before = std::exchange(m->snapshot,
        m->context.recording.session ? m->context.recording.session->last() : m->context.snapshots.latest());
    const SessionHistory& history = m->history();
    if (!m->context.recording.session) {
        m->lanes.readLines(history.steps());
        if (!live || m->snapshot != before) {
            m->lanes.readStatuses(*m->snapshot, m->now());
            m->lanes.readNotes(history.requests());
        }
    }
    showSource();
    refreshTime();
    m->dimmed = !m->context.recording.session && (m->isIdle() || !m->snapshot->model) && !m->window.paused();
    m->tracks->setDimmed(m->dimmed);
    m->requestLanes->setDimmed(m->dimmed);
    m->requestLanes->setLanes(m->lanes, history.steps());
    refreshTracks();
    refreshMap();
    if (!live || !m->sinceNumbers.isValid() || m->sinceNumbers.elapsed() >= kNumbersMs)
        refreshNumbers(live);
}

/// Complete bins never change: the series are collected again only when one more has come, or another window.
void EnginePage::refreshTracks() {
    const SessionHistory& history = m->history();
    const auto& steps = history.steps().steps();
    const double bin = binWidth(m->window.span());
    const double known = std::min(m->window.end(), EngineTracks::completeUntil(history, *m->snapshot));
    const double end = m->window.paused() ? m->window.end() : std::floor(known / bin);
    const auto& readings = history.readings();
    const quint64 step = m->isServer()  ? (readings.empty() ? 0 : static_cast<quint64>(readings.back().time * 1e3))
        : m->isIdle() && !steps.empty() ? steps.back().step
                                        : 0;
    if (end == m->tracksEnd && m->window.span() == m->tracksSpan && step == m->tracksStep)
        return;
    m->tracksEnd = end;
    m->tracksSpan = m->window.span();
    m->tracksStep = step;
    m->tracks->setHistory(history, *m->snapshot);
}

void EnginePage::refreshNumbers(bool live) {
    m->sinceNumbers.start();
    m->kernels.setModel(m->snapshot->model);
    if (!live || m->isTableInView()) // below the fold it waits until somebody scrolls there
        refreshTable();
    refreshReadouts();
    refreshSlowLine();
    if (m->sheet->isVisible())
        showRequest(m->sheet->sequence());
}

void EnginePage::refreshTime() {
    const double now = m->now();
    const int track = m->requestLanes->width() - m->window.gutter() - TimeWindow::kRightMargin;
    const double quantum = std::max(kShortestMove, m->window.span() / std::max(1, track));
    m->window.setNow(m->isIdle() ? now : std::ceil(now / quantum) * quantum);
    if (!m->zoomed)
        applySpan();
}

void EnginePage::applySpan() {
    const double span = kSpans[std::max(0, m->span->current())];
    const auto& steps = m->history().steps().steps();
    const auto& buckets = m->history().steps().buckets();
    double first = steps.empty() ? m->window.end() : stepStart(steps[0]);
    if (!m->history().readings().empty())
        first = m->history().readings()[0].time;
    if (!buckets.empty())
        first = std::min(first, static_cast<double>(buckets[0].second));
    m->window.setSpan(span > 0 ? span : std::max(10.0, std::ceil(m->window.end() - first)));
}

void EnginePage::showSource() {
    const bool server = m->isServer();
    m->map->setVisible(!server);
    m->server->setVisible(server);
    m->tableKind->setVisible(!server);
    m->steps->setVisible(!server && m->tableKind->current() == 0);
    m->kernelView->setVisible(!server && m->tableKind->current() == 1);
    m->readingView->setVisible(server);
}

void EnginePage::refreshServer() {
    const auto& readings = m->history().readings();
    const auto& model = m->snapshot->model;
    m->server->setServer(*m->history().server(), readings.empty() ? nullptr : &readings.back(),
        model ? toQString(model->info.name) : QString(), model ? model->context : 0);
    const auto range = m->window.selection().value_or(
        std::pair(0.0, m->window.paused() ? m->window.playhead().value_or(m->window.end()) : m->now()));
    m->readings.setReadings(readings, range.first, range.second);
    m->clear->setVisible(m->window.selection() || m->window.playhead());
    m->zoomIn->setVisible(m->window.selection().has_value());
    m->tableTitle->setText(tr("The last %1 readings, as the server gives them").arg(countText(m->readings.rowCount())));
}

/// The map of now, or of the moment that is replayed.
void EnginePage::refreshMap() {
    if (!m->snapshot || !isVisible() || m->isServer())
        return;
    const BlockHistory& blocks = m->history().blocks();
    const auto moment = m->window.playhead() ? m->window.playhead() : m->window.cursor();
    const bool past = m->window.paused() && !blocks.empty();
    if (!past) {
        m->frameAsked = -1;
        m->map->setKnown(true);
        m->map->setDimmed(m->dimmed);
        m->map->setCaption({});
        m->map->setSnapshot(m->snapshot, &blocks);
        return;
    }
    const double time = moment.value_or(m->window.end());
    if (time == m->frameAsked && blocks.lastTime() > time)
        return; // that moment is on screen, and no frame before it can come any more
    m->frameAsked = time;
    if (auto found = blocks.at(time)) {
        if (found->time != m->frameTime || !m->frame) {
            auto frame = std::make_shared<Snapshot>();
            frame->model = m->snapshot->model;
            frame->block_map = std::move(found->blocks);
            m->frameTime = found->time;
            m->frame = std::move(frame);
        }
        m->map->setDimmed(false);
        m->map->setKnown(true);
        m->map->setSnapshot(m->frame);
        m->map->setCaption(tr("at %1 s").arg(fixedText(m->frameTime - m->window.end(), 1)));
    } else {
        m->map->setCaption(tr("not recorded"));
        m->map->setDimmed(true); // what is painted is not of that moment
        m->map->setKnown(false);
    }
}

void EnginePage::refreshTable() {
    if (!isVisible())
        return;
    if (m->isServer())
        return refreshServer();
    const StepHistory& steps = m->history().steps();
    const auto selection = m->window.selection();
    const bool moment = m->window.paused() && m->window.playhead();
    if (selection)
        m->table.setRange(
            steps.steps(), steps.firstEndingAfter(selection->first), steps.firstEndingAfter(selection->second));
    else if (moment)
        m->table.setRange(steps.steps(), 0, steps.firstEndingAfter(*m->window.playhead()));
    else if (!m->window.paused())
        m->table.append(steps.steps());
    const bool kernels = m->tableKind->current() == 1;
    m->clear->setVisible(!kernels && (selection || moment));
    m->zoomIn->setVisible(!kernels && selection.has_value());
    m->tableTitle->setText(kernels ? tr("%1 kernels of the loaded model").arg(countText(m->kernels.rowCount()))
            : selection            ? tr("%1 steps in the selected %2 s")
                              .arg(countText(m->table.rowCount()), fixedText(selection->second - selection->first, 2))
            : moment ? tr("The last %1 steps up to the playhead").arg(countText(m->table.rowCount()))
                     : tr("The last %1 steps").arg(countText(m->table.rowCount())));
}

void EnginePage::refreshReadouts() {
    if (m->snapshot && isVisible())
        m->tracks->setReadouts(m->history(), *m->snapshot);
}

void EnginePage::refreshSlowLine() {
    const bool loaded = m->snapshot->model != nullptr;
    const auto& server = m->history().server();
    const bool idle = m->isIdle();
    m->state->setText(!m->writing.isEmpty() ? tr("writing %1").arg(m->writing)
            : m->context.recording.session  ? tr("recording %1").arg(m->context.recording.name)
            : !loaded                       ? tr("no model")
            : m->window.paused()            ? tr("● paused")
            : idle                          ? tr("○ idle")
                                            : tr("● live"));
    setStyleProperty(m->state, "tone", loaded && !idle && !m->window.paused() ? "ok" : "");
    fitHeader();
    if (server && !m->context.recording.session) {
        const auto& readings = m->history().readings();
        const bool waits = !readings.empty() && readings.back().waiting > 0;
        return m->slow->setMessage(serverLine(*server, readings), {}, server->metricsProblem.isEmpty() && !waits);
    }
    if (m->context.recording.session)
        m->slow->setMessage(
            tr("A recording is shown: %1 steps of %2. Names of requests and texts are not in it.")
                .arg(countText(static_cast<qint64>(m->context.recording.session->steps().steps().size())),
                    toQString(m->snapshot->model->info.name)),
            {}, true);
    else if (!loaded)
        m->slow->setMessage(tr("No model is loaded; the engine has nothing to show yet."), tr("Open a model"), false);
    else if (m->hasPoorDrafts())
        m->slow->setMessage(tr("Of %1 drafts a step %2 are accepted: without drafts it may be faster.")
                                .arg(fixedText(m->snapshot->rates.drafts_per_step, 1),
                                    fixedText(m->snapshot->rates.accepted_per_step, 1)),
            tr("Show the figure"), false);
    else if (m->snapshot->slow_cause == SlowCause::none)
        m->slow->setMessage(!idle                 ? tr("Nothing holds the engine back.")
                : m->history().requests().empty() ? tr("Idle: no request has run yet.")
                                                  : tr("Idle: the last activity is shown dimmed."),
            {}, true);
    else
        m->slow->setMessage(slowText(*m->snapshot), tr("Show the figure"), false);
}

void EnginePage::showCause() {
    if (!m->snapshot->model)
        return emit modelsRequested();
    if (m->hasPoorDrafts())
        return showTrack(Track::batch); // the accepted drafts, while there are any
    switch (m->snapshot->slow_cause) {
    case SlowCause::preemption:
    case SlowCause::blocks:
        return showTrack(Track::kv);
    case SlowCause::places:
        return showTrack(Track::requests);
    case SlowCause::missed_prefix:
        return showTrack(Track::prefix);
    case SlowCause::prefill:
    case SlowCause::sharing:
        return showTrack(Track::rate);
    case SlowCause::overhead:
        return showTrack(Track::stepTime);
    case SlowCause::device:
    case SlowCause::none:
        m->tableKind->setCurrent(1); // which kernels compute
        m->scroll->ensureWidgetVisible(m->kernelView);
    }
}

void EnginePage::askBlockText(int block) {
    if (m->context.recording.session)
        return m->map->setBlockText(block, tr("A recording holds no text."));
    if (m->window.paused())
        return m->map->setBlockText(block, tr("Text is known of the present only."));
    const QPointer<EnginePage> self(this);
    m->pool.start([self, &client = m->context.client, block] {
        const QString text = client.blockText(block);
        QMetaObject::invokeMethod(
            qApp,
            [self, block, text] {
                if (self)
                    self->m->map->setBlockText(block, text);
            },
            Qt::QueuedConnection);
    });
}

void EnginePage::showRequest(quint32 sequence) {
    const Lane* lane = sequence == 0 ? nullptr : m->lanes.find(sequence);
    m->sheet->setVisible(lane != nullptr);
    if (lane == nullptr)
        return;
    m->sheet->showLane(*lane, m->history().steps());
    placeSheet();
}

void EnginePage::showTrack(Track track) {
    m->zoomed = false;
    m->span->setCurrent(1);
    m->window.setPaused(false);
    QWidget* const widgets[] = {m->map, m->requestLanes, m->tracks->plot(EngineTracks::rate),
        m->tracks->plot(EngineTracks::kv), m->tracks->plot(EngineTracks::prefix),
        m->tracks->plot(EngineTracks::accepted)->isVisibleTo(this) ? m->tracks->plot(EngineTracks::accepted)
                                                                   : m->tracks->plot(EngineTracks::batch),
        m->tracks->plot(EngineTracks::ttft), m->tracks->plot(EngineTracks::itl),
        m->tracks->plot(EngineTracks::stepTime)};
    refresh(); // an idle engine sends no snapshot that would
    m->scroll->ensureWidgetVisible(widgets[static_cast<std::size_t>(track)], 0, 24);
}

void EnginePage::togglePause() {
    m->window.setPaused(!m->window.paused());
}

void EnginePage::toggleReplay() {
    const bool running = m->replayTimer != 0;
    if (running)
        killTimer(std::exchange(m->replayTimer, 0));
    else {
        if (!m->window.playhead() || *m->window.playhead() >= m->window.end() - 0.01)
            m->window.setPlayhead(m->window.start());
        m->replayTimer = startTimer(kReplayMs);
    }
    m->replay->setIconName(running ? QStringLiteral("play") : QStringLiteral("stop"));
    fitHeader();
}

void EnginePage::timerEvent(QTimerEvent* event) {
    if (event->timerId() != m->replayTimer)
        return QWidget::timerEvent(event);
    const double next = m->window.playhead().value_or(m->window.end()) + kReplayMs / 1000.0;
    m->window.setPlayhead(std::min(next, m->window.end()));
    if (next >= m->window.end())
        toggleReplay();
}

void EnginePage::stepPlayhead(int count) {
    const StepHistory& history = m->history().steps();
    if (history.steps().empty())
        return;
    const double from = m->window.playhead().value_or(m->window.end());
    const auto last = static_cast<qint64>(history.steps().size()) - 1;
    // The step that ends at or before the playhead, and from there on.
    const qint64 at = static_cast<qint64>(history.firstEndingAfter(from + 1e-7)) - 1;
    const qint64 to = std::clamp<qint64>(at + count, 0, last);
    m->window.setPlayhead(stepEnd(history.steps()[static_cast<std::size_t>(to)]));
}

bool EnginePage::isDimmed() const {
    return m->dimmed;
}
bool EnginePage::isRecording() const {
    return m->context.recording.session != nullptr;
}
std::shared_ptr<const SessionHistory> EnginePage::recording() const {
    return m->context.recording.session;
}
QString EnginePage::recordingName() const {
    return m->context.recording.name;
}
int EnginePage::refreshCount() const {
    return m->refreshes;
}

void EnginePage::showEvent(QShowEvent*) {
    m->tracksEnd = -1;
    m->context.snapshots.setFast(true);
    refresh();
}

void EnginePage::hideEvent(QHideEvent*) {
    m->context.snapshots.setFast(false);
    if (m->replayTimer != 0)
        toggleReplay();
}

void EnginePage::placeSheet() {
    const int wide = std::min(width() - 32, m->context.theme.px(420));
    const int top = m->scroll->y() + 8;
    m->sheet->setGeometry(width() - wide - 16, top, wide, height() - top - 12);
    m->sheet->raise();
}

void EnginePage::resizeEvent(QResizeEvent*) {
    const Theme& theme = m->context.theme;
    const int gutter =
        Measure::kSpace4 + theme.px(width() < kNarrowPage ? Measure::kPlotGutterNarrow : Measure::kPlotGutter);
    fitHeader();
    m->window.setGutter(gutter);
    m->map->setGutter(gutter);
    m->map->setMaxMapHeight(theme.px(height() > kTallPage ? kMapHigh : kMapLow));
    if (m->sheet->isVisible())
        placeSheet();
}

void EnginePage::keyPressEvent(QKeyEvent* event) {
    const double around = m->window.moment().value_or(m->window.end());
    switch (event->key()) {
    case Qt::Key_Space:
        return togglePause();
    case Qt::Key_Left:
        return stepPlayhead(event->modifiers() & Qt::ShiftModifier ? -20 : -1);
    case Qt::Key_Right:
        return stepPlayhead(event->modifiers() & Qt::ShiftModifier ? 20 : 1);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return m->window.zoom(0.5, around);
    case Qt::Key_Minus:
        return m->window.zoom(2, around);
    case Qt::Key_Escape:
        if (m->sheet->isVisible())
            return showRequest(0);
        if (m->window.selection())
            return m->window.setSelection({});
        return m->window.setPlayhead({});
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace vitrine::ui
