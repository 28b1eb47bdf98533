// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/gui: --demo.
#include "app/gui/demo_load.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTimer>
#include <array>

#include "ui/bridge/engine_client.h"
#include "ui/bridge/qt_convert.h"

namespace vitrine::app {

namespace {

constexpr int kMaxTokens = 400;
// One system prompt for all four, so that the prefix cache and shared blocks can be seen.
constexpr const char* kSystem =
    "You are a careful guide to a technical museum. Answer in plain sentences, name figures "
    "where you know them, and say so when you do not.";
constexpr std::array kPrompts = {
    "Explain how a heat pump works.",
    "Tell the story of the first transatlantic telegraph cable.",
    "Describe how bread rises, from yeast to crust.",
    "Why is the sky dark at night?",
};

} // namespace

DemoLoad::DemoLoad(ui::EngineClient& client, QObject* parent) : QObject(parent), m_client(client) {
    const auto again = [this](ui::RequestId id) {
        const auto found = m_running.find(static_cast<quint64>(id));
        if (found == m_running.end())
            return;
        const int prompt = *found;
        m_running.erase(found);
        // A moment later: after a failure this must not spin.
        QTimer::singleShot(200, this, [this, prompt] { submit(prompt); });
    };
    connect(&client, &ui::EngineClient::requestFinished, this, again);
    connect(&client, &ui::EngineClient::requestRejected, this, again);
}

DemoLoad::~DemoLoad() {
    for (auto it = m_running.cbegin(); it != m_running.cend(); ++it)
        m_client.cancel(ui::RequestId{it.key()});
}

void DemoLoad::start() {
    if (m_running.isEmpty())
        for (int prompt = 0; prompt < static_cast<int>(kPrompts.size()); ++prompt)
            submit(prompt);
}

void DemoLoad::submit(int prompt) {
    if (!m_client.model())
        return;
    const QString text = QString::fromUtf8(kPrompts[static_cast<std::size_t>(prompt)]);
    const QJsonArray messages{QJsonObject{{QStringLiteral("role"), QStringLiteral("system")},
                                  {QStringLiteral("content"), QString::fromUtf8(kSystem)}},
        QJsonObject{{QStringLiteral("role"), QStringLiteral("user")}, {QStringLiteral("content"), text}}};
    ui::ChatPrompt chat;
    chat.messages_json = QJsonDocument(messages).toJson(QJsonDocument::Compact).toStdString();
    ui::Request request;
    request.source = ui::RequestSource::lab;
    request.label = ui::toStdString(tr("Demo: %1").arg(text));
    request.prompt = std::move(chat);
    request.sampling.temperature = 0.8F;
    request.sampling.seed = static_cast<std::uint64_t>(++m_round);
    request.stop.max_tokens = kMaxTokens;
    if (const auto id = m_client.submit(std::move(request)))
        m_running.insert(static_cast<quint64>(*id), prompt);
}

} // namespace vitrine::app
