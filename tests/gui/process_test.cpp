// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/gui: one process a data directory, and a model that goes when nobody uses it.
#include <QCoreApplication>
#include <QSignalSpy>
#include <QTest>

#include "app/gui/idle_unload.h"
#include "app/gui/single_instance.h"
#include "tests/gui/window_fixture.h"
#include "tests/ui/support/stage.h"

namespace vitrine::testing {

TEST(SingleInstance, ASecondStartHandsItsFileOver) {
    const QTemporaryDir folder;
    app::SingleInstance first(folder.path()), second(folder.path());
    QSignalSpy raised(&first, &app::SingleInstance::raiseRequested);
    ASSERT_TRUE(first.claim({}));
    const QString path = QString::fromUtf8("/models/ein \"Modell\" 模型.gguf");
    EXPECT_FALSE(second.claim(path));
    ASSERT_TRUE(raised.count() > 0 || raised.wait(2'000));
    EXPECT_EQ(raised[0][0].toString(), path);
    EXPECT_FALSE(second.claim({})) << "a start without a file raises the window";
    ASSERT_TRUE(raised.count() > 1 || raised.wait(2'000));
    EXPECT_EQ(raised[1][0].toString(), QString());
    const QTemporaryDir other;
    app::SingleInstance third(other.path());
    EXPECT_TRUE(third.claim({})) << "another data directory is another Vitrine";
}

class IdleUnloadTest : public WindowTest {
protected:
    static constexpr int kMinuteMs = 400; // longer than a load on a busy machine
    void launchWith(int minutes) {
        launch();
        m_idle = std::make_unique<app::IdleUnload>(m_app->client(), m_endpoint, m_app->settings(), kMinuteMs);
        m_app->settings().set(ui::keys::kIdleUnloadMinutes, minutes);
    }
    void TearDown() override {
        m_idle.reset();
        WindowTest::TearDown();
    }
    [[nodiscard]] bool isLoaded() { return m_app->client().model() != nullptr; }
    FakeEndpoint m_endpoint;
    std::unique_ptr<app::IdleUnload> m_idle;
};

TEST_F(IdleUnloadTest, AnIdleModelGoesAndTheNextTurnBringsItBack) {
    launchWith(1);
    m_app->settings().noteModelUsed(QCoreApplication::applicationFilePath()); // a file that is there
    ASSERT_TRUE(waitFor([this] { return isLoaded(); }));
    EXPECT_TRUE(waitFor([this] { return !isLoaded(); }, 5'000));
    say("Wake up");
    EXPECT_TRUE(waitFor([this] { return m_engine->requests().size() == 1; })) << "loaded again, then asked";
    EXPECT_TRUE(waitIdle());
}

TEST_F(IdleUnloadTest, NeverMeansNever) {
    launchWith(0);
    ASSERT_TRUE(waitFor([this] { return isLoaded(); }));
    QTest::qWait(3 * kMinuteMs);
    EXPECT_TRUE(isLoaded());
}

TEST_F(IdleUnloadTest, AnAnswerOrTheServerKeepsIt) {
    launchWith(1);
    ScriptedAnswer endless;
    endless.pieces.assign(1'000'000, " word");
    m_engine->set_answer(endless);
    say("Go on");
    ASSERT_TRUE(waitFor([this] { return m_engine->requests().size() == 1; }));
    QTest::qWait(3 * kMinuteMs);
    EXPECT_TRUE(isLoaded()) << "it answers";
    m_endpoint.start({});
    page().stop();
    ASSERT_TRUE(waitIdle());
    QTest::qWait(3 * kMinuteMs);
    EXPECT_TRUE(isLoaded()) << "it serves";
    m_endpoint.stop();
    EXPECT_TRUE(waitFor([this] { return !isLoaded(); }, 5'000));
}

} // namespace vitrine::testing
