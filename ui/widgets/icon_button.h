// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: buttons whose icon follows the theme.
#pragma once

#include "ui/theme/theme.h"

#include <QPushButton>
#include <QToolButton>

namespace vitrine::ui {

/// 28-px icon button; `name` is its accessible name and tooltip.
class IconButton final : public QToolButton {
    Q_OBJECT
public:
    IconButton(const Theme& theme, const QString& icon, const QString& name, QWidget* parent = nullptr);
    void setIconName(const QString& icon);
    void setName(const QString& name);

private:
    void refresh();

    const Theme& m_theme;
    QString m_icon;
};

/// Text button, 32 px high, with an optional icon.
class Button final : public QPushButton {
    Q_OBJECT
public:
    enum class Kind : std::uint8_t { regular, primary, quiet, destructive, link };
    Button(const Theme& theme, const QString& text, Kind kind = Kind::regular, const QString& icon = {},
        QWidget* parent = nullptr);
    void setKind(Kind kind);
    void setIconName(const QString& icon);

private:
    void refresh();

    const Theme& m_theme;
    Kind m_kind;
    QString m_icon;
};

} // namespace vitrine::ui
