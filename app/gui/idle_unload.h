// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/gui: gives the model's memory back after a time without requests.
#pragma once

#include <QObject>
#include <QTimer>

namespace vitrine::ui {
class EndpointControl;
class EngineClient;
class Settings;
} // namespace vitrine::ui

namespace vitrine::app {

/// Counts from the last thing the window asked of the engine; never unloads while requests run or the server is on.
/// The next message loads the model again, with the options kept for it (ui/chat).  Thread: GUI.
class IdleUnload final : public QObject {
    Q_OBJECT
public:
    IdleUnload(ui::EngineClient& client, const ui::EndpointControl& endpoint, ui::Settings& settings,
        int msPerMinute = 60'000, QObject* parent = nullptr);

private:
    void restart();
    void unloadIfIdle();

    ui::EngineClient& m_client;
    const ui::EndpointControl& m_endpoint;
    ui::Settings& m_settings;
    int m_msPerMinute;
    int m_numActive = 0; // requests of the window
    QTimer m_timer;
};

} // namespace vitrine::app
