// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: one choice of a few, side by side.
#pragma once

#include "ui/theme/theme.h"

#include <QStringList>
#include <QWidget>

class QButtonGroup;

namespace vitrine::ui {

class FlowLayout;

/// Tab reaches the chosen segment, arrow keys move; every segment is a radio button to a screen reader.
class SegmentedControl final : public QWidget {
    Q_OBJECT
public:
    SegmentedControl(const Theme& theme, const QStringList& labels, QWidget* parent = nullptr);
    [[nodiscard]] int current() const; // -1: none
    void setCurrent(int index); // silent when unchanged
    void setLabels(const QStringList& labels); // keeps the index if it still exists
    /// Breaks into lines where there is no room for one; else it demands that room.
    void setWraps(bool wraps);
    void setSegmentEnabled(int index, bool enabled, const QString& reason = {});

signals:
    void clicked(int index); // by the user, also when it was chosen already
    void currentChanged(int index); // by the user or setCurrent

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    const Theme& m_theme;
    FlowLayout* m_layout;
    QButtonGroup* m_group;
};

} // namespace vitrine::ui
