// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/lab: experiments over the real engine: what they show is what it counted, and Stop ends them.
#include "tests/ui/support/language.h"
#include "tests/ui/support/stage.h"
#include "ui/bridge/lab_bench.h"
#include "ui/lab/experiment.h"
#include "ui/lab/experiment_view.h"
#include "ui/lab/lab_page.h"
#include "ui/lab/lab_runs.h"

#pragma push_macro("slots")
#undef slots
#include "engine/api/engine.h"
#include "engine/base/data_dir.h"
#pragma pop_macro("slots")

#include <QApplication>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include <filesystem>

namespace vitrine::ui {
namespace {

class LabEngine : public ::testing::Test {
protected:
    void SetUp() override {
        const auto path = engine::data_dir() / "models" / "SmolLM2-135M-Instruct.Q4_1.gguf";
        if (!std::filesystem::exists(path))
            GTEST_SKIP() << path << " is not there";
        m_engine = engine::make_engine();
        m_client = std::make_unique<EngineClient>(*m_engine);
        m_snapshots = std::make_unique<SnapshotFeed>(*m_engine);
        m_steps = std::make_unique<StepFeed>(*m_engine, *m_snapshots);
        m_theme.applyTo(*qApp);
        EngineConfig config;
        config.device = "cpu";
        config.num_blocks = 64;
        config.context = 512;
        ASSERT_TRUE(m_client->load(QString::fromStdString(path.string()), config));
        ASSERT_TRUE(QTest::qWaitFor([this] { return m_client->model() != nullptr; }, 30'000));
        m_runs = std::make_unique<LabRuns>(*m_client, *m_snapshots);
        m_page = std::make_unique<LabPage>(LabPage::Context{m_theme, *m_client, *m_steps, m_dialogs, *m_runs});
        m_page->resize(1200, 800);
        m_page->show();
        m_page->showExperiment(QStringLiteral("prefix"));
        for (const char* name : {"same", "question", "edited", "system"})
            m_page->view()->setGuess(QLatin1String(name), QStringLiteral("50"));
        m_page->view()->setSettings({{QStringLiteral("system"), 64}, {QStringLiteral("turn"), 32}});
    }
    void TearDown() override {
        m_page.reset();
        m_runs.reset();
        if (m_engine)
            m_engine->stop();
    }

    /// Guesses whatever is asked, runs, and returns what was found.
    std::shared_ptr<const LabResult> runToItsEnd(const QString& name, const QMap<QString, double>& settings) {
        m_page->showExperiment(name);
        for (const auto& experiment : makeExperiments())
            for (const LabGuess& guess : experiment->name() == name ? experiment->guesses() : std::vector<LabGuess>())
                m_page->view()->setGuess(guess.name, guess.choices.value(0, {QStringLiteral("3"), {}}).key);
        m_page->view()->setSettings(settings);
        QSignalSpy finished(m_page.get(), &LabPage::finished);
        m_page->run();
        EXPECT_TRUE(QTest::qWaitFor([&] { return finished.count() == 1; }, 300'000)) << qPrintable(name);
        return m_page->view()->result();
    }
    QByteArray exported(LabPage::Export format, const QString& path) {
        m_dialogs.saved = path;
        m_page->exportAs(format);
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    std::unique_ptr<engine::Engine> m_engine;
    Theme m_theme;
    vitrine::testing::FakeDialogs m_dialogs;
    std::unique_ptr<EngineClient> m_client;
    std::unique_ptr<SnapshotFeed> m_snapshots;
    std::unique_ptr<StepFeed> m_steps;
    std::unique_ptr<LabRuns> m_runs;
    std::unique_ptr<LabPage> m_page;
};

TEST_F(LabEngine, PrefixExperimentShowsWhatTheCacheFound) {
    QSignalSpy finished(m_page.get(), &LabPage::finished);
    m_page->run();
    ASSERT_TRUE(QTest::qWaitFor([&] { return finished.count() == 1; }, 60'000));
    const auto result = m_page->view()->result();
    ASSERT_TRUE(result);
    ASSERT_EQ(result->measures.size(), 5U);
    const auto number = [&](std::size_t row, int column) {
        return QLocale().toInt(result->measures[row].values.value(column));
    };
    // 64 tokens of system prompt, 32 of an earlier turn, the questions and what the template adds.
    EXPECT_GT(number(0, 0), 96);
    EXPECT_LT(number(0, 0), 96 + 80);
    // The same chat again: all whole blocks but the one that holds the last token (engine.md 3.2).
    EXPECT_EQ(number(1, 1), (number(1, 0) - 1) / 16 * 16);
    // Others: whole blocks up to the first differing token.
    const auto& rows = result->tables[0].rows;
    EXPECT_EQ(rows[0][1], QStringLiteral("none"));
    for (std::size_t row = 1; row < 4; ++row)
        EXPECT_EQ(number(row + 1, 1), QLocale().toInt(rows[row][1]) / 16 * 16) << qPrintable(rows[row][0].text());
    EXPECT_LT(number(4, 1), number(2, 1)) << "another system prompt shares less than another question";
    std::uint64_t hits = 0;
    for (std::size_t row = 0; row < 5; ++row)
        hits += static_cast<std::uint64_t>(number(row, 1));
    EXPECT_EQ(hits, m_engine->snapshot()->counters.prefix_hits);
}

// VITRINE_LAB_OUT=FOLDER keeps the pictures and files, for people to look at.
TEST_F(LabEngine, EveryExperimentRunsToItsEndAndSurvivesItsFiles) {
    QTemporaryDir temporary;
    const QString out = qEnvironmentVariable("VITRINE_LAB_OUT", temporary.path());
    const std::pair<QString, QMap<QString, double>> experiments[] = {
        {QStringLiteral("kvcache"), {{QStringLiteral("length"), 192}}},
        {QStringLiteral("speculation"), {{QStringLiteral("tokens"), 24}}},
        {QStringLiteral("quantization"), {{QStringLiteral("weights"), 2}, {QStringLiteral("tokens"), 48}}},
        {QStringLiteral("capacity"), {}},
        {QStringLiteral("ablation"),
            {{QStringLiteral("which"), 5}, {QStringLiteral("requests"), 3}, {QStringLiteral("pairs"), 2}}}};
    for (const auto& [name, settings] : experiments) {
        std::shared_ptr<const LabResult> result;
        {
            const vitrine::testing::Marking other;
            result = runToItsEnd(name, settings);
        }
        ASSERT_TRUE(result) << qPrintable(name);
        EXPECT_FALSE(labToJson(*result).contains("\u00AB")) << "words are kept by their key: " << qPrintable(name);
        EXPECT_FALSE(result->measures.empty()) << qPrintable(name);
        EXPECT_FALSE(result->charts.empty()) << qPrintable(name);
        EXPECT_FALSE(result->conclusion.isEmpty()) << qPrintable(name);
        EXPECT_GT(result->numGuesses(), 0) << qPrintable(name);
        if (name == QLatin1String("capacity")) { // runs at 1, 2, 4 and 8 requests, each of which decoded at once
            EXPECT_EQ(result->charts[0].series.back().points.size(), 4U);
        }
        for (const LabTable& table : result->tables)
            for (const LabTexts& row : table.rows)
                EXPECT_FALSE(row.value(1).text().startsWith(QStringLiteral("not measured")))
                    << qPrintable(row.value(0).text() + u' ' + row.value(1).text());
        QTest::qWait(50);
        m_page->view()->resultArea()->adjustSize();
        const QString base = out + u'/' + name;
        EXPECT_TRUE(exported(LabPage::Export::png, base + QStringLiteral(".png")).startsWith("\x89PNG"));
        const QByteArray csv = exported(LabPage::Export::csv, base + QStringLiteral(".csv"));
        for (const LabMeasure& measure : result->measures)
            EXPECT_TRUE(csv.contains(measure.name.text().toUtf8())) << qPrintable(measure.name.text());
        const QByteArray json = exported(LabPage::Export::json, base + QStringLiteral(".json"));
        EXPECT_TRUE(QJsonDocument::fromJson(json).isObject());
        m_dialogs.files = {base + QStringLiteral(".json")};
        QSignalSpy opened(m_page.get(), &LabPage::opened);
        m_page->open();
        ASSERT_TRUE(QTest::qWaitFor([&] { return opened.count() == 1; }, 30'000));
        ASSERT_TRUE(m_page->view()->result());
        EXPECT_EQ(labToJson(*m_page->view()->result()), json) << qPrintable(name);
        ASSERT_TRUE(QTest::qWaitFor([&] { return m_engine->snapshot()->model != nullptr; }, 30'000));
        EXPECT_EQ(m_engine->snapshot()->model->config.num_blocks, 64) << "the model of before is back";
    }
}

TEST_F(LabEngine, StopEndsAnAblationWithinARun) {
    m_page->showExperiment(QStringLiteral("ablation"));
    m_page->view()->setSettings({{QStringLiteral("requests"), 4}, {QStringLiteral("pairs"), 5}});
    QSignalSpy finished(m_page.get(), &LabPage::finished);
    m_page->run();
    ASSERT_TRUE(m_page->isRunning());
    QTest::qWait(1'500);
    m_page->stop();
    ASSERT_TRUE(QTest::qWaitFor([&] { return finished.count() == 1; }, 60'000));
    EXPECT_FALSE(m_page->view()->result());
    ASSERT_TRUE(QTest::qWaitFor([&] { return m_engine->snapshot()->model != nullptr; }, 30'000));
}

TEST_F(LabEngine, StopEndsAnExperimentAndLeavesTheModel) {
    m_page->showExperiment(QStringLiteral("speculation"));
    m_page->view()->setGuess(QStringLiteral("best"), QStringLiteral("4"));
    m_page->view()->setGuess(QStringLiteral("speedup"), QStringLiteral("2"));
    QSignalSpy finished(m_page.get(), &LabPage::finished);
    m_page->run();
    ASSERT_TRUE(m_page->isRunning());
    QTest::qWait(200);
    m_page->stop();
    ASSERT_TRUE(QTest::qWaitFor([&] { return finished.count() == 1; }, 60'000));
    EXPECT_FALSE(m_page->view()->result());
    ASSERT_TRUE(m_engine->snapshot()->model);
    EXPECT_TRUE(m_engine->snapshot()->model->config.draft.empty()) << "the model of before is back";
    EXPECT_EQ(m_engine->snapshot()->running, 0);
}

} // namespace
} // namespace vitrine::ui
