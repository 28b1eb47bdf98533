// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/gui: languages change at once, plurals agree, and a right-to-left language mirrors the window.
#include <QApplication>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSet>
#include <QTest>
#include <QXmlStreamReader>

#include "app/gui/translations.h"
#include "engine/api/sentence.h"
#include "tests/gui/pseudo_translator.h"
#include "tests/gui/window_fixture.h"
#include "ui/bridge/error_sentences.h"
#include "ui/chat/chat_list.h"
#include "ui/engine/slow_text.h"
#include "ui/frame/navigation_rail.h"
#include "ui/server/server_page.h"

namespace vitrine::testing {

namespace {

ScriptedAnswer pieces(std::vector<std::string> texts) {
    ScriptedAnswer answer;
    answer.pieces = std::move(texts);
    return answer;
}

} // namespace

class LanguageTest : public WindowTest {
protected:
    void TearDown() override {
        WindowTest::TearDown();
        qApp->setLayoutDirection(Qt::LeftToRight);
        QLocale::setDefault(QLocale::c());
    }
    [[nodiscard]] QStringList labelTexts() const {
        QStringList texts;
        for (const auto* label : m_app->window().findChildren<QLabel*>())
            texts += label->text();
        return texts;
    }
    [[nodiscard]] QStringList buttonTexts() const {
        QStringList texts;
        for (const auto* button : m_app->window().findChildren<QAbstractButton*>())
            texts += button->text();
        return texts;
    }
};

TEST_F(LanguageTest, ChangesAtOnceAndKeepsTheChat) {
    launch();
    m_engine->set_answer(pieces({"Hello", "."}));
    say("Good morning");
    ASSERT_TRUE(waitFor([&] { return !m_engine->requests().empty(); }) && waitIdle());
    const ui::ChatId chat = page().currentChat();
    EXPECT_TRUE(buttonTexts().contains("Trash"));
    m_app->settings().set(ui::keys::kLanguage, QStringLiteral("de"));
    ASSERT_TRUE(waitFor([&] { return buttonTexts().contains("Papierkorb"); }));
    ASSERT_TRUE(m_app->window().showPage("models")); // made when it is first shown, in the language of then
    EXPECT_TRUE(buttonTexts().contains("Modelle holen"));
    ASSERT_TRUE(m_app->window().showPage("chat"));
    EXPECT_EQ(page().currentChat(), chat);
    ASSERT_TRUE(waitFor([&] { return currentTree().messages.size() == 2; }));
    shot("language-de");
    m_app->settings().set(ui::keys::kLanguage, QStringLiteral("zh_CN"));
    ASSERT_TRUE(waitFor([&] { return buttonTexts().contains("回收站"); }));
    shot("language-zh");
    for (const char* name : {"models", "engine", "server", "settings"}) {
        ASSERT_TRUE(m_app->window().showPage(name));
        QTest::qWait(50);
        shot(QStringLiteral("language-zh-%1").arg(name));
    }
    m_app->settings().set(ui::keys::kLanguage, QStringLiteral("en"));
    ASSERT_TRUE(waitFor([&] { return buttonTexts().contains("Trash"); }));
    m_engine->set_answer(pieces({"Still", " here"}));
    say("And now?");
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 2; }) && waitIdle());
}

TEST_F(LanguageTest, ANumberChoosesItsPlural) {
    app::BareContextTranslator german;
    ASSERT_TRUE(german.load(QStringLiteral(":/i18n/vitrine_de")));
    const char* source = "%1  ·  %n model(s), used in place";
    const QString one = german.translate("vitrine::ui::ModelListModel", source, nullptr, 1);
    const QString two = german.translate("vitrine::ui::ModelListModel", source, nullptr, 2);
    EXPECT_TRUE(one.contains("Modell,")) << one.toStdString();
    EXPECT_TRUE(two.contains("Modelle,")) << two.toStdString();
}

/// Texts of the sources which the catalogue never leaves as they are.
static QSet<QString> saidOtherwiseIn(const char* language) {
    QFile file(QStringLiteral(VITRINE_I18N "/vitrine_%1.ts").arg(QLatin1String(language)));
    EXPECT_TRUE(file.open(QIODevice::ReadOnly));
    QSet<QString> other, same;
    QString source;
    for (QXmlStreamReader xml(&file); !xml.atEnd(); xml.readNext()) {
        if (xml.isStartElement() && xml.name() == QLatin1String("source"))
            source = xml.readElementText();
        else if (xml.isStartElement() && xml.name() == QLatin1String("translation"))
            (xml.readElementText(QXmlStreamReader::IncludeChildElements) == source ? same : other).insert(source);
    }
    return other - same;
}

TEST_F(LanguageTest, AClassInsideAClassSpeaksToo) {
    app::BareContextTranslator german;
    ASSERT_TRUE(german.load(QStringLiteral(":/i18n/vitrine_de")));
    const auto say = [&](const char* context, const char* source) {
        return german.translate(context, source, nullptr, -1);
    };
    EXPECT_EQ(say("vitrine::ui::ChatPage::Private", "Find in chat…"), QStringLiteral("Im Chat suchen …"));
    EXPECT_EQ(say("vitrine::ui::NavigationRail", "Pages"), QStringLiteral("Seiten"));
    EXPECT_EQ(say("NavigationRail", "Pages"), QStringLiteral("Seiten"));
}

/// Every machine without a GPU says it, from the first run on: the scripted engine has a GPU without a driver.
TEST_F(LanguageTest, WhyADeviceIsNotUsedIsSaidInGerman) {
    launch();
    m_app->settings().set(ui::keys::kLanguage, QStringLiteral("de"));
    ASSERT_TRUE(waitFor([&] { return buttonTexts().contains("Papierkorb"); }));
    page().newChat();
    const auto says = [this](const char* text) {
        return waitFor([&] { return !labelTexts().filter(QString::fromUtf8(text)).isEmpty(); });
    };
    EXPECT_TRUE(says("Es ist kein NVIDIA-Treiber installiert: libcuda.so.1 fehlt. Installieren Sie den Treiber"));
    ASSERT_TRUE(m_app->window().showPage("settings"));
    EXPECT_TRUE(says("NVIDIA GPU wird nicht benutzt: Es ist kein NVIDIA-Treiber installiert"));
    engine::Snapshot slow = *m_engine->snapshot();
    slow.slow_cause = engine::SlowCause::device;
    EXPECT_TRUE(ui::slowText(slow).endsWith(". Es ist kein NVIDIA-Treiber installiert: libcuda.so.1 fehlt."))
        << ui::slowText(slow).toStdString();
    EXPECT_TRUE(labelTexts().filter(QStringLiteral("NVIDIA driver")).isEmpty());
    m_app->settings().set(ui::keys::kLanguage, QStringLiteral("en"));
    ASSERT_TRUE(waitFor([&] { return buttonTexts().contains("Trash"); }));
}

/// Whatever a page or its menu says: none of it is a text of the sources that German says otherwise.
TEST_F(LanguageTest, NothingIsEnglishInAGermanWindow) {
    launch();
    m_app->settings().set(ui::keys::kLanguage, QStringLiteral("de"));
    ASSERT_TRUE(waitFor([&] { return buttonTexts().contains("Papierkorb"); }));
    page().newChat();
    QMenu* menu = nullptr;
    for (auto* button : m_app->window().findChildren<QAbstractButton*>())
        if (button->isVisible() && button->accessibleName() == "Weitere Aktionen für diesen Chat") {
            button->click();
            break;
        }
    ASSERT_TRUE(waitFor([&] { return (menu = qobject_cast<QMenu*>(QApplication::activePopupWidget())) != nullptr; }));
    const QSet<QString> english = saidOtherwiseIn("de");
    ASSERT_GT(english.size(), 500);
    for (const QAction* action : menu->actions())
        EXPECT_FALSE(english.contains(action->text())) << action->text().toStdString();
    menu->close();
    for (const char* name : {"chat", "models", "engine", "lab", "server", "settings"}) {
        ASSERT_TRUE(m_app->window().showPage(name));
        for (const QWidget* widget : m_app->window().findChildren<QWidget*>())
            for (const QString& text : {widget->property("text").toString(), widget->toolTip(),
                     widget->accessibleName(), widget->property("placeholderText").toString()})
                EXPECT_FALSE(english.contains(text)) << name << ": " << text.toStdString();
    }
    m_app->settings().set(ui::keys::kLanguage, QStringLiteral("en"));
    ASSERT_TRUE(waitFor([&] { return buttonTexts().contains("Trash"); }));
}

/// The catalogues as they are shipped: every sentence of the engine's errors, in its own words.
TEST_F(LanguageTest, EveryErrorOfTheEngineHasItsSentence) {
    for (const char* language : {"de", "zh_CN"}) {
        app::BareContextTranslator texts;
        ASSERT_TRUE(texts.load(QStringLiteral(":/i18n/vitrine_%1").arg(QLatin1String(language))));
        for (int number = 1; number <= static_cast<int>(kLastSentence); ++number) {
            const char* source = ui::windowText(static_cast<Sentence>(number));
            const QString told = texts.translate("ErrorText", source, nullptr, -1);
            EXPECT_FALSE(told.isEmpty() || told == QLatin1String(source)) << language << ": " << source;
        }
    }
}

TEST_F(LanguageTest, ARightToLeftLanguageMirrorsTheWindow) {
    PseudoTranslator pseudo;
    launch();
    quit();
    qApp->installTranslator(&pseudo);
    qApp->setLayoutDirection(Qt::RightToLeft);
    launch({.step_time = std::chrono::microseconds(300)});
    qApp->setLayoutDirection(Qt::RightToLeft); // launch() applies the language of the settings
    qApp->installTranslator(&pseudo);
    ScriptedAnswer answer;
    answer.pieces = {"שלום", " עולם", ".\n\n", "```cpp\nint x = 1;\n```\n", "English stays left to right."};
    m_engine->set_answer(answer);
    page().send(QStringLiteral("שלום, מה שלומך?"));
    ASSERT_TRUE(waitFor([&] { return !m_engine->requests().empty(); }) && waitIdle());
    QTest::qWait(100);
    const QRect rail = part<ui::NavigationRail>().geometry();
    EXPECT_GT(rail.left(), m_app->window().width() / 2) << "the rail stands at the right";
    const QRect list(part<ui::ChatList>().mapTo(&m_app->window(), QPoint()), part<ui::ChatList>().size());
    const QRect text(part<ui::MessageView>().mapTo(&m_app->window(), QPoint()), part<ui::MessageView>().size());
    EXPECT_GT(list.left(), text.left()) << "and the list of chats right of the text";
    for (const char* name : {"chat", "models", "engine", "server", "settings"}) {
        ASSERT_TRUE(m_app->window().showPage(name));
        QTest::qWait(80);
        shot(QStringLiteral("rtl-%1").arg(name));
    }
    qApp->removeTranslator(&pseudo);
}

} // namespace vitrine::testing
