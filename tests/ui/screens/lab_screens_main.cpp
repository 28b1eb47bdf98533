// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui: every experiment of the laboratory on a real model, for people to look at: asked, running, found.
// Usage: lab_screens FOLDER MODEL [EXPERIMENT...]    runs and keeps FOLDER/name.json, .csv and pictures in each scheme
//        lab_screens FOLDER --again [EXPERIMENT...]  opens what was kept: with QT_SCALE_FACTOR=2, or in another language
//        lab_screens FOLDER --errors MODEL [EXPERIMENT...]  no model, guesses that are no numbers, stopped, too short
// VITRINE_TEXT=200, VITRINE_LANGUAGE=de.  Ends with 1 when an experiment gave no result or a picture was not written.
#include "tests/ui/support/language.h"
#include "tests/ui/support/stage.h"
#include "ui/lab/experiment.h"
#include "ui/lab/experiment_view.h"
#include "ui/lab/lab_page.h"
#include "ui/lab/lab_runs.h"

#pragma push_macro("slots")
#undef slots
#include "engine/api/engine.h"
#pragma pop_macro("slots")

#include <QApplication>
#include <QDir>
#include <QLayout>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>

#include <cstdio>
#include <optional>

using namespace vitrine;
using namespace vitrine::ui;

namespace {

constexpr int kPatience = 1'200'000; // ms an experiment may take

class Tour {
public:
    explicit Tour(QString folder)
        : m_folder(std::move(folder)), m_engine(engine::make_engine()), m_client(*m_engine), m_snapshots(*m_engine),
          m_steps(*m_engine, m_snapshots) {
        QDir().mkpath(m_folder);
        m_theme.setChoice(SchemeChoice::light);
        m_theme.applyTo(*qApp);
        m_theme.setTextPercent(
            qEnvironmentVariableIntValue("VITRINE_TEXT") > 0 ? qEnvironmentVariableIntValue("VITRINE_TEXT") : 100);
        m_page = std::make_unique<LabPage>(LabPage::Context{m_theme, m_client, m_steps, m_dialogs, m_runs});
        m_page->resize(1216, 772);
        m_page->show();
    }
    ~Tour() {
        m_page.reset();
        m_engine->stop();
    }
    void load(const QString& model, int context) {
        const auto before = m_client.model();
        EngineConfig config;
        config.device = "cpu";
        config.context = context;
        if (!m_client.load(model, config) ||
            !QTest::qWaitFor([&] { return m_client.model() != nullptr && m_client.model() != before; }, 60'000))
            fault(model + QStringLiteral(" was not loaded"));
    }
    void fault(const QString& what) {
        std::fprintf(stderr, "%s\n", qPrintable(what));
        ++m_faults;
    }
    [[nodiscard]] int faults() const { return m_faults; }
    void guess(const QString& name, const QString& number) {
        for (const auto& experiment : makeExperiments())
            for (const LabGuess& guess : experiment->name() == name ? experiment->guesses() : std::vector<LabGuess>())
                m_page->view()->setGuess(guess.name, guess.choices.value(0, {number, {}}).key);
    }
    /// What `name` shows with what is loaded, with guesses that are no numbers, and run or stopped.
    void shootErrors(const QString& name, const char* state, int stopAfterMs) {
        m_page->showExperiment(name);
        guess(name, QStringLiteral("many"));
        shootIn(m_client.model() ? "numbers" : "nomodel", name);
        if (!m_client.model())
            return;
        guess(name, QStringLiteral("3"));
        QSignalSpy finished(m_page.get(), &LabPage::finished);
        m_page->run();
        QTest::qWait(stopAfterMs);
        if (m_page->isRunning() && stopAfterMs > 0)
            m_page->stop();
        if (!QTest::qWaitFor([&] { return finished.count() > 0; }, kPatience))
            fault(name + QStringLiteral(" does not end"));
        shootIn(state, name);
    }
    /// Guesses, settings of the environment (VITRINE_SET="pairs=2,requests=3"), a run to its end.
    void run(const QString& name) {
        m_page->showExperiment(name);
        shootIn("ask", name);
        guess(name, QStringLiteral("3"));
        QMap<QString, double> settings;
        for (const QString& pair : qEnvironmentVariable("VITRINE_SET").split(u',', Qt::SkipEmptyParts))
            settings.insert(pair.section(u'=', 0, 0), pair.section(u'=', 1).toDouble());
        m_page->view()->setSettings(settings);
        QSignalSpy finished(m_page.get(), &LabPage::finished);
        m_page->run();
        QTest::qWait(700);
        if (m_page->isRunning())
            shoot(*m_page, QStringLiteral("%1-running").arg(name));
        if (!QTest::qWaitFor([&] { return finished.count() > 0; }, kPatience) || !m_page->view()->result())
            fault(name + QStringLiteral(": no result"));
        for (const auto& [format, ending] : {std::pair(LabPage::Export::json, "json"),
                 std::pair(LabPage::Export::csv, "csv"), std::pair(LabPage::Export::png, "png")}) {
            m_dialogs.saved = QStringLiteral("%1/%2.%3").arg(m_folder, name, QLatin1String(ending));
            m_page->exportAs(format);
        }
    }
    void open(const QString& name) {
        m_dialogs.files = {QStringLiteral("%1/%2.json").arg(m_folder, name)};
        QSignalSpy opened(m_page.get(), &LabPage::opened);
        m_page->open();
        if (!QTest::qWaitFor([&] { return opened.count() == 1; }, 30'000) || !m_page->view()->result())
            fault(name + QStringLiteral(": not opened"));
    }
    void shootIn(const char* state, const QString& name) {
        for (const auto& [choice, scheme] : {std::pair(SchemeChoice::light, "light"),
                 std::pair(SchemeChoice::dark, "dark"), std::pair(SchemeChoice::contrast, "contrast")}) {
            m_theme.setChoice(choice);
            QTest::qWait(100);
            waitForLayout(name);
            const QString title = QStringLiteral("%1-%2-%3").arg(name, QLatin1String(state), QLatin1String(scheme));
            shoot(*m_page, title);
            if (m_page->view()->result()) // all of it, beyond what scrolls
                shoot(*m_page->view(), title + QStringLiteral("-whole"));
        }
        m_theme.setChoice(SchemeChoice::light);
    }

private:
    /// A long result takes several rounds of layout; a picture in between shows what nobody sees for long.
    void waitForLayout(const QString& name) {
        const auto isPlaced = [this] {
            const ExperimentView* view = m_page->view();
            return view->height() >= view->layout()->totalHeightForWidth(view->width());
        };
        if (!QTest::qWaitFor(isPlaced, 10'000))
            fault(name + QStringLiteral(" is not as high as it needs"));
    }
    void shoot(QWidget& widget, const QString& name) {
        const qreal scale = widget.devicePixelRatioF();
        const QString suffix = scale > 1 ? QStringLiteral("@%1x").arg(scale) : QString();
        const QString file = QStringLiteral("%1/%2%3.png").arg(m_folder, name, suffix);
        if (!widget.grab().save(file))
            fault(file + QStringLiteral(" was not written"));
    }

    QString m_folder;
    int m_faults = 0;
    std::unique_ptr<engine::Engine> m_engine;
    Theme m_theme;
    EngineClient m_client;
    SnapshotFeed m_snapshots;
    StepFeed m_steps;
    vitrine::testing::FakeDialogs m_dialogs;
    LabRuns m_runs{m_client, m_snapshots};
    std::unique_ptr<LabPage> m_page;
};

/// The experiments named on the command line, or all; nothing when one of them is unknown.
std::optional<QStringList> experimentsOf(const QStringList& asked) {
    QStringList known;
    for (const auto& experiment : makeExperiments())
        known += experiment->name();
    for (const QString& name : asked)
        if (!known.contains(name)) {
            std::fprintf(stderr, "There is no experiment \"%s\"; there are: %s.\n", qPrintable(name),
                qPrintable(known.join(QStringLiteral(", "))));
            return std::nullopt;
        }
    return asked.isEmpty() ? known : asked;
}

void shootAllErrors(Tour& tour, const QString& model, const QStringList& names) {
    for (const QString& name : names)
        tour.shootErrors(name, "nomodel", 0);
    tour.load(model, 2048);
    for (const QString& name : names)
        tour.shootErrors(name, "stopped", 400);
    tour.load(model, 64);
    for (const QString& name : names)
        tour.shootErrors(name, "short", 0);
}

} // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QStandardPaths::setTestModeEnabled(true);
    QApplication application(argc, argv);
    const QStringList arguments = QApplication::arguments();
    const bool again = arguments.value(2) == QLatin1String("--again");
    const bool errors = arguments.value(2) == QLatin1String("--errors");
    if (arguments.size() < (errors ? 4 : 3)) {
        std::fprintf(stderr, "lab_screens FOLDER MODEL|--again|--errors MODEL [EXPERIMENT...]\n");
        return 2;
    }
    const auto names = experimentsOf(arguments.mid(errors ? 4 : 3));
    if (!names)
        return 2;
    const vitrine::testing::InLanguage language(qEnvironmentVariable("VITRINE_LANGUAGE", QStringLiteral("en")));
    Tour tour(arguments[1]);
    if (!again && !errors)
        tour.load(arguments[2], 2048);
    if (errors)
        shootAllErrors(tour, arguments[3], *names);
    for (const QString& name : errors ? QStringList() : *names) {
        if (!again)
            tour.run(name);
        tour.open(name);
        tour.shootIn(again ? "again" : "found", name);
    }
    return tour.faults() == 0 ? 0 : 1;
}
