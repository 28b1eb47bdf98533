// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/gui: nothing is cut and nothing scrolls sideways: every page in a small window, with large text, in every
// language, and from right to left.  Pictures go to VITRINE_SHOTS, for people to look at.
#include <QTableView>

#include "tests/gui/fits_fixture.h"
#include "ui/chat/turn_inspector.h"
#include "ui/engine/engine_page.h"
#include "ui/frame/command_palette.h"
#include "ui/lab/lab_page.h"
#include "ui/server/request_log_model.h"
#include "ui/settings/settings_page.h"

namespace vitrine::testing {

namespace {

ui::MessageRecord turn(ui::MessageId id, ui::MessageRole role, const QString& content) {
    ui::MessageRecord made;
    made.id = id;
    made.parent = id - 1;
    made.chat = kFitsChat;
    made.role = role;
    made.content = content;
    return made;
}

} // namespace

ui::ChatTree fitsConversation() {
    ui::ChatTree tree;
    tree.chat.id = kFitsChat;
    tree.chat.title = QStringLiteral("Hourly maximum of every sensor of the northern hall");
    tree.chat.systemPrompt = QStringLiteral("Answer briefly.");
    tree.chat.createdMs = tree.chat.updatedMs = 1'700'000'000'000;
    const ui::MessageRecord question =
        turn(1, ui::MessageRole::user, QStringLiteral("The readings are 40 GB of CSV. What is the fastest way?"));
    ui::MessageRecord answer = turn(2, ui::MessageRole::assistant,
        QStringLiteral("Convert once.\n\n```sql\nSELECT max(value) FROM 'readings.parquet';\n```\n\n"
                       "| Approach | Time |\n|---|--:|\n| CSV | 95 s |\n| Parquet | 4 s |\n"));
    answer.reasoning = QStringLiteral("They want speed.");
    answer.stats.promptTokens = 2044;
    answer.stats.cachedTokens = 1920;
    answer.stats.outputTokens = 212;
    answer.stats.draftedTokens = 160;
    answer.stats.acceptedTokens = 120;
    answer.stats.decodeSteps = 70;
    answer.stats.firstTokenSeconds = 0.18;
    answer.stats.decodeSeconds = 3.4;
    answer.stats.totalSeconds = 3.6;
    answer.stats.finishReason = QStringLiteral("stop");
    const ui::MessageRecord again = turn(3, ui::MessageRole::user, QStringLiteral("And in Python?"));
    ui::MessageRecord failed = turn(4, ui::MessageRole::assistant, {});
    failed.state = ui::MessageState::failed;
    failed.error = QStringLiteral("The prompt has 9,012 tokens, the context holds 8,192. Start a new chat, or load the "
                                  "model with a longer context.");
    tree.messages = {question, answer, again, failed};
    tree.chat.leaf = 4;
    return tree;
}

class FitsTest : public FitsFixture {
protected:
    void lookAtChat() {
        m_window->showPage(QStringLiteral("chat"));
        look(QStringLiteral("chat-first"));
        m_window->chatPage().openChat(kFitsChat);
        look(QStringLiteral("chat"));
        m_window->chatPage().toggleInspector();
        for (int tab = 0; tab < 3; ++tab) {
            m_window->findChild<ui::TurnInspector*>()->setTab(tab);
            look(QStringLiteral("chat-inspector%1").arg(tab));
        }
        m_window->chatPage().toggleInspector();
        m_window->chatPage().toggleChatList();
        look(QStringLiteral("chat-list"));
        m_window->chatPage().toggleChatList();
    }
    void lookAtModels() {
        m_window->showPage(QStringLiteral("models"));
        QTest::qWait(200); // the folder is read
        look(QStringLiteral("models"));
        click("getModels");
        look(QStringLiteral("models-get"));
        m_window->openModelFile(m_stage->dataDir + QStringLiteral("/models/Qwen3-14B.Q4_K_M.gguf"));
        QTest::qWait(200);
        look(QStringLiteral("models-details"));
        click("quantize");
        look(QStringLiteral("models-quantize"));
        m_window->openModelFile(m_stage->dataDir + QStringLiteral("/models/Qwen3-14B.Q4_K_M.gguf"));
        click("back"); // where there is one
    }
    void lookAtEngine() {
        m_window->showPage(QStringLiteral("engine"));
        auto* page = m_window->findChild<ui::EnginePage*>();
        for (const auto track : {ui::EnginePage::Track::blocks, ui::EnginePage::Track::stepTime}) {
            page->showTrack(track);
            look(QStringLiteral("engine%1").arg(int(track)));
        }
        page->showRequest(2);
        look(QStringLiteral("engine-request"));
        page->showRequest(0);
    }
    void lookAtLab() {
        m_window->showPage(QStringLiteral("lab"));
        for (const char* name :
            {"policies", "paging", "capacity", "prefix", "kvcache", "speculation", "quantization", "ablation"}) {
            m_window->findChild<ui::LabPage*>()->showExperiment(QLatin1String(name));
            look(QStringLiteral("lab-%1").arg(QLatin1String(name)));
        }
    }
    void lookAtServer() {
        m_window->showPage(QStringLiteral("server"));
        m_stage->endpoint.stop();
        look(QStringLiteral("server-off"));
        m_stage->endpoint.taken = {8080};
        m_stage->endpoint.start({});
        look(QStringLiteral("server-taken"));
        m_stage->endpoint.taken.clear();
        m_stage->endpoint.start({});
        look(QStringLiteral("server"));
        for (QTableView* table : m_window->findChildren<QTableView*>())
            if (qobject_cast<ui::RequestLogModel*>(table->model()))
                emit table->activated(table->model()->index(1, 0));
        look(QStringLiteral("server-request"));
        click("closeRequest");
    }
    void lookAtSettings() {
        m_window->showPage(QStringLiteral("settings"));
        for (const char* section : {"general", "appearance", "chat", "engine", "storage", "shortcuts", "about"}) {
            m_window->findChild<ui::SettingsPage*>()->showSection(QLatin1String(section));
            look(QStringLiteral("settings-%1").arg(QLatin1String(section)));
        }
        auto* palette = m_window->findChild<ui::CommandPalette*>();
        palette->openOver(m_window->rect());
        look(QStringLiteral("palette"));
        palette->hide();
    }
};

TEST_P(FitsTest, EveryPageInEveryRoom) {
    const QString only = qEnvironmentVariable("VITRINE_ROOM");
    m_stage->endpoint.addSampleRows();
    for (const Room& room : kRooms) {
        if (!only.isEmpty() && only != QLatin1String(room.name))
            continue;
        setRoom(room);
        lookAtChat();
        lookAtModels();
        lookAtEngine();
        lookAtLab();
        lookAtServer();
        lookAtSettings();
    }
}

INSTANTIATE_TEST_SUITE_P(Languages, FitsTest, ::testing::Values("en", "de", "zh_CN", "rtl"),
    [](const auto& language) { return std::string(language.param); });

} // namespace vitrine::testing
