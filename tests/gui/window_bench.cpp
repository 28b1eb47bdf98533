// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/gui: prints what the window costs beside the bars of its design.  A bench: no figure fails it.
// Usage: window_bench [PART OF A NAME]     start, keys, stream, open, idle, cost (about two minutes in all)
//        window_bench --picture MODEL.gguf FILE.png [SECONDS]     the Engine page under 64 requests on this machine's best device
// Offscreen unless QT_QPA_PLATFORM says otherwise.  The engine is scripted; `cost` loads the default model.
#include <QAbstractScrollArea>
#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <algorithm>
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
#include "ui/store/settings.h"
#pragma push_macro("slots")
#undef slots
#include "engine/api/engine.h"
#include "engine/base/data_dir.h"
#pragma pop_macro("slots")

namespace {

using namespace vitrine;

constexpr int kStreamedTokens = 20'000;
constexpr int kLastTokens = 2'000; // of them, at 200 a second; the rest was there before
constexpr auto kStepTime = std::chrono::microseconds(5'000); // 200 tokens a second

double milliseconds(const QElapsedTimer& clock) {
    return static_cast<double>(clock.nsecsElapsed()) / 1e6;
}

double secondsOf(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

double residentMiB() {
    QFile file(QStringLiteral("/proc/self/statm"));
    const QList<QByteArray> pages = file.open(QIODevice::ReadOnly) ? file.readAll().split(' ') : QList<QByteArray>();
    return pages.value(1).toDouble() * 4096 / (1 << 20);
}

void print(const char* what, double value, const char* unit, const char* bar) {
    std::printf("%-58s %9.2f %-5s (bar %s)\n", what, value, unit, bar);
    std::fflush(stdout);
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() / 2];
}

/// The longest time the event loop did not come round, by a 5-ms heartbeat.  The second figure counts the CPU time of
/// the GUI thread alone: on a busy machine the first one holds what other processes took.
class Heartbeat {
public:
    Heartbeat() : m_cpu(secondsOf(CLOCK_THREAD_CPUTIME_ID)) {
        m_timer.setTimerType(Qt::PreciseTimer);
        m_timer.setInterval(5);
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] {
            const double cpu = secondsOf(CLOCK_THREAD_CPUTIME_ID);
            m_worst = std::max(m_worst, milliseconds(m_clock));
            m_worstCpu = std::max(m_worstCpu, (cpu - m_cpu) * 1e3);
            m_cpu = cpu;
            m_clock.restart();
        });
        m_clock.start();
        m_timer.start();
    }
    [[nodiscard]] double worst() const { return m_worst; }
    [[nodiscard]] double worstCpu() const { return m_worstCpu; }

private:
    QTimer m_timer;
    QElapsedTimer m_clock;
    double m_cpu;
    double m_worst = 0, m_worstCpu = 0;
};

/// Shapes an answer may have; each grows to the same number of tokens.
std::string pieceOf(const std::string& shape, int i) {
    if (shape == "one paragraph")
        return " word";
    if (shape == "one list")
        return i % 12 == 0 ? "\n- item" : " word";
    if (shape == "one fence of 3,000 lines")
        return i == 0 ? "```cpp\n" : i % 7 == 6 ? ";\n" : " int x";
    if (shape == "one item with code")
        return i == 0 ? "1. item:\n   ```cpp\n  " : i % 7 == 6 ? ";\n  " : " int x";
    if (shape == "one item")
        return i == 0 ? "- item\n " : i % 12 == 0 ? "\n  line" : " word";
    if (shape == "one table")
        return i == 0 ? "| a | b | c |\n|---|---|---|\n| x" : i % 9 == 8 ? " |\n| x" : i % 3 == 2 ? " | y" : " z";
    return i % 400 == 399 ? "\n```\n\n```cpp\n" : i % 40 == 39 ? "\n\n" : " word"; // mixed
}

testing::ScriptedAnswer shaped(const std::string& shape, int begin, int end) {
    testing::ScriptedAnswer answer;
    for (int i = begin; i < end; ++i)
        answer.pieces.push_back(pieceOf(shape, i));
    return answer;
}

ui::ChatTree chatOf(const QString& title) {
    ui::ChatTree tree;
    tree.chat.id = ui::newRecordId();
    tree.chat.title = title;
    tree.chat.updatedMs = 1;
    return tree;
}

void addTurn(ui::ChatTree& tree, const QString& content) {
    ui::MessageRecord message;
    message.id = ui::newRecordId();
    message.chat = tree.chat.id;
    message.parent = tree.messages.isEmpty() ? 0 : tree.messages.last().id;
    message.role = tree.messages.size() % 2 == 0 ? ui::MessageRole::user : ui::MessageRole::assistant;
    message.content = content;
    tree.messages.append(message);
    tree.chat.leaf = message.id;
}

class Bench {
public:
    Bench(QApplication& qt, QString part) : m_qt(qt), m_part(std::move(part)) {}
    void run() {
        if (wants("start"))
            startProcess();
        launch();
        print("memory after the start", residentMiB(), "MiB", "150");
        if (wants("keys"))
            keys();
        if (wants("open"))
            openChat();
        if (wants("idle"))
            idle();
        if (wants("stream"))
            for (const char* shape : {"mixed", "one paragraph", "one list", "one item", "one item with code",
                     "one fence of 3,000 lines", "one table"})
                stream(shape);
        print("memory at the end", residentMiB(), "MiB", "150");
        m_app.reset();
        if (wants("cost"))
            cost();
    }

private:
    [[nodiscard]] bool wants(const char* name) const { return m_part.isEmpty() || QLatin1String(name) == m_part; }

    /// From exec to the first painted window, in a process of its own, five times.
    void startProcess() {
        std::vector<double> times;
        for (int i = 0; i < 5; ++i) {
            const QTemporaryDir folder;
            QProcess process;
            const double before = secondsOf(CLOCK_MONOTONIC);
            process.start(QCoreApplication::applicationFilePath(), {QStringLiteral("--start"), folder.path()});
            if (process.waitForFinished(20'000))
                times.push_back((process.readAllStandardOutput().trimmed().toDouble() - before) * 1e3);
        }
        print("window visible and painted, from exec, median of 5", median(times), "ms", "400");
    }

    void launch() {
        m_app = std::make_unique<app::Application>(
            m_qt, app::Options{}, app::Application::Parts{m_engine, nullptr, m_dir.path(), {}});
        m_app->start();
        (void)QTest::qWaitForWindowExposed(&m_app->window());
        m_app->window().grab();
        QTest::qWait(500);
    }

    void keys() {
        auto* edit = m_app->window().findChild<ui::ComposerEdit*>();
        edit->setFocus();
        std::vector<double> times;
        for (int i = 0; i < 60; ++i) {
            QElapsedTimer clock;
            clock.start();
            QTest::keyClick(edit, Qt::Key_A);
            edit->viewport()->repaint();
            times.push_back(milliseconds(clock));
            QTest::qWait(5);
        }
        print("key to glyph, worst of 60", *std::max_element(times.begin(), times.end()), "ms", "16");
        print("key to glyph, median", median(times), "ms", "16");
        edit->clear();
    }

    /// An answer of 18,000 tokens is there; 2,000 more come at 200 a second.
    void stream(const std::string& shape) {
        std::string start;
        for (int i = 0; i < kStreamedTokens - kLastTokens; ++i)
            start += pieceOf(shape, i);
        ui::ChatTree tree = chatOf(QString::fromStdString(shape));
        addTurn(tree, QStringLiteral("Go on"));
        addTurn(tree, QString::fromStdString(start));
        open(tree);
        QTest::qWait(500); // laid out and painted: that is not streaming
        m_engine.set_answer(shaped(shape, kStreamedTokens - kLastTokens, kStreamedTokens));
        const double cpuBefore = secondsOf(CLOCK_THREAD_CPUTIME_ID);
        QElapsedTimer clock;
        clock.start();
        ui::ChatPage& page = m_app->window().chatPage();
        page.continueLast();
        (void)QTest::qWaitFor([&] { return page.isGenerating(); }, 5'000);
        Heartbeat heart;
        (void)QTest::qWaitFor([&] { return !page.isGenerating(); }, 60'000);
        auto* view = m_app->window().findChild<ui::MessageView*>();
        const ui::MessageRecord last = view->model().turn(view->model().rowCount() - 1).message;
        if (last.stats.outputTokens < kLastTokens) // a figure of something else would mislead
            return std::printf("%s: %d of %d tokens came: %s\n", shape.c_str(), last.stats.outputTokens, kLastTokens,
                       qPrintable(last.error)),
                   void();
        const std::string name = "stall, 200 tok/s into 20,000 tokens, " + shape;
        print(name.c_str(), heart.worst(), "ms", "50");
        print("    of it CPU of the GUI thread", heart.worstCpu(), "ms", "50");
        print("    GUI thread, share of one core meanwhile",
            (secondsOf(CLOCK_THREAD_CPUTIME_ID) - cpuBefore) / milliseconds(clock) * 1e5, "%", "none");
    }

    void open(const ui::ChatTree& tree) {
        m_app->store().addChat(tree);
        bool isStored = false;
        m_app->store().whenIdle(m_app.get(), [&] { isStored = true; });
        (void)QTest::qWaitFor([&] { return isStored; }, 60'000);
        m_app->window().chatPage().openChat(tree.chat.id);
        auto* view = m_app->window().findChild<ui::MessageView*>();
        (void)QTest::qWaitFor([&] { return view->model().rowCount() == tree.messages.size(); }, 10'000);
    }

    void openChat() {
        ui::ChatTree tree = chatOf(QStringLiteral("Five hundred messages"));
        for (int i = 0; i < 500; ++i)
            addTurn(tree,
                QStringLiteral("Message %1 with `code` and **weight**.\n\n").arg(i).repeated(i % 2 == 0 ? 1 : 12));
        open(tree);
        std::vector<double> times;
        auto* view = m_app->window().findChild<ui::MessageView*>();
        for (int i = 0; i < 15; ++i) { // a dozen sessions stay open: the first one is read from the disk again
            ui::ChatTree other = chatOf(QStringLiteral("other"));
            addTurn(other, QStringLiteral("x"));
            open(other);
        }
        for (int i = 0; i < 3; ++i) {
            m_app->window().chatPage().openChat(m_app->store().chats().first().id);
            QTest::qWait(200);
            QElapsedTimer clock;
            clock.start();
            m_app->window().chatPage().openChat(tree.chat.id);
            while (view->model().rowCount() < 500 && milliseconds(clock) < 10'000)
                QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 5);
            view->viewport()->repaint();
            times.push_back(milliseconds(clock));
        }
        print("a chat of 500 messages read, opened and painted", times.front(), "ms", "150");
        print("    and again", times.back(), "ms", "150");
    }

    void idle() {
        QTest::qWait(3'000);
        const double before = secondsOf(CLOCK_PROCESS_CPUTIME_ID);
        QElapsedTimer clock;
        clock.start();
        QEventLoop loop;
        QTimer::singleShot(10'000, &loop, &QEventLoop::quit);
        loop.exec();
        print("idle, share of one core", (secondsOf(CLOCK_PROCESS_CPUTIME_ID) - before) / milliseconds(clock) * 1e5,
            "%", "0.3");
    }

    /// Tokens a second of a 256-token answer of the default model.
    static double decodeRate(ui::EngineClient& client) {
        double rate = 0;
        bool isDone = false;
        ui::ChatPrompt prompt;
        prompt.messages_json = R"([{"role":"user","content":"Tell the story of the first transatlantic cable."}])";
        ui::Request request;
        request.prompt = prompt;
        request.sampling.temperature = 0;
        request.stop.max_tokens = 256;
        request.stop.ignore_eos = true;
        const auto id = client.submit(request);
        if (!id)
            return 0;
        const auto connection = QObject::connect(
            &client, &ui::EngineClient::requestFinished, [&](ui::RequestId ended, const ui::Finished& finished) {
                if (ended != *id)
                    return;
                const double seconds = std::chrono::duration<double>(finished.timings.decode).count();
                rate = seconds > 0 ? (finished.usage.output_tokens - 1) / seconds : 0;
                isDone = true;
            });
        (void)QTest::qWaitFor([&] { return isDone; }, 60'000);
        QObject::disconnect(connection);
        return rate;
    }

    static double headlessRate(const QString& path) {
        const std::unique_ptr<engine::Engine> engine = engine::make_engine();
        double rate = 0;
        {
            ui::EngineClient client(*engine);
            (void)client.load(path, {});
            (void)QTest::qWaitFor([&] { return client.model() != nullptr; }, 60'000);
            QTest::qWait(400);
            rate = decodeRate(client);
        }
        engine->stop();
        return rate;
    }

    double windowRate(const QString& path) {
        const QTemporaryDir folder;
        const std::unique_ptr<engine::Engine> engine = engine::make_engine();
        app::Application window(m_qt, {}, {*engine, nullptr, folder.path(), {}});
        window.start();
        (void)QTest::qWaitForWindowExposed(&window.window());
        (void)window.client().load(path, {});
        (void)QTest::qWaitFor([&] { return window.client().model() != nullptr; }, 60'000);
        QTest::qWait(400);
        return chatRate(window);
    }

    /// Without and with a window that shows the answer, in turns.
    void cost() {
        const QString path = QString::fromStdString(engine::default_model_path().string());
        if (!QFileInfo::exists(path)) {
            std::printf("cost: %s is not there; packaging/fetch_model.py fetches it\n", qPrintable(path));
            return;
        }
        std::vector<double> bare, shown, ratios;
        for (int round = 0; round < 7; ++round) {
            bare.push_back(headlessRate(path));
            shown.push_back(windowRate(path));
            if (bare.back() > 0)
                ratios.push_back(100 * (1 - shown.back() / bare.back()));
        }
        print("headless decode, median of 7", median(bare), "tok/s", "none");
        print("decode under a window that shows it, median of 7", median(shown), "tok/s", "none");
        print("the window costs, median of 7 pairs", median(ratios), "%", "2");
    }

    /// The same turn typed into the window.
    static double chatRate(app::Application& window) {
        ui::ChatPage& page = window.window().chatPage();
        window.settings().set(ui::keys::kTemperature, 0.0);
        page.newChat();
        ui::ChatRecord chat = *window.store().chat(page.currentChat());
        chat.sampling.maxTokens = 256;
        chat.sampling.repetitionPenalty = 1;
        chat.sampling.temperature = 0;
        window.store().updateChat(chat);
        double rate = 0;
        bool isDone = false;
        QObject::connect(&window.client(), &ui::EngineClient::requestFinished, &window,
            [&](ui::RequestId, const ui::Finished& finished) {
                const double seconds = std::chrono::duration<double>(finished.timings.decode).count();
                rate = seconds > 0 ? (finished.usage.output_tokens - 1) / seconds : 0;
                isDone = true;
            });
        page.send(QStringLiteral("Tell the story of the first transatlantic cable."));
        (void)QTest::qWaitFor([&] { return isDone; }, 60'000);
        return rate;
    }

    QApplication& m_qt;
    QString m_part;
    QTemporaryDir m_dir;
    testing::ScriptedEngine m_engine{{.step_time = kStepTime, .context = 2 * kStreamedTokens}};
    std::unique_ptr<app::Application> m_app;
};

/// What startProcess() starts: prints the time at which the window was painted.
int startOnly(QApplication& qt, const QString& folder) {
    testing::ScriptedEngine engine({.model_loaded = false});
    app::Application application(qt, {}, {engine, nullptr, folder, {}});
    application.start();
    (void)QTest::qWaitForWindowExposed(&application.window());
    application.window().grab();
    std::printf("%.6f\n", secondsOf(CLOCK_MONOTONIC));
    return 0;
}

/// The Engine page of a real window while 64 requests run; those that end are followed by others.
int takePicture(QApplication& qt, const QString& model, const QString& file, int seconds) {
    constexpr int kRequests = 64;
    const QTemporaryDir folder;
    const std::unique_ptr<engine::Engine> engine = engine::make_engine();
    app::Application window(qt, {}, {*engine, nullptr, folder.path(), {}});
    window.start();
    (void)QTest::qWaitForWindowExposed(&window.window());
    ui::EngineClient& client = window.client();
    (void)client.load(model, {});
    if (!QTest::qWaitFor([&] { return client.model() != nullptr; }, 60'000)) {
        std::printf("%s was not loaded within a minute\n", qPrintable(model));
        return 1;
    }
    int number = 0;
    const auto ask = [&] {
        ui::Request request;
        const QString line = QStringLiteral("%1. Tell the story of the first transatlantic cable. ").arg(++number);
        request.prompt = engine::TextPrompt{line.repeated(1 + number % 5).toStdString()};
        request.source = number % 4 == 0 ? engine::RequestSource::chat : engine::RequestSource::api;
        request.label = "request " + std::to_string(number);
        request.stop.max_tokens = 100 + number % 7 * 60;
        request.stop.ignore_eos = true;
        (void)client.submit(request);
    };
    QObject::connect(&client, &ui::EngineClient::requestFinished, &window, ask);
    window.window().resize(1440, 900);
    window.window().showPage(QStringLiteral("engine"));
    for (int i = 0; i < kRequests; ++i)
        ask();
    QTest::qWait(seconds * 1000);
    const bool saved = window.window().grab().save(file);
    std::printf("%s: %d requests so far, picture %s\n", client.model()->info.name.c_str(), number,
        saved ? "saved" : "not saved");
    engine->stop();
    return saved ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication qt(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.value(1) == QLatin1String("--start"))
        return startOnly(qt, arguments.value(2));
    if (arguments.value(1) == QLatin1String("--picture"))
        return takePicture(
            qt, arguments.value(2), arguments.value(3), arguments.value(4, QStringLiteral("15")).toInt());
    Bench(qt, arguments.value(1)).run();
    return 0;
}
