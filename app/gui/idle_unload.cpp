// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/gui: unloading an idle model.
#include "app/gui/idle_unload.h"

#include <algorithm>

#include "ui/bridge/endpoint_control.h"
#include "ui/bridge/engine_client.h"
#include "ui/store/settings.h"

namespace vitrine::app {

using namespace ui;

IdleUnload::IdleUnload(
    EngineClient& client, const EndpointControl& endpoint, Settings& settings, int msPerMinute, QObject* parent)
    : QObject(parent), m_client(client), m_endpoint(endpoint), m_settings(settings), m_msPerMinute(msPerMinute) {
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &IdleUnload::unloadIfIdle);
    const auto ended = [this] {
        m_numActive = std::max(0, m_numActive - 1);
        restart();
    };
    connect(&client, &EngineClient::requestSubmitted, this, [this] {
        ++m_numActive;
        m_timer.stop();
    });
    connect(&client, &EngineClient::requestFinished, this, ended);
    connect(&client, &EngineClient::requestRejected, this, ended);
    connect(&client, &EngineClient::modelChanged, this, &IdleUnload::restart);
    connect(&endpoint, &EndpointControl::stateChanged, this, &IdleUnload::restart);
    connect(&settings, &Settings::changed, this, [this](const QString& name) {
        if (name == QLatin1String(keys::kIdleUnloadMinutes.name))
            restart();
    });
}

void IdleUnload::restart() {
    const int minutes = m_settings.value(keys::kIdleUnloadMinutes);
    if (minutes > 0 && m_numActive == 0 && m_client.model() != nullptr)
        m_timer.start(minutes * m_msPerMinute);
    else
        m_timer.stop();
}

void IdleUnload::unloadIfIdle() {
    const auto state = m_endpoint.state();
    const bool isServing = state == EndpointControl::State::running || state == EndpointControl::State::starting;
    if (m_numActive == 0 && !isServing && !m_client.isLoading())
        m_client.unload();
}

} // namespace vitrine::app
