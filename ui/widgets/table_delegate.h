// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: table rows of the design, one hairline below, no grid; and a view set up for it.
#pragma once

#include "ui/theme/theme.h"

#include <QStyledItemDelegate>

#include <utility>
#include <vector>

class QTableView;

namespace vitrine::ui {

/// Roles that a table model may answer beside Qt's own.
enum TableRole : int {
    kInkRole = Qt::UserRole + 100, // int of Color: text colour; text1 if absent
    kIconRole, // QString: icon before the text, in the same colour
    kDotRole, // int of Color: a filled dot before the text
    kStrongRole, // bool: weight 600
    kMonoRole, // bool: code font
};

class TableDelegate final : public QStyledItemDelegate {
    Q_OBJECT
public:
    TableDelegate(const Theme& theme, int rowHeight, QObject* parent);
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const Theme& m_theme;
    int m_rowHeight;
};

/// A column and what usually stands in it.
struct UsualCell {
    int column;
    QString text;
};
/// `wide` takes what is left, at least so many pixels at 100 %; before it gets less, or the table scrolls sideways, the
/// `others` leave in their order, all but the last.
void keepCellsWhole(QTableView& view, const Theme& theme, std::pair<int, int> wide, std::vector<UsualCell> others);

/// Rows of `rowHeight` (Measure::kTableRow, kLogRow or kDenseRow), whole-row selection, no grid, hover.
void setUpTable(QTableView& view, const Theme& theme, int rowHeight);
/// Columns share the width; where a head would be cut, the columns of `leaving` go one by one, the first one first.
void keepHeadsWhole(QTableView& view, const Theme& theme, std::vector<int> leaving);

} // namespace vitrine::ui
