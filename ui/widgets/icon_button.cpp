// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: buttons.
#include "ui/widgets/icon_button.h"

#include "ui/widgets/labels.h"

namespace vitrine::ui {
namespace {

constexpr int kIconGap = 4; // the style sheet's own gap of 4 px is too narrow and cannot be set

constexpr const char* kKindNames[] = {"regular", "primary", "quiet", "destructive", "link"};
constexpr Color kIconColors[] = {Color::text1, Color::onAccent, Color::text1, Color::error, Color::accent};

} // namespace

IconButton::IconButton(const Theme& theme, const QString& icon, const QString& name, QWidget* parent)
    : QToolButton(parent), m_theme(theme), m_icon(icon) {
    setFocusPolicy(Qt::StrongFocus);
    setName(name);
    refresh();
    connect(&theme, &Theme::changed, this, &IconButton::refresh);
}

void IconButton::setIconName(const QString& icon) {
    if (icon != m_icon) {
        m_icon = icon;
        refresh();
    }
}

void IconButton::setName(const QString& name) {
    setAccessibleName(name);
    setToolTip(name);
}

void IconButton::refresh() {
    const int size = m_theme.px(Measure::kIconRail);
    setIcon(m_theme.icon(m_icon, size));
    setIconSize({size, size});
    setFixedSize(m_theme.px(Measure::kToolbarControl), m_theme.px(Measure::kToolbarControl));
}

Button::Button(const Theme& theme, const QString& text, Kind kind, const QString& icon, QWidget* parent)
    : QPushButton(text, parent), m_theme(theme), m_kind(kind), m_icon(icon) {
    setProperty("kind", kKindNames[static_cast<std::size_t>(kind)]);
    setAutoDefault(false);
    refresh();
    connect(&theme, &Theme::changed, this, &Button::refresh);
}

void Button::setKind(Kind kind) {
    m_kind = kind;
    setStyleProperty(this, "kind", QLatin1String(kKindNames[static_cast<std::size_t>(kind)]));
    refresh();
}

void Button::setIconName(const QString& icon) {
    m_icon = icon;
    refresh();
}

void Button::refresh() {
    if (m_icon.isEmpty())
        return setIcon({});
    const int size = m_theme.px(Measure::kIconButton);
    setIcon(m_theme.icon(m_icon, size, kIconColors[static_cast<std::size_t>(m_kind)], kIconGap));
    setIconSize({size + kIconGap, size});
}

} // namespace vitrine::ui
