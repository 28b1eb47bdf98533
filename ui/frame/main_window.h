// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/frame: the window: rail, pages, Pulse strip.
#pragma once

#include <QMainWindow>

#include <functional>
#include <memory>
#include <vector>

#include "ui/engine/engine_page.h"
#include "ui/frame/pulse_strip.h"

class QAction;
class QStackedWidget;

namespace vitrine::ui {

class ChatPage;
class ChatStore;
class CommandPalette;
class Dialogs;
class EndpointControl;
class EngineClient;
class EnginePicker;
class NavigationRail;
struct PaletteEntry;
class RemoteControl;
struct RunningWork;
class SequenceIndex;
class ShortcutRegistry;
class Settings;
class SnapshotFeed;
class StepFeed;
class Theme;

/// Thread: GUI.  The references are kept alive by the application longer than the window.  Geometry, page and text size
/// come from Settings and go back there.
class MainWindow final : public QMainWindow {
    Q_OBJECT
public:
    struct Context {
        Theme& theme;
        EngineClient& client;
        SnapshotFeed& snapshots;
        StepFeed& steps;
        EndpointControl& endpoint;
        ChatStore& store;
        Settings& settings;
        Dialogs& dialogs;
        QString dataDir; // holds models/
        RunningWork& work;
        RemoteControl* remote = nullptr; // null: no engines elsewhere
    };
    explicit MainWindow(const Context& context);
    ~MainWindow() override;

    /// "chat", "models", "engine", "lab", "server", "settings"; another name changes nothing and returns false.
    bool showPage(const QString& name);
    [[nodiscard]] QString page() const;
    [[nodiscard]] ChatPage& chatPage() { return *m_chat; }
    void rememberPlace(); // size and position go to the settings

public slots:
    /// Shows a model file on the Models page, as dropping it on the window does.
    void openModelFile(const QString& path);
    void askForModelFile();

signals:
    void closeRequested(); // the window's X; it stays until the application hides it or quits
    void quitRequested(); // Ctrl+Q
    void visibilityChanged(bool visible);

protected:
    void closeEvent(QCloseEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override; // of the whole program: a .gguf may fall anywhere
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Pages;
    void buildPages();
    [[nodiscard]] QWidget* makeChatPage();
    [[nodiscard]] QWidget* makeModelsPage();
    [[nodiscard]] QWidget* makeEnginePage();
    [[nodiscard]] QWidget* makeServerPage();
    [[nodiscard]] QWidget* widgetOf(const QString& page); // made if it is not yet there; null: no such page
    template <class T>
    [[nodiscard]] T& page(const QString& name);
    void showModels();
    void showTrack(EnginePage::Track track);
    void showSegment(PulseStrip::Segment segment);
    void pickEngine(const QPoint& below);
    [[nodiscard]] std::vector<PaletteEntry> paletteEntries();
    void buildActions();
    void applySettings();
    QAction* addShortcut(
        const QString& id, const QString& name, const QString& icon, const QString& keys, std::function<void()> run);

    Context m_context;
    std::unique_ptr<SequenceIndex> m_sequences;
    std::unique_ptr<ShortcutRegistry> m_shortcuts;
    std::unique_ptr<Pages> m_pages;
    NavigationRail* m_rail = nullptr;
    QStackedWidget* m_stack = nullptr;
    PulseStrip* m_pulse = nullptr;
    CommandPalette* m_palette = nullptr;
    ChatPage* m_chat = nullptr;
    EnginePicker* m_picker = nullptr; // null: no engines elsewhere
};

} // namespace vitrine::ui
