// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: an empty chat: this machine, a model, three things to try.
#pragma once

#include <QSet>
#include <QWidget>

#include "ui/bridge/engine_client.h"
#include "ui/store/model_folders.h"
#include "ui/theme/theme.h"

class QLabel;
class QVBoxLayout;

namespace vitrine::ui {

class ModelChoiceRow;

/// A model file to offer, and the app it belongs to, if another.
struct FoundModel {
    QString path, owner, name;
};
class Settings;

/// Thread: GUI; the models folder is listed on a pool thread, files are inspected by the client's worker.
class FirstState final : public QWidget {
    Q_OBJECT
public:
    FirstState(const Theme& theme, EngineClient& client, Settings& settings, const QString& dataDir,
        QWidget* parent = nullptr);

signals:
    void promptChosen(const QString& text);
    void loadRequested(const QString& path);
    void openFileRequested();
    void modelsRequested();
    void downloadRequested();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void buildMachine(QVBoxLayout& layout);
    void buildModels(QVBoxLayout& layout);
    void buildPrompts(QVBoxLayout& outer);
    void listModels();
    void takeFolders(const std::vector<ModelFolder>& folders);
    void takeFiles(QList<FoundModel> files);
    void showDevices(const QList<DeviceChoice>& devices);
    void refreshTitle();
    void refreshLoaded();

    const Theme& m_theme;
    EngineClient& m_client;
    Settings& m_settings;
    QString m_dataDir;
    ModelFolders m_folders;
    QLabel* m_title = nullptr; // where what is asked goes
    QLabel* m_machine = nullptr;
    QLabel* m_reason = nullptr;
    QLabel* m_machineIcon = nullptr;
    QWidget *m_noModel = nullptr, *m_prompts = nullptr;
    QVBoxLayout* m_rows = nullptr;
    QList<ModelChoiceRow*> m_choices;
    QList<FoundModel> m_files; // all that were found
    QSet<QString> m_unreadable;
};

} // namespace vitrine::ui
