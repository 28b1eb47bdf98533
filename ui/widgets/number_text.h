// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: a live number that never changes its width.
#pragma once

#include "ui/theme/theme.h"

#include <QString>
#include <QWidget>

namespace vitrine::ui {

/// As wide as `widest`; changes at most four times a second (the last value always arrives); repaints only on change.
class NumberText final : public QWidget {
    Q_OBJECT
public:
    NumberText(const Theme& theme, const QString& widest, TextRole role = TextRole::base, QWidget* parent = nullptr);

    void setText(const QString& text);
    [[nodiscard]] QString text() const { return m_pending; }
    void setColor(Color color);
    void setAlignment(Qt::Alignment alignment);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void timerEvent(QTimerEvent* event) override;

private:
    void display(const QString& text);

    const Theme& m_theme;
    QString m_widest, m_shown, m_pending;
    TextRole m_role;
    Color m_color = Color::text1;
    Qt::Alignment m_alignment = Qt::AlignRight | Qt::AlignVCenter;
    int m_timer = 0; // running: the quarter second after a change
};

} // namespace vitrine::ui
