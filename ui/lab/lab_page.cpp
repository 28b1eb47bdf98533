// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/lab: the page.
#include "ui/lab/lab_page.h"

#include "ui/bridge/engine_client.h"
#include "ui/bridge/error_text.h"
#include "ui/bridge/lab_bench.h"
#include "ui/bridge/qt_convert.h"
#include "ui/bridge/session_file.h"
#include "ui/bridge/snapshot_feed.h"
#include "ui/bridge/step_feed.h"
#include "ui/lab/experiment_view.h"
#include "ui/theme/theme.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/section_stack.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMenu>
#include <QPointer>
#include <QSaveFile>
#include <QThreadPool>
#include <QTimer>
#include <QVBoxLayout>

#include <atomic>
#include <thread>

namespace vitrine::ui {
namespace {

constexpr int kNavigation = 176; // the gutter of the Engine page, so that eyes can travel
constexpr int kWakeMs = 500;
constexpr qint64 kMaxFileBytes = 512LL << 20;

QString problemText(const Error& error) {
    const Error told = worded(error); // what an experiment's own engine said, too
    return (toQString(told.message) + u' ' + toQString(told.remedy)).trimmed();
}

} // namespace

struct LabPage::Parts {
    Context context;
    std::vector<std::unique_ptr<Experiment>> experiments = makeExperiments();
    std::vector<ExperimentView*> views; // null: not shown yet
    SectionStack* sections = nullptr;
    Button *save = nullptr, *exportButton = nullptr;
    QLabel* state = nullptr;
    QTimer wake; // the engine is busy with requests that no client has sent: the feed must look
    std::atomic<bool> cancelled{false};
    std::unique_ptr<LabBench> bench;
    std::thread thread;
    int running = -1; // index of the experiment; -1: none
    QThreadPool pool; // files are read here
    std::shared_ptr<const SessionHistory> recording; // null: this session
    QString recordingName;
    Button* useSession = nullptr;

    explicit Parts(const Context& theContext) : context(theContext) {}
};

LabPage::LabPage(const Context& context, QWidget* parent) : QWidget(parent), m(std::make_unique<Parts>(context)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    buildHeader();
    column->addWidget(new Hairline(context.theme));
    buildViews();
    m->wake.setInterval(kWakeMs);
    connect(&m->wake, &QTimer::timeout, &context.snapshots, &SnapshotFeed::wake);
    connect(&context.client, &EngineClient::modelChanged, this, [this] {
        if (isVisible() && m->running < 0)
            refreshFacts();
    });
    refreshFacts();
}

LabPage::~LabPage() {
    m->pool.waitForDone();
    m->cancelled = true;
    if (m->thread.joinable())
        m->thread.join();
}

void LabPage::buildHeader() {
    const Theme& theme = m->context.theme;
    QWidget* header = makeHeaderBar(theme);
    auto* row = new QHBoxLayout(header);
    row->setContentsMargins(Measure::kSpace4, 0, Measure::kSpace4, 0);
    row->setSpacing(Measure::kSpace2);
    row->addWidget(makeLabel(tr("Lab"), "title"));
    row->addSpacing(6);
    m->state = makeLabel({}, "hint");
    row->addWidget(m->state);
    m->useSession = new Button(theme, tr("Use this session again"), Button::Kind::link);
    m->useSession->hide();
    connect(m->useSession, &Button::clicked, this, [this] { useRecording(nullptr, {}); });
    row->addWidget(m->useSession);
    row->addStretch();
    const auto add = [&](const QString& text, const QString& icon) {
        auto* button = new Button(theme, text, Button::Kind::regular, icon);
        button->setProperty("size", "toolbar");
        row->addWidget(button);
        return button;
    };
    connect(add(tr("Open"), QStringLiteral("folder")), &Button::clicked, this, &LabPage::open);
    m->save = add(tr("Save"), QStringLiteral("file"));
    connect(m->save, &Button::clicked, this, [this] { exportAs(Export::json); });
    m->exportButton = add(tr("Export"), QStringLiteral("export"));
    connect(m->exportButton, &Button::clicked, this, [this] {
        QMenu menu(m->exportButton);
        connect(menu.addAction(tr("Picture (PNG)…")), &QAction::triggered, this, [this] { exportAs(Export::png); });
        connect(menu.addAction(tr("Table (CSV)…")), &QAction::triggered, this, [this] { exportAs(Export::csv); });
        connect(menu.addAction(tr("JSON…")), &QAction::triggered, this, [this] { exportAs(Export::json); });
        menu.exec(m->exportButton->mapToGlobal(QPoint(0, m->exportButton->height() + 4)));
    });
    layout()->addWidget(header);
}

void LabPage::buildViews() {
    m->sections = new SectionStack(m->context.theme, tr("Experiments"), kNavigation, nullptr);
    for (const auto& experiment : m->experiments) {
        m->sections->addSection(experiment->title());
        m->views.push_back(nullptr);
    }
    connect(m->sections, &SectionStack::currentChanged, this, [this](int index) {
        makeView(index);
        refreshFacts();
        refreshHeader();
    });
    m->sections->setCurrent(0);
    static_cast<QVBoxLayout*>(layout())->addWidget(m->sections, 1);
}

/// Made when it is first shown: all of them at once would hold the window up for a tenth of a second.
void LabPage::makeView(int index) {
    const auto at = static_cast<std::size_t>(index);
    if (index < 0 || m->views[at] != nullptr)
        return;
    auto* view = new ExperimentView(m->context.theme, *m->experiments[at]);
    connect(view, &ExperimentView::runRequested, this, &LabPage::run);
    connect(view, &ExperimentView::stopRequested, this, &LabPage::stop);
    m->sections->setContent(index, view);
    m->views[at] = view;
}

ExperimentView* LabPage::view() const {
    return m->views[static_cast<std::size_t>(std::max(0, m->sections->current()))];
}

void LabPage::showExperiment(const QString& name) {
    for (std::size_t i = 0; i < m->experiments.size(); ++i)
        if (m->experiments[i]->name() == name)
            m->sections->setCurrent(static_cast<int>(i));
}

void LabPage::refreshFacts() {
    if (m->running < 0)
        view()->setFacts({m->context.client.labModel(), nullptr, m->recordingName});
}

LabFacts LabPage::facts() const {
    auto session = m->recording ? m->recording : std::make_shared<const SessionHistory>(m->context.steps.history());
    return {m->context.client.labModel(), std::move(session), m->recordingName};
}

void LabPage::useRecording(std::shared_ptr<const SessionHistory> recording, const QString& name) {
    m->recording = std::move(recording);
    m->recordingName = m->recording ? name : QString();
    refreshFacts();
    refreshHeader();
}

bool LabPage::hasRecording() const {
    return m->recording != nullptr;
}

void LabPage::refreshHeader() {
    const bool has = view()->result() != nullptr;
    m->save->setEnabled(has);
    m->exportButton->setEnabled(has);
    m->state->setText(m->running >= 0
            ? tr("● running: %1").arg(m->experiments[static_cast<std::size_t>(m->running)]->title())
            : m->recording ? tr("requests of %1").arg(m->recordingName)
                           : QString());
    m->useSession->setVisible(m->recording && m->running < 0);
    setStyleProperty(m->state, "tone", m->running >= 0 ? "ok" : "");
}

bool LabPage::isRunning() const {
    return m->running >= 0;
}

void LabPage::run() {
    const int index = m->sections->current();
    const Experiment* experiment = m->experiments[static_cast<std::size_t>(index)].get();
    ExperimentView* shown = view();
    if (m->running >= 0)
        return shown->setProblem(tr("Another experiment runs: %1. Stop it, or wait for its end.")
                                     .arg(m->experiments[static_cast<std::size_t>(m->running)]->title()));
    if (m->thread.joinable())
        m->thread.join(); // ended: its result was taken
    m->cancelled = false;
    m->bench = m->context.client.makeBench(m->cancelled);
    if (experiment->reloads() && m->bench->foreignRequests() > 0)
        return shown->setProblem(tr(
            "%1 requests run or wait now; this experiment loads the model anew and would end them. Wait for their end.")
                                     .arg(m->bench->foreignRequests()));
    LabRun run;
    run.facts = facts();
    run.settings = shown->settings();
    run.guesses = shown->guesses();
    run.bench = run.facts.model ? m->bench.get() : nullptr;
    const QPointer<LabPage> self(this);
    run.progress = [self, index](const QString& what, double fraction) {
        QMetaObject::invokeMethod(
            qApp,
            [self, index, what, fraction] {
                if (self && self->m->running == index)
                    self->m->views[static_cast<std::size_t>(index)]->setProgress(what, fraction);
            },
            Qt::QueuedConnection);
    };
    m->running = index;
    shown->setProblem({});
    shown->setRunning(true);
    m->wake.start();
    refreshHeader();
    m->thread = std::thread([self, experiment, run = std::move(run), bench = m->bench.get()] {
        auto result = std::make_shared<Result<LabResult>>(experiment->run(run));
        if (*result) {
            LabResult& value = **result;
            value.experiment = experiment->name();
            value.time = QDateTime::currentDateTimeUtc();
            value.settings = run.settings;
            value.guesses = run.guesses;
            if (run.facts.model && bench->used()) { // else nothing of it depends on the model
                value.model = toQString(run.facts.model->info.name);
                value.device = toQString(run.facts.model->device.name);
            }
        }
        if (const auto restored = bench->restore(); !restored) // above all else: the model of before is not back
            *result = tl::unexpected(restored.error());
        else if (!*result && bench->isCancelled())
            *result = fail(ErrorCode::cancelled, toStdString(tr("The experiment was stopped; nothing of it is kept.")),
                toStdString(tr("Run it again when you like.")));
        QMetaObject::invokeMethod(
            qApp,
            [self, result] {
                if (self)
                    self->take(std::move(*result));
            },
            Qt::QueuedConnection);
    });
}

void LabPage::stop() {
    m->cancelled = true;
    if (m->running >= 0)
        m->views[static_cast<std::size_t>(m->running)]->setProgress(tr("Stopping"), 1);
}

void LabPage::take(Result<LabResult> result) {
    ExperimentView* shown = m->views[static_cast<std::size_t>(m->running)];
    m->running = -1;
    m->wake.stop();
    shown->setRunning(false);
    if (result)
        shown->setResult(std::make_shared<const LabResult>(*std::move(result)));
    else
        shown->setProblem(problemText(result.error()));
    refreshHeader();
    emit finished();
}

void LabPage::exportAs(Export format) {
    const auto result = view()->result();
    if (!result)
        return;
    constexpr const char* kEndings[] = {"json", "csv", "png"};
    const QString ending = QLatin1String(kEndings[static_cast<std::size_t>(format)]);
    const QString name = QStringLiteral("vitrine-%1.%2").arg(result->experiment, ending);
    m->context.dialogs.saveFile(this, format == Export::json ? tr("Save the result") : tr("Export the result"), name,
        {ending.toUpper(), {QStringLiteral("*.") + ending}}, [this, format, result](const QString& path) {
            if (path.isEmpty())
                return;
            QByteArray bytes = format == Export::json ? labToJson(*result) : labToCsv(*result);
            if (format == Export::png) {
                QBuffer buffer(&bytes);
                bytes.clear();
                QWidget* area = view()->resultArea();
                if (area->layout() != nullptr)
                    area->layout()->activate(); // shown just now: not laid out yet
                area->resize(area->size().expandedTo(area->minimumSizeHint()).expandedTo(QSize(640, 160)));
                area->grab().save(&buffer, "PNG");
            }
            QSaveFile file(path);
            if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
                m->context.dialogs.message(this, tr("The result was not written"),
                    tr("%1: %2. Choose another folder.").arg(path, file.errorString()));
        });
}

void LabPage::open() {
    m->context.dialogs.openFiles(this, tr("Open a result or a recording"),
        {tr("Results and recordings"), {QStringLiteral("*.json")}}, false, [this](const QStringList& files) {
            if (!files.isEmpty())
                read(files.first());
        });
}

void LabPage::read(const QString& path) {
    const QPointer<LabPage> self(this);
    m->pool.start([self, path] {
        auto result = std::make_shared<Result<LabResult>>(fail(
            ErrorCode::io, toStdString(tr("%1 cannot be read.").arg(path)), toStdString(tr("Choose another file."))));
        std::shared_ptr<const SessionHistory> recording;
        QFile file(path);
        if (file.open(QIODevice::ReadOnly) && file.size() <= kMaxFileBytes) {
            const QByteArray bytes = file.readAll();
            if (!bytes.contains("\"vitrine_session\""))
                *result = labFromJson(bytes);
            else if (auto session = sessionFromJson(bytes))
                recording = std::make_shared<const SessionHistory>(*std::move(session));
            else
                *result = tl::unexpected(session.error());
        }
        QMetaObject::invokeMethod(
            qApp,
            [self, path, result, recording] {
                if (!self)
                    return;
                if (recording)
                    self->useRecording(recording, QFileInfo(path).fileName());
                else
                    self->showResult(std::move(*result));
                emit self->opened();
            },
            Qt::QueuedConnection);
    });
}

void LabPage::showResult(Result<LabResult> result) {
    const auto known = [&](const QString& name) {
        return std::any_of(
            m->experiments.begin(), m->experiments.end(), [&](const auto& one) { return one->name() == name; });
    };
    if (result && !known(result->experiment))
        result = fail(ErrorCode::bad_file,
            toStdString(
                tr("The file holds the experiment “%1”, which this version does not have.").arg(result->experiment)),
            toStdString(tr("Choose another file.")));
    if (!result)
        return m->context.dialogs.message(this, tr("The result was not opened"), problemText(result.error()));
    showExperiment(result->experiment);
    view()->setSettings(result->settings);
    for (auto it = result->guesses.cbegin(); it != result->guesses.cend(); ++it)
        view()->setGuess(it.key(), it.value());
    view()->setResult(std::make_shared<const LabResult>(*std::move(result)));
    refreshHeader();
}

void LabPage::showEvent(QShowEvent*) {
    refreshFacts();
}

} // namespace vitrine::ui
