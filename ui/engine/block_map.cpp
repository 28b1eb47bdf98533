// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: layout, legend and input of the block map.
#include "ui/engine/block_map.h"

#include "ui/bridge/session_history.h"
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
#include <utility>

namespace vitrine::ui {
namespace {

struct Step {
    int cell, gap;
};
constexpr Step kSteps[] = {{16, 2}, {12, 2}, {10, 2}, {8, 1}, {6, 1}, {4, 1}, {3, 1}, {3, 0}, {2, 0}};
constexpr int kColumnsUnit = 16;
constexpr int kMaxSequenceRows = 4; // in the legend; the rest is one line
constexpr int kRestMs = 250; // of the cursor, before the block's text is asked for
constexpr int kLegendMs = 250; // live numbers change at most four times a second

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
    setAttribute(Qt::WA_OpaquePaintEvent);
    setFocusPolicy(Qt::StrongFocus);
    setProperty("focusRing", "inset");
    setAccessibleName(tr("KV block map"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, [this] {
        m_tiles.clear();
        relayout();
    });
}

BlockMap::Look BlockMap::lookOf(const BlockStatus& block) {
    Look look;
    look.state = block.state;
    look.windowFreed = block.window_freed;
    if (block.state != BlockState::active)
        return look;
    look.shared = block.references >= 2;
    look.owner = block.owner;
    if (block.owner != m_lastOwner) { // blocks of one sequence often follow each other
        m_lastOwner = block.owner;
        m_lastLetter = static_cast<std::int16_t>(m_sequences.indexOf(block.owner));
    }
    look.index = m_lastLetter;
    return look;
}

void BlockMap::count(const Look& look, int change) {
    m_counts.windowFreed += look.windowFreed ? change : 0;
    if (look.state == BlockState::cached)
        m_counts.cached += change;
    else if (look.state == BlockState::free)
        m_counts.free += change;
    else if (look.shared)
        m_counts.shared += change;
    else {
        const auto letter = static_cast<std::size_t>(look.index);
        if (letter >= m_counts.byLetter.size())
            m_counts.byLetter.resize(letter + 1);
        m_counts.byLetter[letter] += change;
    }
}

/// Costs one comparison a block, and work only where one looks different: 65,536 of them come ten times a second.
void BlockMap::setSnapshot(const std::shared_ptr<const Snapshot>& snapshot, const BlockHistory* history) {
    if (snapshot == m_snapshot)
        return;
    const std::vector<BlockStatus>& blocks = snapshot->block_map;
    const bool sameSize = blocks.size() == m_looks.size();
    const auto before = std::exchange(m_snapshot, snapshot);
    if (!sameSize) {
        m_looks.assign(blocks.size(), {});
        m_counts = {};
        m_counts.free = static_cast<int>(blocks.size());
    }
    const bool comparable = sameSize && before && before->block_map.size() == blocks.size();
    m_lastOwner = 0; // letters may have been given anew
    m_lastLetter = 0;
    bool changed = !sameSize || m_legend.empty();
    const auto known = comparable && history != nullptr
        ? history->changesBetween(snapshotTime(*before), snapshotTime(*snapshot))
        : std::nullopt;
    std::size_t place = 0; // in `known`
    const auto next = [&](std::size_t from) {
        if (known)
            return place < known->size() ? std::size_t{(*known)[place++]} : blocks.size();
        return comparable ? firstOtherUse(before->block_map.data(), blocks.data(), from, blocks.size()) : from;
    };
    for (std::size_t i = next(0); i < blocks.size(); i = next(i + 1)) {
        const Look look = lookOf(blocks[i]);
        if (look == m_looks[i])
            continue;
        count(m_looks[i], -1);
        count(look, 1);
        m_looks[i] = look;
        changed = true;
        const int cell = static_cast<int>(i) / m_grid.blocksPerCell;
        if (m_changedCells.empty() || m_changedCells.back() != cell)
            m_changedCells.push_back(cell);
    }
    if (!changed)
        return;
    if (buildLegend()) {
        m_legendStale = true;
        showLegend();
    }
    if (static_cast<int>(m_changedCells.size()) > cellCount()) { // scrolled out of view for long
        m_imageStale = true;
        m_changedCells.clear();
    }
    if (!sameSize)
        return relayout();
    updateCells();
}

/// Asks for a repaint of the rows of cells that changed.
void BlockMap::updateCells() {
    if (m_imageStale)
        return update();
    QRegion rows;
    int last = -1;
    for (const int cell : m_changedCells) {
        if (const int row = cell / m_grid.columns; row != std::exchange(last, row))
            rows += QRect(m_gutter + idRoom(), cellRect(cell).top(), width() - m_gutter - idRoom(), m_grid.cell);
    }
    update(rows);
}

void BlockMap::showLegend() {
    if (m_legendTimer != 0)
        return; // when it ends
    m_legendStale = false;
    m_legendTimer = startTimer(kLegendMs);
    update(0, 0, m_gutter, height());
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

void BlockMap::setKnown(bool known) {
    if (known != m_known) {
        m_known = known;
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

bool BlockMap::buildLegend() {
    std::vector<LegendRow> legend;
    legend.push_back({LegendRow::Kind::shared, 0, tr("Shared"), m_counts.shared});
    const auto owners =
        static_cast<int>(std::ranges::count_if(m_counts.byLetter, [](int blocks) { return blocks > 0; }));
    const int listed = owners == kMaxSequenceRows + 1 ? owners : std::min(owners, kMaxSequenceRows);
    int others = 0, rows = 0;
    for (std::size_t letter = 0; letter < m_counts.byLetter.size(); ++letter) {
        const int blocks = m_counts.byLetter[letter];
        const int index = static_cast<int>(letter);
        if (blocks > 0 && rows++ < listed)
            legend.push_back({LegendRow::Kind::sequence, index, tr("Sequence %1").arg(sequenceLetter(index)), blocks});
        else
            others += blocks;
    }
    if (others > 0)
        legend.push_back({LegendRow::Kind::others, 0, tr("%1 more").arg(owners - listed), others});
    legend.push_back({LegendRow::Kind::cached, 0, tr("Cached"), m_counts.cached});
    legend.push_back({LegendRow::Kind::free, 0, tr("Free"), m_counts.free});
    if (m_counts.windowFreed > 0)
        legend.push_back({LegendRow::Kind::windowFreed, 0, tr("Window-freed"), m_counts.windowFreed});
    if (legend == m_legend)
        return false;
    const bool otherHeight = legend.size() != m_legend.size();
    m_legend = std::move(legend);
    if (otherHeight)
        updateGeometry();
    if (QAccessible::isActive())
        setAccessibleDescription(textTwin());
    return true;
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
    if (event->timerId() == m_legendTimer) {
        killTimer(std::exchange(m_legendTimer, 0));
        if (m_legendStale)
            showLegend();
        return;
    }
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
