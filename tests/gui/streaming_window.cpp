// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/gui: a window that sends one turn and streams an endless, numbered answer; the kill test ends it.
#include <QApplication>
#include <QTimer>
#include <cstdio>

#include "app/gui/application.h"
#include "tests/support/scripted_engine.h"
#include "ui/bridge/engine_client.h"
#include "ui/chat/chat_page.h"
#include "ui/frame/main_window.h"
#include "ui/store/chat_store.h"

int main(int argc, char** argv) {
    using namespace vitrine;
    QApplication qt(argc, argv);
    if (argc < 2)
        return 2;
    testing::ScriptedEngine engine({.step_time = std::chrono::microseconds(1'000)});
    testing::ScriptedAnswer answer;
    for (int i = 0; i < 200'000; ++i)
        answer.pieces.push_back(" " + std::to_string(i));
    engine.set_answer(answer);
    app::Application application(qt, {}, {engine, nullptr, QString::fromLocal8Bit(argv[1]), {}});
    QObject::connect(&application.store(), &ui::ChatStore::opened, &application,
        [&] { application.window().chatPage().send(QStringLiteral("Count for ever")); });
    // Every line says what the person at the window has seen; the test compares it with what the disk gives back.
    int numTokens = 0;
    QObject::connect(&application.client(), &ui::EngineClient::requestDelta, &application,
        [&](ui::RequestId, const ui::Delta& delta) {
            numTokens += static_cast<int>(delta.ids.size());
            std::printf("%d\n", numTokens);
            std::fflush(stdout);
        });
    application.start();
    return QApplication::exec();
}
