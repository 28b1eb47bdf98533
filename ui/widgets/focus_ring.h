// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: the one keyboard focus ring; it follows the focus and lets the mouse through.
#pragma once

#include "ui/theme/theme.h"

#include <QPointer>
#include <QWidget>

namespace vitrine::ui {

/// One a window, created by the frame (and by dialogs of their own window).  Shown only when the focus came by
/// keyboard.  A widget with the property focusRing = "none" draws its own; "inset" gets the ring inside.
class FocusRing final : public QWidget {
    Q_OBJECT
public:
    FocusRing(const Theme& theme, QWidget* window);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void follow(QWidget* widget);
    void place();

    const Theme& m_theme;
    QPointer<QWidget> m_target;
    bool m_inset = false;
    bool m_isKeyboard = true; // what was used last: a button that goes away gives its focus on as Tab does
};

} // namespace vitrine::ui
