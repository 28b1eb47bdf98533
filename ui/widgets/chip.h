// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: a 24-px chip: a filter that can be checked, or a thing that can be removed.
#pragma once

#include "ui/theme/theme.h"

#include <QAbstractButton>

namespace vitrine::ui {

/// Checkable by setCheckable(true).  Closable: a cross at the end, or Delete, emits closed().
class Chip final : public QAbstractButton {
    Q_OBJECT
public:
    Chip(const Theme& theme, const QString& text, QWidget* parent = nullptr);
    void setIconName(const QString& name);
    void setClosable(bool closable);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

signals:
    void closed();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] QRect closeRect() const;

    const Theme& m_theme;
    QString m_icon;
    bool m_closable = false;
};

} // namespace vitrine::ui
