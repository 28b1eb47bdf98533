// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui: every experiment of the laboratory on a real model, for people to look at: asked, running, found.
// Usage: lab_screens FOLDER MODEL [EXPERIMENT...]    runs and keeps FOLDER/name.json, .csv and pictures in each scheme
//        lab_screens FOLDER --again [EXPERIMENT...]  opens what was kept: with QT_SCALE_FACTOR=2, or in another language
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
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>
#include <QTranslator>

#include <cstdio>

using namespace vitrine;
using namespace vitrine::ui;

namespace {

constexpr int kPatience = 1'200'000; // ms an experiment may take

class Tour {
public:
    Tour(QString folder, const QString& model)
        : m_folder(std::move(folder)), m_engine(engine::make_engine()), m_client(*m_engine), m_snapshots(*m_engine),
          m_steps(*m_engine, m_snapshots) {
        QDir().mkpath(m_folder);
        m_theme.setChoice(SchemeChoice::light);
        m_theme.applyTo(*qApp);
        m_theme.setTextPercent(
            qEnvironmentVariableIntValue("VITRINE_TEXT") > 0 ? qEnvironmentVariableIntValue("VITRINE_TEXT") : 100);
        if (!model.isEmpty()) {
            EngineConfig config;
            config.device = "cpu";
            config.context = 2048;
            if (!m_client.load(model, config) ||
                !QTest::qWaitFor([this] { return m_client.model() != nullptr; }, 60'000))
                std::fprintf(stderr, "%s was not loaded\n", qPrintable(model));
        }
        m_page = std::make_unique<LabPage>(LabPage::Context{m_theme, m_client, m_steps, m_dialogs, m_runs});
        m_page->resize(1216, 772);
        m_page->show();
    }
    ~Tour() {
        m_page.reset();
        m_engine->stop();
    }
    /// Guesses, settings of the environment (VITRINE_SET="pairs=2,requests=3"), a run to its end.
    void run(const QString& name) {
        m_page->showExperiment(name);
        shootIn("ask", name);
        for (const auto& experiment : makeExperiments())
            for (const LabGuess& guess : experiment->name() == name ? experiment->guesses() : std::vector<LabGuess>())
                m_page->view()->setGuess(guess.name, guess.choices.value(0, {QStringLiteral("3"), {}}).key);
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
            std::fprintf(stderr, "%s: no result\n", qPrintable(name));
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
        if (!QTest::qWaitFor([&] { return opened.count() == 1; }, 30'000))
            std::fprintf(stderr, "%s: not opened\n", qPrintable(name));
    }
    void shootIn(const char* state, const QString& name) {
        for (const auto& [choice, scheme] : {std::pair(SchemeChoice::light, "light"),
                 std::pair(SchemeChoice::dark, "dark"), std::pair(SchemeChoice::contrast, "contrast")}) {
            m_theme.setChoice(choice);
            QTest::qWait(100);
            const QString title = QStringLiteral("%1-%2-%3").arg(name, QLatin1String(state), QLatin1String(scheme));
            shoot(*m_page, title);
            if (m_page->view()->result()) // all of it, beyond what scrolls
                shoot(*m_page->view(), title + QStringLiteral("-whole"));
        }
        m_theme.setChoice(SchemeChoice::light);
    }

private:
    void shoot(QWidget& widget, const QString& name) {
        const qreal scale = widget.devicePixelRatioF();
        const QString suffix = scale > 1 ? QStringLiteral("@%1x").arg(scale) : QString();
        widget.grab().save(QStringLiteral("%1/%2%3.png").arg(m_folder, name, suffix));
    }

    QString m_folder;
    std::unique_ptr<engine::Engine> m_engine;
    Theme m_theme;
    EngineClient m_client;
    SnapshotFeed m_snapshots;
    StepFeed m_steps;
    vitrine::testing::FakeDialogs m_dialogs;
    LabRuns m_runs{m_client, m_snapshots};
    std::unique_ptr<LabPage> m_page;
};

} // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QStandardPaths::setTestModeEnabled(true);
    QApplication application(argc, argv);
    const QStringList arguments = QApplication::arguments();
    if (arguments.size() < 3)
        return 2;
    QTranslator texts;
    const QString language = qEnvironmentVariable("VITRINE_LANGUAGE", QStringLiteral("en"));
    QLocale::setDefault(QLocale(language));
    if (language != QLatin1String("en") && texts.load(QStringLiteral(":/i18n/vitrine_%1.qm").arg(language)))
        QApplication::installTranslator(&texts);
    const bool again = arguments[2] == QLatin1String("--again");
    Tour tour(arguments[1], again ? QString() : arguments[2]);
    QStringList names = arguments.mid(3);
    if (names.isEmpty())
        for (const auto& experiment : makeExperiments())
            names += experiment->name();
    for (const QString& name : names) {
        if (!again)
            tour.run(name);
        tour.open(name);
        tour.shootIn(again ? "again" : "found", name);
    }
    return 0;
}
