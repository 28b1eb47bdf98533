// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/gui: the window's process.
#include <QApplication>
#include <QFileInfo>
#include <cstdio>

#include "app/gui/application.h"
#include "app/gui/crash_log.h"
#include "app/gui/headless.h"
#include "app/gui/signal_watch.h"
#include "app/gui/single_instance.h"
#pragma push_macro("slots")
#undef slots
#include "engine/api/engine.h"
#include "engine/base/data_dir.h"
#pragma pop_macro("slots")

using namespace vitrine;

namespace {

QStringList argumentList(int argc, char** argv) {
    QStringList arguments;
    for (int i = 0; i < argc; ++i)
        arguments.append(QString::fromLocal8Bit(argv[i]));
    return arguments;
}

QString pathText(const std::filesystem::path& path) {
    return QString::fromStdString(path.string());
}

/// Qt ends the process when no display can be reached; it is better to say what to do.
bool hasDisplay() {
    return qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY") ||
        qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
}

int runWindow(char** argv, const app::Options& options, const QString& dataDir) {
    int numNames = 1; // the program's: Qt would take --style for a flag of its own
    QApplication qt(numNames, argv);
    app::SingleInstance instance(dataDir);
    if (!instance.claim(options.model)) {
        std::fprintf(stderr, "vitrine: already running on %s; its window was raised\n", qPrintable(dataDir));
        return 0;
    }
    app::installCrashLog(dataDir);
    if (const QString crash = app::takeCrashLog(dataDir); !crash.isEmpty())
        std::fprintf(stderr, "vitrine: the last run ended early: %s", qPrintable(crash.section(u'\n', 0, 0) + u'\n'));
    app::SignalWatch signalWatch;
    const std::unique_ptr<engine::Engine> engine = engine::make_engine();
    app::Application application(qt, options, {*engine, nullptr, dataDir, pathText(engine::default_model_path())});
    QObject::connect(&signalWatch, &app::SignalWatch::quitRequested, &application, &app::Application::quit);
    QObject::connect(&instance, &app::SingleInstance::raiseRequested, &application, &app::Application::raise);
    application.start();
    const int exitCode = QApplication::exec();
    application.shutdown();
    return exitCode;
}

} // namespace

int main(int argc, char** argv) {
    const app::CommandLine line = app::parseCommandLine(argumentList(argc, argv));
    if (!line.options) {
        std::fputs(qPrintable(line.text), line.exitCode == 0 ? stdout : stderr);
        return line.exitCode;
    }
    const app::Options& options = *line.options;
    QCoreApplication::setApplicationName(QStringLiteral("vitrine"));
    // The engine's own look-ups (models, cache) follow the same folder.
    if (!options.dataDir.isEmpty())
        qputenv("VITRINE_DATA_DIR", QFileInfo(options.dataDir).absoluteFilePath().toLocal8Bit());
    const QString dataDir = pathText(engine::data_dir());
    if (options.headless) {
        QCoreApplication qt(argc, argv);
        const std::unique_ptr<engine::Engine> engine = engine::make_engine();
        return app::runHeadless(*engine, options, dataDir, pathText(engine::default_model_path()));
    }
    if (!hasDisplay()) {
        std::fputs(
            "vitrine: no display (DISPLAY and WAYLAND_DISPLAY are not set): start it in a desktop session, or use "
            "--headless for the endpoint alone\n",
            stderr);
        return 1;
    }
    return runWindow(argv, options, dataDir);
}
