// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/frame: who answers.
#include "ui/frame/engine_picker.h"

#include "ui/bridge/qt_convert.h"
#include "ui/bridge/remote_control.h"
#include "ui/frame/server_dialog.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/menu_text.h"

#include <QAction>
#include <QMenu>

namespace vitrine::ui {

EnginePicker::EnginePicker(const Theme& theme, RemoteControl& remote, Dialogs& dialogs, QWidget* window)
    : QObject(window), m_theme(theme), m_remote(remote), m_dialogs(dialogs), m_window(window) {
    connect(&remote, &RemoteControl::stateChanged, this, [this] {
        if (m_remote.state() == RemoteControl::State::failed)
            tellFailure();
    });
}

void EnginePicker::tellFailure() {
    const Error error = m_remote.error();
    m_dialogs.message(m_window, tr("The server is not in use"),
        QStringLiteral("%1.\n%2").arg(toQString(error.message), toQString(error.remedy)));
}

void EnginePicker::popUp(const QPoint& below) {
    QMenu menu(m_window);
    fill(menu);
    menu.exec(below);
}

void EnginePicker::fill(QMenu& menu) {
    const auto add = [this](QMenu& to, const QString& text, std::function<void()> run) {
        QAction* action = to.addAction(menuText(text));
        connect(action, &QAction::triggered, this, [run = std::move(run)] { run(); });
        return action;
    };
    const auto addEngine = [&](const QString& text, const QString& id, std::function<void()> run) {
        QAction* action = add(menu, text, std::move(run));
        action->setCheckable(true);
        action->setChecked(id == m_remote.current());
    };
    const QString model = m_remote.localModelName();
    addEngine(model.isEmpty() ? tr("This computer, no model") : tr("This computer · %1").arg(model), {},
        [this] { m_remote.useLocal(); });
    const QList<RemoteServer> servers = m_remote.servers();
    for (const RemoteServer& server : servers) {
        const QString text =
            server.model.isEmpty() ? server.name : QStringLiteral("%1 · %2").arg(server.name, server.model);
        addEngine(text, server.id, [this, id = server.id] { m_remote.use(id); });
    }
    menu.addSeparator();
    add(menu, tr("Models of this computer…"), [this] { emit modelsRequested(); });
    add(menu, tr("Add a server…"), [this] { addServer(); });
    if (servers.isEmpty())
        return;
    QMenu* edit = menu.addMenu(tr("Change a server"));
    for (const RemoteServer& server : servers)
        add(*edit, tr("%1…").arg(server.name), [this, id = server.id] { editServer(id); });
}

void EnginePicker::addServer() {
    auto* dialog = new ServerDialog(m_theme, m_remote, {}, m_window);
    dialog->open();
}

void EnginePicker::editServer(const QString& id) {
    for (const RemoteServer& server : m_remote.servers())
        if (server.id == id)
            (new ServerDialog(m_theme, m_remote, server, m_window))->open();
}

} // namespace vitrine::ui
