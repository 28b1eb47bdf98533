// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/models: quantizing from the Models page: form, progress, cancel, report.
#include "ui/models/downloads.h"
#include "ui/models/model_details.h"
#include "ui/models/models_page.h"
#include "ui/models/quality_view.h"
#include "ui/models/quantize_panel.h"

#include "tests/ui/support/stage.h"
#include "ui/widgets/error_banner.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QTableView>
#include <QTest>

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>

namespace vitrine::ui {
namespace {

using vitrine::testing::Stage;

QuantizationResult judged_result() {
    QuantizationResult result;
    result.written.bytes_before = 400'000'000;
    result.written.bytes_after = 100'000'000;
    result.written.bits_per_weight = 4.8;
    result.written.tensors = {
        {"blk.0.attn_q.weight", "f16", "q4_k", 64, 36, 0.07}, {"blk.1.attn_q.weight", "f16", "q4_k", 64, 36, 0.09}};
    QualityReport quality;
    quality.num_positions = 512;
    quality.mean_kl = 0.0123;
    quality.kl_999 = 0.4;
    quality.top1_agreement = 0.95;
    quality.answers.push_back({"Why?", "Because.", "Perhaps because."});
    result.quality = quality;
    return result;
}

/// Does what the test lets it do.
struct FakeJob {
    std::mutex mutex;
    QuantizationTask task; // guarded
    std::atomic<bool> mayEnd{false};

    Result<QuantizationResult> operator()(const QuantizationTask& given, const QuantizationRun& run) {
        {
            const std::scoped_lock lock(mutex);
            task = given;
        }
        run.progress({QuantizationPhase::writing, 1'000'000, 2'000'000});
        while (!mayEnd && !run.stop.stop_requested())
            QTest::qSleep(1);
        if (run.stop.stop_requested())
            return fail(ErrorCode::cancelled, "quantizing was cancelled", "Nothing was written.");
        QFile file(QString::fromStdString(given.target));
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        return judged_result();
    }
};

class QuantizeTest : public ::testing::Test {
protected:
    QuantizeTest() { makePage(); }
    void makePage() {
        m_page = std::make_unique<ModelsPage>(ModelsPage::Context{m_stage.theme, m_stage.client, m_stage.settings,
            m_stage.dialogs, m_stage.dataDir, m_downloads, m_runner, m_opened});
        m_page->resize(1200, 800);
        m_page->show();
    }
    template <class Widget>
    Widget* named(const QString& name) {
        for (Widget* widget : m_page->findChildren<Widget*>())
            if (widget->accessibleName() == name)
                return widget;
        return nullptr;
    }
    QPushButton* button(const QString& text) {
        for (QPushButton* button : m_page->findChildren<QPushButton*>())
            if (button->text() == text && button->isVisible())
                return button;
        return nullptr;
    }
    /// From the details of a small model to its panel.
    bool openPanel() {
        const QString path = m_stage.dataDir + QStringLiteral("/models/SmolLM2-135M-Instruct.Q4_1.gguf");
        m_page->openFile(path);
        if (!Stage::waitFor([&] { return m_page->details().path() == path && button(QStringLiteral("Quantize")); }))
            return false;
        button(QStringLiteral("Quantize"))->click();
        return m_page->findChild<QuantizePanel*>()->isVisible();
    }
    Stage m_stage;
    FakeJob m_job;
    QuantizationRunner m_runner{
        [this](const QuantizationTask& task, const QuantizationRun& run) { return m_job(task, run); }};
    OpenedModels m_opened;
    Downloads m_downloads{m_stage.dataDir + QStringLiteral("/models")};
    std::unique_ptr<ModelsPage> m_page;
};

TEST_F(QuantizeTest, WritesAModelAndShowsWhatItCost) {
    ASSERT_TRUE(openPanel());
    auto* panel = m_page->findChild<QuantizePanel*>();
    auto* target = named<QLineEdit>(QStringLiteral("Written to"));
    EXPECT_TRUE(target->text().endsWith(QStringLiteral("SmolLM2-135M-Instruct-Q4_K_M.gguf")))
        << target->text().toStdString();
    button(QStringLiteral("Quantize"))->click();
    ASSERT_TRUE(panel->isRunning());
    auto* bar = named<QProgressBar>(QStringLiteral("Progress of the quantization"));
    ASSERT_TRUE(Stage::waitFor([&] { return bar->value() == 500; }));
    EXPECT_TRUE(bar->isVisible());
    EXPECT_FALSE(target->isEnabled()) << "a running job keeps its form";
    m_job.mayEnd = true;
    ASSERT_TRUE(Stage::waitFor([&] { return !panel->isRunning(); }));
    auto* view = m_page->findChild<QualityView*>();
    ASSERT_TRUE(Stage::waitFor([&] { return view->isVisible(); }));
    EXPECT_EQ(m_job.task.type, "q4_k_m");
    EXPECT_EQ(m_job.task.method, "rtn");
    EXPECT_TRUE(m_job.task.judged_by.has_value());
    auto* tensors = named<QTableView>(QStringLiteral("Errors of the matrices"));
    EXPECT_EQ(tensors->model()->index(0, 0).data().toString(), QStringLiteral("blk.1.attn_q.weight"));
    EXPECT_EQ(tensors->model()->index(0, 3).data().toString(), QStringLiteral("9.00"));
    auto* figures = named<QTableView>(QStringLiteral("Figures of the report"));
    EXPECT_EQ(figures->model()->index(3, 2).data().toString(), QStringLiteral("0.01230"));
    EXPECT_TRUE(named<QLabel>(QStringLiteral("Three answers, before and after"))
                    ->text()
                    .contains(QStringLiteral("After: Perhaps because.")));
    EXPECT_TRUE(Stage::waitFor([&] { return m_page->list().rowOf(target->text()) >= 0; })) << "and it is in the list";
    EXPECT_FALSE(button(QStringLiteral("Quantize"))->isEnabled()) << "the file is there now";

    m_stage.dialogs.saved = m_stage.dir.filePath(QStringLiteral("report.json"));
    button(QStringLiteral("Save report"))->click();
    QFile report(m_stage.dialogs.saved);
    ASSERT_TRUE(report.open(QIODevice::ReadOnly));
    EXPECT_TRUE(report.readAll().contains("\"mean_kl\": 0.0123"));
}

TEST_F(QuantizeTest, AJobGoesOnWhenItsPageGoesAndThePageThatFollowsShowsIt) {
    ASSERT_TRUE(openPanel());
    auto* target = named<QLineEdit>(QStringLiteral("Written to"));
    target->setText(m_stage.dataDir + QStringLiteral("/models/own.gguf"));
    button(QStringLiteral("Quantize"))->click();
    ASSERT_TRUE(m_runner.isRunning());
    m_page.reset();
    makePage();
    ASSERT_TRUE(openPanel());
    auto* panel = m_page->findChild<QuantizePanel*>();
    EXPECT_TRUE(panel->isRunning());
    EXPECT_EQ(named<QLineEdit>(QStringLiteral("Written to"))->text().section(u'/', -1), QStringLiteral("own.gguf"));
    m_page.reset();
    m_job.mayEnd = true;
    ASSERT_TRUE(Stage::waitFor([&] { return !m_runner.isRunning(); })) << "it ends with nobody there";
    makePage();
    EXPECT_TRUE(m_page->findChild<ErrorBanner*>() != nullptr);
    EXPECT_FALSE(m_page->findChild<QualityView*>()->isHidden()) << "what it cost is not lost";
}

TEST_F(QuantizeTest, CancelSaysThatNothingWasWritten) {
    ASSERT_TRUE(openPanel());
    auto* panel = m_page->findChild<QuantizePanel*>();
    button(QStringLiteral("Quantize"))->click();
    button(QStringLiteral("Cancel"))->click();
    ASSERT_TRUE(Stage::waitFor([&] { return !panel->isRunning(); }));
    auto* banner = panel->findChild<ErrorBanner*>();
    ASSERT_TRUE(Stage::waitFor([&] { return banner->isVisible(); }));
    EXPECT_EQ(banner->kind(), ErrorBanner::Kind::info);
    EXPECT_TRUE(banner->cause().contains(QStringLiteral("Nothing was written.")));
    EXPECT_TRUE(button(QStringLiteral("Quantize"))->isEnabled());
}

TEST_F(QuantizeTest, AMethodThatSeesATextAsksForOne) {
    ASSERT_TRUE(openPanel());
    auto* type = named<QComboBox>(QStringLiteral("Type"));
    auto* method = named<QComboBox>(QStringLiteral("Method"));
    EXPECT_FALSE(method->isEnabled()) << "GGUF types have one";
    type->setCurrentIndex(type->findText(QStringLiteral("INT4, a folder of safetensors")));
    ASSERT_EQ(method->count(), 3);
    method->setCurrentIndex(2);
    EXPECT_TRUE(named<QLineEdit>(QStringLiteral("Written to"))
                    ->text()
                    .endsWith(QStringLiteral("SmolLM2-135M-Instruct-int4-awq")));
    EXPECT_FALSE(button(QStringLiteral("Quantize"))->isEnabled());
    m_stage.dialogs.files = {m_stage.dir.filePath(QStringLiteral("text.txt"))};
    QFile text(m_stage.dialogs.files.first());
    ASSERT_TRUE(text.open(QIODevice::WriteOnly));
    text.write("A page.");
    text.close();
    button(QStringLiteral("Choose a text"))->click();
    ASSERT_TRUE(button(QStringLiteral("Quantize"))->isEnabled());
    m_job.mayEnd = true;
    button(QStringLiteral("Quantize"))->click();
    ASSERT_TRUE(Stage::waitFor([&] { return !m_page->findChild<QuantizePanel*>()->isRunning(); }));
    EXPECT_EQ(m_job.task.method, "awq");
    EXPECT_EQ(m_job.task.calibration_text, "A page.");
}

TEST_F(QuantizeTest, DoesNotWriteOverAFile) {
    ASSERT_TRUE(openPanel());
    auto* target = named<QLineEdit>(QStringLiteral("Written to"));
    target->setText(m_stage.dataDir + QStringLiteral("/models/Qwen3-0.6B.Q8_0.gguf"));
    EXPECT_FALSE(button(QStringLiteral("Quantize"))->isEnabled());
    target->clear();
    EXPECT_FALSE(button(QStringLiteral("Quantize"))->isEnabled());
}

} // namespace
} // namespace vitrine::ui
