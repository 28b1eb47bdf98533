// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/server: the Server page: switch, address, key, snippet, request log.
#pragma once

#include "ui/bridge/endpoint_control.h"

#include <QModelIndex>
#include <QWidget>

#include <memory>

namespace vitrine::ui {

class Dialogs;
class EngineClient;
class Settings;
class Theme;

/// Thread: GUI.
class ServerPage final : public QWidget {
    Q_OBJECT
public:
    struct Context {
        const Theme& theme;
        EngineClient& client;
        EndpointControl& endpoint;
        Settings& settings;
        Dialogs& dialogs;
    };
    explicit ServerPage(const Context& context, QWidget* parent = nullptr);
    ~ServerPage() override;

    void toggle(); // Ctrl+Shift+S
    [[nodiscard]] static EndpointSettings endpointSettings(const Settings& settings);

signals:
    void modelsRequested();
    void engineRequested(); // the requests of the Engine page

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Parts;
    QWidget* buildHeader();
    QWidget* buildForm();
    QWidget* buildLimit();
    QWidget* buildSnippet();
    QWidget* buildLog();
    void refreshState();
    void refreshSnippet();
    void refreshLog();
    void showError();
    void restartIfRunning();
    void createKey();
    void showRequest(const QModelIndex& index);
    void followRequest();
    void arrange();

    std::unique_ptr<Parts> m;
};

} // namespace vitrine::ui
