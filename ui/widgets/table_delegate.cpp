// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: table rows, painted.
#include "ui/widgets/table_delegate.h"

#include "ui/widgets/labels.h"

#include <QEvent>
#include <QHeaderView>
#include <QPainter>
#include <QTableView>

#include <algorithm>
#include <functional>

namespace vitrine::ui {
namespace {

constexpr int kCellPadding = 8, kEdgePadding = 16;
constexpr int kNumberPadding = 16;
constexpr int kCellExtra = 26; // padding of a cell

/// Takes `width` off the side where reading begins.
void leadBy(QRect& cell, int width, Qt::LayoutDirection direction) {
    if (direction == Qt::RightToLeft)
        cell.setRight(cell.right() - width);
    else
        cell.setLeft(cell.left() + width);
}

/// Arranges the columns of one table: now, when its viewport changes its size, and when the theme changes the fonts.
class ColumnKeeper final : public QObject {
public:
    ColumnKeeper(QTableView& view, const Theme& theme, std::function<void()> arrange)
        : QObject(&view), m_arrange(std::move(arrange)) {
        view.viewport()->installEventFilter(this);
        m_arrange();
        // Queued: the heads have their new font when every listener has been told.
        connect(
            &theme, &Theme::changed, this, [this] { m_arrange(); }, Qt::QueuedConnection);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Resize)
            m_arrange();
        return QObject::eventFilter(watched, event);
    }

private:
    std::function<void()> m_arrange;
};

int headTextWidth(const QTableView& view, int column) {
    const QVariant text = view.model()->headerData(column, Qt::Horizontal);
    return QFontMetrics(view.horizontalHeader()->font()).horizontalAdvance(text.toString());
}

void showColumn(QTableView& view, int column, bool shown) {
    if (view.isColumnHidden(column) == shown)
        view.setColumnHidden(column, !shown);
}

/// keepHeadsWhole() for one table.
struct HeadWidths {
    QTableView& view;
    std::vector<int> leaving;

    void arrange() const {
        QHeaderView& head = *view.horizontalHeader();
        const int room = view.viewport()->width();
        const int padding = headPadding();
        const auto width = [&](int column) { return widthOf(column, padding); };
        int needed = 0, widest = 0;
        for (int column = 0; column < head.count(); ++column)
            needed += width(column);
        for (const int column : leaving) {
            const bool goes = needed > room;
            needed -= goes ? width(column) : 0;
            showColumn(view, column, !goes);
        }
        std::vector<int> shown;
        for (int column = 0; column < head.count(); ++column)
            if (!view.isColumnHidden(column)) {
                shown.push_back(column);
                widest = std::max(widest, width(column));
            }
        // Equal shares where every head fits one, else each by its own width.
        const int count = static_cast<int>(shown.size());
        const bool isEqual = widest * count <= room;
        for (const int column : shown)
            head.resizeSection(column, isEqual ? room / count : width(column) * room / std::max(needed, 1));
    }
    /// What a head has beside its text.  The header knows it of visible sections alone: a hidden one's hint is 0.
    [[nodiscard]] int headPadding() const {
        const QHeaderView& head = *view.horizontalHeader();
        int padding = 0;
        for (int column = 0; column < head.count(); ++column)
            if (!view.isColumnHidden(column))
                padding = std::max(padding, head.sectionSizeHint(column) - headTextWidth(view, column));
        return padding;
    }
    /// Of the head, or of a number of six digits if that is wider; the same whether the column is hidden or not.
    [[nodiscard]] int widthOf(int column, int padding) const {
        const int number = QFontMetrics(view.font()).horizontalAdvance(QStringLiteral("888,888")) + kNumberPadding;
        return std::max(headTextWidth(view, column) + padding, number);
    }
};

/// keepCellsWhole() for one table.
struct CellWidths {
    QTableView& view;
    const Theme& theme;
    std::pair<int, int> wide;
    std::vector<UsualCell> others;

    void arrange() const {
        int needed = theme.px(wide.second);
        for (const UsualCell& cell : others)
            needed += widthOf(cell);
        for (const UsualCell& cell : others) {
            const bool leaves = needed > view.viewport()->width() && &cell != &others.back();
            needed -= leaves ? widthOf(cell) : 0;
            showColumn(view, cell.column, !leaves);
        }
    }
    [[nodiscard]] int widthOf(const UsualCell& cell) const {
        return kCellExtra +
            std::max(headTextWidth(view, cell.column),
                QFontMetrics(theme.font(TextRole::base)).horizontalAdvance(cell.text));
    }
};

} // namespace

TableDelegate::TableDelegate(const Theme& theme, int rowHeight, QObject* parent)
    : QStyledItemDelegate(parent), m_theme(theme), m_rowHeight(rowHeight) {}

QSize TableDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const QFontMetrics metrics(m_theme.font(TextRole::base));
    const int icon = index.data(kIconRole).isValid() || index.data(kDotRole).isValid() ? m_theme.px(22) : 0;
    Q_UNUSED(option)
    const bool isEdge = index.column() == 0 || index.column() == index.model()->columnCount() - 1;
    return {1 + metrics.horizontalAdvance(index.data().toString()) + kCellPadding +
            (isEdge ? kEdgePadding : kCellPadding) + icon,
        m_theme.px(m_rowHeight)};
}

void TableDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    painter->save();
    const bool selected = option.state & QStyle::State_Selected;
    const bool hovered = option.state & QStyle::State_MouseOver;
    if (selected)
        painter->fillRect(
            option.rect, m_theme.color(option.state & QStyle::State_Active ? Color::accentSoft : Color::press));
    else if (hovered)
        painter->fillRect(option.rect, m_theme.color(Color::hover));
    paintHairline(*painter, option.rect, Qt::BottomEdge, m_theme.color(Color::hairline));

    const QVariant ink = index.data(kInkRole);
    const Color inkToken = ink.isValid() ? static_cast<Color>(ink.toInt()) : Color::text1;
    const QColor color = m_theme.color(inkToken);
    const bool last = index.column() == index.model()->columnCount() - 1;
    QRect cell = QStyle::visualRect(option.direction, option.rect,
        option.rect.adjusted(
            index.column() == 0 ? kEdgePadding : kCellPadding, 0, last ? -kEdgePadding : -kCellPadding, 0));
    const int icon = m_theme.px(Measure::kIconInline);
    painter->setRenderHint(QPainter::Antialiasing);
    if (const QVariant name = index.data(kIconRole); name.isValid()) {
        const QRect place(cell.left(), cell.center().y() - icon / 2 + 1, icon, icon);
        painter->drawPixmap(QStyle::visualRect(option.direction, cell, place).topLeft(),
            m_theme.pixmap(name.toString(), icon, color, painter->device()->devicePixelRatioF()));
        leadBy(cell, icon + 6, option.direction);
    } else if (const QVariant dot = index.data(kDotRole); dot.isValid()) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(m_theme.color(static_cast<Color>(dot.toInt())));
        const double radius = icon / 4.0;
        const bool isMirrored = option.direction == Qt::RightToLeft;
        painter->drawEllipse(
            QPointF(isMirrored ? cell.right() - radius : cell.left() + radius, cell.center().y() + 1), radius, radius);
        leadBy(cell, icon, option.direction);
    }
    const QFont font = m_theme.font(index.data(kMonoRole).toBool() ? TextRole::code
            : index.data(kStrongRole).toBool()                     ? TextRole::strong
                                                                   : TextRole::base);
    const QVariant alignment = index.data(Qt::TextAlignmentRole);
    const int flags = (alignment.isValid() ? alignment.toInt() : int(Qt::AlignLeft)) | Qt::AlignVCenter;
    painter->setFont(font);
    painter->setPen(color);
    // Its place follows the window, its letters themselves: "/v1/models" stays so in a window that reads to the left.
    const QString text = index.data().toString();
    const int side = int(QStyle::visualAlignment(option.direction, Qt::Alignment(flags)));
    const int direction = text.isRightToLeft() ? Qt::TextForceRightToLeft : Qt::TextForceLeftToRight;
    painter->drawText(cell, side | int(Qt::AlignAbsolute) | direction | Qt::TextSingleLine,
        QFontMetrics(font).elidedText(text, Qt::ElideRight, cell.width()));
    painter->restore();
}

void keepCellsWhole(QTableView& view, const Theme& theme, std::pair<int, int> wide, std::vector<UsualCell> others) {
    new ColumnKeeper(view, theme, [widths = CellWidths{view, theme, wide, std::move(others)}] { widths.arrange(); });
}

void keepHeadsWhole(QTableView& view, const Theme& theme, std::vector<int> leaving) {
    // Not Stretch: a header that stretches still counts sections that were hidden meanwhile.
    view.horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    new ColumnKeeper(view, theme, [widths = HeadWidths{view, std::move(leaving)}] { widths.arrange(); });
}

void setUpTable(QTableView& view, const Theme& theme, int rowHeight) {
    view.setItemDelegate(new TableDelegate(theme, rowHeight, &view));
    view.setShowGrid(false);
    view.setSelectionBehavior(QAbstractItemView::SelectRows);
    view.setSelectionMode(QAbstractItemView::SingleSelection);
    view.setEditTriggers(QAbstractItemView::NoEditTriggers);
    view.setTabKeyNavigation(false); // Tab leaves the table, arrows move inside
    view.setWordWrap(false);
    view.setMouseTracking(true);
    view.setFrameShape(QFrame::NoFrame);
    view.verticalHeader()->hide();
    view.verticalHeader()->setMinimumSectionSize(1);
    view.horizontalHeader()->setMinimumSectionSize(1); // else the widest letter of the font decides
    view.horizontalHeader()->setHighlightSections(false);
    view.horizontalHeader()->setSectionsClickable(false);
    view.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    view.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    const auto resize = [&view, &theme, rowHeight] {
        view.verticalHeader()->setDefaultSectionSize(theme.px(rowHeight));
        const int head = rowHeight == Measure::kDenseRow ? Measure::kDenseRow : Measure::kTableHead;
        view.horizontalHeader()->setFixedHeight(theme.px(head));
        view.viewport()->update();
    };
    resize();
    QObject::connect(&theme, &Theme::changed, &view, resize);
}

} // namespace vitrine::ui
