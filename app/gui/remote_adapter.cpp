// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/gui: engines elsewhere as ui/bridge/remote_control.h wants them.
#include "app/gui/remote_adapter.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QUuid>
#include <algorithm>
#include <utility>

#include "app/remote/engine_switch.h"
#include "app/remote/remote_engine.h"
#include "app/remote/server_inquiry.h"
#include "ui/bridge/qt_convert.h"
#include "ui/store/settings.h"

namespace vitrine::app {

using namespace ui;

namespace {

const QString kServersName = QStringLiteral("remote.servers"); // array of objects
const QString kCurrentName = QStringLiteral("remote.current");

RemoteServer fromJson(const QJsonObject& object) {
    const auto text = [&](const char* name) { return object.value(QLatin1String(name)).toString(); };
    return {text("id"), text("name"), QUrl(text("url")), text("key"), text("model")};
}

QJsonObject toJson(const RemoteServer& server) {
    return {{QStringLiteral("id"), server.id}, {QStringLiteral("name"), server.name},
        {QStringLiteral("url"), server.url.toString()}, {QStringLiteral("key"), server.key},
        {QStringLiteral("model"), server.model}};
}

ServerAddress addressOf(const RemoteServer& server) {
    return {server.name.isEmpty() ? server.url.authority() : server.name, server.url, server.key};
}

/// The model to ask for, among those the server offers.
Result<OfferedModel> chosenModel(const RemoteServer& server, const InquiryResult& result) {
    if (server.model.isEmpty())
        return result.models.first();
    QStringList offered;
    for (const OfferedModel& model : result.models) {
        if (model.id == server.model)
            return model;
        offered += model.id;
    }
    return vitrine::fail(ErrorCode::not_found,
        toStdString(RemoteAdapter::tr("%1 does not offer %2; it offers %3")
                        .arg(result.facts.name, server.model, offered.join(QStringLiteral(", ")))),
        toStdString(RemoteAdapter::tr("Choose another model of this server.")));
}

} // namespace

RemoteAdapter::RemoteAdapter(EngineSwitch& engines, Settings& settings, QObject* parent)
    : RemoteControl(parent), m_engines(engines), m_settings(settings) {
    for (const QJsonValue value : m_settings.raw(kServersName).toArray())
        m_servers.append(fromJson(value.toObject()));
}

RemoteAdapter::~RemoteAdapter() {
    shutdown();
}

QList<RemoteServer> RemoteAdapter::servers() const {
    return m_servers;
}

const RemoteServer* RemoteAdapter::find(const QString& id) const {
    const auto found =
        std::find_if(m_servers.begin(), m_servers.end(), [&](const RemoteServer& server) { return server.id == id; });
    return found == m_servers.end() ? nullptr : &*found;
}

void RemoteAdapter::write() {
    QJsonArray array;
    for (const RemoteServer& server : std::as_const(m_servers))
        array.append(toJson(server));
    m_settings.setRaw(kServersName, array);
    emit serversChanged();
}

Result<QString> RemoteAdapter::save(const RemoteServer& server) {
    const Result<QUrl> url = serverUrl(server.url.toString());
    if (!url)
        return tl::unexpected(url.error());
    RemoteServer kept = server;
    kept.url = *url;
    kept.name = server.name.trimmed().isEmpty() ? url->authority() : server.name.trimmed();
    const auto found = std::find_if(
        m_servers.begin(), m_servers.end(), [&](const RemoteServer& known) { return known.id == server.id; });
    if (found != m_servers.end()) {
        *found = kept;
    } else {
        kept.id = QUuid::createUuid().toString(QUuid::WithoutBraces);
        m_servers.append(kept);
    }
    write();
    return kept.id;
}

void RemoteAdapter::remove(const QString& id) {
    if (id == m_current || id == m_wanted)
        useLocal();
    m_servers.removeIf([&](const RemoteServer& server) { return server.id == id; });
    write();
}

quint64 RemoteAdapter::probe(const RemoteServer& server) {
    const quint64 ticket = m_nextTicket++;
    RemoteServer asked = server;
    if (const Result<QUrl> url = serverUrl(server.url.toString()))
        asked.url = *url;
    auto* inquiry = new ServerInquiry(m_network, addressOf(asked), this);
    connect(inquiry, &ServerInquiry::finished, this, [this, ticket](const InquiryResult& result) {
        ServerProbe probe{ticket, result.error, result.facts, {}};
        for (const OfferedModel& model : result.models)
            probe.models += model.id;
        emit probed(probe);
    });
    inquiry->start();
    return ticket;
}

void RemoteAdapter::use(const QString& id) {
    const RemoteServer* server = find(id);
    if (server == nullptr)
        return useLocal();
    m_wanted = id;
    m_state = State::connecting;
    m_error = {};
    emit stateChanged();
    auto* inquiry = new ServerInquiry(m_network, addressOf(*server), this);
    connect(inquiry, &ServerInquiry::finished, this,
        [this, server = *server](const InquiryResult& result) { onAnswered(server, result); });
    inquiry->start();
}

void RemoteAdapter::onAnswered(const RemoteServer& server, const InquiryResult& result) {
    if (m_wanted != server.id)
        return; // the user chose something else meanwhile
    m_wanted.clear();
    if (!result.error.message.empty())
        return fail(result.error);
    connectTo(server, result);
}

void RemoteAdapter::fail(const Error& error) {
    m_error = error;
    m_state = State::failed; // what answered before goes on answering
    emit stateChanged();
}

void RemoteAdapter::connectTo(const RemoteServer& server, const InquiryResult& result) {
    const Result<OfferedModel> model = chosenModel(server, result);
    if (!model)
        return fail(model.error());
    leave();
    m_engine = std::make_shared<RemoteEngine>(RemoteTarget{addressOf(server), model->id, model->context, result.facts});
    connect(m_engine.get(), &RemoteEngine::readingTaken, this, &RemoteAdapter::readingTaken);
    connect(m_engine.get(), &RemoteEngine::factsChanged, this, [this](const ServerFacts& facts) {
        m_facts = facts;
        emit stateChanged();
    });
    m_engines.use(m_engine);
    m_current = server.id;
    m_facts = result.facts;
    m_state = State::connected;
    m_settings.setRaw(kCurrentName, m_current);
    emit engineSwitched();
    emit stateChanged();
}

void RemoteAdapter::useLocal() {
    const bool wasRemote = m_engine != nullptr;
    m_wanted.clear();
    leave();
    m_current.clear();
    m_facts = {};
    m_error = {};
    m_state = State::local;
    m_settings.setRaw(kCurrentName, QString());
    if (wasRemote)
        emit engineSwitched();
    emit stateChanged();
}

void RemoteAdapter::leave() {
    if (!m_engine)
        return;
    m_engines.use(nullptr);
    m_engine->disconnect(this);
    m_engine->stop();
    m_engine.reset();
}

QString RemoteAdapter::localModelName() const {
    const auto model = m_engines.local().snapshot()->model;
    return model ? toQString(model->info.name) : QString();
}

QString RemoteAdapter::lastUsed() const {
    const QString id = m_settings.raw(kCurrentName).toString();
    return find(id) != nullptr ? id : QString();
}

void RemoteAdapter::shutdown() {
    m_wanted.clear();
    leave();
}

} // namespace vitrine::app
