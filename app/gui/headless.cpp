// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/gui: --headless.
#include "app/gui/headless.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <cstdio>

#include "app/gui/endpoint_adapter.h"
#include "app/gui/signal_watch.h"
#include "ui/bridge/engine_client.h"
#include "ui/bridge/qt_convert.h"
#include "ui/store/settings.h"
#pragma push_macro("slots")
#undef slots
#include "engine/api/engine.h"
#pragma pop_macro("slots")

namespace vitrine::app {

using namespace ui;

namespace {

void complain(const Error& error) {
    std::fprintf(stderr, "vitrine: %s. %s\n", error.message.c_str(), error.remedy.c_str());
}

} // namespace

int runHeadless(engine::Engine& engine, const Options& options, const QString& dataDir, const QString& defaultModel) {
    Settings settings(dataDir);
    EngineClient client(engine);
    EndpointAdapter endpoint(engine);
    SignalWatch signals_;
    int exitCode = 0;
    QObject::connect(&signals_, &SignalWatch::quitRequested, qApp, &QCoreApplication::quit);
    QObject::connect(&client, &EngineClient::loadChanged, qApp, [&](const LoadState& state) {
        if (state.stage == LoadStage::failed) {
            complain(state.error);
            exitCode = 3;
            QCoreApplication::exit(exitCode);
        }
    });
    QObject::connect(&endpoint, &EndpointControl::stateChanged, qApp, [&] {
        if (endpoint.state() == EndpointControl::State::running) {
            std::printf("%s\n", qPrintable(endpoint.url().toString()));
            std::fflush(stdout);
        } else if (endpoint.state() == EndpointControl::State::failed) {
            complain(endpoint.error());
            exitCode = 1;
            QCoreApplication::exit(exitCode);
        }
    });
    QString path = options.model == QLatin1String("default") ? QString() : options.model;
    if (path.isEmpty())
        path = defaultModel;
    EngineConfig config = engineConfigFromJson(settings.loadOptions(path));
    if (!options.device.isEmpty())
        config.device = toStdString(options.device);
    if (const auto started = client.load(path, config); !started) {
        complain(started.error());
        return 1;
    }
    EndpointSettings serve;
    serve.port = options.servePort.value_or(static_cast<quint16>(settings.value(keys::kServerPort)));
    serve.localNetwork = settings.value(keys::kServerLocalNetwork);
    serve.apiKey = settings.value(keys::kServerKey);
    serve.allowedOrigins = settings.value(keys::kServerOrigins);
    endpoint.start(serve);
    QCoreApplication::exec();
    endpoint.shutdown();
    engine.stop();
    return exitCode;
}

} // namespace vitrine::app
