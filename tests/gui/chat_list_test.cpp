// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/gui: the list of chats: which row is lit, what its menu says; sampling goes back to the settings.
#include <QDoubleSpinBox>
#include <QListView>
#include <QMenu>
#include <QTest>

#include "tests/gui/window_fixture.h"
#include "ui/chat/chat_list.h"
#include "ui/chat/chat_list_model.h"

namespace vitrine::testing {

namespace {

class ChatListTest : public WindowTest {
protected:
    void sayAndWait(const QString& text) {
        const std::size_t before = m_engine->requests().size();
        say(text);
        ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() > before; }) && waitIdle());
    }
    [[nodiscard]] ui::ChatList& list() { return part<ui::ChatList>(); }
    [[nodiscard]] QRect place(ui::ChatId chat) {
        return list().view().visualRect(list().model().index(list().model().rowOf(chat)));
    }
    [[nodiscard]] ui::ChatId lit() {
        const QModelIndexList rows = list().view().selectionModel()->selectedIndexes();
        return rows.isEmpty() ? 0 : list().model().chatAt(rows.first().row());
    }
    /// A press of the right button, as the window system sends it, and the menu it opens.
    QMenu* openMenu(ui::ChatId chat) {
        QWidget* viewport = list().view().viewport();
        const QPoint point = place(chat).center();
        QTest::mousePress(viewport, Qt::RightButton, {}, point);
        emit list().view().customContextMenuRequested(point);
        return list().findChild<QMenu*>();
    }
};

TEST_F(ChatListTest, TheLitRowIsTheChatOnScreen) {
    launch();
    m_engine->set_answer({});
    sayAndWait("First");
    const ui::ChatId first = page().currentChat();
    page().newChat();
    sayAndWait("Second");
    const ui::ChatId second = page().currentChat();
    ASSERT_EQ(lit(), second);
    QMenu* menu = openMenu(first);
    ASSERT_NE(menu, nullptr);
    EXPECT_EQ(lit(), first) << "what the menu is about";
    menu->close();
    EXPECT_EQ(page().currentChat(), second);
    EXPECT_EQ(lit(), second);
    QWidget* viewport = list().view().viewport();
    QTest::mouseClick(viewport, Qt::LeftButton, {}, QPoint(20, viewport->height() - 4)); // below the rows
    EXPECT_EQ(lit(), second);
    list().focusChats();
    QTest::keyClick(&list().view(), Qt::Key_Down);
    EXPECT_EQ(lit(), first) << "keys walk";
    part<ui::ComposerEdit>().setFocus(Qt::TabFocusReason);
    EXPECT_EQ(lit(), second);
}

TEST_F(ChatListTest, ANameStaysWholeInTheMenu) {
    launch();
    m_engine->set_answer({});
    sayAndWait("First");
    ui::ChatRecord chat = *m_app->store().chat(page().currentChat());
    chat.folder = "R&D";
    m_app->store().updateChat(chat);
    QMenu* menu = openMenu(chat.id);
    ASSERT_NE(menu, nullptr);
    QStringList texts;
    for (const auto* sub : menu->findChildren<QMenu*>())
        for (const QAction* action : sub->actions())
            texts += action->text();
    EXPECT_TRUE(texts.contains("Out of R&&D")) << texts.join(u'|').toStdString();
    menu->close();
}

TEST_F(ChatListTest, SamplingGoesBackToTheDefaultsOfTheSettings) {
    launch();
    m_app->settings().set(ui::keys::kTemperature, 0.5);
    page().newTemporaryChat(); // begun with them
    page().toggleInspector();
    QAbstractButton* reset = nullptr;
    for (auto* found : m_app->window().findChildren<QAbstractButton*>())
        if (found->accessibleName() == "Reset Temperature to its default")
            reset = found;
    QDoubleSpinBox* temperature = nullptr;
    for (auto* found : m_app->window().findChildren<QDoubleSpinBox*>())
        if (found->accessibleName() == "Temperature")
            temperature = found;
    ASSERT_TRUE(reset != nullptr && temperature != nullptr);
    EXPECT_DOUBLE_EQ(temperature->value(), 0.5);
    EXPECT_TRUE(reset->isHidden()) << "nothing was changed in this chat";
    temperature->setValue(0.9);
    EXPECT_FALSE(reset->isHidden());
    reset->click();
    EXPECT_DOUBLE_EQ(temperature->value(), 0.5);
    EXPECT_TRUE(reset->isHidden());
}

} // namespace

} // namespace vitrine::testing
