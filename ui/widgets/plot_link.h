// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: the small door from a plot to the experiment that explains it.
#pragma once

#include "ui/theme/theme.h"

#include <QAbstractButton>

namespace vitrine::ui {

class PlotLink final : public QAbstractButton {
    Q_OBJECT
public:
    PlotLink(const Theme& theme, const QString& tip, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override { return {m_theme.px(18), m_theme.px(18)}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    const Theme& m_theme;
};

} // namespace vitrine::ui
