// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/gui: pictures of the states a chat can be in, light and dark; people look at them.  QT_SCALE_FACTOR=2
// makes the fine ones.
#include <QLineEdit>
#include <QListView>
#include <QTest>

#include "tests/gui/window_fixture.h"
#include "ui/chat/chat_list.h"
#include "ui/chat/floating_bars.h"
#include "ui/chat/message_list_model.h"
#include "ui/chat/turn_inspector.h"
#include "ui/chat/turn_widgets.h"

namespace vitrine::testing {

namespace {

ScriptedAnswer textAnswer(const QString& text) {
    ScriptedAnswer answer;
    const std::string bytes = text.toStdString();
    for (std::size_t i = 0; i < bytes.size(); i += 6)
        answer.pieces.push_back(bytes.substr(i, 6));
    return answer;
}

// Scripts, faces that are several code points, marks that Markdown would take, and things wider than the page.
const QString kScripts =
    QStringLiteral("Emoji 👨‍👩‍👧 🇩🇪 👍🏽, Chinese "
                   "今天天气很好，我们去公园散步吧。日本語の長い文章も正しく折り返されます。한국어 문장.\n\n"
                   "مرحبا، هذه فقرة باللغة العربية مع كلمة English في وسطها.\n\nשלום עולם, פסקה בעברית.\n\n"
                   "A link [docs](https://example.org/a_b) and https://example.org/%1 in the text.\n\n"
                   "Maths: $a_i * b_i * c_i$, \\(x_{1}^2 + \\{y\\}\\), and\n\n\\[\n\\frac{a}{b} = c\n- d\n\\]\n")
        .arg(QString(140, u'x'));
const QString kBlocks = QStringLiteral(
    "# Heading one\n## Heading two\n### Heading three\n\n> A quote of two\n> lines with `code`.\n\n"
    "1. First\n   - nested one\n     - nested two\n2. Second\n\n- [ ] open task\n- [x] done task\n\n"
    "| Name | A rather long heading | Third | Fourth | Fifth | Sixth |\n|---|---|---|---|---|---|\n"
    "| alpha | some words that need room | 12 | 34 | 56 | a_very_long_identifier_without_spaces_in_it |\n\n"
    "```python\ndef f(x):\n    return x  # %1\n```\n\n---\n\nHTML <b>stays</b> <script>alert(1)</script> "
    "![picture](https://example.org/x.png) and ~~struck~~.\n\n```\nan open fence")
                            .arg(QString(120, u'-'));

} // namespace

class StatesTest : public WindowTest, public ::testing::WithParamInterface<const char*> {
protected:
    void photograph(const char* name) {
        QTest::qWait(120);
        shot(QStringLiteral("state-%1-%2").arg(QLatin1String(name), QLatin1String(GetParam())));
    }
    void sayAndWait(const QString& text) {
        const std::size_t before = m_engine->requests().size();
        page().send(text);
        ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() > before; }) && waitIdle());
    }
    template <class T>
    T* named(const QString& name) {
        for (T* widget : m_app->window().findChildren<T*>())
            if (widget->accessibleName() == name)
                return widget;
        return nullptr;
    }
};

TEST_P(StatesTest, AnswersOfEveryKind) {
    launch({.step_time = std::chrono::microseconds(200)}, GetParam());
    m_engine->set_answer(textAnswer(kScripts));
    sayAndWait(QStringLiteral("Scripts, please: 你好 👋 שלום"));
    photograph("scripts");
    page().newChat();
    m_engine->set_answer(textAnswer(kBlocks));
    sayAndWait(QStringLiteral("Every block, please"));
    photograph("blocks-end");
    QTest::keyClick(&part<ui::MessageView>(), Qt::Key_Home);
    photograph("blocks");
    QTest::keyClick(&part<ui::MessageView>(), Qt::Key_A, Qt::ControlModifier);
    photograph("selected");
    page().newChat();
    ScriptedAnswer thinking = textAnswer(QStringLiteral("The answer is 42."));
    for (int i = 0; i < 60; ++i)
        thinking.reasoning.emplace_back(" thought");
    m_engine->set_answer(thinking);
    sayAndWait(QStringLiteral("Think"));
    if (auto* fold = m_app->window().findChild<ui::ReasoningFold*>())
        fold->click();
    photograph("thinking");
}

TEST_P(StatesTest, ComposerAndBars) {
    launch({.step_time = std::chrono::microseconds(200)}, GetParam());
    m_engine->set_answer(textAnswer(QStringLiteral("Paragraph one.\n\n").repeated(30)));
    sayAndWait(QStringLiteral("A long answer, please"));
    sayAndWait(QStringLiteral("And again"));
    part<ui::Composer>().addAttachment({QStringLiteral("measurements of the third quarter.csv"), QString(5'000, u'x')});
    part<ui::Composer>().addAttachment({QStringLiteral("报告.txt"), QStringLiteral("short")});
    type(QStringLiteral("With two files"));
    QTest::keyClick(&part<ui::MessageView>(), Qt::Key_PageUp);
    page().findInChat();
    auto* field = part<ui::FindBar>().findChild<QLineEdit*>();
    QTest::keyClicks(field, QStringLiteral("paragraph"));
    QTest::keyClick(field, Qt::Key_Return);
    photograph("find-and-files");
    QTest::keyClick(field, Qt::Key_Escape);
    ScriptedAnswer endless;
    endless.pieces.assign(100'000, " word");
    m_engine->set_answer(endless);
    const std::size_t before = m_engine->requests().size();
    page().send(QStringLiteral("Never stop"));
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() > before; }));
    for (int i = 1; i <= 4; ++i)
        page().send(QStringLiteral("Queued question number %1, long enough to be cut somewhere in its middle").arg(i));
    photograph("queued");
    page().stop();
    ASSERT_TRUE(waitIdle());
    page().editLastTurn();
    photograph("editing");
    page().toggleInspector();
    part<ui::TurnInspector>().setTab(0);
    photograph("inspector-prompt");
    part<ui::TurnInspector>().setTab(1);
    photograph("inspector-sampling");
}

TEST_P(StatesTest, ListsAndEmptyStates) {
    launch({.step_time = std::chrono::microseconds(200)}, GetParam());
    photograph("first");
    m_engine->set_answer(textAnswer(QStringLiteral("Heat pumps move heat.")));
    for (const char* title : {"Heat pumps", "Compost and worms", "京都三日間の旅程"}) {
        page().newChat();
        sayAndWait(QString::fromUtf8(title));
    }
    ui::ChatRecord chat = m_app->store().chats()[0];
    chat.folder = QStringLiteral("Travel");
    m_app->store().updateChat(chat);
    chat = m_app->store().chats()[1];
    chat.pinned = true;
    m_app->store().updateChat(chat);
    photograph("list");
    auto* search = named<QLineEdit>(QStringLiteral("Search chats"));
    ASSERT_NE(search, nullptr);
    search->setText(QStringLiteral("heat"));
    QTest::qWait(300);
    photograph("search");
    search->setText(QStringLiteral("nothing of that name"));
    QTest::qWait(300);
    photograph("search-none");
    search->clear();
    QTest::qWait(200);
    auto* list = named<QListView>(QStringLiteral("Chats"));
    list->setFocus();
    QTest::keyClick(list, Qt::Key_Delete);
    photograph("trashed");
    for (auto* button : m_app->window().findChildren<QAbstractButton*>())
        if (button->text() == QLatin1String("Trash"))
            button->click();
    photograph("trash");
    page().newTemporaryChat();
    photograph("temporary");
}

TEST_P(StatesTest, WithoutAModel) {
    launch({.model_loaded = false}, GetParam());
    QTest::qWait(300);
    photograph("no-model");
    page().send(QStringLiteral("Is anybody there?"));
    ASSERT_TRUE(waitFor([&] { return !page().isGenerating(); }));
    photograph("no-model-error");
    for (const char* name : {"models", "engine", "lab", "server"}) {
        ASSERT_TRUE(m_app->window().showPage(name));
        QTest::qWait(100);
        photograph((std::string("no-model-") + name).c_str());
    }
}

INSTANTIATE_TEST_SUITE_P(Styles, StatesTest, ::testing::Values("light", "dark", "contrast"),
    [](const auto& style) { return std::string(style.param); });

} // namespace vitrine::testing
