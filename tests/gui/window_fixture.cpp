// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/gui: a real window over a scripted engine and a temporary data directory.
#include "tests/gui/window_fixture.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

namespace vitrine::testing {

void WindowTest::SetUp() {
    ASSERT_TRUE(m_dir.isValid());
}

void WindowTest::TearDown() {
    quit();
}

void WindowTest::launch(ScriptedEngineOptions engine, const QString& style) {
    m_engine = std::make_unique<ScriptedEngine>(engine);
    app::Options options;
    options.style = style;
    m_app = std::make_unique<app::Application>(
        *qApp, options, app::Application::Parts{*m_engine, makeDialogs(), m_dir.path(), {}});
    QSignalSpy opened(&m_app->store(), &ui::ChatStore::opened);
    m_app->start();
    m_app->window().resize(1280, 800);
    ASSERT_TRUE(opened.count() > 0 || opened.wait(5'000));
    QApplication::processEvents();
}

void WindowTest::quit() {
    m_app.reset();
    m_engine.reset();
}

void WindowTest::type(const QString& text) {
    auto& edit = part<ui::ComposerEdit>();
    edit.setFocus();
    QTest::keyClicks(&edit, text);
}

void WindowTest::press(Qt::Key key) {
    QTest::keyClick(&part<ui::ComposerEdit>(), key);
}

void WindowTest::say(const QString& text) {
    type(text);
    press(Qt::Key_Return);
}

bool WindowTest::waitFor(const std::function<bool()>& condition, int ms) {
    return QTest::qWaitFor(condition, ms);
}

bool WindowTest::waitIdle() {
    return waitFor([this] { return !page().isGenerating(); });
}

ui::ChatTree WindowTest::tree(ui::ChatId chat) {
    ui::ChatTree found;
    bool isDone = false;
    m_app->store().loadChat(chat, m_app.get(), [&](const ui::ChatTree& read) {
        found = read;
        isDone = true;
    });
    EXPECT_TRUE(waitFor([&] { return isDone; }));
    return found;
}

void WindowTest::shot(const QString& name) {
    const QString folder = qEnvironmentVariable("VITRINE_SHOTS", QDir::tempPath());
    QDir().mkpath(folder);
    QApplication::processEvents();
    const QPixmap picture = m_app->window().grab();
    EXPECT_TRUE(picture.save(QDir(folder).filePath(name + QStringLiteral(".png"))));
}

} // namespace vitrine::testing
