// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: one request in figures, opened from its lane.
#pragma once

#include "ui/engine/lane_history.h"
#include "ui/theme/theme.h"

#include <QWidget>

#include <vector>

class QGridLayout;
class QLabel;
class QTableWidget;

namespace vitrine::ui {

/// Facts and steps of a sequence; a card over the right side of the page.
class LaneSheet final : public QWidget {
    Q_OBJECT
public:
    explicit LaneSheet(const Theme& theme, QWidget* parent);
    void showLane(const Lane& lane, const StepHistory& history);
    [[nodiscard]] quint32 sequence() const { return m_sequence; } // 0: closed
    /// Name and value of each fact, as shown.
    [[nodiscard]] const std::vector<std::pair<QString, QString>>& facts() const { return m_facts; }

signals:
    void closed();
    void zoomRequested(double start, double end);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override; // Esc closes

private:
    void fillSteps(const StepHistory& history);

    const Theme& m_theme;
    QLabel* m_title;
    QGridLayout* m_grid;
    QTableWidget* m_steps;
    quint32 m_sequence = 0;
    double m_start = 0, m_end = 0;
    std::vector<std::pair<QString, QString>> m_facts;
};

} // namespace vitrine::ui
