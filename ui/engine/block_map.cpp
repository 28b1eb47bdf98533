// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: layout, legend and input of the block map.
#include "ui/engine/block_map.h"

#include "ui/theme/sequence_brush.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/sequence_index.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QTimerEvent>

#include <algorithm>
#include <limits>
#include <map>

namespace vitrine::ui {
namespace {

struct Step {
    int cell, gap;
};
constexpr Step kSteps[] = {{16, 2}, {12, 2}, {10, 2}, {8, 1}, {6, 1}, {4, 1}, {3, 1}, {3, 0}, {2, 0}};
constexpr int kColumnsUnit = 16;
constexpr int kMaxSequenceRows = 4; // in the legend; the rest is one line
constexpr int kRestMs = 250; // of the cursor, before the block's text is asked for

/// Letters by owner without a search for every block: owners are sequence numbers, close together.
class LetterTable {
public:
    LetterTable(const std::vector<BlockStatus>& blocks, SequenceIndex& sequences) {
        std::uint32_t last = 0;
        m_first = std::numeric_limits<std::uint32_t>::max();
        for (const BlockStatus& block : blocks)
            if (block.state == BlockState::active) {
                m_first = std::min(m_first, block.owner);
                last = std::max(last, block.owner);
            }
        if (last < m_first)
            return;
        if (last - m_first < kMaxSpread)
            m_letters.assign(last - m_first + 1, -1);
        for (const BlockStatus& block : blocks)
            if (block.state == BlockState::active && (m_letters.empty() || m_letters[block.owner - m_first] < 0))
                set(block.owner, static_cast<std::int16_t>(sequences.indexOf(block.owner)));
    }
    [[nodiscard]] std::int16_t operator[](std::uint32_t owner) const {
        return m_letters.empty() ? m_sparse.at(owner) : m_letters[owner - m_first];
    }

private:
    static constexpr std::uint32_t kMaxSpread = 1 << 16;
    void set(std::uint32_t owner, std::int16_t letter) {
        if (m_letters.empty())
            m_sparse[owner] = letter;
        else
            m_letters[owner - m_first] = letter;
    }
    std::uint32_t m_first = 0;
    std::vector<std::int16_t> m_letters;
    std::map<std::uint32_t, std::int16_t> m_sparse;
};

} // namespace

BlockGrid BlockGrid::fit(int numBlocks, int width, int maxHeight) {
    const auto attempt = [&](int cell, int gap, int perCell) {
        BlockGrid grid{cell, gap, perCell, 0, 0};
        const int pitch = cell + gap;
        grid.columns = std::max(kColumnsUnit, (width + gap) / pitch / kColumnsUnit * kColumnsUnit);
        const int cells = (numBlocks + perCell - 1) / perCell;
        grid.rows = std::max(1, (cells + grid.columns - 1) / grid.columns);
        return grid;
    };
    const auto fits = [&](const BlockGrid& grid) { return grid.rows * (grid.cell + grid.gap) - grid.gap <= maxHeight; };
    for (const Step& step : kSteps)
        if (const BlockGrid grid = attempt(step.cell, step.gap, 1); fits(grid))
            return grid;
    BlockGrid grid = attempt(2, 0, 2);
    while (!fits(grid))
        grid = attempt(2, 0, grid.blocksPerCell * 2);
    return grid;
}

BlockMap::BlockMap(const Theme& theme, SequenceIndex& sequences, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_sequences(sequences) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setProperty("focusRing", "inset");
    setAccessibleName(tr("KV block map"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, [this] {
        m_tiles.clear();
        relayout();
    });
}

void BlockMap::setSnapshot(const std::shared_ptr<const Snapshot>& snapshot) {
    const std::vector<BlockStatus>& blocks = snapshot->block_map;
    const bool sameSize = blocks.size() == m_looks.size();
    m_snapshot = snapshot;
    m_looks.resize(blocks.size());
    const LetterTable letters(blocks, m_sequences);
    bool changed = !sameSize || m_legend.empty();
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const BlockStatus& block = blocks[i];
        Look look;
        look.state = block.state;
        if (block.state == BlockState::active) {
            look.shared = block.references >= 2;
            look.owner = block.owner;
            look.index = letters[block.owner];
        }
        if (look == m_looks[i])
            continue;
        m_looks[i] = look;
        changed = true;
        const int cell = static_cast<int>(i) / m_grid.blocksPerCell;
        if (m_changedCells.empty() || m_changedCells.back() != cell)
            m_changedCells.push_back(cell);
    }
    if (!changed)
        return;
    if (static_cast<int>(m_changedCells.size()) > cellCount()) { // scrolled out of view for long
        m_imageStale = true;
        m_changedCells.clear();
    }
    buildLegend();
    if (!sameSize)
        return relayout();
    update();
}

void BlockMap::setCaption(const QString& caption) {
    if (caption != m_caption) {
        m_caption = caption;
        update();
    }
}

void BlockMap::setGutter(int pixels) {
    if (pixels != m_gutter) {
        m_gutter = pixels;
        relayout();
    }
}

void BlockMap::setMaxMapHeight(int pixels) {
    if (pixels != m_maxMapHeight) {
        m_maxMapHeight = pixels;
        relayout();
    }
}

void BlockMap::setDimmed(bool dimmed) {
    if (dimmed != m_dimmed) {
        m_dimmed = dimmed;
        update();
    }
}

void BlockMap::setHighlighted(std::uint32_t sequence) {
    if (sequence != m_highlighted) {
        m_highlighted = sequence;
        m_imageStale = true;
        update();
    }
}

void BlockMap::setBlockText(int block, const QString& text) {
    if (m_hover >= 0 && block == m_hover * m_grid.blocksPerCell + 1 && text != m_hoverText) {
        m_hoverText = text;
        update();
    }
}

void BlockMap::buildLegend() {
    m_legend.clear();
    int shared = 0, cached = 0, free = 0;
    std::map<int, int> owned; // letter -> blocks
    std::vector<int> byLetter; // most owners have small letters: no tree for every block
    for (const Look& look : m_looks) {
        if (look.state == BlockState::cached)
            ++cached;
        else if (look.state == BlockState::free)
            ++free;
        else if (look.shared)
            ++shared;
        else {
            const auto letter = static_cast<std::size_t>(look.index);
            if (letter >= byLetter.size())
                byLetter.resize(letter + 1);
            ++byLetter[letter];
        }
    }
    for (std::size_t letter = 0; letter < byLetter.size(); ++letter)
        if (byLetter[letter] > 0)
            owned[static_cast<int>(letter)] = byLetter[letter];
    m_legend.push_back({LegendRow::Kind::shared, 0, tr("Shared"), shared});
    int others = 0, rows = 0;
    for (const auto& [index, count] : owned) {
        const bool last = rows == kMaxSequenceRows && static_cast<int>(owned.size()) == kMaxSequenceRows + 1;
        if (rows < kMaxSequenceRows || last) {
            m_legend.push_back({LegendRow::Kind::sequence, index, tr("Sequence %1").arg(sequenceLetter(index)), count});
            ++rows;
        } else {
            others += count;
        }
    }
    if (others > 0)
        m_legend.push_back(
            {LegendRow::Kind::others, 0, tr("%1 more").arg(static_cast<int>(owned.size()) - kMaxSequenceRows), others});
    m_legend.push_back({LegendRow::Kind::cached, 0, tr("Cached"), cached});
    m_legend.push_back({LegendRow::Kind::free, 0, tr("Free"), free});
    if (QAccessible::isActive())
        setAccessibleDescription(textTwin());
}

QString BlockMap::textTwin() const {
    QStringList parts;
    for (const LegendRow& row : m_legend)
        parts += QStringLiteral("%1 %2").arg(row.name, countText(row.count));
    return parts.join(QStringLiteral(", "));
}

void BlockMap::relayout() {
    const int room = width() - m_gutter - idRoom() - 16;
    m_grid = BlockGrid::fit(std::max(1, static_cast<int>(m_looks.size())), std::max(64, room), m_maxMapHeight);
    m_imageStale = true;
    m_tiles.clear();
    m_hover = -1;
    updateGeometry();
    update();
}

QSize BlockMap::sizeHint() const {
    const int map = m_grid.rows * (m_grid.cell + m_grid.gap);
    const int legend = m_theme.px(kLegendRowHeight) * (static_cast<int>(m_legend.size()) + 1) + 4;
    return {600, std::max(map, legend) + kTopRoom + 8};
}

void BlockMap::resizeEvent(QResizeEvent*) {
    relayout();
}

int BlockMap::cellCount() const {
    return (static_cast<int>(m_looks.size()) + m_grid.blocksPerCell - 1) / m_grid.blocksPerCell;
}

QRect BlockMap::cellRect(int cell) const {
    const int pitch = m_grid.cell + m_grid.gap;
    const int x = m_gutter + idRoom() + (cell % m_grid.columns) * pitch;
    const int y = kTopRoom + (cell / m_grid.columns) * pitch;
    return {x, y, m_grid.cell, m_grid.cell};
}

int BlockMap::cellAt(const QPoint& position) const {
    const int pitch = m_grid.cell + m_grid.gap;
    const QPoint inside = position - QPoint(m_gutter + idRoom(), kTopRoom);
    if (inside.x() < 0 || inside.y() < 0 || inside.x() >= m_grid.columns * pitch)
        return -1;
    const int cell = inside.y() / pitch * m_grid.columns + inside.x() / pitch;
    return cell < cellCount() ? cell : -1;
}

void BlockMap::setHover(int cell) {
    if (cell == m_hover)
        return;
    m_hover = cell;
    m_hoverText.clear();
    if (m_hoverTimer != 0)
        killTimer(std::exchange(m_hoverTimer, 0));
    if (cell >= 0)
        m_hoverTimer = startTimer(kRestMs);
    update();
}

void BlockMap::mouseMoveEvent(QMouseEvent* event) {
    setHover(cellAt(event->pos()));
}
void BlockMap::leaveEvent(QEvent*) {
    setHover(-1);
}

void BlockMap::timerEvent(QTimerEvent* event) {
    if (event->timerId() != m_hoverTimer)
        return QWidget::timerEvent(event);
    killTimer(std::exchange(m_hoverTimer, 0));
    if (m_hover >= 0)
        emit blockHovered(m_hover * m_grid.blocksPerCell + 1);
}

void BlockMap::keyPressEvent(QKeyEvent* event) {
    int move = 0;
    switch (event->key()) {
    case Qt::Key_Left:
        move = -1;
        break;
    case Qt::Key_Right:
        move = 1;
        break;
    case Qt::Key_Up:
        move = -m_grid.columns;
        break;
    case Qt::Key_Down:
        move = m_grid.columns;
        break;
    case Qt::Key_Escape:
        if (m_hover >= 0)
            return setHover(-1);
        [[fallthrough]];
    default:
        return QWidget::keyPressEvent(event);
    }
    const int next = m_hover < 0 ? 0 : m_hover + move;
    if (next >= 0 && next < cellCount())
        setHover(next);
}

} // namespace vitrine::ui
