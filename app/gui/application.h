// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/gui: the composition root: everything is made here, wired here and ended here, in order.
#pragma once

#include <QObject>
#include <functional>
#include <memory>

#include "app/gui/options.h"
#include "ui/widgets/dialogs.h"

class QApplication;

namespace vitrine::engine {
class Engine;
}
namespace vitrine::ui {
class ChatStore;
class EndpointControl;
class EngineClient;
class MainWindow;
class RemoteControl;
struct RunningWork;
class Settings;
class SnapshotFeed;
class StepFeed;
class Theme;
} // namespace vitrine::ui

namespace vitrine::app {

class Closing;
class DemoLoad;
class EndpointAdapter;
class EngineSwitch;
class IdleUnload;
class RemoteAdapter;
class Translations;

/// Thread: GUI.  The engine is the caller's and must outlive this; shutdown() stops it at its place in the order.
class Application final : public QObject {
    Q_OBJECT
public:
    struct Parts {
        engine::Engine& engine;
        std::unique_ptr<ui::Dialogs> dialogs; // null: Qt's own
        QString dataDir;
        QString defaultModel; // path; empty: none
        std::function<bool()> hasTray = {}; // null: ask the desktop
    };
    Application(QApplication& qt, const Options& options, Parts parts);
    ~Application() override; // shutdown()

    void start(); // shows the window, opens the chats, loads the model
    /// The order of architecture 1.4: endpoint, pages, engine, store, window, bridge.  Idempotent.  Blocks.
    void shutdown();
    [[nodiscard]] ui::MainWindow& window() { return *m_window; }
    [[nodiscard]] ui::EngineClient& client() { return *m_client; }
    [[nodiscard]] ui::ChatStore& store() { return *m_store; }
    [[nodiscard]] ui::Settings& settings() { return *m_settings; }
    [[nodiscard]] ui::SnapshotFeed& snapshots() { return *m_snapshots; }
    [[nodiscard]] ui::EndpointControl& endpoint();
    [[nodiscard]] ui::RemoteControl& remote();

public slots:
    void raise(const QString& model); // a second start asks for the window
    void showWindow();
    void askToQuit(); // says first what would end; quits at once where nothing would
    void quit(); // ends the event loop, whatever windows are open

private:
    void wire();
    void wireRemote();
    void makeWindow();
    void changeLanguage(); // makes the window anew; what runs goes on
    void loadFirstModel();
    void load(const QString& path);
    void startServer();
    void showTrayIcon(); // or hides it
    [[nodiscard]] QString modelToLoad() const;

    QApplication& m_qt;
    Options m_options;
    engine::Engine& m_engine;
    QString m_dataDir;
    QString m_defaultModel;
    std::unique_ptr<ui::Dialogs> m_dialogs;
    std::unique_ptr<ui::Theme> m_theme;
    std::unique_ptr<ui::Settings> m_settings;
    std::unique_ptr<EngineSwitch> m_engines; // what the window talks to; the endpoint serves m_engine
    std::unique_ptr<RemoteAdapter> m_remote;
    std::unique_ptr<ui::EngineClient> m_client;
    std::unique_ptr<ui::SnapshotFeed> m_snapshots;
    std::unique_ptr<ui::StepFeed> m_steps;
    std::unique_ptr<EndpointAdapter> m_endpoint;
    std::unique_ptr<ui::ChatStore> m_store;
    std::unique_ptr<Translations> m_translations;
    std::unique_ptr<IdleUnload> m_idleUnload;
    std::unique_ptr<Closing> m_closing;
    std::unique_ptr<ui::RunningWork> m_work; // goes after the window, and on while there is none
    std::unique_ptr<ui::MainWindow> m_window;
    std::unique_ptr<DemoLoad> m_demo;
    bool m_isShutDown = false;
    bool m_isAsking = false; // whether to quit
};

} // namespace vitrine::app
