// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/settings: the Settings page.  Every change applies at once.
#pragma once

#include <QWidget>

#include <functional>
#include <memory>

#include "ui/store/chat_records.h"

class QVBoxLayout;

namespace vitrine::ui {

class ChatStore;
class Dialogs;
class EngineClient;
class SettingRow;
class Settings;
class ShortcutRegistry;
class Theme;

/// Thread: GUI.  Writes to Settings only; whoever owns a value listens to Settings::changed().
class SettingsPage final : public QWidget {
    Q_OBJECT
public:
    struct Context {
        const Theme& theme;
        EngineClient& client;
        ChatStore& store;
        Settings& settings;
        Dialogs& dialogs;
        ShortcutRegistry& shortcuts; // complete: the page lists what is there when it is made
        QString dataDir;
    };
    explicit SettingsPage(const Context& context, QWidget* parent = nullptr);
    ~SettingsPage() override;

    /// "general", "appearance", "chat", "engine", "storage", "shortcuts", "about"
    void showSection(const QString& name);

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Parts;
    void addSection(const QString& id, const QString& name, QWidget* page);
    QWidget* buildGeneral();
    QWidget* buildAppearance();
    QWidget* buildChat();
    QWidget* buildEngine();
    QWidget* makeLanguageBox();
    QWidget* buildStorage();
    QWidget* buildShortcuts();
    QWidget* buildAbout();
    SettingRow* addRow(QVBoxLayout* column, const QString& name, const QString& hint, QWidget* control);
    QWidget* makeSwitch(bool on, std::function<void(bool)> changed);
    void search(const QString& text);
    void refreshFolders();
    void refreshTray();
    void refreshSizes();
    void addBackup(QVBoxLayout* column);
    void backUp();
    void restoreBackup();
    void sayRestored(int numChats, int numMessages, int numUnreadable);
    void showBackupResult(const QString& text, bool isGood);

    std::unique_ptr<Parts> m;
};

/// "appearance.theme" as the theme takes it, and back.
[[nodiscard]] int schemeChoiceIndex(const QString& name);

} // namespace vitrine::ui
