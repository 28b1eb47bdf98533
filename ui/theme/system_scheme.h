// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/theme: does the desktop ask for light or dark?
#pragma once

#include <QDBusVariant>
#include <QObject>
#include <QPalette>

namespace vitrine::ui {

/// The freedesktop Settings portal, asked without waiting; until it answers, or without one, the lightness of the
/// desktop's palette decides.  Thread: GUI.
class SystemScheme final : public QObject {
    Q_OBJECT
public:
    explicit SystemScheme(QObject* parent = nullptr);
    [[nodiscard]] bool dark() const { return m_dark; }
    void usePalette(const QPalette& palette); // of the desktop, before ours is applied
    void askPortal();

signals:
    void changed();

private slots:
    void settingChanged(const QString& space, const QString& key, const QDBusVariant& value);

private:
    void take(const QVariant& value);

    bool m_dark = false;
};

} // namespace vitrine::ui
