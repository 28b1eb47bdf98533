// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: the page's layout and its flow of values.
#include "ui/engine/engine_page.h"

#include "ui/bridge/engine_client.h"
#include "ui/bridge/qt_convert.h"
#include "ui/bridge/snapshot_feed.h"
#include "ui/bridge/step_feed.h"
#include "ui/engine/block_map.h"
#include "ui/engine/engine_clock.h"
#include "ui/engine/lane_history.h"
#include "ui/engine/request_lanes.h"
#include "ui/engine/slow_line.h"
#include "ui/engine/step_series.h"
#include "ui/engine/step_table.h"
#include "ui/theme/theme.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/live_plot.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/table_delegate.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPointer>
#include <QSaveFile>
#include <QScrollArea>
#include <QTableView>
#include <QThreadPool>
#include <QVBoxLayout>

#include <cmath>

namespace vitrine::ui {
namespace {

constexpr double kSpans[] = {10, 60, 600, 0}; // 0: all
constexpr int kNarrowPage = 1000, kTallPage = 900;
constexpr int kMapLow = 160, kMapHigh = 240;
constexpr int kTrackHeights[] = {71, 55, 47, 47};

} // namespace

struct EnginePage::Parts {
    Context context;
    TimeWindow window;
    EngineClock clock;
    LaneHistory lanes;
    StepSeries series;
    StepTableModel table;
    QThreadPool textPool; // block_text may wait for a step of the engine
    std::shared_ptr<const Snapshot> snapshot;
    bool dimmed = false;
    int refreshes = 0;

    QLabel* state = nullptr;
    SegmentedControl* span = nullptr;
    Button* pause = nullptr;
    SlowLine* slow = nullptr;
    QScrollArea* scroll = nullptr;
    BlockMap* map = nullptr;
    TimeAxis* axis = nullptr;
    RequestLanes* requestLanes = nullptr;
    LivePlot *rate = nullptr, *kv = nullptr, *prefix = nullptr, *batch = nullptr;
    QTableView* steps = nullptr;

    explicit Parts(const Context& theContext) : context(theContext) { textPool.setMaxThreadCount(1); }
};

EnginePage::EnginePage(const Context& context, QWidget* parent) : QWidget(parent), m(std::make_unique<Parts>(context)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    buildHeader();
    buildTracks();
    connect(&context.snapshots, &SnapshotFeed::updated, this, [this] { refresh(); });
    connect(&context.snapshots, &SnapshotFeed::idleChanged, this, [this] { refresh(); });
    connect(&context.client, &EngineClient::modelChanged, this, [this] { refresh(); });
    connect(&m->window, &TimeWindow::cursorChanged, this, [this] { refreshReadouts(); });
    connect(&m->window, &TimeWindow::pausedChanged, this, [this](bool paused) {
        m->pause->setText(paused ? tr("Resume") : tr("Pause"));
        m->pause->setIconName(paused ? QStringLiteral("play") : QStringLiteral("pause"));
        refresh();
    });
}

EnginePage::~EnginePage() {
    m->textPool.waitForDone();
}

void EnginePage::buildHeader() {
    const Theme& theme = m->context.theme;
    auto* header = new QWidget;
    header->setFixedHeight(theme.px(Measure::kHeader));
    connect(&theme, &Theme::changed, header, [header, &theme] { header->setFixedHeight(theme.px(Measure::kHeader)); });
    auto* row = new QHBoxLayout(header);
    row->setContentsMargins(Measure::kSpace4, 0, Measure::kSpace4, 0);
    row->setSpacing(Measure::kSpace2);
    row->addWidget(makeLabel(tr("Engine"), "title"));
    row->addSpacing(6);
    m->state = makeLabel({}, "hint");
    row->addWidget(m->state);
    row->addStretch();
    m->span = new SegmentedControl(theme, {tr("10 s"), tr("1 min"), tr("10 min"), tr("All")});
    m->span->setAccessibleName(tr("Time shown"));
    m->span->setCurrent(1);
    connect(m->span, &SegmentedControl::currentChanged, this, [this] { refresh(); });
    row->addWidget(m->span);
    m->pause = new Button(theme, tr("Pause"), Button::Kind::regular, QStringLiteral("pause"));
    m->pause->setToolTip(tr("Hold the plots still (Space)"));
    m->pause->setProperty("size", "toolbar");
    connect(m->pause, &Button::clicked, this, &EnginePage::togglePause);
    row->addWidget(m->pause);
    auto* exportButton = new Button(theme, tr("Export"), Button::Kind::regular, QStringLiteral("export"));
    exportButton->setProperty("size", "toolbar");
    connect(exportButton, &Button::clicked, this, [this, exportButton] {
        QMenu menu(exportButton);
        connect(menu.addAction(tr("Steps as CSV…")), &QAction::triggered, this, [this] { exportSteps(false); });
        connect(menu.addAction(tr("Steps as JSON…")), &QAction::triggered, this, [this] { exportSteps(true); });
        menu.exec(exportButton->mapToGlobal(QPoint(0, exportButton->height() + 4)));
    });
    row->addWidget(exportButton);
    layout()->addWidget(header);
    layout()->addWidget(new Hairline(theme));
    m->slow = new SlowLine(theme);
    connect(m->slow, &SlowLine::actionTriggered, this, &EnginePage::modelsRequested);
    layout()->addWidget(m->slow);
    layout()->addWidget(new Hairline(theme));
}

void EnginePage::buildTracks() {
    const Theme& theme = m->context.theme;
    using Shape = SeriesStyle::Shape;
    auto* content = new QWidget;
    content->setProperty("surface", "page");
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m->map = new BlockMap(theme, m->context.sequences);
    connect(m->map, &BlockMap::blockHovered, this, &EnginePage::askBlockText);
    column->addWidget(m->map);
    column->addWidget(new Hairline(theme));
    m->axis = new TimeAxis(theme, m->window, tr("Requests"));
    column->addWidget(m->axis);
    m->requestLanes = new RequestLanes(theme, m->window, m->context.sequences);
    connect(m->requestLanes, &RequestLanes::sequenceHovered, m->map, &BlockMap::setHighlighted);
    column->addWidget(m->requestLanes);
    column->addWidget(new Hairline(theme));
    m->rate = new LivePlot(theme, m->window,
        {{Shape::bars, Color::prefill, 0.28, true, tr("prefill")},
            {Shape::line, Color::decode, 0, false, tr("decode")}});
    m->rate->setLabels(tr("Decode, all requests"), tr("tok/s"));
    m->kv = new LivePlot(theme, m->window,
        {{Shape::area, Color::cached, 0.55, false, tr("cached")},
            {Shape::line, Color::accent, 0.30, false, tr("active")},
            {Shape::line, Color::shared, 0, false, tr("shared")}});
    m->kv->setLabels(tr("KV blocks in use"), {});
    m->prefix = new LivePlot(theme, m->window, {{Shape::step, Color::accent, 0.14, false, tr("prefix hits")}});
    m->prefix->setLabels(tr("Prefix hits, 60 s"), QStringLiteral("%"));
    m->prefix->setFixedTop(100);
    m->batch = new LivePlot(theme, m->window, {{Shape::line, Color::accent, 0, false, tr("batch")}});
    LivePlot* const plots[] = {m->rate, m->kv, m->prefix, m->batch};
    for (std::size_t i = 0; i < std::size(plots); ++i) {
        LivePlot* plot = plots[i];
        const int height = kTrackHeights[i];
        plot->setFixedHeight(theme.px(height));
        connect(&theme, &Theme::changed, plot, [plot, &theme, height] { plot->setFixedHeight(theme.px(height)); });
        column->addWidget(plot);
    }
    m->steps = new QTableView;
    m->steps->setModel(&m->table);
    m->steps->setAccessibleName(tr("Last steps of the engine"));
    setUpTable(*m->steps, theme, Measure::kDenseRow);
    m->steps->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m->steps->setMinimumHeight(theme.px(Measure::kDenseRow) * 4);
    column->addWidget(m->steps, 1);
    m->scroll = new QScrollArea;
    m->scroll->setWidgetResizable(true);
    m->scroll->setFocusPolicy(Qt::NoFocus);
    m->scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m->scroll->setWidget(content);
    static_cast<QVBoxLayout*>(layout())->addWidget(m->scroll, 1);
}

void EnginePage::refresh() {
    if (!isVisible())
        return; // showEvent catches up
    ++m->refreshes;
    const Context& context = m->context;
    m->snapshot = context.snapshots.latest();
    const bool idle = context.snapshots.isIdle();
    if (!context.steps.steps().empty())
        m->clock.noteStepEnd(stepEnd(context.steps.steps().back()));
    m->lanes.readLines(context.steps);
    if (m->clock.known()) {
        // Idle: the window ends shortly after the last step, so that the last activity stays in view.
        const double last = stepEnd(context.steps.steps().back());
        const double now = idle ? last + 0.5 : m->clock.now();
        m->lanes.readStatuses(*m->snapshot, now);
        m->window.setNow(now);
    }
    const double span = kSpans[std::max(0, m->span->current())];
    const auto& steps = context.steps.steps();
    m->window.setSpan(
        span > 0 || steps.empty() ? std::max(span, 10.0) : std::max(10.0, m->window.end() - stepStart(steps[0])));
    m->dimmed = idle || !m->snapshot->model;
    for (LivePlot* plot : {m->rate, m->kv, m->prefix, m->batch})
        plot->setDimmed(m->dimmed);
    m->map->setDimmed(m->dimmed);
    m->requestLanes->setDimmed(m->dimmed);
    if (!m->window.paused()) {
        m->map->setSnapshot(m->snapshot);
        m->table.append(steps);
    }
    m->series = collectSeries(context.steps, m->window.start(), m->window.end());
    m->requestLanes->setLanes(m->lanes);
    refreshReadouts();
    refreshSlowLine();

    const StepSeries& series = m->series;
    std::vector<double> barTimes, barValues; // each bar closed by a gap, so that lone bins show
    for (std::size_t i = 0; i < series.time.size(); ++i) {
        if (std::isnan(series.prefillRate[i]))
            continue;
        for (const double x : {series.time[i] - series.bin, series.time[i]}) {
            barTimes.push_back(x);
            barValues.push_back(series.prefillRate[i]);
        }
        if (i + 1 == series.time.size() || std::isnan(series.prefillRate[i + 1])) {
            barTimes.push_back(series.time[i]);
            barValues.push_back(std::nan(""));
        }
    }
    m->rate->setPoints(0, std::move(barTimes), std::move(barValues));
    m->rate->setPoints(1, series.time, series.decodeRate);
    std::vector<double> stacked(series.active);
    for (std::size_t i = 0; i < stacked.size(); ++i)
        stacked[i] += series.cached[i];
    if (m->snapshot->blocks.total > 0) // without a model the scale of before stays
        m->kv->setFixedTop(m->snapshot->blocks.total);
    m->kv->setPoints(0, series.time, std::move(stacked));
    m->kv->setPoints(1, series.time, series.active);
    m->kv->setPoints(2, series.time, series.shared);
    std::vector<double> percent(series.hitRate);
    for (double& value : percent)
        value *= 100;
    m->prefix->setPoints(0, series.time, std::move(percent));
    const bool drafts = series.drafted > 0;
    m->batch->setLabels(drafts ? tr("Accepted drafts") : tr("Batch, sequences"), {});
    m->batch->setFixedTop(drafts ? std::ceil(series.drafted) : 0);
    m->batch->setPoints(0, series.time, drafts ? series.accepted : series.batch);
}

void EnginePage::refreshReadouts() {
    if (!m->snapshot)
        return;
    const Snapshot& snapshot = *m->snapshot;
    const StepSeries& series = m->series;
    const auto cursor = m->window.cursor();
    const auto read = [&](const LivePlot* plot, int index, double live) {
        return cursor ? plot->valueAt(index, *cursor) : live;
    };
    m->rate->setCurrent(rateText(read(m->rate, 1, snapshot.rates.decode_tokens_per_s)), tr("tok/s"),
        tr("peak %1").arg(rateText(series.peakDecode)));
    const double active = read(m->kv, 1, snapshot.blocks.active);
    m->kv->setCurrent(countText(std::isnan(active) ? 0 : std::llround(active)),
        percentText(snapshot.blocks.total > 0 ? active / snapshot.blocks.total : 0),
        tr("peak %1").arg(countText(std::llround(series.peakActive))));
    const double hits = read(m->prefix, 0, snapshot.rates.prefix_hit_rate_60s * 100);
    m->prefix->setCurrent(
        fixedText(hits, 0), QStringLiteral("%"), tr("%1 all").arg(fixedText(snapshot.rates.prefix_hit_rate * 100, 0)));
    if (series.drafted > 0)
        m->batch->setCurrent(fixedText(read(m->batch, 0, snapshot.rates.accepted_per_step), 1),
            tr("of %1").arg(fixedText(series.drafted, 0)), {});
    else
        m->batch->setCurrent(fixedText(read(m->batch, 0, snapshot.rates.mean_batch), 1), tr("a step"),
            tr("peak %1").arg(fixedText(series.peakBatch, 1)));
}

void EnginePage::refreshSlowLine() {
    const bool loaded = m->snapshot->model != nullptr;
    const bool idle = m->context.snapshots.isIdle();
    m->state->setText(!loaded    ? tr("no model")
            : m->window.paused() ? tr("● paused")
            : idle               ? tr("○ idle")
                                 : tr("● live"));
    setStyleProperty(m->state, "tone", loaded && !idle && !m->window.paused() ? "ok" : "");
    if (!loaded)
        m->slow->setMessage(tr("No model is loaded; the engine has nothing to show yet."), tr("Open a model"), false);
    else if (m->snapshot->slow_reason.empty())
        m->slow->setMessage(
            idle ? tr("Idle: the last activity is shown dimmed.") : tr("Nothing holds the engine back."), {}, true);
    else
        m->slow->setMessage(toQString(m->snapshot->slow_reason), {}, false);
}

void EnginePage::exportSteps(bool json) {
    const Dialogs::FileFilter filter{
        json ? tr("JSON") : tr("CSV"), {json ? QStringLiteral("*.json") : QStringLiteral("*.csv")}};
    const QString name = json ? QStringLiteral("vitrine-steps.json") : QStringLiteral("vitrine-steps.csv");
    m->context.dialogs.saveFile(this, tr("Export steps"), name, filter, [this, json](const QString& path) {
        if (path.isEmpty())
            return;
        QSaveFile file(path);
        const QByteArray bytes = json ? m->table.toJson() : m->table.toCsv();
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
            m->context.dialogs.message(this, tr("The steps were not written"),
                tr("%1: %2. Choose another folder.").arg(path, file.errorString()));
    });
}

void EnginePage::askBlockText(int block) {
    const QPointer<EnginePage> self(this);
    m->textPool.start([self, &client = m->context.client, block] {
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

void EnginePage::showTrack(Track track) {
    m->span->setCurrent(1);
    m->window.setPaused(false);
    QWidget* const widgets[] = {m->map, m->requestLanes, m->rate, m->kv, m->prefix, m->batch};
    m->scroll->ensureWidgetVisible(widgets[static_cast<std::size_t>(track)], 0, 24);
}

void EnginePage::togglePause() {
    m->window.setPaused(!m->window.paused());
}
bool EnginePage::isDimmed() const {
    return m->dimmed;
}
int EnginePage::refreshCount() const {
    return m->refreshes;
}

void EnginePage::showEvent(QShowEvent*) {
    refresh();
}

void EnginePage::resizeEvent(QResizeEvent*) {
    const Theme& theme = m->context.theme;
    const int gutter =
        Measure::kSpace4 + theme.px(width() < kNarrowPage ? Measure::kPlotGutterNarrow : Measure::kPlotGutter);
    m->window.setGutter(gutter);
    m->map->setGutter(gutter);
    m->map->setMaxMapHeight(theme.px(height() > kTallPage ? kMapHigh : kMapLow));
}

void EnginePage::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Space)
        togglePause();
    else
        QWidget::keyPressEvent(event);
}

} // namespace vitrine::ui
