// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/gui: the composition root.
#include "app/gui/application.h"

#include <QApplication>
#include <QFileInfo>
#include <QIcon>
#include <utility>

#include "app/gui/closing.h"
#include "app/gui/demo_load.h"
#include "app/gui/endpoint_adapter.h"
#include "app/gui/idle_unload.h"
#include "app/gui/remote_adapter.h"
#include "app/gui/screenshot.h"
#include "app/gui/translations.h"
#include "app/remote/engine_switch.h"
#include "ui/bridge/engine_client.h"
#include "ui/bridge/qt_convert.h"
#include "ui/bridge/snapshot_feed.h"
#include "ui/bridge/step_feed.h"
#include "ui/chat/chat_page.h"
#include "ui/frame/main_window.h"
#include "ui/frame/running_work.h"
#include "ui/server/server_page.h"
#include "ui/store/chat_store.h"
#include "ui/store/settings.h"
#include "ui/theme/theme.h"
#include "ui/widgets/dialogs.h"
#pragma push_macro("slots")
#undef slots
#include "engine/api/engine.h"
#pragma pop_macro("slots")

namespace vitrine::app {

using namespace ui;

Application::Application(QApplication& qt, const Options& options, Parts parts)
    : m_qt(qt), m_options(options), m_engine(parts.engine), m_dataDir(parts.dataDir),
      m_defaultModel(parts.defaultModel), m_dialogs(std::move(parts.dialogs)), m_theme(std::make_unique<Theme>()),
      m_settings(std::make_unique<Settings>(m_dataDir)), m_engines(std::make_unique<EngineSwitch>(m_engine)),
      m_remote(std::make_unique<RemoteAdapter>(*m_engines, *m_settings)),
      m_client(std::make_unique<EngineClient>(*m_engines, nullptr, &m_engine)),
      m_snapshots(std::make_unique<SnapshotFeed>(*m_engines)),
      m_steps(std::make_unique<StepFeed>(*m_engines, *m_snapshots)),
      m_endpoint(std::make_unique<EndpointAdapter>(m_engine)), m_store(std::make_unique<ChatStore>(m_dataDir)),
      m_work(std::make_unique<RunningWork>(*m_client, *m_store, *m_snapshots, m_dataDir)) {
    if (!m_dialogs)
        m_dialogs = std::make_unique<QtDialogs>();
    if (!options.style.isEmpty())
        m_settings->set(keys::kTheme, options.style);
    m_theme->applyTo(qt);
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/vitrine.svg")));
    QGuiApplication::setDesktopFileName(QStringLiteral("org.vitrine.Vitrine")); // Wayland takes name and icon from it
    QApplication::setQuitOnLastWindowClosed(false); // Closing decides
    m_translations = std::make_unique<Translations>(qt);
    m_translations->apply(m_settings->value(keys::kLanguage));
    wireRemote();
    m_idleUnload = std::make_unique<IdleUnload>(*m_client, *m_endpoint, *m_settings);
    m_client->setChatFirst(m_settings->value(keys::kChatFirst));
    m_closing =
        std::make_unique<Closing>(Closing::Context{*m_endpoint, *m_settings, *m_dialogs, std::move(parts.hasTray)});
    makeWindow();
    if (!options.page.isEmpty())
        m_window->showPage(options.page);
    wire();
}

void Application::makeWindow() {
    m_isAsking = false; // a box goes with the window that it stood on
    m_window = std::make_unique<MainWindow>(MainWindow::Context{*m_theme, *m_client, *m_snapshots, *m_steps,
        *m_endpoint, *m_store, *m_settings, *m_dialogs, m_dataDir, *m_work, m_remote.get()});
    connect(m_window.get(), &MainWindow::visibilityChanged, m_snapshots.get(), &SnapshotFeed::setWindowVisible);
    connect(
        m_window.get(), &MainWindow::closeRequested, m_closing.get(), [this] { m_closing->close(*m_window); },
        Qt::QueuedConnection);
    connect(m_window.get(), &MainWindow::quitRequested, this, &Application::askToQuit, Qt::QueuedConnection);
}

void Application::changeLanguage() {
    if (m_isShutDown)
        return;
    const QRect place = m_window->geometry();
    const bool wasVisible = m_window->isVisible();
    const ChatId chat = m_window->chatPage().currentChat();
    const ChatId beside = m_window->chatPage().chatBeside();
    m_window->chatPage().keepDrafts();
    m_translations->apply(m_settings->value(keys::kLanguage));
    m_window.reset();
    m_closing->forgetIcon();
    makeWindow();
    m_window->setGeometry(place);
    if (m_store->chat(chat) != nullptr)
        m_window->chatPage().openChat(chat);
    if (beside != 0 && m_store->chat(beside) != nullptr)
        m_window->chatPage().showBeside(beside);
    if (wasVisible)
        m_window->show();
    showTrayIcon();
    m_snapshots->pollNow();
}

Application::~Application() {
    shutdown();
}

EndpointControl& Application::endpoint() {
    return *m_endpoint;
}

RemoteControl& Application::remote() {
    return *m_remote;
}

void Application::wireRemote() {
    const auto lookAgain = [this] {
        // Requests come from outside there too: an idle feed looks once a second.
        m_snapshots->setServerRunning(m_engines->isRemote() || m_endpoint->state() == EndpointControl::State::running);
    };
    connect(m_remote.get(), &RemoteAdapter::engineSwitched, this, [this, lookAgain] {
        m_steps->restart(m_engines->isRemote() ? std::optional(m_remote->facts()) : std::nullopt);
        m_client->noteEngine();
        lookAgain();
        m_snapshots->pollNow();
        m_snapshots->wake();
    });
    connect(m_remote.get(), &RemoteAdapter::readingTaken, m_steps.get(), &StepFeed::addReading);
    connect(m_remote.get(), &RemoteControl::stateChanged, this, [this] {
        if (m_engines->isRemote())
            m_steps->noteServer(m_remote->facts());
    });
    connect(m_endpoint.get(), &EndpointControl::stateChanged, this, lookAgain);
    connect(m_client.get(), &EngineClient::loadChanged, this, [this](const LoadState& state) {
        if (state.stage == LoadStage::done && m_engines->isRemote())
            m_remote->useLocal(); // who loads a model here wants to talk to it
    });
}

void Application::wire() {
    SnapshotFeed* feed = m_snapshots.get();
    // Whatever the engine says or is asked means that its snapshot is worth a look.
    connect(m_client.get(), &EngineClient::requestSubmitted, feed, &SnapshotFeed::wake);
    connect(m_client.get(), &EngineClient::requestAdmitted, feed, &SnapshotFeed::wake);
    connect(m_client.get(), &EngineClient::requestProgressed, feed, &SnapshotFeed::wake);
    connect(m_client.get(), &EngineClient::requestFinished, feed, &SnapshotFeed::wake);
    connect(m_client.get(), &EngineClient::modelChanged, feed, &SnapshotFeed::wake);
    connect(feed, &SnapshotFeed::updated, m_client.get(), &EngineClient::noteSnapshot);
    connect(m_endpoint.get(), &EndpointControl::rowsChanged, feed, &SnapshotFeed::wake);
    connect(m_endpoint.get(), &EndpointControl::stateChanged, m_closing.get(), [this] { showTrayIcon(); });
    connect(m_closing.get(), &Closing::windowRequested, this, &Application::showWindow, Qt::QueuedConnection);
    connect(m_closing.get(), &Closing::quitRequested, this, &Application::askToQuit, Qt::QueuedConnection);
    connect(m_client.get(), &EngineClient::loadChanged, this, [this](const LoadState& state) {
        if (state.stage != LoadStage::done)
            return;
        m_settings->noteModelUsed(state.path);
        m_snapshots->pollNow();
        if (m_demo)
            m_demo->start();
    });
    connect(m_settings.get(), &Settings::changed, this, [this](const QString& name) {
        if (name == QLatin1String(keys::kChatFirst.name))
            m_client->setChatFirst(m_settings->value(keys::kChatFirst));
        if (name == QLatin1String(keys::kLanguage.name)) // queued: the box that asked is part of the old window
            QMetaObject::invokeMethod(this, &Application::changeLanguage, Qt::QueuedConnection);
        else if (name == QLatin1String(keys::kKeepServing.name))
            showTrayIcon();
    });
}

void Application::start() {
    m_store->open();
    m_window->show();
    m_snapshots->setWindowVisible(true);
    if (m_options.demo)
        m_demo = std::make_unique<DemoLoad>(*m_client);
    startServer();
    loadFirstModel();
    if (!m_options.screenshot.isEmpty())
        takeScreenshotLater(*m_window, m_options.screenshot, m_options.screenshotAfterMs);
}

QString Application::modelToLoad() const {
    if (m_options.model == QLatin1String("default"))
        return m_defaultModel;
    if (!m_options.model.isEmpty())
        return m_options.model;
    if (m_settings->value(keys::kLoadLastModel))
        for (const QString& path : m_settings->value(keys::kRecentModels))
            if (QFileInfo::exists(path))
                return path;
    return !m_defaultModel.isEmpty() && QFileInfo::exists(m_defaultModel) ? m_defaultModel : QString();
}

void Application::loadFirstModel() {
    if (m_client->model() != nullptr && m_options.model.isEmpty()) {
        if (m_demo)
            m_demo->start();
        return;
    }
    if (const QString server = m_remote->lastUsed(); !server.isEmpty() && m_options.model.isEmpty())
        return m_remote->use(server); // as it was left; the memory for a model here stays free
    if (const QString path = modelToLoad(); !path.isEmpty())
        load(path);
}

void Application::load(const QString& path) {
    EngineConfig config = engineConfigFromJson(m_settings->loadOptions(path));
    if (config.device == "auto")
        config.device = toStdString(m_settings->value(keys::kDevice));
    if (!m_options.device.isEmpty())
        config.device = toStdString(m_options.device);
    if (const auto started = m_client->load(path, config); !started)
        m_dialogs->message(m_window.get(), toQString(started.error().message), toQString(started.error().remedy));
}

void Application::startServer() {
    if (!m_options.servePort && !m_settings->value(keys::kServerEnabled))
        return;
    EndpointSettings settings = ServerPage::endpointSettings(*m_settings);
    if (m_options.servePort)
        settings.port = *m_options.servePort;
    m_endpoint->start(settings);
}

void Application::showTrayIcon() {
    if (m_window)
        m_closing->showIcon(*m_window);
}

void Application::showWindow() {
    if (m_isShutDown)
        return;
    m_window->setWindowState(m_window->windowState() & ~Qt::WindowMinimized); // a maximized one stays so
    m_window->show();
    m_window->raise();
    m_window->activateWindow();
}

void Application::askToQuit() {
    if (m_isShutDown)
        return;
    m_snapshots->pollNow(); // a hidden window looks at nothing
    if (m_work->wouldEnd().isEmpty())
        return quit();
    if (!m_window->isVisible() || m_isAsking)
        showWindow(); // the question stands on it
    if (std::exchange(m_isAsking, true))
        return;
    const auto textNow = [this] {
        const QStringList left = m_work->wouldEnd();
        return left.isEmpty() ? tr("Everything has ended meanwhile.") : left.join(u'\n');
    };
    m_dialogs->confirm(m_window.get(), {tr("Quit now?"), textNow(), tr("Quit"), true, textNow}, [this](bool isSure) {
        m_isAsking = false;
        if (isSure)
            quit();
    });
}

void Application::quit() {
    QCoreApplication::exit(0); // QApplication::quit() would ask the window first, and its X may mean another thing
}

void Application::raise(const QString& model) {
    showWindow();
    if (!model.isEmpty())
        m_window->openModelFile(model);
}

void Application::shutdown() {
    if (m_isShutDown)
        return;
    m_isShutDown = true;
    m_endpoint->shutdown();
    m_demo.reset();
    m_snapshots->setWindowVisible(false);
    m_window->rememberPlace();
    m_client->drainNow(); // text that is on its way belongs to the answers
    m_window->chatPage().closeTurns();
    m_remote->shutdown();
    m_settings->flush();
    m_engine.stop();
    m_store->close();
    m_window.reset();
    m_work.reset();
    m_closing.reset();
    m_idleUnload.reset();
    m_steps.reset();
    m_snapshots.reset();
    m_endpoint.reset();
    m_client.reset();
    m_remote.reset();
}

} // namespace vitrine::app
