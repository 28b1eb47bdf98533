// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/gui: prints what the window costs beside the bars of its design.  A bench: no figure fails it.
// Usage: window_bench     (offscreen unless QT_QPA_PLATFORM says otherwise; the engine is scripted)
#include <QAbstractScrollArea>
#include <QApplication>
#include <QDateTime>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <cstdio>
#include <ctime>

#include "app/gui/application.h"
#include "tests/support/scripted_engine.h"
#include "ui/bridge/engine_client.h"
#include "ui/chat/chat_page.h"
#include "ui/chat/composer_edit.h"
#include "ui/chat/message_list_model.h"
#include "ui/chat/message_view.h"
#include "ui/frame/main_window.h"
#include "ui/store/chat_store.h"

namespace {

using namespace vitrine;

double milliseconds(const QElapsedTimer& clock) {
    return static_cast<double>(clock.nsecsElapsed()) / 1e6;
}

double cpuSeconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

double residentMiB() {
    QFile file(QStringLiteral("/proc/self/statm"));
    const QList<QByteArray> pages = file.open(QIODevice::ReadOnly) ? file.readAll().split(' ') : QList<QByteArray>();
    return pages.value(1).toDouble() * 4096 / (1 << 20);
}

void print(const char* what, double value, const char* unit, const char* bar) {
    std::printf("%-52s %9.2f %-4s (bar %s)\n", what, value, unit, bar);
    std::fflush(stdout);
}

/// The longest time the event loop did not come round, by a 5-ms heartbeat.
class Heartbeat {
public:
    Heartbeat() {
        m_timer.setTimerType(Qt::PreciseTimer);
        m_timer.setInterval(5);
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] {
            m_worst = std::max(m_worst, milliseconds(m_clock));
            m_clock.restart();
        });
        m_clock.start();
        m_timer.start();
    }
    [[nodiscard]] double worst() const { return m_worst; }

private:
    QTimer m_timer;
    QElapsedTimer m_clock;
    double m_worst = 0;
};

testing::ScriptedAnswer longAnswer(int tokens) {
    testing::ScriptedAnswer answer;
    for (int i = 0; i < tokens; ++i)
        answer.pieces.push_back(i % 400 == 399 ? "\n```\n\n```cpp\n" : i % 40 == 39 ? "\n\n" : " word");
    return answer;
}

ui::ChatTree bigChat(int turns) {
    ui::ChatTree tree;
    tree.chat.id = ui::newRecordId();
    tree.chat.title = QStringLiteral("Five hundred messages");
    tree.chat.updatedMs = 1;
    for (int i = 0; i < turns; ++i) {
        ui::MessageRecord message;
        message.id = ui::newRecordId();
        message.chat = tree.chat.id;
        message.parent = tree.messages.isEmpty() ? 0 : tree.messages.last().id;
        message.role = i % 2 == 0 ? ui::MessageRole::user : ui::MessageRole::assistant;
        message.content =
            QStringLiteral("Message %1 with `code` and **weight**.\n\n").arg(i).repeated(i % 2 == 0 ? 1 : 12);
        tree.messages.append(message);
    }
    tree.chat.leaf = tree.messages.last().id;
    return tree;
}

class Bench {
public:
    explicit Bench(QApplication& qt) : m_qt(qt) {}
    void run() {
        start();
        keys();
        stream();
        openChat();
        idle();
        print("resident memory at the end", residentMiB(), "MiB", "150");
    }

private:
    void start() {
        QElapsedTimer clock;
        clock.start();
        m_app = std::make_unique<app::Application>(
            m_qt, app::Options{}, app::Application::Parts{m_engine, nullptr, m_dir.path(), {}});
        m_app->start();
        (void)QTest::qWaitForWindowExposed(&m_app->window());
        m_app->window().grab();
        print("window made, shown and painted", milliseconds(clock), "ms", "400, from exec");
        print("resident memory after the start", residentMiB(), "MiB", "150");
        QTest::qWait(500);
    }

    void keys() {
        auto* edit = m_app->window().findChild<ui::ComposerEdit*>();
        edit->setFocus();
        double worst = 0;
        for (int i = 0; i < 60; ++i) {
            QElapsedTimer clock;
            clock.start();
            QTest::keyClick(edit, Qt::Key_A);
            edit->viewport()->repaint();
            worst = std::max(worst, milliseconds(clock));
            QTest::qWait(5);
        }
        print("key to glyph, worst of 60", worst, "ms", "16");
        edit->clear();
    }

    void stream() {
        m_engine.set_answer(longAnswer(20'000));
        const double before = residentMiB();
        QElapsedTimer clock;
        clock.start();
        m_app->window().chatPage().send(QStringLiteral("Stream"));
        (void)QTest::qWaitFor([&] { return m_app->window().chatPage().isGenerating(); }, 5'000);
        double worst = 0;
        {
            const Heartbeat heart;
            (void)QTest::qWaitFor([&] { return !m_app->window().chatPage().isGenerating(); }, 300'000);
            worst = heart.worst();
        }
        print("20,000 tokens streamed in", milliseconds(clock) / 1e3, "s", "none");
        print("longest stall of the GUI thread meanwhile", worst, "ms", "50");
        print("memory the answer took", residentMiB() - before, "MiB", "none");
    }

    void openChat() {
        const ui::ChatTree tree = bigChat(500);
        m_app->store().addChat(tree);
        bool isStored = false;
        m_app->store().whenIdle(m_app.get(), [&] { isStored = true; });
        (void)QTest::qWaitFor([&] { return isStored; }, 60'000);
        auto* view = m_app->window().findChild<ui::MessageView*>();
        m_app->window().chatPage().newChat();
        QTest::qWait(300);
        QElapsedTimer clock;
        clock.start();
        m_app->window().chatPage().openChat(tree.chat.id);
        while (view->model().rowCount() < 500 && milliseconds(clock) < 10'000)
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 5);
        view->viewport()->repaint();
        print("a chat of 500 messages opened and painted", milliseconds(clock), "ms", "150");
    }

    void idle() {
        QTest::qWait(3'000);
        const double before = cpuSeconds();
        QElapsedTimer clock;
        clock.start();
        QEventLoop loop;
        QTimer::singleShot(10'000, &loop, &QEventLoop::quit);
        loop.exec();
        print("idle, share of one core", (cpuSeconds() - before) / milliseconds(clock) * 1e5, "%", "0.3");
    }

    QApplication& m_qt;
    QTemporaryDir m_dir;
    testing::ScriptedEngine m_engine{{.step_time = std::chrono::microseconds(5'000)}}; // 200 tokens a second
    std::unique_ptr<app::Application> m_app;
};

} // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication qt(argc, argv);
    Bench(qt).run();
    return 0;
}
