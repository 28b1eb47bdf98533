// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: the page's layout.
#include "ui/engine/block_map.h"
#include "ui/engine/engine_page_parts.h"
#include "ui/engine/lane_sheet.h"
#include "ui/engine/request_lanes.h"
#include "ui/engine/server_panel.h"
#include "ui/engine/slow_line.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/table_delegate.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableView>
#include <QVBoxLayout>

#include <functional>
#include <utility>

namespace vitrine::ui {
namespace {

constexpr int kIconOnly = 34; // width of a button without its word

} // namespace

void EnginePage::buildHeader() {
    const Theme& theme = m->context.theme;
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    QWidget* header = makeHeaderBar(theme);
    auto* row = new QHBoxLayout(header);
    row->setContentsMargins(Measure::kSpace4, 0, Measure::kSpace4, 0);
    row->setSpacing(Measure::kSpace2);
    m->title = makeLabel(tr("Engine"), "title");
    row->addWidget(m->title);
    m->engine = new Button(theme, {}, Button::Kind::quiet, QStringLiteral("chevron-down"));
    m->engine->setProperty("size", "toolbar");
    m->engine->setLayoutDirection(isRightToLeft() ? Qt::LeftToRight : Qt::RightToLeft); // the arrow behind the name
    m->engine->setToolTip(tr("Whose engine is shown: this computer's or that of a server"));
    connect(m->engine, &Button::clicked, this,
        [this] { emit enginePickerRequested(m->engine->mapToGlobal(QPoint(0, m->engine->height() + 4))); });
    row->addWidget(m->engine);
    m->state = makeLabel({}, "hint");
    row->addWidget(m->state);
    row->addStretch();
    m->span = new SegmentedControl(theme, {tr("10 s"), tr("1 min"), tr("10 min"), tr("All")});
    m->span->setAccessibleName(tr("Time shown"));
    m->span->setCurrent(1);
    const auto choose = [this] {
        m->zoomed = false;
        refresh();
    };
    connect(m->span, &SegmentedControl::currentChanged, this, choose);
    connect(m->span, &SegmentedControl::clicked, this, choose);
    row->addWidget(m->span);
    const auto button = [&](const QString& text, const QString& icon, const QString& tip) {
        auto* made = new Button(theme, text, Button::Kind::regular, icon);
        made->setProperty("size", "toolbar");
        made->setToolTip(tip);
        row->addWidget(made);
        return made;
    };
    m->replay = button(tr("Replay"), QStringLiteral("play"), tr("Move the playhead through what is shown"));
    m->replay->hide();
    connect(m->replay, &Button::clicked, this, &EnginePage::toggleReplay);
    m->pause = button(tr("Pause"), QStringLiteral("pause"), tr("Hold the plots still (Space)"));
    connect(m->pause, &Button::clicked, this, &EnginePage::togglePause);
    m->live = button(tr("Back to live"), QStringLiteral("engine"), tr("Close the recording"));
    m->live->hide();
    connect(m->live, &Button::clicked, this, &EnginePage::backToLive);
    m->exporter = button(tr("Export"), QStringLiteral("export"), tr("Write what is shown to a file"));
    m->exporter->setAccessibleName(tr("Export"));
    connect(m->exporter, &Button::clicked, this, [this] { showMenu(m->exporter, false); });
    auto* more = new IconButton(theme, QStringLiteral("more"), tr("More"));
    connect(more, &IconButton::clicked, this, [this, more] { showMenu(more, true); });
    row->addWidget(more);
    connect(&theme, &Theme::changed, this, &EnginePage::fitHeader); // behind the buttons, which take their fonts first
    column->addWidget(header);
    column->addWidget(new Hairline(theme));
    m->slow = new SlowLine(theme);
    connect(m->slow, &SlowLine::actionTriggered, this, &EnginePage::showCause);
    column->addWidget(m->slow);
    column->addWidget(new Hairline(theme));
}

/// Words that an icon, the rail or the status bar say too give way to what only the header says, one after the other.
void EnginePage::fitHeader() {
    const bool isPaused = m->window.paused(), isRecording = m->context.recording.session != nullptr;
    const QString pause = isPaused ? tr("Resume") : tr("Pause"),
                  replay = m->replayTimer != 0 ? tr("Stop") : tr("Replay");
    const auto& server = m->history().server();
    const QString engine = server ? server->name : tr("This computer");
    const QString fitted = QStringList{QString::number(width()), QString::number(m->context.theme.textPercent()), pause,
        replay, isRecording ? QStringLiteral("recording") : QString(), engine, m->state->text()}
                               .join(u'\n');
    if (std::exchange(m->fittedHeader, fitted) == fitted)
        return;
    m->replay->setVisible(isPaused);
    m->live->setVisible(isRecording);
    const auto word = [this](Button* button, const QString& text, bool isWhole) {
        button->setText(isWhole ? text : QString());
        button->setAccessibleName(text);
        button->setMaximumWidth(isWhole ? QWIDGETSIZE_MAX : m->context.theme.px(kIconOnly));
    };
    const std::function<void(bool)> parts[] = {[this](bool isWhole) { m->state->setVisible(isWhole); },
        [&](bool isWhole) { word(m->exporter, tr("Export"), isWhole); },
        [&](bool isWhole) { word(m->pause, pause, isWhole); }, [&](bool isWhole) { word(m->replay, replay, isWhole); },
        [this](bool isWhole) { m->title->setVisible(isWhole); },
        [&](bool isWhole) { word(m->engine, engine, isWhole); },
        [&](bool isWhole) { word(m->live, tr("Back to live"), isWhole); },
        [this](bool isWhole) { m->span->setVisible(isWhole); }}; // + and - and the wheel zoom as well
    for (const auto& part : parts)
        part(true);
    m->span->setMinimumWidth(m->span->sizeHint().width());
    const QLayout* header = m->title->parentWidget()->layout();
    for (const auto& part : parts) {
        if (header->minimumSize().width() <= width())
            break;
        part(false);
    }
}

void EnginePage::showMenu(QWidget* button, bool more) {
    QMenu menu(button);
    const auto add = [&](const QString& text, std::function<void()> run) {
        connect(menu.addAction(text), &QAction::triggered, this, [run = std::move(run)] { run(); });
    };
    if (!more) {
        const bool isServer = m->isServer(); // it tells no steps: readings are what there is
        add(isServer ? tr("Readings as CSV…") : tr("Steps as CSV…"), [this] { exportAs(Export::csv); });
        add(isServer ? tr("Readings as JSON…") : tr("Steps as JSON…"), [this] { exportAs(Export::json); });
        if (!isServer)
            add(tr("Trace for Perfetto…"), [this] { exportAs(Export::trace); });
        menu.addSeparator();
        add(tr("Save a recording…"), [this] { exportAs(Export::recording); });
    } else {
        add(tr("Open a recording…"), [this] { askForRecording(); });
        menu.addSeparator();
        const std::pair<QString, QString> experiments[] = {
            {tr("Why batching helps: policies"), QStringLiteral("policies")},
            {tr("What blocks save: paging"), QStringLiteral("paging")},
            {tr("What the prefix cache finds"), QStringLiteral("prefix")},
            {tr("What drafts save: speculation"), QStringLiteral("speculation")},
            {tr("What the KV cache saves"), QStringLiteral("kvcache")},
            {tr("What fewer bits cost: quantization"), QStringLiteral("quantization")},
            {tr("What each optimisation buys: ablation"), QStringLiteral("ablation")},
            {tr("How many requests fit: capacity"), QStringLiteral("capacity")}};
        for (const auto& [text, name] : experiments)
            add(tr("Lab: %1").arg(text), [this, name] { emit experimentRequested(name); });
    }
    menu.exec(button->mapToGlobal(QPoint(0, button->height() + 4)));
}

void EnginePage::buildTracks() {
    const Theme& theme = m->context.theme;
    auto* content = new QWidget;
    content->setProperty("surface", "page");
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m->map = new BlockMap(theme, m->context.sequences);
    m->map->setNames([this](std::uint32_t sequence) {
        const Lane* lane = m->lanes.find(sequence);
        return lane == nullptr ? QString() : lane->label;
    });
    connect(m->map, &BlockMap::blockHovered, this, &EnginePage::askBlockText);
    column->addWidget(m->map);
    m->server = new ServerPanel(theme);
    m->server->hide();
    column->addWidget(m->server);
    column->addWidget(new Hairline(theme));
    m->axis = new TimeAxis(theme, m->window, tr("Requests"));
    m->axis->setToolTip(tr("Drag to replay the past; the wheel zooms, with Shift it moves"));
    column->addWidget(m->axis);
    m->requestLanes = new RequestLanes(theme, m->window, m->context.sequences);
    connect(m->requestLanes, &RequestLanes::sequenceHovered, m->map, &BlockMap::setHighlighted);
    connect(m->requestLanes, &RequestLanes::sequenceActivated, this, &EnginePage::showRequest);
    connect(m->requestLanes, &RequestLanes::scrolled, this,
        [this] { m->requestLanes->setLanes(m->lanes, m->history().steps()); });
    column->addWidget(m->requestLanes);
    column->addWidget(new Hairline(theme));
    m->tracks = new EngineTracks(theme, m->window);
    connect(m->tracks, &EngineTracks::experimentRequested, this, &EnginePage::experimentRequested);
    column->addWidget(m->tracks);
    m->scroll = new QScrollArea;
    m->scroll->setWidgetResizable(true);
    m->scroll->setFocusPolicy(Qt::NoFocus);
    m->scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m->scroll->setWidget(content);
    connect(m->scroll->verticalScrollBar(), &QScrollBar::valueChanged, this, [this] {
        if (m->snapshot && m->isTableInView())
            refreshTable();
    });
    static_cast<QVBoxLayout*>(layout())->addWidget(m->scroll, 1);
}

void EnginePage::buildTable() {
    const Theme& theme = m->context.theme;
    auto* bar = new QWidget;
    auto* row = new FlowLayout(Measure::kSpace2, bar);
    row->setContentsMargins(Measure::kSpace4, 4, Measure::kSpace4, 4);
    m->tableKind = new SegmentedControl(theme, {tr("Steps"), tr("Kernels")});
    m->tableKind->setAccessibleName(tr("Table shown"));
    row->addWidget(m->tableKind);
    m->tableTitle = makeLabel({}, "hint");
    row->addWidget(m->tableTitle);
    m->zoomIn = new Button(theme, tr("Zoom in"), Button::Kind::link);
    connect(m->zoomIn, &Button::clicked, this, [this] {
        if (const auto selection = m->window.selection())
            m->window.zoomTo(selection->first, selection->second);
    });
    row->addWidget(m->zoomIn);
    m->clear = new Button(theme, tr("Clear"), Button::Kind::link);
    connect(m->clear, &Button::clicked, this, [this] {
        m->window.setSelection({});
        m->window.setPlayhead({});
    });
    row->addWidget(m->clear);
    auto* column = static_cast<QVBoxLayout*>(m->scroll->widget()->layout());
    column->addWidget(bar);
    const auto view = [&](QAbstractItemModel* model, const QString& name) {
        auto* made = new QTableView;
        made->setModel(model);
        made->setAccessibleName(name);
        setUpTable(*made, theme, Measure::kDenseRow);
        made->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
        made->setMinimumHeight(theme.px(Measure::kDenseRow) * 6);
        column->addWidget(made, 1);
        return made;
    };
    m->steps = view(&m->table, tr("Last steps of the engine"));
    keepHeadsWhole(*m->steps, theme,
        {StepTableModel::freed, StepTableModel::taken, StepTableModel::emitted, StepTableModel::evicted,
            StepTableModel::age, StepTableModel::device, StepTableModel::host});
    m->kernelView = view(&m->kernels, tr("Kernels of the loaded model"));
    m->kernelView->hide();
    m->readingView = view(&m->readings, tr("Last readings of the server's metrics"));
    m->readingView->hide();
    connect(m->tableKind, &SegmentedControl::currentChanged, this, [this] {
        showSource();
        refreshTable();
    });
}

void EnginePage::buildSheet() {
    m->sheet = new LaneSheet(m->context.theme, this);
    m->sheet->hide();
    connect(m->sheet, &LaneSheet::closed, this, [this] { showRequest(0); });
    connect(m->sheet, &LaneSheet::zoomRequested, this, [this](double start, double end) {
        const double room = std::max(0.1, (end - start) * 0.05);
        m->window.zoomTo(start - room, end + room);
    });
}

} // namespace vitrine::ui
