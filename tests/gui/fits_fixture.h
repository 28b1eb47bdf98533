// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/gui: a window over an engine that stands still, in one language, to be measured for what is cut.
#pragma once

#include <QAbstractButton>
#include <QApplication>
#include <QDir>
#include <QTest>
#include <gtest/gtest.h>
#include <memory>

#include "app/gui/translations.h"
#include "tests/gui/pseudo_translator.h"
#include "tests/ui/support/layout_faults.h"
#include "tests/ui/support/stage.h"
#include "ui/chat/chat_page.h"
#include "ui/frame/main_window.h"
#include "ui/frame/running_work.h"
#include "ui/store/chat_store.h"

namespace vitrine::testing {

struct Room {
    const char* name;
    QSize size;
    int percent;
};
inline constexpr Room kRooms[] = {{"small", {640, 480}, 100}, {"usual", {1280, 800}, 100}, {"large", {1024, 700}, 200}};

/// A conversation with all that a turn can show; its chat is kFitsChat.
inline constexpr ui::ChatId kFitsChat = 7;
[[nodiscard]] ui::ChatTree fitsConversation();

/// The parameter: a language, or "rtl": one a third longer that reads from right to left.
class FitsFixture : public ::testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        const QString language = QLatin1String(GetParam());
        const bool isPseudo = language == QLatin1String("rtl");
        m_translations.apply(isPseudo ? QStringLiteral("en") : language);
        if (isPseudo) {
            m_pseudo = std::make_unique<PseudoTranslator>();
            qApp->installTranslator(m_pseudo.get());
            qApp->setLayoutDirection(Qt::RightToLeft);
        }
        m_stage = std::make_unique<Stage>();
        m_store = std::make_unique<ui::ChatStore>(m_stage->dataDir);
        m_store->open();
        m_store->addChat(fitsConversation());
        m_work = std::make_unique<ui::RunningWork>(m_stage->client, *m_store, m_stage->snapshots, m_stage->dataDir);
        m_window = std::make_unique<ui::MainWindow>(
            ui::MainWindow::Context{m_stage->theme, m_stage->client, m_stage->snapshots, m_stage->steps,
                m_stage->endpoint, *m_store, m_stage->settings, dialogs(), m_stage->dataDir, *m_work});
        m_window->show();
        m_stage->snapshots.pollNow();
    }
    void TearDown() override {
        m_window.reset();
        m_work.reset();
        m_store.reset();
        m_stage.reset();
        if (m_pseudo)
            qApp->removeTranslator(m_pseudo.get());
        qApp->setLayoutDirection(Qt::LeftToRight);
        m_translations.apply(QStringLiteral("en"));
        QLocale::setDefault(QLocale::c());
    }
    [[nodiscard]] virtual ui::Dialogs& dialogs() { return m_stage->dialogs; }
    void setRoom(const Room& room) {
        m_room = QLatin1String(room.name);
        m_size = room.size;
        m_stage->settings.set(ui::keys::kTextSizePercent, room.percent);
        m_window->resize(room.size);
    }
    /// Adds a failure for whatever is cut in `shown`; keeps a picture of it where VITRINE_SHOTS asks for one.
    void look(QWidget& shown, const QString& what) {
        QTest::qWait(60);
        // Layouts follow each other through the event loop; on a busy machine that takes longer.
        (void)QTest::qWaitFor([&] { return layoutFaults(shown).isEmpty(); }, 1'000);
        const QString name = QStringLiteral("fits-%1-%2-%3").arg(what, QLatin1String(GetParam()), m_room);
        if (const QString folder = qEnvironmentVariable("VITRINE_SHOTS"); !folder.isEmpty()) {
            QDir().mkpath(folder);
            shown.grab().save(QDir(folder).filePath(name + QStringLiteral(".png")));
        }
        for (const QString& fault : layoutFaults(shown))
            ADD_FAILURE() << name.toStdString() << ": " << fault.toStdString();
    }
    void look(const QString& what) {
        look(*m_window, what);
        EXPECT_EQ(m_window->size(), m_size) << what.toStdString();
    }
    void click(const char* name) {
        for (auto* button : m_window->findChildren<QAbstractButton*>(QLatin1String(name)))
            if (button->isVisible())
                button->click();
    }

    app::Translations m_translations{*qApp};
    std::unique_ptr<PseudoTranslator> m_pseudo;
    std::unique_ptr<Stage> m_stage;
    std::unique_ptr<ui::ChatStore> m_store;
    std::unique_ptr<ui::RunningWork> m_work;
    std::unique_ptr<ui::MainWindow> m_window;
    QString m_room;
    QSize m_size;
};

} // namespace vitrine::testing
