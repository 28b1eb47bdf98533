// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: one request in figures, opened from its lane.
#pragma once

#include "ui/engine/lane_history.h"
#include "ui/theme/theme.h"

#include <QAbstractTableModel>
#include <QWidget>

#include <deque>
#include <vector>

class QLabel;
class QTableView;

namespace vitrine::ui {

class TileLayout;

/// The last steps of one sequence, newest first; reads each line once.
class LaneStepsModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { step, work, from, tokens, accepted, numColumns };
    explicit LaneStepsModel(QObject* parent = nullptr);

    void read(const StepHistory& history, quint32 sequence);
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    static constexpr int kMaxRows = 400;

private:
    std::deque<SequenceLine> m_lines; // newest first
    quint32 m_sequence = 0;
};

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
    void showFacts();

    const Theme& m_theme;
    QLabel *m_title, *m_miss;
    TileLayout* m_grid;
    LaneStepsModel m_steps;
    QTableView* m_view;
    std::vector<std::pair<QLabel*, QLabel*>> m_labels; // of the facts
    quint32 m_sequence = 0;
    double m_start = 0, m_end = 0;
    std::vector<std::pair<QString, QString>> m_facts;
};

} // namespace vitrine::ui
