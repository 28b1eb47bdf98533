// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/frame: the strip repaints on change only, every page is reached by keys, every control by Tab.
#include "ui/frame/main_window.h"
#include "ui/frame/pulse_strip.h"

#include "tests/ui/support/fake_remote.h"
#include "tests/ui/support/stage.h"
#include "ui/bridge/remote_control.h"
#include "ui/frame/command_palette.h"
#include "ui/frame/running_work.h"
#include "ui/frame/server_dialog.h"
#include "ui/lab/lab_page.h"
#include "ui/models/models_page.h"
#include "ui/settings/settings_page.h"
#include "ui/store/chat_store.h"
#include "ui/widgets/numbers.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QAbstractSlider>
#include <QComboBox>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QScreen>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include <atomic>
#include <set>

namespace vitrine::ui {
namespace {

using vitrine::testing::Stage;

class PulseStripTest : public ::testing::Test {
protected:
    PulseStripTest() : m_strip(m_stage.theme, m_stage.client, m_stage.snapshots, m_stage.endpoint, m_stage.sequences) {
        m_strip.resize(1280, 28);
        m_strip.show();
        (void)QTest::qWaitForWindowExposed(&m_strip);
        QTest::qWait(300);
    }
    /// Paints after a poll of a snapshot that `edit` changed.
    int paintsAfter(const std::function<void(engine::Snapshot&)>& edit) {
        const int before = m_strip.paintCount();
        m_stage.engine.change(edit);
        m_stage.snapshots.pollNow();
        QTest::qWait(400); // longer than the strip's quarter second
        return m_strip.paintCount() - before;
    }
    Stage m_stage;
    PulseStrip m_strip;
};

TEST_F(PulseStripTest, RepaintsOnlyWhenWhatItSaysChanges) {
    m_stage.engine.play_idle();
    ASSERT_TRUE(Stage::waitFor([&] { return m_stage.snapshots.isIdle(); }));
    QTest::qWait(300);
    EXPECT_EQ(paintsAfter([](engine::Snapshot& snapshot) { snapshot.counters.steps += 1; }), 0);
    EXPECT_GE(paintsAfter([](engine::Snapshot& snapshot) { snapshot.block_map[0].state = BlockState::free; }), 1);
}

TEST_F(PulseStripTest, PaintsNothingWhileHidden) {
    m_strip.hide();
    EXPECT_EQ(paintsAfter([](engine::Snapshot& snapshot) { snapshot.running = 7; }), 0);
}

TEST_F(PulseStripTest, SaysWhatTheSnapshotSays) {
    m_stage.snapshots.pollNow();
    QTest::qWait(300);
    EXPECT_EQ(m_strip.state().activeBlocks, 412);
    EXPECT_EQ(m_strip.state().totalBlocks, 1024);
    EXPECT_EQ(m_strip.state().squares.size(), 4U);
    EXPECT_EQ(m_strip.state().accepted, QStringLiteral("2.7"));
    EXPECT_FALSE(m_strip.state().pressure());
    EXPECT_TRUE(m_strip.textTwin().contains(QStringLiteral("412 of 1024 KV blocks")));
}

TEST_F(PulseStripTest, SegmentsAreFollowedByKeys) {
    QSignalSpy activated(&m_strip, &PulseStrip::segmentActivated);
    m_strip.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&m_strip));
    m_strip.clearFocus();
    m_strip.setFocus(Qt::TabFocusReason);
    QTest::keyClick(&m_strip, Qt::Key_Right);
    QTest::keyClick(&m_strip, Qt::Key_Return);
    ASSERT_EQ(activated.count(), 1);
    EXPECT_EQ(activated[0][0].value<PulseStrip::Segment>(), PulseStrip::Segment::kv);
}

/// The last of five digits is painted, not an ellipsis: it was cut from 10000 on.
TEST_F(PulseStripTest, APortIsWhole) {
    for (const auto direction : {Qt::LeftToRight, Qt::RightToLeft}) {
        m_strip.setLayoutDirection(direction);
        const auto picture = [&](quint16 port) {
            EndpointSettings settings;
            settings.port = port;
            m_stage.endpoint.start(settings);
            QTest::qWait(400);
            EXPECT_EQ(m_strip.state().serverPort, port);
            const QImage image = m_strip.grab().toImage();
            m_stage.endpoint.stop();
            return image;
        };
        EXPECT_NE(picture(65'531), picture(65'534)) << direction;
    }
}

TEST(ServerDialogTest, GrowsForALongAnswerInsteadOfPressingItsFields) {
    Stage stage;
    testing::FakeRemote remote;
    auto* dialog = new ServerDialog(stage.theme, remote, {}, nullptr); // goes when it is closed
    dialog->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(dialog));
    const auto fields = dialog->findChildren<QLineEdit*>();
    fields[0]->setText(QStringLiteral("https://gpu7:8443"));
    QAbstractButton* ask = nullptr;
    for (QAbstractButton* button : dialog->findChildren<QAbstractButton*>())
        if (button->text() == QStringLiteral("Ask the server"))
            ask = button;
    ASSERT_NE(ask, nullptr);
    ask->click();
    ServerProbe probe;
    probe.ticket = 7;
    probe.error = {ErrorCode::io,
        "the certificate of gpu7:8443 is not trusted: The certificate is self-signed, and untrusted",
        "Add the certificate of its authority to those of this system, or use the name the certificate is for."};
    emit remote.probed(probe);
    QTest::qWait(20);
    for (const QLineEdit* field : fields)
        EXPECT_GE(field->height(), field->sizeHint().height()) << field->accessibleName().toStdString();
    bool isSaid = false;
    for (const QLabel* label : dialog->findChildren<QLabel*>())
        isSaid = isSaid ||
            (label->text().startsWith(QStringLiteral("The certificate of")) &&
                label->height() >= label->heightForWidth(label->width()));
    EXPECT_TRUE(isSaid) << "whole, and as a sentence";
    dialog->close();
}

TEST(RunningWorkTest, SaysWhatAQuitWouldEndAndNothingWhenNothingRuns) {
    Stage stage;
    ChatStore store(stage.dataDir);
    std::atomic<bool> mayEnd{false};
    std::atomic<QuantizationPhase> phase{QuantizationPhase::writing};
    RunningWork work(stage.client, store, stage.snapshots, stage.dataDir,
        [&](const QuantizationTask&, const QuantizationRun& run) -> Result<QuantizationResult> {
            while (!mayEnd) {
                run.progress({phase, 500'000, 2'000'000});
                QTest::qSleep(5);
            }
            return QuantizationResult{};
        });
    stage.engine.play_empty();
    stage.snapshots.pollNow();
    EXPECT_TRUE(work.wouldEnd().isEmpty()) << qPrintable(work.wouldEnd().join(u'|'));
    QuantizationTask task;
    task.target = "/somewhere/own.gguf";
    work.quantization.start(task);
    const auto says = [&](const QString& text) {
        return Stage::waitFor([&] { return work.wouldEnd().value(0).contains(text); });
    };
    EXPECT_TRUE(says(QStringLiteral("own.gguf is being quantized, %1 written; nothing of it").arg(percentText(0.25))))
        << qPrintable(work.wouldEnd().value(0));
    phase = QuantizationPhase::judging;
    EXPECT_TRUE(says(QStringLiteral("own.gguf is written and stays")));
    mayEnd = true;
    EXPECT_TRUE(Stage::waitFor([&] { return work.wouldEnd().isEmpty(); }));
}

TEST(RunningWorkTest, CountsRequestsOfOtherProgramsThatStillRun) {
    Stage stage;
    ChatStore store(stage.dataDir);
    RunningWork work(stage.client, store, stage.snapshots, stage.dataDir);
    stage.engine.change([](engine::Snapshot& snapshot) {
        snapshot.sequences.clear();
        for (const auto source : {RequestSource::api, RequestSource::api, RequestSource::chat}) {
            SequenceStatus sequence;
            sequence.source = source;
            sequence.state = snapshot.sequences.empty() ? SequenceState::finished : SequenceState::decode;
            snapshot.sequences.push_back(sequence);
        }
    });
    stage.snapshots.pollNow();
    ASSERT_EQ(work.wouldEnd().size(), 1);
    EXPECT_TRUE(work.wouldEnd()[0].startsWith(QStringLiteral("1 request"))) << qPrintable(work.wouldEnd()[0]);
}

class MainWindowTest : public ::testing::Test {
protected:
    MainWindowTest()
        : m_store(m_stage.dataDir), m_work(m_stage.client, m_store, m_stage.snapshots, m_stage.dataDir),
          m_window({m_stage.theme, m_stage.client, m_stage.snapshots, m_stage.steps, m_stage.endpoint, m_store,
              m_stage.settings, m_stage.dialogs, m_stage.dataDir, m_work}) {
        m_window.resize(1280, 800);
        m_window.show();
        m_window.activateWindow();
        (void)QTest::qWaitForWindowActive(&m_window);
    }
    Stage m_stage;
    ChatStore m_store;
    RunningWork m_work;
    MainWindow m_window;
};

TEST_F(MainWindowTest, KeysReachEveryPage) {
    const std::pair<Qt::Key, const char*> pages[] = {{Qt::Key_2, "models"}, {Qt::Key_3, "engine"},
        {Qt::Key_5, "server"}, {Qt::Key_Comma, "settings"}, {Qt::Key_1, "chat"}};
    for (const auto& [key, name] : pages) {
        QTest::keyClick(&m_window, key, Qt::ControlModifier);
        EXPECT_EQ(m_window.page(), QLatin1String(name));
    }
    EXPECT_FALSE(m_window.showPage(QStringLiteral("attic"))) << "a page that does not exist is not offered";
}

TEST_F(MainWindowTest, DroppedModelFileOpensOnTheModelsPage) {
    QMimeData data;
    const QString path = m_stage.dataDir + QStringLiteral("/models/SmolLM2-135M-Instruct.Q4_1.gguf");
    data.setUrls({QUrl::fromLocalFile(path)});
    QDragEnterEvent enter(QPoint(20, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&m_window, &enter);
    EXPECT_TRUE(enter.isAccepted());
    QDropEvent drop(QPointF(20, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&m_window, &drop);
    EXPECT_EQ(m_window.page(), QStringLiteral("models"));
    EXPECT_TRUE(drop.isAccepted());
}

TEST_F(MainWindowTest, AWindowThatWasClosedOnALargerScreenFitsThisOne) {
    QWidget large;
    large.setGeometry(0, 0, 5'000, 4'000);
    m_stage.settings.set(keys::kWindowGeometry, QString::fromLatin1(large.saveGeometry().toBase64()));
    MainWindow window({m_stage.theme, m_stage.client, m_stage.snapshots, m_stage.steps, m_stage.endpoint, m_store,
        m_stage.settings, m_stage.dialogs, m_stage.dataDir, m_work});
    const QSize room = window.screen()->availableSize();
    EXPECT_LE(window.width(), room.width());
    EXPECT_LE(window.height(), room.height());
}

TEST_F(MainWindowTest, AWindowThatStoodFurtherOutIsWholeOnThisScreen) {
    const QRect all = m_window.screen()->availableGeometry();
    m_window.setGeometry(QRect(all.center(), QSize(700, 560)));
    m_window.rememberPlace();
    MainWindow window({m_stage.theme, m_stage.client, m_stage.snapshots, m_stage.steps, m_stage.endpoint, m_store,
        m_stage.settings, m_stage.dialogs, m_stage.dataDir, m_work});
    window.show();
    EXPECT_TRUE(all.contains(window.geometry()))
        << window.x() << ", " << window.y(); // the frame's bars are not known before
    EXPECT_EQ(window.size(), QSize(700, 560));
}

TEST_F(MainWindowTest, PaletteFindsAPageAndGoesThere) {
    QTest::keyClick(&m_window, Qt::Key_K, Qt::ControlModifier);
    auto* palette = m_window.findChild<CommandPalette*>();
    ASSERT_TRUE(palette->isVisible());
    const int all = palette->shownCount();
    auto* edit = palette->findChild<QLineEdit*>();
    QTest::keyClicks(edit, QStringLiteral("engine"));
    EXPECT_LT(palette->shownCount(), all);
    QTest::keyClick(edit, Qt::Key_Return);
    EXPECT_FALSE(palette->isVisible());
    EXPECT_EQ(m_window.page(), QStringLiteral("engine"));
}

TEST_F(MainWindowTest, MakesAPageWhenItIsFirstShown) {
    EXPECT_EQ(m_window.page(), QStringLiteral("chat"));
    EXPECT_EQ(m_window.findChild<LabPage*>(), nullptr) << "a start waits for no page that is not shown";
    EXPECT_EQ(m_window.findChild<ModelsPage*>(), nullptr);
    EXPECT_EQ(m_window.findChild<SettingsPage*>(), nullptr);
    m_window.showPage(QStringLiteral("lab"));
    auto* lab = m_window.findChild<LabPage*>();
    ASSERT_NE(lab, nullptr);
    EXPECT_TRUE(lab->isVisible());
    m_window.showPage(QStringLiteral("chat"));
    m_window.showPage(QStringLiteral("lab"));
    EXPECT_EQ(m_window.findChildren<LabPage*>(), QList<LabPage*>{lab});
}

TEST_F(MainWindowTest, ServerKeySwitchesAServerWhosePageWasNeverShown) {
    QTest::keyClick(&m_window, Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(m_stage.endpoint.state(), EndpointControl::State::running);
    EXPECT_EQ(m_window.page(), QStringLiteral("chat"));
}

TEST_F(MainWindowTest, PaletteChangesTheSchemeAndSaysWhenNothingIsFound) {
    QTest::keyClick(&m_window, Qt::Key_K, Qt::ControlModifier);
    auto* palette = m_window.findChild<CommandPalette*>();
    auto* edit = palette->findChild<QLineEdit*>();
    QTest::keyClicks(edit, QStringLiteral("zzzz"));
    EXPECT_EQ(palette->shownCount(), 0);
    bool isSaid = false;
    for (const QLabel* label : palette->findChildren<QLabel*>())
        isSaid = isSaid || (label->isVisible() && label->text().contains(QStringLiteral("“zzzz”")));
    EXPECT_TRUE(isSaid);
    edit->clear();
    QTest::keyClicks(edit, QStringLiteral("dark"));
    QTest::keyClick(edit, Qt::Key_Return);
    EXPECT_EQ(m_stage.settings.value(keys::kTheme), QStringLiteral("dark"));
    EXPECT_EQ(m_stage.theme.scheme(), Scheme::dark);
}

TEST_F(MainWindowTest, PaletteNamesModelsThatAreFoundWhileItIsOpen) {
    ASSERT_EQ(m_window.findChild<ModelsPage*>(), nullptr);
    QTest::keyClick(&m_window, Qt::Key_K, Qt::ControlModifier);
    auto* palette = m_window.findChild<CommandPalette*>();
    QTest::keyClicks(palette->findChild<QLineEdit*>(), QStringLiteral("smollm2"));
    auto* list = palette->findChild<QListWidget*>();
    ASSERT_TRUE(Stage::waitFor([&] { return list->count() > 0; }));
    EXPECT_TRUE(list->item(0)->text().contains(QStringLiteral("SmolLM2"))) << list->item(0)->text().toStdString();
    QTest::keyClick(palette->findChild<QLineEdit*>(), Qt::Key_Return);
    EXPECT_EQ(m_window.page(), QStringLiteral("models"));
}

/// Controls a hand can use; scroll bars and parts of other controls are reached through their owner.
bool isControl(const QWidget* widget) {
    if (!widget->isVisible() || !widget->isEnabled() || qobject_cast<const QScrollBar*>(widget))
        return false;
    if (qobject_cast<const QLineEdit*>(widget->parentWidget()) || widget->inherits("QSpinBoxLineEdit") ||
        widget->objectName() == QLatin1String("qt_spinbox_lineedit"))
        return false;
    return qobject_cast<const QAbstractButton*>(widget) || qobject_cast<const QLineEdit*>(widget) ||
        qobject_cast<const QAbstractSlider*>(widget) || qobject_cast<const QComboBox*>(widget);
}

TEST_F(MainWindowTest, EveryControlHasANameAndIsReachedByTab) {
    for (const char* page : {"models", "engine", "server", "settings"}) {
        m_window.showPage(QLatin1String(page));
        m_window.showPage(QLatin1String(page));
        QTest::qWait(100);
        std::set<QWidget*> reached;
        for (int i = 0; i < 400; ++i) {
            QTest::keyClick(m_window.focusWidget() != nullptr ? m_window.focusWidget() : &m_window, Qt::Key_Tab);
            if (m_window.focusWidget() != nullptr && !reached.insert(m_window.focusWidget()).second && i > 200)
                break;
        }
        for (QWidget* widget : m_window.findChildren<QWidget*>()) {
            if (!isControl(widget))
                continue;
            const auto* button = qobject_cast<QAbstractButton*>(widget);
            const QString name =
                widget->accessibleName().isEmpty() && button ? button->text() : widget->accessibleName();
            EXPECT_FALSE(name.isEmpty()) << page << ": " << widget->metaObject()->className();
            // Of exclusive buttons one is a tab stop, arrows reach the others.
            const bool grouped = button && button->isCheckable() && (button->group() || button->autoExclusive());
            EXPECT_TRUE(reached.count(widget) == 1 || grouped) << page << ": " << name.toStdString();
        }
    }
}

TEST_F(MainWindowTest, TextSizeFollowsTheKeysAndIsRemembered) {
    QTest::keyClick(&m_window, Qt::Key_Plus, Qt::ControlModifier);
    EXPECT_EQ(m_stage.theme.textPercent(), 110);
    EXPECT_EQ(m_stage.settings.value(keys::kTextSizePercent), 110);
    QTest::keyClick(&m_window, Qt::Key_0, Qt::ControlModifier);
    EXPECT_EQ(m_stage.theme.textPercent(), 100);
}

} // namespace
} // namespace vitrine::ui
