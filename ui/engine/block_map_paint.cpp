// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: how the block map looks.
#include "ui/engine/block_map.h"

#include "ui/theme/sequence_brush.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/numbers.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
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
    std::map<std::tuple<BlockState, int, bool>, int> votes;
    Look best = m_looks[first];
    int most = 0;
    for (std::size_t i = first; i < last; ++i) {
        const Look& look = m_looks[i];
        if (const int count = ++votes[{look.state, look.index, look.shared}]; count > most) {
            most = count;
            best = look;
        }
    }
    return best;
}

void BlockMap::paintCell(QPainter& painter, const Look& look, const QRect& cell, bool faded) const {
    const int side = cell.width();
    painter.setOpacity(faded ? kFaded : 1);
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

void BlockMap::buildImage() {
    const qreal scale = devicePixelRatioF();
    const int pitch = m_grid.cell + m_grid.gap;
    const QSize size(m_grid.columns * pitch, m_grid.rows * pitch);
    m_image = QImage(size * scale, QImage::Format_ARGB32_Premultiplied);
    m_image.setDevicePixelRatio(scale);
    m_image.fill(Qt::transparent);
    QPainter painter(&m_image);
    // Each distinct look is painted once and then copied: 16,384 cells cost 16,384 blits, not as many hatches.
    std::map<std::tuple<BlockState, int, bool, bool>, QImage> tiles;
    const int cells = (static_cast<int>(m_looks.size()) + m_grid.blocksPerCell - 1) / m_grid.blocksPerCell;
    for (int i = 0; i < cells; ++i) {
        const Look look = cellLook(i);
        const bool faded = m_highlighted != 0 && look.state == BlockState::active && look.owner != m_highlighted;
        QImage& tile = tiles[{look.state, look.index, look.shared, faded}];
        if (tile.isNull()) {
            tile = QImage(QSize(m_grid.cell, m_grid.cell) * scale, QImage::Format_ARGB32_Premultiplied);
            tile.setDevicePixelRatio(scale);
            tile.fill(Qt::transparent);
            QPainter brush(&tile);
            paintCell(brush, look, QRect(0, 0, m_grid.cell, m_grid.cell), faded);
        }
        painter.drawImage(QPoint((i % m_grid.columns) * pitch, (i / m_grid.columns) * pitch), tile);
    }
    m_imageStale = false;
    ++m_imageBuilds;
}

void BlockMap::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintLegend(painter);
    if (m_looks.empty())
        return;
    if (m_imageStale || !qFuzzyCompare(m_image.devicePixelRatio(), devicePixelRatioF()))
        buildImage();
    painter.setOpacity(m_dimmed ? 0.55 : 1);
    painter.drawImage(QPoint(m_gutter + idRoom(), kTopRoom), m_image);
    painter.setOpacity(1);
    painter.setFont(m_theme.font(TextRole::small));
    painter.setPen(m_theme.color(Color::text3));
    const int pitch = m_grid.cell + m_grid.gap;
    const int lineHeight = m_theme.lineHeight(TextRole::small);
    // Every second row, or fewer where the rows are lower than the text.
    const int every = std::max(2, (lineHeight + pitch - 1) / pitch);
    for (int row = 0; row < m_grid.rows; row += every) {
        const int y = kTopRoom + row * pitch + m_grid.cell / 2 - lineHeight / 2;
        const int id = row * m_grid.columns * m_grid.blocksPerCell + 1;
        painter.drawText(
            QRect(m_gutter - 20, y, idRoom() + 12, lineHeight), Qt::AlignRight | Qt::AlignVCenter, plainText(id));
    }
    if (m_hover >= 0)
        paintHover(painter);
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
        look.state = row.kind == LegendRow::Kind::free ? BlockState::free
            : row.kind == LegendRow::Kind::cached      ? BlockState::cached
                                                       : BlockState::active;
        if (row.kind == LegendRow::Kind::others)
            painter.fillRect(box, m_theme.color(Color::control));
        else
            paintCell(painter, look, box, false);
        painter.setOpacity(1);
        painter.setPen(m_theme.color(m_dimmed ? Color::text3 : Color::text1));
        painter.drawText(QRect(left + swatch + 8, y, right - left, rowHeight), Qt::AlignVCenter, row.name);
        painter.drawText(
            QRect(left, y, right - left, rowHeight), Qt::AlignVCenter | Qt::AlignRight, countText(row.count));
        y += rowHeight;
    }
    paintHairline(painter, QRect(left, y + 1, right - left, 1), Qt::TopEdge, m_theme.color(Color::hairline));
    painter.setPen(m_theme.color(Color::text3));
    const int tokens = m_snapshot && m_snapshot->model ? m_snapshot->model->plan.block_tokens : 16;
    const QRect foot(left, y + 3, right - left, rowHeight);
    const QFontMetrics metrics(painter.font());
    const QString total = countText(static_cast<qint64>(m_looks.size()));
    painter.drawText(foot, Qt::AlignVCenter | Qt::AlignLeft,
        metrics.elidedText(
            tr("%1 tokens each").arg(tokens), Qt::ElideRight, foot.width() - metrics.horizontalAdvance(total) - 6));
    painter.drawText(foot, Qt::AlignVCenter | Qt::AlignRight, total);
}

void BlockMap::paintHover(QPainter& painter) {
    const QRect cell = cellRect(m_hover);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(m_theme.color(Color::text1), 2));
    painter.drawRoundedRect(QRectF(cell).adjusted(-2, -2, 2, 2), 3, 3);
    const int first = m_hover * m_grid.blocksPerCell;
    const int last = std::min(static_cast<int>(m_looks.size()), first + m_grid.blocksPerCell) - 1;
    const BlockStatus& block = m_snapshot->block_map[static_cast<std::size_t>(first)];
    const Look& look = m_looks[static_cast<std::size_t>(first)];
    const QString title =
        first == last ? tr("Block %1").arg(first + 1) : tr("Blocks %1–%2").arg(first + 1).arg(last + 1);
    QString facts = tr("free");
    if (block.state != BlockState::free) {
        const QString used = secondsText(block.last_used_ms / 1000.0) + kNoBreakSpace + QLatin1Char('s');
        facts = block.state == BlockState::cached
            ? tr("cached and reusable · last used %1 ago").arg(used)
            : (block.references == 1 ? tr("1 reference · last used %1 ago").arg(used)
                                     : tr("%1 references · last used %2 ago").arg(block.references).arg(used));
    }
    const int pad = 12, popupWidth = m_theme.px(330);
    const QFontMetrics metrics(m_theme.font(TextRole::base));
    const QString text =
        m_hoverText.isEmpty() ? QString() : QStringLiteral("“%1”").arg(m_hoverText.simplified().left(140));
    const QRect textBounds = metrics.boundingRect(QRect(0, 0, popupWidth - 2 * pad, 60), Qt::TextWordWrap, text);
    const int line = m_theme.lineHeight(TextRole::base),
              textHeight = text.isEmpty() ? 0 : std::min(textBounds.height() + 4, 2 * line + 4);
    QRect popup(cell.right() + 14, cell.top() - 4, popupWidth, 2 * pad + 2 * line + textHeight);
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
    painter.drawText(content.adjusted(0, textHeight + 2, 0, 0), Qt::AlignTop | Qt::AlignLeft, facts);
}

} // namespace vitrine::ui
