// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/gui: --demo: four prompts at once, again and again, so that the Engine page has something to show.
#pragma once

#include <QHash>
#include <QObject>

#include "ui/bridge/values.h"

namespace vitrine::ui {
class EngineClient;
}

namespace vitrine::app {

class DemoLoad final : public QObject {
    Q_OBJECT
public:
    explicit DemoLoad(ui::EngineClient& client, QObject* parent = nullptr);
    ~DemoLoad() override; // cancels
    void start(); // with the model that is loaded now

private:
    void submit(int prompt);

    ui::EngineClient& m_client;
    QHash<quint64, int> m_running; // request -> prompt
    int m_round = 0;
};

} // namespace vitrine::app
