// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/models: look for models on the Hugging Face Hub and download them.
#pragma once

#include "ui/models/downloads.h"
#include "ui/models/hub_client.h"

#include <QWidget>

#include <memory>

namespace vitrine::ui {

class EngineClient;
class Theme;

/// Thread: GUI.  Nothing goes out before the user presses Enter or a button here.
class HubPanel final : public QWidget {
    Q_OBJECT
public:
    /// Lists the downloads there are, those that a former process left unfinished among them.
    HubPanel(const Theme& theme, EngineClient& client, Downloads& downloads, QWidget* parent = nullptr);
    ~HubPanel() override;

signals:
    void closed();
    void openRequested(const QString& path); // a file that came

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Parts;
    void buildHead();
    void buildResults();
    void buildDownloads();
    void search();
    void askForFiles(const QString& repo);
    void clearFiles();
    void showRepos(const QList<HubRepo>& repos);
    void showFiles(const QString& repo, const QList<HubFile>& files);
    void download();
    void addRow(DownloadJob& job);
    void refreshDisk();

    std::unique_ptr<Parts> m;
};

} // namespace vitrine::ui
