// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/lab: guesses come first, the toy trace shows the table of engine.md 8, results survive their files.
#include "tests/ui/support/language.h"
#include "tests/ui/support/stage.h"
#include "ui/bridge/session_file.h"
#include "ui/lab/experiment_view.h"
#include "ui/lab/lab_chart.h"
#include "ui/lab/lab_page.h"
#include "ui/lab/lab_runs.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QProgressBar>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

namespace vitrine::ui {
namespace {

using vitrine::testing::Stage;

class LabTest : public ::testing::Test {
protected:
    LabTest() : m_page({m_stage.theme, m_stage.client, m_stage.steps, m_stage.dialogs, m_runs}) {
        m_page.resize(1216, 770);
        m_page.show();
    }
    std::shared_ptr<const LabResult> runNow() {
        QSignalSpy finished(&m_page, &LabPage::finished);
        m_page.run();
        EXPECT_TRUE(Stage::waitFor([&] { return finished.count() == 1; }));
        return m_page.view()->result();
    }
    void openNow() {
        QSignalSpy opened(&m_page, &LabPage::opened);
        m_page.open();
        EXPECT_TRUE(Stage::waitFor([&] { return opened.count() == 1; }));
    }
    static QString valueOf(const LabResult& result, const QString& name, const QString& detail, int column) {
        for (const LabMeasure& measure : result.measures)
            if (measure.name == name && measure.detail == detail)
                return measure.values.value(column);
        return QStringLiteral("no such measure");
    }
    Stage m_stage;
    LabRuns m_runs{m_stage.client, m_stage.snapshots};
    LabPage m_page;
};

TEST_F(LabTest, AsksForEveryGuessBeforeItRuns) {
    m_page.showExperiment(QStringLiteral("policies"));
    EXPECT_FALSE(m_page.view()->canRun());
    for (const char* name : {"ttft", "tpot", "e2e", "goodput", "kv"})
        m_page.view()->setGuess(QLatin1String(name), QStringLiteral("better"));
    EXPECT_FALSE(m_page.view()->canRun()) << "one question is open";
    m_page.view()->setGuess(QStringLiteral("use"), QStringLiteral("better"));
    EXPECT_TRUE(m_page.view()->canRun());
}

// Every figure from the table of engine.md 8.
TEST_F(LabTest, ToyTraceShowsTheHandCalculation) {
    m_page.showExperiment(QStringLiteral("policies"));
    for (const char* name : {"ttft", "tpot", "e2e", "goodput", "kv", "use"})
        m_page.view()->setGuess(QLatin1String(name), QStringLiteral("better"));
    const auto result = runNow();
    ASSERT_TRUE(result);
    const QStringList ttft = {"0.52", "0.27", "0.05"}, e2e = {"0.60", "0.53", "0.12"}; // seconds
    const QStringList goodput = {"4.21", "5.33", "6.67"}, kv = {"7.25", "7.25", "8.75"};
    for (int column = 0; column < 3; ++column) {
        EXPECT_EQ(valueOf(*result, "First token", "p50", column), ttft[column]);
        EXPECT_EQ(valueOf(*result, "Time in system", "p50", column), e2e[column]);
        EXPECT_EQ(valueOf(*result, "Time per token", "p50", column), "50.0");
        EXPECT_EQ(valueOf(*result, "Goodput", "met both objectives", column), goodput[column]);
        EXPECT_EQ(valueOf(*result, "KV peak", "", column), kv[column]);
    }
    // Better, but for the time per token (the same) and the KV peak (worse).
    EXPECT_EQ(result->numGuesses(), 6);
    EXPECT_EQ(result->numRight(), 4);
    EXPECT_TRUE(result->conclusion.text().startsWith(QStringLiteral("Little's law holds: 1.667 in the system = 6.667")))
        << qPrintable(result->conclusion.text());
    // Padding of static batching: R02 and R04 hold their places through tick 14.
    const LabChart& gantt = result->charts[0];
    EXPECT_EQ(std::count_if(gantt.spans.begin(), gantt.spans.end(),
                  [](const LabSpan& span) { return span.kind == LabSpan::Kind::padding; }),
        2);
}

// R03 waits from 0.22 s to the tick at 0.25 s: a chart that looked at ticks alone would show nobody.
TEST_F(LabTest, TheQueueChartShowsWhoWaitsForLessThanATick) {
    m_page.showExperiment(QStringLiteral("policies"));
    const auto result = runNow();
    ASSERT_TRUE(result);
    const LabChart& queue = result->charts[1];
    ASSERT_EQ(queue.series.size(), 3U);
    for (int policy = 0; policy < 3; ++policy) {
        double most = 0;
        for (const QPointF& point : queue.series[static_cast<std::size_t>(policy)].points)
            most = std::max(most, point.y());
        EXPECT_EQ(QString::number(most), valueOf(*result, "Queue", "longest", policy)) << policy;
    }
    EXPECT_TRUE(result->model.isEmpty()) << "the toy trace says nothing of the model that happens to be loaded";
}

TEST_F(LabTest, SaysWhatIsWrongWithANumber) {
    m_page.showExperiment(QStringLiteral("paging"));
    const auto says = [this](const QString& words) {
        const auto labels = m_page.view()->findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(),
            [&](const QLabel* label) { return label->isVisibleTo(m_page.view()) && label->text().contains(words); });
    };
    m_page.view()->setGuess(QStringLiteral("fit"), QStringLiteral("2"));
    EXPECT_TRUE(says(QStringLiteral("1 guess to go")));
    for (const char* wrong : {"many", "101"}) {
        m_page.view()->setGuess(QStringLiteral("waste"), QLatin1String(wrong));
        EXPECT_TRUE(says(QStringLiteral("“%1” is no number from 0 to 100").arg(QLatin1String(wrong)))) << wrong;
        EXPECT_FALSE(m_page.view()->canRun());
    }
    m_page.view()->setGuess(QStringLiteral("waste"), QStringLiteral("90"));
    EXPECT_FALSE(says(QStringLiteral("is no number")));
    EXPECT_TRUE(m_page.view()->canRun());
}

// At most three waited, and the axis had ticks at 0.75, 1.5 and 2.25 of a request.
TEST_F(LabTest, TheTicksOfCountsAreWhole) {
    m_page.showExperiment(QStringLiteral("policies"));
    const auto result = runNow();
    ASSERT_TRUE(result);
    EXPECT_EQ(LabChartView(m_stage.theme, result->charts[1]).yTicks(), (std::vector<double>{0, 1, 2, 3}));
    for (const double most : {1, 2, 3, 5, 7, 11, 130, 4097}) {
        LabChart chart;
        chart.series = {{QStringLiteral("counted"), {{1, 0}, {2, most}}, false}};
        const LabChartView view(m_stage.theme, chart);
        EXPECT_GE(view.yTicks().back(), most);
        EXPECT_LE(view.yTicks().size(), 6U) << most;
        for (const std::vector<double>& ticks : {view.xTicks(), view.yTicks()})
            for (const double tick : ticks)
                EXPECT_EQ(tick, std::floor(tick)) << most;
    }
    LabChart measured;
    measured.series = {{QStringLiteral("measured"), {{0.5, 0.4}, {1.5, 2.6}}, false}};
    EXPECT_EQ(LabChartView(m_stage.theme, measured).yTicks(), (std::vector<double>{0, 0.75, 1.5, 2.25, 3}));
}

TEST_F(LabTest, HeadsOfTablesAreWhole) {
    m_page.showExperiment(QStringLiteral("policies"));
    ASSERT_TRUE(runNow());
    QTest::qWait(50);
    for (const int width : {1216, 700}) {
        m_page.resize(width, 770);
        QTest::qWait(50);
        const auto tables = m_page.view()->findChildren<QTableWidget*>();
        ASSERT_EQ(tables.size(), 2);
        for (const QTableWidget* table : tables)
            for (int column = 0; column < table->columnCount(); ++column) {
                const QString head = table->horizontalHeaderItem(column)->text();
                EXPECT_GE(
                    table->columnWidth(column), table->horizontalHeader()->fontMetrics().horizontalAdvance(head) + 16)
                    << qPrintable(head) << " at " << width;
            }
    }
}

/// Title and key of a chart take the lines they need: at 200 % they were cut.
TEST_F(LabTest, TheKeyOfAChartIsWhole) {
    m_page.showExperiment(QStringLiteral("policies"));
    ASSERT_TRUE(runNow());
    m_stage.theme.setTextPercent(200);
    const auto charts = m_page.view()->findChildren<LabChartView*>();
    ASSERT_FALSE(charts.isEmpty());
    (void)QTest::qWaitFor([&charts] { // layouts settle in turns of the event loop
        return std::all_of(charts.begin(), charts.end(),
            [](const LabChartView* view) { return view->height() == view->heightForWidth(view->width()); });
    });
    for (const LabChartView* view : charts) {
        const QFontMetrics metrics(m_stage.theme.font(TextRole::smallMedium));
        const int needed =
            metrics.boundingRect(QRect(0, 0, 640, 10'000), Qt::TextWordWrap, view->chart().title).height();
        EXPECT_GE(view->heightForWidth(640) - view->heightForWidth(10'000), needed - m_stage.theme.px(24))
            << qPrintable(view->chart().title.text());
        EXPECT_EQ(view->height(), view->heightForWidth(view->width())) << qPrintable(view->chart().title.text());
    }
}

/// Measures of many columns were wider than the page at 200 %, and the form above them was cut with them.
TEST_F(LabTest, AWideResultLeavesTheFormTheWidthOfThePage) {
    m_stage.theme.setTextPercent(200);
    m_page.resize(1000, 700);
    m_page.showExperiment(QStringLiteral("speculation"));
    auto result = std::make_shared<LabResult>();
    result->experiment = QStringLiteral("speculation");
    for (int i = 0; i < 8; ++i)
        result->columns += LabText(QStringLiteral("A column"));
    LabMeasure measure;
    measure.name = QStringLiteral("Measure");
    measure.values = result->columns;
    result->measures = {measure};
    result->conclusion = QStringLiteral("Conclusion");
    m_page.view()->setResult(result);
    QTest::qWait(50);
    EXPECT_LE(m_page.view()->width(), m_page.view()->parentWidget()->width());
    const auto* area = m_page.view()->resultArea()->findChild<QScrollArea*>();
    ASSERT_NE(area, nullptr);
    EXPECT_GT(area->horizontalScrollBar()->maximum(), 0) << "the rest is reached by scrolling";
    const QSize before = m_page.view()->resultArea()->size();
    EXPECT_GE(m_page.view()->resultPicture().width(), area->widget()->minimumSizeHint().width())
        << "and is in a picture";
    EXPECT_EQ(m_page.view()->resultArea()->size(), before);
}

TEST_F(LabTest, ACsvHasTheSameNumbersInEveryLanguage) {
    const QLocale before;
    const auto csv = [this](QLocale::Language language) {
        QLocale::setDefault(QLocale(language));
        m_page.showExperiment(QStringLiteral("paging"));
        const auto result = runNow();
        return result ? labToCsv(*result) : QByteArray();
    };
    const QByteArray english = csv(QLocale::English), german = csv(QLocale::German);
    QLocale::setDefault(before);
    EXPECT_TRUE(english.contains("3.76\xC2\xA0MiB")) << english.constData();
    EXPECT_EQ(german, english);
}

TEST_F(LabTest, ResultsAreSavedReopenedAndExported) {
    m_page.showExperiment(QStringLiteral("paging"));
    m_page.view()->setGuess(QStringLiteral("waste"), QStringLiteral("90"));
    m_page.view()->setGuess(QStringLiteral("fit"), QStringLiteral("10"));
    const auto result = runNow();
    ASSERT_TRUE(result);
    m_stage.dialogs.saved = m_stage.dir.filePath(QStringLiteral("result.json"));
    m_page.exportAs(LabPage::Export::json);
    const auto back = labFromJson(labToJson(*result));
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(labToJson(*back), labToJson(*result));
    m_page.showExperiment(QStringLiteral("policies"));
    m_stage.dialogs.files = {m_stage.dialogs.saved};
    openNow();
    EXPECT_EQ(m_page.view()->result()->experiment, QStringLiteral("paging"));
    EXPECT_EQ(m_page.view()->guesses().value(QStringLiteral("waste")), QStringLiteral("90"));
    EXPECT_EQ(m_page.view()->result()->conclusion, result->conclusion);
    m_stage.dialogs.saved = m_stage.dir.filePath(QStringLiteral("result.png"));
    m_page.exportAs(LabPage::Export::png);
    QImage picture(m_stage.dialogs.saved);
    EXPECT_GT(picture.width(), 400);
    m_stage.dialogs.saved = m_stage.dir.filePath(QStringLiteral("result.csv"));
    m_page.exportAs(LabPage::Export::csv);
    QFile csv(m_stage.dialogs.saved);
    ASSERT_TRUE(csv.open(QIODevice::ReadOnly));
    EXPECT_TRUE(csv.readAll().contains("Reserved"));
}

TEST_F(LabTest, GuessesReopenInAnotherLanguage) {
    m_page.showExperiment(QStringLiteral("policies"));
    const QMap<QString, QString> chosen{{"ttft", "better"}, {"tpot", "same"}, {"e2e", "worse"}, {"goodput", "better"},
        {"kv", "worse"}, {"use", "same"}};
    for (auto it = chosen.cbegin(); it != chosen.cend(); ++it)
        m_page.view()->setGuess(it.key(), it.value());
    ASSERT_TRUE(runNow());
    m_stage.dialogs.saved = m_stage.dir.filePath(QStringLiteral("guesses.json"));
    m_page.exportAs(LabPage::Export::json);
    m_page.showExperiment(QStringLiteral("paging"));
    m_page.view()->setGuess(QStringLiteral("waste"), QStringLiteral("47.5"));
    m_page.view()->setGuess(QStringLiteral("fit"), QStringLiteral("10"));
    ASSERT_TRUE(runNow());
    m_stage.dialogs.saved = m_stage.dir.filePath(QStringLiteral("numbers.json"));
    m_page.exportAs(LabPage::Export::json);

    const vitrine::testing::Marking other;
    const QLocale before;
    QLocale::setDefault(QLocale(QLocale::German));
    { // a window is made anew when the language changes
        LabRuns runs(m_stage.client, m_stage.snapshots);
        LabPage page({m_stage.theme, m_stage.client, m_stage.steps, m_stage.dialogs, runs});
        const auto open = [&](const char* name) {
            m_stage.dialogs.files = {m_stage.dir.filePath(QLatin1String(name))};
            QSignalSpy opened(&page, &LabPage::opened);
            page.open();
            EXPECT_TRUE(Stage::waitFor([&] { return opened.count() == 1; }));
        };
        open("guesses.json");
        EXPECT_EQ(page.view()->guesses(), chosen);
        open("numbers.json");
        EXPECT_EQ(page.view()->guesses().value(QStringLiteral("waste")), QStringLiteral("47.5"));
    }
    QLocale::setDefault(before);
}

/// Saved in one language and opened in another: words, numbers and dates are of the second one.
TEST_F(LabTest, ResultsReopenInAnotherLanguage) {
    const auto run = [this](const QString& name) {
        m_page.showExperiment(name);
        for (const char* guess : {"ttft", "tpot", "e2e", "goodput", "kv", "use"})
            m_page.view()->setGuess(QLatin1String(guess), QStringLiteral("better"));
        for (const char* guess : {"waste", "fit"})
            m_page.view()->setGuess(QLatin1String(guess), QStringLiteral("1234.5"));
        LabResult result = *runNow();
        result.time = QDateTime(QDate(2026, 12, 1), QTime(13, 0));
        return result;
    };
    for (const char* name : {"policies", "paging"}) {
        const bool isPaging = QLatin1String(name) == QLatin1String("paging");
        const LabResult english = run(QLatin1String(name));
        const QByteArray file = labToJson(english), csv = labToCsv(english);
        const vitrine::testing::InLanguage language(QStringLiteral("de"));
        ASSERT_TRUE(language.isLoaded());
        EXPECT_EQ(labToJson(run(QLatin1String(name))).toStdString(), file.toStdString()) << "no language is in it";
        const auto opened = labFromJson(file);
        ASSERT_TRUE(opened);
        EXPECT_EQ(labToJson(*opened), file);
        m_page.view()->setResult(std::make_shared<const LabResult>(*opened));
        const auto labels = m_page.view()->resultArea()->findChildren<QLabel*>();
        const auto shows = [&](const QString& text) {
            return std::any_of(labels.begin(), labels.end(), [&](const QLabel* one) { return one->text() == text; });
        };
        EXPECT_TRUE(shows(isPaging ? QStringLiteral("Reserviert") : QStringLiteral("Statisch")));
        EXPECT_TRUE(shows(isPaging ? QStringLiteral("3,76\u00A0MiB") : QStringLiteral("0,52")));
        EXPECT_NE(labToCsv(*opened), csv) << "its words";
        EXPECT_EQ(labToCsv(*opened).contains("3.76\xC2\xA0MiB"), csv.contains("3.76\xC2\xA0MiB")) << "its numbers";
    }
}

TEST_F(LabTest, AFileOfTheFirstVersionOpensAsItWasWorded) {
    const auto result = labFromJson(R"({"vitrine_experiment": 1, "experiment": "paging", "locale": "de_DE",
        "columns": ["Dicht"], "measures": [{"name": "Reserviert", "values": ["1.234,5 MiB"]}], "notes": ["Gesehen."]})");
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->measures[0].name, QStringLiteral("Reserviert"));
    EXPECT_TRUE(labToCsv(*result).contains("Reserviert,,,1234.5 MiB")) << labToCsv(*result).constData();
}

/// The table of answers grows when it is laid out: everything else was squeezed into the height of before.
TEST_F(LabTest, AResultIsAsHighAsItNeeds) {
    LabResult result;
    result.experiment = QStringLiteral("quantization");
    result.columns = {QStringLiteral("Weights")};
    for (int i = 0; i < 5; ++i)
        result.measures.push_back({QStringLiteral("Type %1").arg(i), {}, {}, {QStringLiteral("1")}, {}, {}, {}});
    LabTable answers{QStringLiteral("Answers"), {QStringLiteral("Type"), QStringLiteral("Prompt")}, {}};
    for (int i = 0; i < 5; ++i)
        answers.rows.push_back({QStringLiteral("Type"), QStringLiteral("many words to wrap ").repeated(60)});
    result.tables = {answers};
    LabChart chart;
    chart.kind = LabChart::Kind::bars;
    chart.title = QStringLiteral("Perplexity");
    LabSeries bars{QStringLiteral("perplexity"), {}, false};
    for (int i = 0; i < 5; ++i) {
        chart.categories += QStringLiteral("Type %1").arg(i);
        bars.points.emplace_back(i, 20);
    }
    chart.series = {bars};
    result.charts = {chart};
    result.notes = {QStringLiteral("A long note of many words. ").repeated(12)};
    result.conclusion = QStringLiteral("A conclusion of some words. ").repeated(6);
    m_stage.dialogs.files = {m_stage.dir.filePath(QStringLiteral("answers.json"))};
    QFile file(m_stage.dialogs.files.first());
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(labToJson(result));
    file.close();
    openNow();
    EXPECT_GE(m_page.view()->height(), m_page.view()->layout()->totalHeightForWidth(m_page.view()->width()))
        << "at once: what is painted now is not squeezed";
    for (const int percent : {100, 200}) {
        m_stage.theme.setTextPercent(percent);
        QTest::qWait(100);
        const auto isWhole = [&] {
            return m_page.view()->height() >= m_page.view()->layout()->totalHeightForWidth(m_page.view()->width());
        };
        EXPECT_TRUE(QTest::qWaitFor(isWhole)) << percent << " %"; // layouts settle in turns of the event loop
        const auto* table = m_page.view()->findChild<QTableWidget*>();
        EXPECT_GE(m_page.view()->resultArea()->height(), table->geometry().bottom())
            << percent << " %, needed "
            << m_page.view()->resultArea()->layout()->totalHeightForWidth(m_page.view()->resultArea()->width())
            << ", least " << m_page.view()->resultArea()->layout()->totalMinimumSize().height();
        EXPECT_GE(table->viewport()->height(), table->verticalHeader()->length());
        for (const QLabel* label : m_page.view()->resultArea()->findChildren<QLabel*>())
            EXPECT_TRUE(label->isHidden() || label->height() >= label->fontMetrics().height())
                << qPrintable(label->text());
    }
}

/// Runs until it is let go or stopped.
class SlowExperiment final : public Experiment {
public:
    std::atomic<bool> mayEnd{false};

    [[nodiscard]] QString name() const override { return QStringLiteral("paging"); }
    [[nodiscard]] QString title() const override { return QStringLiteral("Slow"); }
    [[nodiscard]] QString question() const override { return {}; }
    [[nodiscard]] std::vector<LabControl> controls(const LabFacts&) const override { return {}; }
    [[nodiscard]] std::vector<LabGuess> guesses() const override { return {}; }
    [[nodiscard]] QString missing(const LabFacts&) const override { return {}; }
    [[nodiscard]] Result<LabResult> run(const LabRun& run) const override {
        run.progress(QStringLiteral("half"), 0.5);
        while (!mayEnd)
            QTest::qSleep(1);
        return LabResult{};
    }
};

TEST_F(LabTest, ARunGoesOnWhenItsPageGoesAndThePageThatFollowsShowsIt) {
    const auto makePage = [this] {
        auto page = std::make_unique<LabPage>(
            LabPage::Context{m_stage.theme, m_stage.client, m_stage.steps, m_stage.dialogs, m_runs});
        page->show();
        return page;
    };
    auto page = makePage();
    page->showExperiment(QStringLiteral("paging"));
    page->view()->setGuess(QStringLiteral("waste"), QStringLiteral("47.5"));
    page->useRecording(std::make_shared<SessionHistory>(), QStringLiteral("night.json"));
    const auto slow = std::make_shared<SlowExperiment>();
    m_runs.start(slow, {}, page->view()->filled());
    ASSERT_TRUE(Stage::waitFor([&] { return m_runs.fraction() == 0.5; }));
    page.reset();
    page = makePage(); // in another language
    EXPECT_TRUE(page->isRunning());
    EXPECT_TRUE(page->hasRecording());
    EXPECT_EQ(page->view()->guesses().value(QStringLiteral("waste")), QStringLiteral("47.5")) << "the same experiment";
    const auto* progress = page->view()->findChild<QProgressBar*>();
    EXPECT_EQ(progress->value(), 500);
    EXPECT_FALSE(progress->isHidden());
    page.reset();
    slow->mayEnd = true;
    ASSERT_TRUE(Stage::waitFor([&] { return !m_runs.isRunning(); })) << "it ends with nobody there";
    page = makePage();
    EXPECT_FALSE(page->isRunning());
    ASSERT_TRUE(page->view()->result()) << "what it found is not lost";
    EXPECT_EQ(page->view()->result()->guesses.value(QStringLiteral("waste")), QStringLiteral("47.5"));
}

TEST_F(LabTest, AnExperimentOpenedWhileAnotherRunsHasItsControls) {
    const auto slow = std::make_shared<SlowExperiment>();
    m_runs.start(slow, {}, {});
    m_page.showExperiment(QStringLiteral("capacity"));
    EXPECT_FALSE(m_page.view()->settings().isEmpty());
    slow->mayEnd = true;
    EXPECT_TRUE(Stage::waitFor([&] { return !m_runs.isRunning(); }));
}

TEST_F(LabTest, TakesTheRequestsOfARecording) {
    SessionHistory session; // of two requests, at most two at once, 96 prompt tokens in one step
    StepRecord step;
    step.step = 1;
    step.start_us = 1'000'000;
    step.forward_us = 40'000;
    step.decode_rows = step.running = 2;
    session.add(step);
    step.step = 2;
    step.start_us = 1'050'000;
    step.prefill_tokens = 96;
    session.add(step);
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->model = m_stage.engine.snapshot()->model;
    snapshot->engine_us = 1'100'000;
    for (std::uint32_t i = 1; i <= 2; ++i) {
        SequenceStatus status;
        status.sequence = i;
        status.request = RequestId{i};
        status.prompt_tokens = 40;
        status.output_tokens = 7;
        snapshot->sequences.push_back(status);
    }
    session.add(snapshot);
    m_stage.dialogs.files = {m_stage.dir.filePath(QStringLiteral("night.json"))};
    QFile file(m_stage.dialogs.files.first());
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(sessionToJson(session));
    file.close();
    m_page.showExperiment(QStringLiteral("policies"));
    openNow();
    ASSERT_TRUE(m_page.hasRecording());
    m_page.view()->setSettings({{QStringLiteral("trace"), 1}});
    for (const char* name : {"ttft", "tpot", "e2e", "goodput", "kv", "use"})
        m_page.view()->setGuess(QLatin1String(name), QStringLiteral("better"));
    const auto result = runNow();
    ASSERT_TRUE(result);
    EXPECT_EQ(result->tables.back().rows.size(), 2U);
    EXPECT_EQ(result->tables.back().rows[0][2], QStringLiteral("40"));
    EXPECT_EQ(result->tables.back().rows[0][3], QStringLiteral("7"));
    EXPECT_TRUE(result->notes.first().text().startsWith(QStringLiteral("2 places, 96 prompt tokens a tick, tick 40.0")))
        << qPrintable(result->notes.first().text());
    m_page.useRecording(nullptr, {});
    EXPECT_FALSE(m_page.hasRecording());
}

TEST_F(LabTest, RefusesDamagedFilesWithASentence) {
    m_stage.dialogs.files = {m_stage.dir.filePath(QStringLiteral("bad.json"))};
    for (const char* text :
        {"", "{}", "[1]", R"({"vitrine_experiment": 1, "experiment": "alchemy"})",
            R"({"vitrine_experiment": 1, "experiment": "paging", "charts": [{"kind": 9}]})",
            R"({"vitrine_experiment": 2, "experiment": "paging", "conclusion": {"as": "verse", "text": "x"}})",
            R"({"vitrine_experiment": 2, "experiment": "paging", "notes": [{"as": "count", "number": 1e300}]})",
            R"({"vitrine_experiment": 1, "experiment": "policies", "charts": [{"kind": 2, "spans": [[5, 0, 1, 0, ""]]}]})"}) {
        QFile file(m_stage.dialogs.files.first());
        ASSERT_TRUE(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(text);
        file.close();
        const auto before = m_stage.dialogs.asked.size();
        openNow();
        EXPECT_EQ(m_stage.dialogs.asked.size(), before + 2) << text; // the file dialog and the message
    }
}

TEST_F(LabTest, EngineExperimentsSayWhatIsMissing) {
    m_stage.client.unload();
    m_stage.snapshots.pollNow();
    for (const char* name : {"prefix", "kvcache", "speculation", "quantization"}) {
        m_page.showExperiment(QLatin1String(name));
        EXPECT_FALSE(m_page.view()->canRun()) << name;
    }
}

TEST_F(LabTest, EveryControlHasAnAccessibleName) {
    for (const char* name : {"policies", "paging", "capacity", "prefix", "kvcache", "speculation", "quantization"}) {
        m_page.showExperiment(QLatin1String(name));
        int controls = 0;
        for (const QWidget* child : m_page.view()->findChildren<QWidget*>()) {
            const auto* button = qobject_cast<const QAbstractButton*>(child);
            const bool isPart = qobject_cast<const QAbstractSpinBox*>(child->parent()) != nullptr;
            const bool isField = qobject_cast<const QAbstractSpinBox*>(child) != nullptr ||
                qobject_cast<const QComboBox*>(child) != nullptr || qobject_cast<const QLineEdit*>(child) != nullptr;
            if (isPart || (button == nullptr && !isField))
                continue;
            ++controls;
            EXPECT_FALSE(child->accessibleName().isEmpty() && (button == nullptr || button->text().isEmpty()))
                << name << ' ' << child->metaObject()->className();
        }
        EXPECT_GT(controls, 3);
    }
}

TEST(LabChange, CountsTwoPercentAsTheSame) {
    EXPECT_EQ(changeOf(100, 101, true), QStringLiteral("same"));
    EXPECT_EQ(changeOf(100, 90, true), QStringLiteral("better"));
    EXPECT_EQ(changeOf(100, 90, false), QStringLiteral("worse"));
    EXPECT_EQ(changeOf(INFINITY, 1, true), QStringLiteral("better"));
    EXPECT_EQ(changeOf(0, 0, true), QStringLiteral("same"));
}

} // namespace
} // namespace vitrine::ui
