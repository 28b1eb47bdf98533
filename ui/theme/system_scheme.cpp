// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/theme: the palette's lightness and the Settings portal.  Qt 6.4 has no QStyleHints::colorScheme.
#include "ui/theme/system_scheme.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>

namespace vitrine::ui {
namespace {

const QString kService = QStringLiteral("org.freedesktop.portal.Desktop");
const QString kPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString kInterface = QStringLiteral("org.freedesktop.portal.Settings");
const QString kSpace = QStringLiteral("org.freedesktop.appearance");
const QString kKey = QStringLiteral("color-scheme");
constexpr uint kPrefersDark = 1, kPrefersLight = 2;

} // namespace

SystemScheme::SystemScheme(QObject* parent) : QObject(parent) {}

void SystemScheme::usePalette(const QPalette& palette) {
    m_dark = palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
}

void SystemScheme::askPortal() {
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;
    bus.connect(kService, kPath, kInterface, QStringLiteral("SettingChanged"), this,
        SLOT(settingChanged(QString, QString, QDBusVariant)));
    QDBusMessage message = QDBusMessage::createMethodCall(kService, kPath, kInterface, QStringLiteral("Read"));
    message << kSpace << kKey;
    auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(message), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
        const QDBusPendingReply<QVariant> reply = *watcher;
        if (!reply.isError())
            take(reply.value());
        watcher->deleteLater();
    });
}

void SystemScheme::settingChanged(const QString& space, const QString& key, const QDBusVariant& value) {
    if (space == kSpace && key == kKey)
        take(value.variant());
}

void SystemScheme::take(const QVariant& value) {
    QVariant inner = value; // Read wraps the value twice
    while (inner.canConvert<QDBusVariant>())
        inner = inner.value<QDBusVariant>().variant();
    const uint preference = inner.toUInt();
    if (preference != kPrefersDark && preference != kPrefersLight)
        return;
    if (const bool dark = preference == kPrefersDark; dark != m_dark) {
        m_dark = dark;
        emit changed();
    }
}

} // namespace vitrine::ui
