// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/settings: a small picture of a scheme, to choose it by.
#pragma once

#include "ui/theme/theme.h"

#include <QAbstractButton>

namespace vitrine::ui {

class ThemeTile final : public QAbstractButton {
    Q_OBJECT
public:
    ThemeTile(const Theme& theme, SchemeChoice choice, const QString& name, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintPreview(QPainter& painter, const QRectF& rect, Scheme scheme) const;

    const Theme& m_theme;
    SchemeChoice m_choice;
};

} // namespace vitrine::ui
