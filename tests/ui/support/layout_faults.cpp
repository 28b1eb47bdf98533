// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui: the finder.
#include "tests/ui/support/layout_faults.h"

#include "ui/widgets/labels.h"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QScrollBar>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QTableView>
#include <QTextDocument>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace vitrine::testing {
namespace {

constexpr char16_t kFirstIdeograph = 0x2E80;
constexpr int kSlack = 1; // rounding of fractional advances

QString textOf(const QWidget& widget) {
    if (const auto* label = qobject_cast<const QLabel*>(&widget))
        return label->text();
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
        return button->text();
    if (const auto* box = qobject_cast<const QComboBox*>(&widget))
        return box->currentText();
    if (const auto* edit = qobject_cast<const QLineEdit*>(&widget))
        return edit->text().isEmpty() ? edit->placeholderText() : edit->text();
    return widget.accessibleName();
}

QString described(const QWidget& widget, const QString& fault) {
    QStringList path;
    for (const QWidget* at = widget.parentWidget(); at != nullptr && path.size() < 3; at = at->parentWidget())
        if (const QString name = QString::fromLatin1(at->metaObject()->className()).section(u':', -1);
            name != QLatin1String("QWidget"))
            path += name;
    return QStringLiteral("%1 \"%2\" in %3: %4")
        .arg(QString::fromLatin1(widget.metaObject()->className()).section(u':', -1), textOf(widget).left(60),
            path.join(QStringLiteral(" < ")), fault);
}

int widestLine(const QFontMetrics& metrics, const QString& text) {
    int widest = 0;
    for (const QString& line : text.split(u'\n'))
        widest = std::max(widest, metrics.horizontalAdvance(line));
    return widest;
}

int widestWord(const QFontMetrics& metrics, QString text) {
    int widest = 0;
    text.replace(QChar(0x200B), u' ').replace(u'-', QLatin1String("- "));
    for (qsizetype at = text.size(); at-- > 0;)
        if (text[at].unicode() >= kFirstIdeograph)
            text.insert(at + 1, u' '); // lines break behind each of them
    for (const QString& word : text.split(QRegularExpression(QStringLiteral("[ \\n]+"))))
        widest = std::max(widest, metrics.horizontalAdvance(word));
    return widest;
}

/// What a label lacks, or empty.
QString labelFault(const QLabel& label) {
    if (label.text().isEmpty() || !label.pixmap(Qt::ReturnByValue).isNull())
        return {};
    const bool isRich = label.textFormat() == Qt::RichText;
    QString text = label.text();
    if (isRich) {
        QTextDocument document;
        document.setHtml(text);
        text = document.toPlainText();
    }
    const QRect room = label.contentsRect().adjusted(label.margin(), label.margin(), -label.margin(), -label.margin());
    const QFontMetrics metrics(label.font());
    const int needed = label.wordWrap()
        ? std::min(widestWord(metrics, text), label.fontMetrics().averageCharWidth() * 24)
        : widestLine(metrics, text);
    if (needed > room.width() + kSlack)
        return QStringLiteral("text %1 wide, %2 there").arg(needed).arg(room.width());
    const int high = label.wordWrap() ? label.heightForWidth(label.width()) : label.sizeHint().height();
    if (high > label.height() + 2)
        return QStringLiteral("text %1 high, %2 there").arg(high).arg(label.height());
    return {};
}

QString buttonFault(const QAbstractButton& button) {
    const QFontMetrics metrics(button.font());
    const QString text = QString(button.text()).remove(u'&');
    if (text.isEmpty())
        return {};
    if (const int high = button.heightForWidth(button.width()); high > button.height() + 2) // words over several lines
        return QStringLiteral("text %1 high, %2 there").arg(high).arg(button.height());
    const auto* tool = qobject_cast<const QToolButton*>(&button);
    if (tool != nullptr && tool->toolButtonStyle() == Qt::ToolButtonIconOnly && !tool->icon().isNull())
        return {};
    const bool isPainted = !button.inherits("QPushButton") && tool == nullptr;
    const int needed = isPainted ? button.minimumSizeHint().width()
                                 : widestLine(metrics, text) + (button.icon().isNull() ? 0 : button.iconSize().width());
    if (needed > button.width() + kSlack)
        return QStringLiteral("needs %1, has %2").arg(needed).arg(button.width());
    if (metrics.height() > button.height() + kSlack)
        return QStringLiteral("text %1 high, %2 there").arg(metrics.height()).arg(button.height());
    return {};
}

QString fieldFault(const QWidget& widget) {
    const QFontMetrics metrics(widget.font());
    if (const auto* box = qobject_cast<const QComboBox*>(&widget)) {
        const QStyleOptionComboBox option = [box] {
            QStyleOptionComboBox made;
            made.initFrom(box);
            made.editable = box->isEditable();
            return made;
        }();
        const QRect room =
            box->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, box);
        const int needed = metrics.horizontalAdvance(box->currentText());
        if (needed > room.width() + kSlack)
            return QStringLiteral("text %1 wide, %2 there").arg(needed).arg(room.width());
    } else if (const auto* edit = qobject_cast<const QLineEdit*>(&widget)) {
        const int needed =
            metrics.horizontalAdvance(edit->placeholderText()); // ends in an ellipsis, but half must be read
        if (edit->text().isEmpty() && needed > 2 * (edit->width() - 8))
            return QStringLiteral("hint %1 wide, %2 there").arg(needed).arg(edit->width() - 8);
        if (metrics.height() > edit->height())
            return QStringLiteral("text %1 high, %2 there").arg(metrics.height()).arg(edit->height());
    }
    return {};
}

QStringList tableFaults(const QTableView& table) {
    QStringList faults;
    const QHeaderView& head = *table.horizontalHeader();
    for (int column = 0; column < head.count(); ++column) {
        if (head.isSectionHidden(column))
            continue;
        const QString title = table.model()->headerData(column, Qt::Horizontal).toString();
        const int needed = QFontMetrics(head.font()).horizontalAdvance(title);
        if (head.isVisible() && needed > head.sectionSize(column) + kSlack)
            faults += described(table,
                QStringLiteral("head \"%1\" %2 wide, %3 there").arg(title).arg(needed).arg(head.sectionSize(column)));
        for (int row = 0; row < std::min(table.model()->rowCount(), 40); ++row) {
            const QModelIndex index = table.model()->index(row, column);
            const auto alignment = Qt::Alignment(index.data(Qt::TextAlignmentRole).toInt());
            const int wide = QFontMetrics(table.font()).horizontalAdvance(index.data().toString());
            if (alignment.testFlag(Qt::AlignRight) && table.columnSpan(row, column) == 1 &&
                wide > head.sectionSize(column) + kSlack)
                faults += described(table,
                    QStringLiteral("number \"%1\" %2 wide, %3 there")
                        .arg(index.data().toString())
                        .arg(wide)
                        .arg(head.sectionSize(column)));
        }
    }
    return faults;
}

bool scrollsSideways(const QWidget& widget) {
    const auto* area = qobject_cast<const QAbstractScrollArea*>(&widget);
    return area != nullptr && area->horizontalScrollBar() != nullptr && area->horizontalScrollBar()->maximum() > 0 &&
        !qobject_cast<const QPlainTextEdit*>(area); // source text scrolls by itself
}

/// How many pixels of the widget lie outside what holds it, up to the next thing that scrolls.
int pushedOut(const QWidget& widget, const QWidget& root) {
    int out = 0;
    for (const QWidget* at = widget.parentWidget(); at != nullptr; at = at->parentWidget()) {
        const QRect place(widget.mapTo(at, QPoint()), widget.size());
        const bool isViewport = qobject_cast<const QAbstractScrollArea*>(at->parentWidget()) != nullptr;
        out = std::max({out, -place.left(), place.right() - at->width() + 1});
        if (!isViewport)
            out = std::max({out, -place.top(), place.bottom() - at->height() + 1});
        if (at == &root || isViewport)
            break;
    }
    return out;
}

bool holdsContent(const QWidget& widget) {
    return qobject_cast<const QLabel*>(&widget) || qobject_cast<const QAbstractButton*>(&widget) ||
        qobject_cast<const QLineEdit*>(&widget) || qobject_cast<const QComboBox*>(&widget) ||
        qobject_cast<const ui::ElidedLabel*>(&widget) || qobject_cast<const QAbstractScrollArea*>(&widget) ||
        qobject_cast<const QPlainTextEdit*>(&widget) || widget.focusPolicy() != Qt::NoFocus;
}

} // namespace

QStringList layoutFaults(const QWidget& root) {
    QStringList faults;
    const auto note = [&faults](const QWidget& widget, const QString& fault) {
        if (!fault.isEmpty())
            faults += described(widget, fault);
    };
    for (const QWidget* widget : root.findChildren<QWidget*>()) {
        if (!widget->isVisible() || widget->isWindow() || widget->objectName().startsWith(QLatin1String("qt_")) ||
            qobject_cast<const QScrollBar*>(widget))
            continue;
        if (holdsContent(*widget) && widget->width() > 1)
            if (const int out = pushedOut(*widget, root); out > kSlack)
                note(*widget, QStringLiteral("%1 pixels outside").arg(out));
        if (const auto* label = qobject_cast<const QLabel*>(widget))
            note(*label, labelFault(*label));
        else if (const auto* button = qobject_cast<const QAbstractButton*>(widget))
            note(*button, buttonFault(*button));
        else
            note(*widget, fieldFault(*widget));
        if (const auto* table = qobject_cast<const QTableView*>(widget))
            faults += tableFaults(*table);
        if (scrollsSideways(*widget))
            note(*widget,
                QStringLiteral("scrolls sideways by %1")
                    .arg(qobject_cast<const QAbstractScrollArea*>(widget)->horizontalScrollBar()->maximum()));
    }
    faults.removeDuplicates();
    return faults;
}

} // namespace vitrine::testing
