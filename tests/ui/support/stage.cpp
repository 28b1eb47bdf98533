// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui: stage and fakes.
#include "tests/ui/support/stage.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>

namespace vitrine::testing {
namespace {

QString makeDataDir(const QTemporaryDir& dir) {
    const QString models = dir.filePath(QStringLiteral("models"));
    QDir().mkpath(models);
    const std::pair<const char*, double> files[] = {{"Qwen3-14B.Q4_K_M", 8.38}, {"Qwen3-0.6B.Q8_0", 0.6},
        {"Llama-3.1-8B-Instruct.Q4_K_M", 4.58}, {"Gemma-3-4B-it.Q4_K_M", 2.32},
        {"Mistral-7B-Instruct-v0.3.Q4_K_M", 4.07}, {"SmolLM2-135M-Instruct.Q4_1", 0.092},
        {"Phi-3-mini-base.Q4_K_M", 2.23}};
    for (const auto& [name, gib] : files) {
        QFile file(models + u'/' + QLatin1String(name) + QStringLiteral(".gguf"));
        if (file.open(QIODevice::WriteOnly))
            file.resize(static_cast<qint64>(gib * (1LL << 30))); // sparse: no disk is used
    }
    return dir.path();
}

} // namespace

void FakeDialogs::openFiles(
    QWidget*, const QString& title, const FileFilter&, bool, std::function<void(QStringList)> done) {
    asked += title;
    done(files);
}
void FakeDialogs::openFolder(QWidget*, const QString& title, std::function<void(QString)> done) {
    asked += title;
    done(folder);
}
void FakeDialogs::saveFile(
    QWidget*, const QString& title, const QString&, const FileFilter&, std::function<void(QString)> done) {
    asked += title;
    done(saved);
}
void FakeDialogs::confirm(QWidget*, const Question& question, std::function<void(bool)> done) {
    textNow = question.textNow;
    asked += question.title;
    done(accept);
}
void FakeDialogs::choose(
    QWidget*, const QString& title, const QString&, const QStringList&, std::function<void(int)> done) {
    asked += title;
    done(chosen);
}
void FakeDialogs::message(QWidget*, const QString& title, const QString&) {
    asked += title;
}
void FakeDialogs::askText(
    QWidget*, const QString& title, const QString&, const QString& value, std::function<void(bool, QString)> done) {
    asked += title;
    done(accept, value);
}

void FakeEndpoint::start(const ui::EndpointSettings& settings) {
    started = settings;
    const bool refused = taken.contains(settings.port);
    m_state = refused ? State::failed : State::running;
    m_error = {};
    if (refused)
        m_error = {ErrorCode::io, "Port " + std::to_string(settings.port) + " is in use by another program.",
            "Stop that program, or use another port."};
    emit stateChanged();
}

void FakeEndpoint::stop() {
    m_state = State::off;
    emit stateChanged();
}

QUrl FakeEndpoint::url() const {
    return m_state == State::running ? QUrl(QStringLiteral("http://127.0.0.1:%1").arg(started.port)) : QUrl();
}

void FakeEndpoint::addRow(const ui::EndpointLogRow& row) {
    m_rows.push(row);
    emit rowsChanged();
}

void FakeEndpoint::addSampleRows() {
    struct Sample {
        const char *client, *route;
        int status;
        double queue, first;
        int in, cached, out;
        double rate;
        const char* finish;
    };
    constexpr Sample kSamples[] = {{"curl", "/stats", 200, -1, -1, 0, 0, 0, -1, ""},
        {"openai-python", "/v1/chat/completions", 200, 0.02, 1.14, 1204, 0, 733, 63, "stop"},
        {"openai-python", "/v1/chat/completions", 429, -1, -1, 1204, 0, 0, -1, "error"},
        {"editor", "/v1/completions", 200, 0.01, 0.31, 305, 0, 22, 63, "stop"},
        {"editor", "/v1/completions", 200, 0.01, 0.08, 317, 288, 18, 63, "stop"},
        {"notes-plugin", "/v1/chat/completions", 499, 0.01, 0.11, 2604, 2560, 51, 62, "cancelled"},
        {"curl", "/v1/chat/completions", 400, -1, -1, 8317, 0, 0, -1, "error"},
        {"openai-python", "/v1/models", 200, -1, -1, 0, 0, 0, -1, ""},
        {"openai-python", "/v1/chat/completions", 200, 0.70, 1.01, 2611, 2560, 640, 54, "length"},
        {"notes-plugin", "/v1/chat/completions", 200, 0.30, 0.63, 2590, 2560, 412, 52, "stop"},
        {"notes-plugin", "/v1/chat/completions", 0, 0.51, 1.02, 2598, 2304, 188, 51, ""}};
    quint64 number = 117;
    QDateTime time(QDate(2026, 11, 27), QTime(9, 39, 30));
    for (const Sample& sample : kSamples) {
        ui::EndpointLogRow row;
        row.number = ++number;
        row.time = time;
        time = time.addSecs(11);
        row.client = QLatin1String(sample.client);
        row.method = sample.in > 0 ? QStringLiteral("POST") : QStringLiteral("GET");
        row.route = QLatin1String(sample.route);
        row.model = QStringLiteral("qwen3-14b");
        row.status = sample.status;
        row.queueSeconds = sample.queue;
        row.firstTokenSeconds = sample.first;
        row.totalSeconds = sample.rate > 0 ? sample.out / sample.rate : -1;
        row.promptTokens = sample.in;
        row.cachedTokens = sample.cached;
        row.outputTokens = sample.out;
        row.tokensPerSecond = sample.rate;
        row.finish = QLatin1String(sample.finish);
        row.finished = sample.status != 0;
        row.requestBody = QStringLiteral(
            R"({"model":"qwen3-14b","stream":true,"temperature":0.2,"messages":[{"role":"user","content":"Why is it loud at start?"}]})");
        row.prompt = QStringLiteral("<|im_start|>user\nWhy is it loud at start?<|im_end|>\n<|im_start|>assistant\n");
        row.response = QStringLiteral("Air is trapped in the pump.");
        if (sample.status == 400)
            row.error = QStringLiteral("The prompt has 8,317 tokens, the context 8,192.");
        m_rows.push(row);
    }
    emit rowsChanged();
}

Stage::Stage()
    : dataDir(makeDataDir(dir)), settings(dataDir), client(engine), snapshots(engine), steps(engine, snapshots) {
    theme.applyTo(*qApp);
    engine.place_model(dataDir.toStdString() + "/models/Qwen3-14B.Q4_K_M.gguf");
    settings.set(ui::keys::kTheme, QStringLiteral("light"));
    client.noteSnapshot(engine.snapshot());
    snapshots.setWindowVisible(true);
    QObject::connect(&snapshots, &ui::SnapshotFeed::updated, &client, &ui::EngineClient::noteSnapshot);
}

bool Stage::waitFor(const std::function<bool()>& done) {
    QElapsedTimer timer;
    timer.start();
    while (!done() && timer.elapsed() < 2'000)
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 20);
    return done();
}

} // namespace vitrine::testing
