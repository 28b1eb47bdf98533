// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/gui: closing the window, with and without a tray.
#include "app/gui/closing.h"

#include <QApplication>
#include <QMenu>
#include <QPointer>
#include <QWidget>

#include "ui/bridge/endpoint_control.h"
#include "ui/store/settings.h"
#include "ui/widgets/dialogs.h"

namespace vitrine::app {

using namespace ui;

namespace {

const QString kAskedName = QStringLiteral("window.close_asked"); // what to do with a running server was said once
const QString kHiddenName = QStringLiteral("window.hidden_told"); // where the window went was said once

} // namespace

Closing::Closing(Context context, QObject* parent) : QObject(parent), m_context(std::move(context)) {
    if (!m_context.hasTray)
        m_context.hasTray = [] { return QSystemTrayIcon::isSystemTrayAvailable(); };
}

Closing::~Closing() = default;

bool Closing::isServing() const {
    const auto state = m_context.endpoint.state();
    return state == EndpointControl::State::running || state == EndpointControl::State::starting;
}

bool Closing::mayHide() const {
    return isServing() && m_context.settings.value(keys::kKeepServing) && m_context.hasTray();
}

bool Closing::isIconShown() const {
    return m_icon != nullptr && m_icon->isVisible();
}

void Closing::close(QWidget& window) {
    const bool wasAsked = m_context.settings.raw(kAskedName).toBool();
    if (mayHide())
        hide(window);
    else if (!isServing() || wasAsked)
        emit quitRequested();
    else if (m_context.hasTray())
        askOnce(window);
    else
        warnOnce(window);
}

void Closing::askOnce(QWidget& window) {
    m_context.dialogs.choose(&window, tr("The server is still running."),
        tr("%1 can go on with the window closed; an icon in the tray then opens the window again or quits. Settings, "
           "General, changes this later.")
            .arg(m_context.endpoint.url().toString()),
        {tr("Keep serving"), tr("Quit")}, [this, shown = QPointer<QWidget>(&window)](int answer) {
            if (answer < 0 || !shown)
                return;
            m_context.settings.setRaw(kAskedName, true);
            m_context.settings.set(keys::kKeepServing, answer == 0);
            if (mayHide())
                hide(*shown);
            else
                emit quitRequested();
        });
}

void Closing::warnOnce(QWidget& window) {
    m_context.dialogs.choose(&window, tr("The server is still running."),
        tr("Closing Vitrine stops %1. This desktop shows no tray icon that could bring a hidden window back; a "
           "minimized one goes on serving.")
            .arg(m_context.endpoint.url().toString()),
        {tr("Quit"), tr("Minimize")}, [this, shown = QPointer<QWidget>(&window)](int answer) {
            if (answer < 0 || !shown)
                return;
            m_context.settings.setRaw(kAskedName, true);
            if (answer == 1)
                shown->showMinimized();
            else
                emit quitRequested();
        });
}

void Closing::hide(QWidget& window) {
    showIcon(window);
    window.hide();
    if (m_context.settings.raw(kHiddenName).toBool())
        return;
    m_context.settings.setRaw(kHiddenName, true);
    m_icon->showMessage(tr("Vitrine is still serving"),
        tr("%1 goes on. The icon in the tray opens the window or quits.").arg(m_context.endpoint.url().toString()),
        m_icon->icon());
}

void Closing::makeIcon() {
    m_menu = std::make_unique<QMenu>();
    m_menu->addAction(tr("Open Vitrine"), this, &Closing::windowRequested);
    m_address = m_menu->addAction(QString());
    m_address->setEnabled(false);
    m_menu->addSeparator();
    m_menu->addAction(tr("Quit"), this, &Closing::quitRequested);
    m_icon = std::make_unique<QSystemTrayIcon>(QApplication::windowIcon());
    m_icon->setContextMenu(m_menu.get());
    connect(m_icon.get(), &QSystemTrayIcon::activated, this, [this](QSystemTrayIcon::ActivationReason reason) {
        if (reason == QSystemTrayIcon::Trigger || reason == QSystemTrayIcon::DoubleClick)
            emit windowRequested();
    });
    connect(m_icon.get(), &QSystemTrayIcon::messageClicked, this, &Closing::windowRequested);
}

void Closing::forgetIcon() {
    m_icon.reset();
    m_menu.reset();
}

void Closing::showIcon(const QWidget& window) {
    if (!mayHide()) {
        if (m_icon)
            m_icon->hide();
        // A server that ended would leave a process that nobody sees.
        if (window.isHidden() && m_icon)
            emit windowRequested();
        return;
    }
    if (!m_icon)
        makeIcon();
    const QString address = m_context.endpoint.url().toString();
    m_address->setText(address);
    m_icon->setToolTip(tr("Vitrine, serving at %1").arg(address));
    m_icon->show();
}

} // namespace vitrine::app
