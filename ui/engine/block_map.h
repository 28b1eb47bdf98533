// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: one cell per KV block, and a legend whose counts are the allocator's.
#pragma once

#include "ui/bridge/values.h"
#include "ui/theme/theme.h"

#include <QImage>
#include <QString>
#include <QWidget>

#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace vitrine::ui {

class BlockHistory;
class SequenceIndex;

/// Size of the cells for a number of blocks; see tokens.md, "Block map".
struct BlockGrid {
    int cell = 16, gap = 2; // logical pixels
    int blocksPerCell = 1;
    int columns = 16, rows = 1;
    /// The largest cell whose rows fit `maxHeight`; columns a multiple of 16.
    static BlockGrid fit(int numBlocks, int width, int maxHeight);
};

/// One line of the legend.
struct LegendRow {
    /// windowFreed: among the cached and the free ones, so that those stay the allocator's counts.
    enum class Kind : std::uint8_t { shared, sequence, others, cached, free, windowFreed };
    Kind kind = Kind::free;
    int index = 0; // letter, with sequence
    QString name;
    int count = 0;
    friend bool operator==(const LegendRow&, const LegendRow&) = default;
};

/// Its one image is changed only where a block looks different, pixel rows copied from one tile a look; the legend is
/// painted at most four times a second and then shows the counts of that moment.  Paints nothing while hidden.
class BlockMap final : public QWidget {
    Q_OBJECT
public:
    BlockMap(const Theme& theme, SequenceIndex& sequences, QWidget* parent = nullptr);

    /// Of now, or of a replayed moment.  `history`, if it has this snapshot, knows what is other than in the one before.
    void setSnapshot(const std::shared_ptr<const Snapshot>& snapshot, const BlockHistory* history = nullptr);
    void setCaption(const QString& caption); // below the legend: which moment it is; empty: now
    /// Name of a sequence, for the hover; may be empty.
    void setNames(std::function<QString(std::uint32_t)> names) { m_names = std::move(names); }
    void setGutter(int pixels);
    void setMaxMapHeight(int pixels);
    void setDimmed(bool dimmed);
    void setKnown(bool known); // false: what is painted is of another moment, so no count is told
    [[nodiscard]] bool isKnown() const { return m_known; }
    void setHighlighted(std::uint32_t sequence); // 0: none; others drop to 35 %
    /// Text of the block under the cursor, when it has come.
    void setBlockText(int block, const QString& text);

    [[nodiscard]] const std::vector<LegendRow>& legend() const { return m_legend; }
    [[nodiscard]] int imageBuilds() const { return m_imageBuilds; } // for tests; cells repainted alone do not count
    [[nodiscard]] int cellRepaints() const { return m_cellRepaints; }
    /// What the hover says of a block, line by line.
    [[nodiscard]] QStringList blockFacts(int block) const;
    [[nodiscard]] QSize sizeHint() const override;
    /// The whole state as text, for screen readers and Copy.
    [[nodiscard]] QString textTwin() const;

    static constexpr int kTopRoom = 10;
    static constexpr int kLegendRowHeight = 19;

signals:
    void blockHovered(int block); // id from 1; asked once the cursor rests

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void timerEvent(QTimerEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override; // arrows move the cursor block

private:
    /// How one block looks; equal looks need no repaint.
    struct Look {
        BlockState state = BlockState::free;
        bool shared = false;
        bool windowFreed = false;
        std::int16_t index = 0; // of the owner
        std::uint32_t owner = 0;
        friend bool operator==(const Look&, const Look&) = default;
    };
    [[nodiscard]] int idRoom() const { return m_theme.px(36); } // block ids left of the map
    void relayout();
    [[nodiscard]] Look lookOf(const BlockStatus& block);
    void count(const Look& look, int change);
    bool buildLegend(); // whether it is another one now
    void showLegend();
    void updateCells();
    void buildImage();
    void repaintCells();
    [[nodiscard]] int cellCount() const;
    [[nodiscard]] const QImage& tileOf(const Look& look);
    void copyTile(int cell);
    void paintCell(QPainter& painter, const Look& look, const QRect& cell, bool faded) const;
    void paintWindowFreed(QPainter& painter, BlockState state, const QRect& cell) const;
    void paintLegend(QPainter& painter);
    void paintIds(QPainter& painter, const QRect& dirty) const;
    void paintHover(QPainter& painter);
    [[nodiscard]] Look cellLook(int cell) const; // of several blocks: the most frequent
    [[nodiscard]] int cellAt(const QPoint& position) const; // -1: none
    [[nodiscard]] QRect cellRect(int cell) const;
    void setHover(int cell);

    const Theme& m_theme;
    SequenceIndex& m_sequences;
    std::shared_ptr<const Snapshot> m_snapshot;
    std::vector<Look> m_looks;
    /// Blocks by look; kept up to date with every change instead of counted anew.
    struct Counts {
        int shared = 0, cached = 0, free = 0, windowFreed = 0;
        std::vector<int> byLetter; // owned by one sequence alone
    };
    Counts m_counts;
    std::uint32_t m_lastOwner = 0;
    std::int16_t m_lastLetter = 0;
    std::vector<LegendRow> m_legend;
    bool m_legendStale = false; // changed since it was painted
    int m_legendTimer = 0; // running: it was painted less than a quarter second ago
    BlockGrid m_grid;
    QImage m_image;
    std::map<std::tuple<BlockState, int, bool, bool, bool>, QImage> m_tiles; // one a look, opaque: cells are copies
    std::vector<int> m_changedCells;
    std::function<QString(std::uint32_t)> m_names;
    QString m_caption;
    int m_gutter = 176, m_maxMapHeight = 160;
    bool m_dimmed = false, m_known = true, m_imageStale = true;
    std::uint32_t m_highlighted = 0;
    int m_hover = -1; // cell
    QString m_hoverText;
    int m_hoverTimer = 0;
    int m_imageBuilds = 0, m_cellRepaints = 0;
};

} // namespace vitrine::ui
