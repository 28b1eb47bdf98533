// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui: pictures of every page and state in every scheme, for people to look at.
// Usage: ui_screens FOLDER [PART OF A NAME]     QT_SCALE_FACTOR=2 for fine screens.  Fails when a picture is blank.
#include "tests/ui/support/fake_hub.h"
#include "tests/ui/support/stage.h"
#include "ui/engine/engine_page.h"
#include "ui/frame/command_palette.h"
#include "ui/frame/main_window.h"
#include "ui/frame/running_work.h"
#include "ui/lab/experiment_view.h"
#include "ui/lab/lab_page.h"
#include "ui/models/downloads.h"
#include "ui/models/model_details.h"
#include "ui/models/models_page.h"
#include "ui/server/request_log_model.h"
#include "ui/settings/settings_page.h"
#include "ui/store/chat_store.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDir>
#include <QLineEdit>
#include <QPixmap>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTableView>
#include <QTest>

#include <cstdio>

using namespace vitrine;
using namespace vitrine::ui;

namespace {

class Camera {
public:
    Camera(QString folder, QString part) : m_folder(std::move(folder)), m_part(std::move(part)) {
        QDir().mkpath(m_folder);
    }

    [[nodiscard]] bool wants(const QString& name) const { return m_part.isEmpty() || name.contains(m_part); }
    void shoot(QWidget& window, const QString& name) {
        QTest::qWait(150); // queued replots and plans
        const QPixmap picture = window.grab();
        if (!picture.save(QStringLiteral("%1/%2.png").arg(m_folder, name)) || isBlank(picture.toImage())) {
            std::fprintf(stderr, "%s is blank or was not written\n", qPrintable(name));
            ++m_failures;
        }
    }
    [[nodiscard]] int failures() const { return m_failures; }

private:
    static bool isBlank(const QImage& image) {
        const QRgb first = image.pixel(image.width() / 2, 3);
        for (int y = 0; y < image.height(); y += 5)
            for (int x = 0; x < image.width(); x += 5)
                if (image.pixel(x, y) != first)
                    return false;
        return true;
    }

    QString m_folder, m_part;
    int m_failures = 0;
};

struct Scene {
    vitrine::testing::Stage stage; // applies its theme before the window is made
    ChatStore store{stage.dataDir};
    RunningWork work{stage.client, store, stage.snapshots, stage.dataDir};
    MainWindow window{{stage.theme, stage.client, stage.snapshots, stage.steps, stage.endpoint, store, stage.settings,
        stage.dialogs, stage.dataDir, work}};
};

void prepare(Scene& scene, const QString& scheme) {
    scene.stage.settings.set(keys::kTheme, scheme);
    scene.window.resize(1280, 800);
    scene.window.show();
    scene.window.activateWindow();
    QCursor::setPos(5000, 5000); // no hover in the pictures
    scene.stage.snapshots.pollNow();
}

void shootEngine(Camera& camera, const QString& scheme) {
    Scene scene;
    prepare(scene, scheme);
    scene.window.showPage(QStringLiteral("engine"));
    scene.stage.snapshots.pollNow();
    camera.shoot(scene.window, QStringLiteral("engine-") + scheme);
    auto* page = scene.window.findChild<EnginePage*>();
    page->showTrack(EnginePage::Track::stepTime);
    camera.shoot(scene.window, QStringLiteral("engine-tracks-") + scheme);
    page->showRequest(2);
    camera.shoot(scene.window, QStringLiteral("engine-request-") + scheme);
    page->showRequest(0);
    page->showTrack(EnginePage::Track::blocks);
    page->togglePause();
    QTest::keyClick(page, Qt::Key_Left);
    camera.shoot(scene.window, QStringLiteral("engine-replay-") + scheme);
    page->togglePause();
    scene.stage.engine.play_idle();
    vitrine::testing::Stage::waitFor([&] { return scene.stage.snapshots.isIdle(); });
    camera.shoot(scene.window, QStringLiteral("engine-idle-") + scheme);
    scene.stage.client.unload();
    scene.stage.snapshots.pollNow();
    camera.shoot(scene.window, QStringLiteral("engine-empty-") + scheme);
}

void shootModels(Camera& camera, const QString& scheme) {
    Scene scene;
    scene.stage.engine.fail_inspect("Mistral",
        {ErrorCode::bad_file,
            "The file ends 1.0 MiB early: tensor blk.31.ffn_down.weight ends at 4,372,811,776, the file at "
            "4,371,763,200.",
            "A copy or download was cut. Fetch the file again."});
    scene.stage.engine.play_idle();
    prepare(scene, scheme);
    scene.window.openModelFile(scene.stage.dataDir + QStringLiteral("/models/Qwen3-14B.Q4_K_M.gguf"));
    QTest::qWait(250);
    camera.shoot(scene.window, QStringLiteral("models-") + scheme);
    scene.window.openModelFile(scene.stage.dataDir + QStringLiteral("/models/Mistral-7B-Instruct-v0.3.Q4_K_M.gguf"));
    QTest::qWait(250);
    camera.shoot(scene.window, QStringLiteral("models-error-") + scheme);
    scene.stage.engine.hold_load(true);
    scene.window.openModelFile(scene.stage.dataDir + QStringLiteral("/models/SmolLM2-135M-Instruct.Q4_1.gguf"));
    QTest::qWait(250);
    scene.window.findChild<ModelDetails*>()->load();
    camera.shoot(scene.window, QStringLiteral("models-loading-") + scheme);
}

template <class T>
T* named(QWidget& window, const QString& name) {
    for (T* widget : window.findChildren<T*>())
        if (widget->accessibleName() == name || widget->property("text").toString() == name)
            return widget;
    return nullptr;
}

/// The form of a quantization, and its report, on a page of its own; at 200 % as well.
void shootQuantize(Camera& camera, const QString& scheme) {
    for (const int percent : {100, 200}) {
        vitrine::testing::Stage stage;
        stage.theme.setChoice(scheme == QLatin1String("light") ? SchemeChoice::light
                : scheme == QLatin1String("dark")              ? SchemeChoice::dark
                                                               : SchemeChoice::contrast);
        stage.theme.setTextPercent(percent);
        QuantizationRunner runner([](const QuantizationTask&, const QuantizationRun&) {
            QuantizationResult result;
            result.written = {269'000'000, 105'000'000, 6.25, 0, {}};
            for (int layer = 0; layer < 30; ++layer)
                result.written.tensors.push_back(
                    {"blk." + std::to_string(layer) + ".ffn_down.weight", "f16", "q6_k", 1, 1, 0.0167});
            result.quality.emplace();
            result.quality->num_positions = 512;
            result.quality->mean_kl = 0.0131;
            result.quality->top1_agreement = 0.957;
            for (const char* prompt : {"What is the capital of Italy?", "Why is the sky blue?"})
                result.quality->answers.push_back({prompt, "Rome, on the Tiber.", "Rome, on the river Tiber."});
            return Result<QuantizationResult>(result);
        });
        Downloads downloads(stage.dataDir + QStringLiteral("/models"));
        OpenedModels opened;
        ModelsPage page(
            {stage.theme, stage.client, stage.settings, stage.dialogs, stage.dataDir, downloads, runner, opened});
        page.resize(1220, 760);
        page.show();
        page.openFile(stage.dataDir + QStringLiteral("/models/SmolLM2-135M-Instruct.Q4_1.gguf"));
        QTest::qWait(250);
        const auto quantize = [&page] { // of the details, then of the form
            for (auto* button : page.findChildren<QAbstractButton*>())
                if (button->text() == QStringLiteral("Quantize") && button->isVisible())
                    return button->click();
        };
        quantize();
        const QString name = QStringLiteral("models-quantize-%1-%2").arg(scheme).arg(percent);
        camera.shoot(page, name);
        quantize();
        QTest::qWait(250);
        camera.shoot(page, name + QStringLiteral("-report"));
    }
}

/// Search results, a download that runs, and no network.
void shootHub(Camera& camera, const QString& scheme) {
    vitrine::testing::FakeHub hub;
    hub.body = QByteArray(40 << 20, 'x');
    hub.stallAfter = 23 << 20;
    qputenv("HF_ENDPOINT", hub.url().toEncoded());
    Scene scene;
    scene.stage.engine.play_idle();
    prepare(scene, scheme);
    scene.window.showPage(QStringLiteral("models"));
    auto* get = named<QAbstractButton>(scene.window, QStringLiteral("Get models"));
    auto* field = named<QLineEdit>(scene.window, QStringLiteral("Search the Hugging Face Hub"));
    auto* repos = named<QTableView>(scene.window, QStringLiteral("Repositories"));
    auto* files = named<QTableView>(scene.window, QStringLiteral("Files"));
    auto* download = named<QAbstractButton>(scene.window, QStringLiteral("Download"));
    get->click();
    camera.shoot(scene.window, QStringLiteral("models-get-empty-") + scheme);
    QTest::keyClicks(field, QStringLiteral("tiny"));
    QTest::keyClick(field, Qt::Key_Return);
    vitrine::testing::Stage::waitFor([&] { return repos->model()->rowCount() > 0; });
    repos->selectRow(0);
    vitrine::testing::Stage::waitFor([&] { return files->model()->rowCount() > 0; });
    files->selectRow(0);
    download->click();
    QTest::qWait(1'400);
    camera.shoot(scene.window, QStringLiteral("models-get-") + scheme);
    hub.close();
    QTest::keyClick(field, Qt::Key_Return);
    QTest::qWait(300);
    camera.shoot(scene.window, QStringLiteral("models-get-offline-") + scheme);
    qunsetenv("HF_ENDPOINT");
}

void shootServer(Camera& camera, const QString& scheme) {
    Scene scene;
    prepare(scene, scheme);
    scene.window.showPage(QStringLiteral("server"));
    camera.shoot(scene.window, QStringLiteral("server-off-") + scheme);
    scene.stage.endpoint.taken = {8080};
    scene.stage.endpoint.start({});
    camera.shoot(scene.window, QStringLiteral("server-taken-") + scheme);
    scene.stage.endpoint.taken.clear();
    scene.stage.endpoint.start({});
    scene.stage.endpoint.addSampleRows();
    for (QTableView* table : scene.window.findChildren<QTableView*>())
        if (qobject_cast<RequestLogModel*>(table->model()))
            table->selectRow(1);
    camera.shoot(scene.window, QStringLiteral("server-") + scheme);
}

void shootSettings(Camera& camera, const QString& scheme) {
    Scene scene;
    prepare(scene, scheme);
    scene.window.showPage(QStringLiteral("settings"));
    for (const char* section : {"appearance", "chat", "engine", "storage", "shortcuts", "about"}) {
        scene.window.findChild<SettingsPage*>()->showSection(QLatin1String(section));
        camera.shoot(scene.window, QStringLiteral("settings-%1-%2").arg(QLatin1String(section), scheme));
    }
    scene.window.findChild<CommandPalette*>()->openOver(QRect(0, 0, 1280, 772));
    camera.shoot(scene.window, QStringLiteral("palette-") + scheme);
}

/// Every experiment as it asks, and with a result those that need no engine.
void shootLab(Camera& camera, const QString& scheme) {
    Scene scene;
    prepare(scene, scheme);
    scene.stage.engine.play_idle();
    scene.window.showPage(QStringLiteral("lab"));
    auto* page = scene.window.findChild<LabPage*>();
    for (const char* name : {"prefix", "kvcache", "speculation", "quantization"}) {
        page->showExperiment(QLatin1String(name));
        camera.shoot(scene.window, QStringLiteral("lab-%1-%2").arg(QLatin1String(name), scheme));
    }
    for (const char* name : {"policies", "paging"}) {
        page->showExperiment(QLatin1String(name));
        for (const char* guess : {"ttft", "tpot", "e2e", "goodput", "kv", "use"})
            page->view()->setGuess(QLatin1String(guess), QStringLiteral("better"));
        for (const char* guess : {"waste", "fit"})
            page->view()->setGuess(QLatin1String(guess), QStringLiteral("12"));
        camera.shoot(scene.window, QStringLiteral("lab-%1-%2").arg(QLatin1String(name), scheme));
        QSignalSpy finished(page, &LabPage::finished);
        page->run();
        vitrine::testing::Stage::waitFor([&] { return finished.count() == 1; });
        QTest::qWait(50);
        for (QScrollArea* area : page->findChildren<QScrollArea*>())
            if (area->isVisible())
                area->verticalScrollBar()->setValue(page->view()->resultArea()->y() - 8);
        camera.shoot(scene.window, QStringLiteral("lab-%1-result-%2").arg(QLatin1String(name), scheme));
    }
}

void shootChat(Camera& camera, const QString& scheme) {
    Scene scene;
    prepare(scene, scheme);
    scene.window.showPage(QStringLiteral("chat"));
    camera.shoot(scene.window, QStringLiteral("chat-") + scheme);
}

/// All of the Engine page from a narrow window to a wide screen.
void shootWidths(Camera& camera, const QString& scheme) {
    for (const int percent : {100, 200})
        for (const int width : {640, 900, 1280, 1856}) {
            Scene scene;
            prepare(scene, scheme);
            scene.stage.settings.set(keys::kTextSizePercent, percent);
            scene.window.resize(width, percent == 100 ? 1300 : 2200);
            scene.window.showPage(QStringLiteral("engine"));
            camera.shoot(scene.window, QStringLiteral("widths-%1-%2-%3").arg(width).arg(percent).arg(scheme));
        }
}

/// The smallest window, and text at 200 %: nothing may be clipped.
void shootTight(Camera& camera, const QString& scheme) {
    for (const int percent : {100, 200}) {
        Scene scene;
        prepare(scene, scheme);
        scene.stage.settings.set(keys::kTextSizePercent, percent);
        scene.window.resize(percent == 100 ? QSize(960, 600) : QSize(1280, 800));
        for (const char* page : {"models", "engine", "lab", "server", "settings"}) {
            scene.window.showPage(QLatin1String(page));
            camera.shoot(
                scene.window, QStringLiteral("tight-%1-%2-%3").arg(QLatin1String(page)).arg(percent).arg(scheme));
        }
    }
}

} // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QStandardPaths::setTestModeEnabled(true);
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    const QApplication application(argc, argv);
    QCoreApplication::setApplicationVersion(QStringLiteral("0.1.0"));
    Camera camera(
        QString::fromLocal8Bit(argc > 1 ? argv[1] : "screens"), QString::fromLocal8Bit(argc > 2 ? argv[2] : ""));
    const std::pair<const char*, void (*)(Camera&, const QString&)> series[] = {{"chat", shootChat},
        {"engine", shootEngine}, {"lab", shootLab}, {"models", shootModels}, {"models-get", shootHub},
        {"models-quantize", shootQuantize}, {"server", shootServer}, {"settings", shootSettings},
        {"widths", shootWidths}};
    for (const char* scheme : {"light", "dark", "contrast"})
        for (const auto& [name, shoot] : series)
            if (camera.wants(QLatin1String(name)) ||
                camera.wants(QStringLiteral("%1-%2").arg(QLatin1String(name), QLatin1String(scheme))))
                shoot(camera, QLatin1String(scheme));
    if (camera.wants(QStringLiteral("tight")))
        shootTight(camera, QStringLiteral("light"));
    return camera.failures() == 0 ? 0 : 1;
}
