// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/gui: what a screen reader meets: every control has a name, every message is an item with its text.
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTest>

#include "tests/gui/window_fixture.h"

namespace vitrine::testing {

namespace {

ScriptedAnswer pieces(std::vector<std::string> texts) {
    ScriptedAnswer answer;
    answer.pieces = std::move(texts);
    return answer;
}

} // namespace

TEST_F(WindowTest, EveryMessageIsAnItemWithItsTextAndPlace) {
    launch({.step_time = std::chrono::microseconds(300)});
    m_engine->set_answer(pieces({"The", " answer", " is", " 42", "."}));
    say("What is it?");
    ASSERT_TRUE(waitFor([&] { return !m_engine->requests().empty(); }) && waitIdle());
    QAccessibleInterface* list = QAccessible::queryAccessibleInterface(&part<ui::MessageView>());
    ASSERT_NE(list, nullptr);
    EXPECT_EQ(list->role(), QAccessible::List);
    ASSERT_GE(list->childCount(), 2);
    QAccessibleInterface* question = list->child(0);
    QAccessibleInterface* answer = list->child(1);
    ASSERT_TRUE(question != nullptr && answer != nullptr);
    EXPECT_EQ(question->text(QAccessible::Name).toStdString(), "You: What is it?");
    EXPECT_EQ(answer->text(QAccessible::Value).toStdString(), "The answer is 42.");
    EXPECT_TRUE(answer->text(QAccessible::Description).contains("tok")) << "the numbers below the answer";
    EXPECT_EQ(list->indexOfChild(answer), 1);
    EXPECT_EQ(answer->parent(), list);
    EXPECT_TRUE(answer->rect().isValid());
    EXPECT_GT(answer->rect().top(), question->rect().top());
    EXPECT_EQ(list->childAt(answer->rect().center().x(), answer->rect().top() + 2), answer);
    page().newChat();
    EXPECT_FALSE(answer->isValid()) << "of another chat";
}

TEST_F(WindowTest, EveryControlOfEveryPageHasAName) {
    launch();
    for (const char* name : {"chat", "models", "engine", "server", "settings"}) {
        ASSERT_TRUE(m_app->window().showPage(name));
        QTest::qWait(50);
        for (QWidget* widget : m_app->window().findChildren<QWidget*>()) {
            const bool isControl = qobject_cast<QAbstractButton*>(widget) || qobject_cast<QLineEdit*>(widget) ||
                qobject_cast<QPlainTextEdit*>(widget) || qobject_cast<QComboBox*>(widget) ||
                qobject_cast<QAbstractSpinBox*>(widget) || qobject_cast<QAbstractItemView*>(widget) ||
                (qobject_cast<QAbstractSlider*>(widget) && !qobject_cast<QScrollBar*>(widget));
            if (!isControl || widget->focusPolicy() == Qt::NoFocus || !widget->isVisible() ||
                QByteArrayView(widget->objectName().toLatin1()).startsWith("qt_"))
                continue;
            const QAccessibleInterface* face = QAccessible::queryAccessibleInterface(widget);
            const QString said = face != nullptr ? face->text(QAccessible::Name) : QString();
            EXPECT_FALSE(said.trimmed().isEmpty())
                << name << ": " << widget->metaObject()->className() << " in "
                << (widget->parentWidget() != nullptr ? widget->parentWidget()->metaObject()->className() : "nothing");
        }
    }
}

} // namespace vitrine::testing
