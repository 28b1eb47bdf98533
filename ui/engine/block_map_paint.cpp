// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: how the block map looks.
#include "ui/engine/block_map.h"

#include "ui/theme/sequence_brush.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/numbers.h"

#include <QPaintEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

namespace vitrine::ui {
namespace {

constexpr int kPatternFrom = 8; // pixels of a cell
constexpr int kTwoToneFrom = 4;
constexpr double kFaded = 0.35;
constexpr int kSwatch = 10;

QColor mixed(const QColor& a, const QColor& b) {
    return QColor((a.red() + b.red()) / 2, (a.green() + b.green()) / 2, (a.blue() + b.blue()) / 2);
}

} // namespace

BlockMap::Look BlockMap::cellLook(int cell) const {
    const auto first = static_cast<std::size_t>(cell * m_grid.blocksPerCell);
    if (m_grid.blocksPerCell == 1)
        return m_looks[first];
    const std::size_t last = std::min(m_looks.size(), first + static_cast<std::size_t>(m_grid.blocksPerCell));
    std::map<std::tuple<BlockState, int, bool, bool>, int> votes;
    Look best = m_looks[first];
    int most = 0;
    for (std::size_t i = first; i < last; ++i) {
        const Look& look = m_looks[i];
        if (const int count = ++votes[{look.state, look.index, look.shared, look.windowFreed}]; count > most) {
            most = count;
            best = look;
        }
    }
    return best;
}

void BlockMap::paintCell(QPainter& painter, const Look& look, const QRect& cell, bool faded) const {
    const int side = cell.width();
    painter.setOpacity(faded ? kFaded : 1);
    if (look.windowFreed)
        return paintWindowFreed(painter, look.state, cell);
    if (look.state == BlockState::free) {
        if (side < kTwoToneFrom)
            painter.fillRect(cell, m_theme.color(Color::control, 0.25));
        else {
            painter.setPen(QPen(m_theme.color(Color::control, 0.42), 1));
            painter.setBrush(Qt::NoBrush);
            painter.setRenderHint(QPainter::Antialiasing, side >= 10);
            if (side >= 10)
                painter.drawRoundedRect(QRectF(cell).adjusted(0.5, 0.5, -0.5, -0.5), 1.5, 1.5);
            else
                painter.drawRect(cell.adjusted(0, 0, -1, -1));
        }
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (look.state == BlockState::cached) {
        painter.fillRect(cell, m_theme.color(Color::cached));
        if (side >= kPatternFrom)
            painter.fillRect(
                QRect(cell.center().x() - (side % 2 == 0 ? 0 : 1), cell.center().y() - (side % 2 == 0 ? 0 : 1), 2, 2),
                m_theme.color(Color::page));
        return;
    }
    if (!look.shared)
        return paintSequence(painter, m_theme, look.index, cell);
    const QColor owner = m_theme.color(sequenceColor(look.index)), ink = m_theme.color(Color::shared);
    if (side < kTwoToneFrom)
        return painter.fillRect(cell, mixed(owner, ink));
    painter.fillRect(cell, owner);
    const QRectF box(cell);
    QPainterPath half(box.bottomRight());
    half.lineTo(box.topRight());
    half.lineTo(box.bottomLeft());
    half.closeSubpath();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillPath(half, ink);
    if (side >= kPatternFrom) {
        painter.setPen(QPen(m_theme.color(Color::page), 1));
        painter.drawLine(box.topRight(), box.bottomLeft());
    }
}

/// A block that a sliding window left behind: pale or outlined as what it is now, and struck through.
void BlockMap::paintWindowFreed(QPainter& painter, BlockState state, const QRect& cell) const {
    const int side = cell.width();
    const QColor ink = m_theme.color(Color::queued);
    if (side < kTwoToneFrom)
        return painter.fillRect(
            cell, mixed(ink, m_theme.color(state == BlockState::cached ? Color::cached : Color::page)));
    Look plain;
    plain.state = state;
    paintCell(painter, plain, cell, false);
    painter.setRenderHint(QPainter::Antialiasing, side >= kPatternFrom);
    painter.setPen(QPen(ink, side >= kPatternFrom ? 1.5 : 1));
    painter.drawLine(cell.topLeft(), cell.bottomRight());
}

/// Each distinct look is painted once and then copied: 16,384 cells cost as many copies of a few bytes, not of hatches.
const QImage& BlockMap::tileOf(const Look& look) {
    const bool faded = m_highlighted != 0 && look.state == BlockState::active && look.owner != m_highlighted;
    QImage& tile = m_tiles[{look.state, look.index, look.shared, look.windowFreed, faded}];
    if (tile.isNull()) {
        const qreal scale = m_image.devicePixelRatio();
        const int side = static_cast<int>(std::lround(m_grid.cell * scale));
        tile = QImage(side, side, QImage::Format_RGB32);
        tile.setDevicePixelRatio(scale);
        tile.fill(m_theme.color(Color::page));
        QPainter brush(&tile);
        paintCell(brush, look, QRect(0, 0, m_grid.cell, m_grid.cell), faded);
    }
    return tile;
}

void BlockMap::copyTile(int cell) {
    const QImage& tile = tileOf(cellLook(cell));
    const qreal pitch = (m_grid.cell + m_grid.gap) * m_image.devicePixelRatio();
    const auto x = std::lround(cell % m_grid.columns * pitch), y = std::lround(cell / m_grid.columns * pitch);
    const long width = std::min<long>(tile.width(), m_image.width() - x);
    const long height = std::min<long>(tile.height(), m_image.height() - y);
    for (int line = 0; line < height; ++line)
        std::memcpy(m_image.scanLine(static_cast<int>(y) + line) + x * 4, tile.constScanLine(line),
            static_cast<std::size_t>(width) * 4);
}

void BlockMap::buildImage() {
    const qreal scale = devicePixelRatioF();
    const int pitch = m_grid.cell + m_grid.gap;
    if (!qFuzzyCompare(m_image.devicePixelRatio(), scale))
        m_tiles.clear();
    m_image = QImage((QSizeF(m_grid.columns * pitch, m_grid.rows * pitch) * scale).toSize(), QImage::Format_RGB32);
    m_image.setDevicePixelRatio(scale);
    m_image.fill(m_theme.color(Color::page));
    for (int cell = 0; cell < cellCount(); ++cell)
        copyTile(cell);
    m_changedCells.clear();
    m_imageStale = false;
    ++m_imageBuilds;
}

void BlockMap::repaintCells() {
    for (const int cell : m_changedCells)
        copyTile(cell);
    m_cellRepaints += static_cast<int>(m_changedCells.size());
    m_changedCells.clear();
}

void BlockMap::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    painter.setLayoutDirection(Qt::LeftToRight); // as the plots below it
    const QRect dirty = event->rect();
    painter.fillRect(dirty, m_theme.color(Color::page));
    if (dirty.left() < m_gutter)
        paintLegend(painter);
    if (m_looks.empty())
        return;
    if (m_imageStale || !qFuzzyCompare(m_image.devicePixelRatio(), devicePixelRatioF()))
        buildImage();
    else if (!m_changedCells.empty())
        repaintCells();
    const QPoint corner(m_gutter + idRoom(), kTopRoom);
    const qreal scale = m_image.devicePixelRatio();
    painter.setOpacity(m_dimmed ? 0.55 : 1);
    for (const QRect& rect : event->region()) {
        const QRect part = rect.intersected(QRect(corner, m_image.deviceIndependentSize().toSize()));
        if (!part.isEmpty())
            painter.drawImage(
                QRectF(part), m_image, QRectF(QPointF(part.topLeft() - corner) * scale, QSizeF(part.size()) * scale));
    }
    painter.setOpacity(1);
    paintIds(painter, dirty);
    if (m_hover >= 0)
        paintHover(painter);
}

/// Block ids left of every second row, or of fewer where the rows are lower than the text.
void BlockMap::paintIds(QPainter& painter, const QRect& dirty) const {
    painter.setFont(m_theme.font(TextRole::small));
    painter.setPen(m_theme.color(Color::text3));
    const int pitch = m_grid.cell + m_grid.gap;
    const int lineHeight = m_theme.lineHeight(TextRole::small);
    const int every = std::max(2, (lineHeight + pitch - 1) / pitch);
    for (int row = 0; row < m_grid.rows; row += every) {
        const int y = kTopRoom + row * pitch + m_grid.cell / 2 - lineHeight / 2;
        const QRect box(m_gutter - 20, y, idRoom() + 12, lineHeight);
        if (box.intersects(dirty))
            painter.drawText(
                box, Qt::AlignRight | Qt::AlignVCenter, plainText(row * m_grid.columns * m_grid.blocksPerCell + 1));
    }
}

void BlockMap::paintLegend(QPainter& painter) {
    const int rowHeight = m_theme.px(kLegendRowHeight), swatch = m_theme.px(kSwatch);
    const int left = Measure::kSpace4, right = m_gutter - 28;
    int y = kTopRoom - 5;
    painter.setFont(m_theme.font(TextRole::small));
    for (const LegendRow& row : m_legend) {
        const QRect box(left, y + (rowHeight - swatch) / 2, swatch, swatch);
        Look look;
        look.index = static_cast<std::int16_t>(row.index);
        look.shared = row.kind == LegendRow::Kind::shared;
        look.windowFreed = row.kind == LegendRow::Kind::windowFreed;
        look.state = row.kind == LegendRow::Kind::free || look.windowFreed ? BlockState::free
            : row.kind == LegendRow::Kind::cached                          ? BlockState::cached
                                                                           : BlockState::active;
        if (row.kind == LegendRow::Kind::others)
            painter.fillRect(box, m_theme.color(Color::control));
        else
            paintCell(painter, look, box, false);
        painter.setOpacity(1);
        painter.setPen(m_theme.color(m_dimmed ? Color::text3 : Color::text1));
        const QString count = m_known ? countText(row.count) : QString(kNone);
        const int room = right - left - swatch - 14 - painter.fontMetrics().horizontalAdvance(count);
        painter.drawText(QRect(left + swatch + 8, y, right - left, rowHeight), Qt::AlignVCenter,
            painter.fontMetrics().elidedText(row.name, Qt::ElideRight, room));
        painter.drawText(QRect(left, y, right - left, rowHeight), Qt::AlignVCenter | Qt::AlignRight, count);
        y += rowHeight;
    }
    paintHairline(painter, QRect(left, y + 1, right - left, 1), Qt::TopEdge, m_theme.color(Color::hairline));
    painter.setPen(m_theme.color(Color::text3));
    const int tokens = m_snapshot && m_snapshot->model ? m_snapshot->model->plan.block_tokens : 16;
    const QRect foot(left, y + 3, right - left, rowHeight);
    const QFontMetrics metrics(painter.font());
    const QString total = countText(static_cast<qint64>(m_looks.size()));
    if (!m_caption.isEmpty())
        painter.setPen(m_theme.color(Color::accent));
    const int room = foot.width() - metrics.horizontalAdvance(total) - 6;
    QString words = m_caption.isEmpty() ? tr("%1 tokens each").arg(tokens) : m_caption;
    if (m_caption.isEmpty() && metrics.horizontalAdvance(words) > room)
        words = tr("%1 tok each").arg(tokens);
    painter.drawText(foot, Qt::AlignVCenter | Qt::AlignLeft, metrics.elidedText(words, Qt::ElideRight, room));
    painter.setPen(m_theme.color(Color::text3));
    painter.drawText(foot, Qt::AlignVCenter | Qt::AlignRight, total);
}

QStringList BlockMap::blockFacts(int block) const {
    const auto index = static_cast<std::size_t>(block - 1);
    if (!m_snapshot || index >= m_looks.size())
        return {};
    const BlockStatus& status = m_snapshot->block_map[index];
    QStringList facts;
    const auto* model = m_snapshot->model.get();
    if (model != nullptr && model->block_groups.size() > 1 && status.group < model->block_groups.size()) {
        const auto& group = model->block_groups[status.group];
        facts += group.window_tokens > 0
            ? tr("of %1 layers that see %2 tokens back").arg(group.num_layers).arg(countText(group.window_tokens))
            : tr("of %1 layers that see everything").arg(group.num_layers);
    }
    if (status.window_freed)
        facts += tr("its sequence lives on; the sliding window has passed it");
    if (status.state == BlockState::free)
        return QStringList{tr("free: holds nothing")} + facts;
    const QString used =
        tr("last used %1 ago").arg(secondsText(status.last_used_ms / 1000.0) + kNoBreakSpace + QLatin1Char('s'));
    if (status.state == BlockState::cached)
        return QStringList{tr("cached and reusable: no sequence refers to it"), used} + facts;
    const QString name = m_names ? m_names(status.owner) : QString();
    const QString letter = sequenceLetter(m_looks[index].index);
    const QString owner = name.isEmpty() ? tr("sequence %1").arg(letter) : QStringLiteral("%1 · %2").arg(letter, name);
    return QStringList{status.references == 1 ? tr("owner %1").arg(owner) : tr("oldest owner %1").arg(owner),
               (status.references == 1 ? tr("1 reference") : tr("%1 references").arg(status.references)) +
                   QStringLiteral(" · ") + used} +
        facts;
}

void BlockMap::paintHover(QPainter& painter) {
    const QRect cell = cellRect(m_hover);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(m_theme.color(Color::text1), 2));
    painter.drawRoundedRect(QRectF(cell).adjusted(-2, -2, 2, 2), 3, 3);
    const int first = m_hover * m_grid.blocksPerCell;
    const int last = std::min(static_cast<int>(m_looks.size()), first + m_grid.blocksPerCell) - 1;
    const Look& look = m_looks[static_cast<std::size_t>(first)];
    const QString title =
        first == last ? tr("Block %1").arg(first + 1) : tr("Blocks %1–%2").arg(first + 1).arg(last + 1);
    const QStringList facts = blockFacts(first + 1);
    const int pad = 12, popupWidth = m_theme.px(330);
    const QFontMetrics metrics(m_theme.font(TextRole::base));
    const QString text =
        m_hoverText.isEmpty() ? QString() : QStringLiteral("“%1”").arg(m_hoverText.simplified().left(140));
    const QRect textBounds = metrics.boundingRect(QRect(0, 0, popupWidth - 2 * pad, 60), Qt::TextWordWrap, text);
    const int line = m_theme.lineHeight(TextRole::base),
              textHeight = text.isEmpty() ? 0 : std::min(textBounds.height() + 4, 2 * line + 4);
    QRect popup(cell.right() + 14, cell.top() - 4, popupWidth,
        2 * pad + (1 + static_cast<int>(facts.size())) * line + textHeight);
    if (popup.right() > width() - 8)
        popup.moveRight(cell.left() - 14);
    popup.moveTop(std::clamp(popup.top(), 2, std::max(2, height() - popup.height() - 2)));
    painter.setPen(QPen(m_theme.color(Color::outline), 1));
    painter.setBrush(m_theme.color(Color::popup));
    painter.drawRoundedRect(QRectF(popup).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
    QRect content = popup.adjusted(pad, pad, -pad, -pad);
    painter.setFont(m_theme.font(TextRole::strong));
    painter.setPen(m_theme.color(Color::text1));
    painter.drawText(content, Qt::AlignTop | Qt::AlignLeft, title);
    if (look.state == BlockState::active)
        paintSequenceChip(painter, m_theme, look.index, QRect(content.right() - 15, content.top() + 2, 16, 16));
    content.setTop(content.top() + line);
    painter.setFont(m_theme.font(TextRole::base));
    painter.setPen(m_theme.color(Color::text2));
    painter.drawText(QRect(content.left(), content.top(), content.width(), textHeight), Qt::TextWordWrap, text);
    painter.setFont(m_theme.font(TextRole::small));
    painter.setPen(m_theme.color(Color::text3));
    for (const QString& fact : facts) {
        painter.drawText(content.adjusted(0, textHeight + 2, 0, 0), Qt::AlignTop | Qt::AlignLeft,
            QFontMetrics(painter.font()).elidedText(fact, Qt::ElideRight, content.width()));
        content.setTop(content.top() + line);
    }
}

} // namespace vitrine::ui
