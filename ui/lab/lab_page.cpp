// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/lab: the page.
#include "ui/lab/lab_page.h"

#include "ui/bridge/engine_client.h"
#include "ui/bridge/error_text.h"
#include "ui/bridge/qt_convert.h"
#include "ui/bridge/session_file.h"
#include "ui/bridge/step_feed.h"
#include "ui/lab/experiment_view.h"
#include "ui/lab/lab_runs.h"
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
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace vitrine::ui {
namespace {

constexpr int kNavigation = 176; // the gutter of the Engine page, so that eyes can travel
constexpr qint64 kMaxFileBytes = 512LL << 20;

} // namespace

struct LabPage::Parts {
    Context context;
    std::vector<std::shared_ptr<const Experiment>> experiments; // shared with what runs
    std::vector<ExperimentView*> views; // null: not shown yet
    SectionStack* sections = nullptr;
    Button *save = nullptr, *exportButton = nullptr;
    QLabel* state = nullptr;
    QThreadPool pool; // files are read here
    Button* useSession = nullptr;

    explicit Parts(const Context& theContext) : context(theContext) {
        for (auto& experiment : makeExperiments())
            experiments.push_back(std::move(experiment));
    }
    [[nodiscard]] const OpenRecording& recording() const { return context.runs.recording; }
};

LabPage::LabPage(const Context& context, QWidget* parent) : QWidget(parent), m(std::make_unique<Parts>(context)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    buildHeader();
    column->addWidget(new Hairline(context.theme));
    buildViews();
    connect(&context.runs, &LabRuns::progressed, this, [this](const QString& what, double fraction) {
        if (const Experiment* running = m->context.runs.running(); running != nullptr)
            if (ExperimentView* shown = m->views[static_cast<std::size_t>(indexOf(running->name()))])
                shown->setProgress(what, fraction);
    });
    connect(&context.runs, &LabRuns::finished, this, &LabPage::take);
    connect(&context.client, &EngineClient::modelChanged, this, [this] {
        if (isVisible())
            refreshFacts();
    });
    refreshFacts();
    refreshHeader();
}

LabPage::~LabPage() {
    m->pool.waitForDone();
    LabRuns& runs = m->context.runs;
    for (std::size_t i = 0; i < m->views.size(); ++i) {
        if (m->views[i] == nullptr)
            continue;
        LabRuns::Kept& kept = runs.kept(m->experiments[i]->name());
        kept.filled = m->views[i]->filled();
        kept.result = m->views[i]->result();
    }
    runs.shown = m->experiments[static_cast<std::size_t>(std::max(0, m->sections->current()))]->name();
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
    m->sections->setCurrent(std::max(0, indexOf(m->context.runs.shown)));
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
    LabRuns& runs = m->context.runs;
    LabRuns::Kept& kept = runs.kept(m->experiments[at]->name());
    view->setFacts({m->context.client.labModel(), nullptr, m->recording().name});
    view->fill(kept.filled);
    if (kept.result)
        view->setResult(kept.result);
    if (const QString problem = std::exchange(kept.problem, {}); !problem.isEmpty())
        view->setProblem(problem);
    if (runs.isRunning())
        view->setProblem({}); // the model may be away for it, and comes back
    if (runs.isRunning() && runs.running()->name() == m->experiments[at]->name()) {
        view->setRunning(true);
        view->setProgress({}, runs.fraction());
    }
}

int LabPage::indexOf(const QString& experiment) const {
    for (std::size_t i = 0; i < m->experiments.size(); ++i)
        if (m->experiments[i]->name() == experiment)
            return static_cast<int>(i);
    return -1;
}

ExperimentView* LabPage::view() const {
    return m->views[static_cast<std::size_t>(std::max(0, m->sections->current()))];
}

void LabPage::showExperiment(const QString& name) {
    if (const int index = indexOf(name); index >= 0)
        m->sections->setCurrent(index);
}

void LabPage::refreshFacts() {
    if (!isRunning())
        view()->setFacts({m->context.client.labModel(), nullptr, m->recording().name});
}

LabFacts LabPage::facts() const {
    auto session =
        hasRecording() ? m->recording().session : std::make_shared<const SessionHistory>(m->context.steps.history());
    return {m->context.client.labModel(), std::move(session), m->recording().name};
}

void LabPage::useRecording(std::shared_ptr<const SessionHistory> recording, const QString& name) {
    const QString known = recording ? name : QString();
    m->context.runs.recording = {std::move(recording), known};
    refreshFacts();
    refreshHeader();
}

bool LabPage::hasRecording() const {
    return m->recording().session != nullptr;
}

void LabPage::refreshHeader() {
    const bool has = view()->result() != nullptr;
    m->save->setEnabled(has);
    m->exportButton->setEnabled(has);
    const Experiment* running = m->context.runs.running();
    m->state->setText(running != nullptr ? tr("● running: %1").arg(running->title())
            : hasRecording()             ? tr("requests of %1").arg(m->recording().name)
                                         : QString());
    m->useSession->setVisible(hasRecording() && running == nullptr);
    setStyleProperty(m->state, "tone", running != nullptr ? "ok" : "");
}

bool LabPage::isRunning() const {
    return m->context.runs.isRunning();
}

void LabPage::run() {
    LabRuns& runs = m->context.runs;
    const auto& experiment = m->experiments[static_cast<std::size_t>(m->sections->current())];
    ExperimentView* shown = view();
    if (const Experiment* other = runs.running())
        return shown->setProblem(tr("Another experiment runs: %1. Stop it, or wait for its end.").arg(other->title()));
    if (const int foreign = experiment->reloads() ? runs.foreignRequests() : 0; foreign > 0)
        return shown->setProblem(tr(
            "%1 requests run or wait now; this experiment loads the model anew and would end them. Wait for their end.")
                                     .arg(foreign));
    shown->setProblem({});
    runs.start(experiment, facts(), shown->filled());
    shown->setRunning(true);
    refreshHeader();
}

void LabPage::stop() {
    LabRuns& runs = m->context.runs;
    runs.stop();
    if (const Experiment* running = runs.running())
        m->views[static_cast<std::size_t>(indexOf(running->name()))]->setProgress(tr("Stopping"), 1);
}

void LabPage::take(const QString& experiment) {
    refreshFacts(); // the model that it put away is back
    if (ExperimentView* shown = m->views[static_cast<std::size_t>(indexOf(experiment))]) {
        LabRuns::Kept& kept = m->context.runs.kept(experiment);
        shown->setRunning(false);
        if (const QString problem = std::exchange(kept.problem, {}); !problem.isEmpty())
            shown->setProblem(problem);
        else
            shown->setResult(kept.result);
    }
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
                view()->resultPicture().save(&buffer, "PNG");
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
    if (result && indexOf(result->experiment) < 0)
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
