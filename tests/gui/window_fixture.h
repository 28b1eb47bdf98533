// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/gui: a real window over a scripted engine and a temporary data directory.
#pragma once

#include <QTemporaryDir>
#include <gtest/gtest.h>
#include <memory>

#include "app/gui/application.h"
#include "tests/support/scripted_engine.h"
#include "ui/bridge/engine_client.h"
#include "ui/chat/chat_page.h"
#include "ui/chat/composer.h"
#include "ui/chat/composer_edit.h"
#include "ui/chat/message_view.h"
#include "ui/frame/main_window.h"
#include "ui/store/chat_store.h"
#include "ui/store/settings.h"
#include "ui/widgets/dialogs.h"

namespace vitrine::testing {

class WindowTest : public ::testing::Test {
protected:
    void SetUp() override;
    void TearDown() override;

    /// Makes engine and window over m_dir; again after quit() for a restart.
    void launch(
        ScriptedEngineOptions engine = {.step_time = std::chrono::microseconds(500)}, const QString& style = "light");
    void quit();
    /// What the window asks with; null: Qt's own.
    [[nodiscard]] virtual std::unique_ptr<ui::Dialogs> makeDialogs() { return nullptr; }

    void type(const QString& text); // by keys, into the composer
    void press(Qt::Key key); // on what has the focus in the composer
    void say(const QString& text); // type and Enter
    [[nodiscard]] bool waitFor(const std::function<bool()>& condition, int ms = 10'000);
    [[nodiscard]] bool waitIdle(); // the chat on screen has its answer
    [[nodiscard]] ui::ChatTree tree(ui::ChatId chat);
    [[nodiscard]] ui::ChatTree currentTree() { return tree(page().currentChat()); }
    [[nodiscard]] ui::ChatPage& page() { return m_app->window().chatPage(); }
    template <class T>
    [[nodiscard]] T& part() {
        return *m_app->window().findChild<T*>();
    }
    void shot(const QString& name);

    QTemporaryDir m_dir;
    std::unique_ptr<ScriptedEngine> m_engine;
    std::unique_ptr<app::Application> m_app;
};

} // namespace vitrine::testing
