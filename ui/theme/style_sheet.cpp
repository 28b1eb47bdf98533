// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/theme: the style sheet, made of tokens.  "@name" is a colour, "$n" a measure scaled by the text size.
#include "ui/theme/style_sheet.h"

#include "ui/theme/theme.h"

#include <QHash>

namespace vitrine::ui {
namespace {

constexpr const char* kSurfaces = R"(
QMainWindow, QDialog, *[surface="page"] { background: @page; }
*[surface="side"] { background: @side; }
*[surface="well"] { background: @well; border-radius: 8px; }
*[surface="card"] { background: @page; border: 1px solid @hairline; border-radius: 8px; }
QScrollArea, QScrollArea > QWidget > QWidget[surface="none"] { background: transparent; border: none; }
QStackedWidget, QSplitter { border: none; }
QSplitter::handle { background: @hairline; }
QToolTip { background: @popup; color: @text1; border: 1px solid @outline; padding: $5px $9px; font-size: $12px; }
)";

constexpr const char* kText = R"(
QLabel { background: transparent; color: @text1; }
QLabel[role="title"] { font-size: $20px; font-weight: 600; letter-spacing: -0.2px; }
QLabel[role="section"] { font-size: $15px; font-weight: 600; }
QLabel[role="strong"] { font-weight: 600; }
QLabel[role="medium"] { font-weight: 500; }
QLabel[role="label"] { color: @text2; }
QLabel[role="hint"] { color: @text3; }
QLabel[role="small"] { color: @text3; font-size: $12px; }
QLabel[role="smallLabel"] { color: @text2; font-size: $12px; }
QLabel[role="smallStrong"] { color: @text2; font-size: $12px; font-weight: 600; }
QLabel[role="code"] { font-family: "Vitrine Mono"; font-size: $13px; }
QLabel[role="codeSmall"] { font-family: "Vitrine Mono"; font-size: $12px; }
QLabel[role="message"] { font-size: $15px; }
QLabel[tone="ok"] { color: @ok; }
QLabel[tone="warn"] { color: @warn; }
QLabel[tone="error"] { color: @error; }
QLabel[tone="accent"] { color: @accent; }
QLabel:disabled { color: @disabled; }
)";

constexpr const char* kButtons = R"(
QPushButton { background: @page; color: @text1; border: 1px solid @outline; border-radius: 6px; font-weight: 500;
    padding: 0 $12px; min-height: $30px; }
QPushButton:hover { background: @hover; }
QPushButton:pressed { background: @press; }
QPushButton:disabled { color: @disabled; border-color: @hairline; }
QPushButton[size="toolbar"] { min-height: $26px; }
QPushButton[kind="primary"] { background: @accent; color: @onAccent; border-color: @accent; }
QPushButton[kind="primary"]:hover { background: @accentHover; border-color: @accentHover; }
QPushButton[kind="primary"]:pressed { background: @accentPress; border-color: @accentPress; }
QPushButton[kind="primary"]:disabled { background: @hover; color: @disabled; border-color: @hover; }
QPushButton[kind="quiet"] { background: transparent; border-color: transparent; color: @text2; font-weight: 400; }
QPushButton[kind="quiet"]:hover { background: @hover; }
QPushButton[kind="quiet"]:pressed { background: @press; }
QPushButton[kind="destructive"] { color: @error; }
QPushButton[kind="destructive"]:hover { background: @errorSoft; border-color: @error; }
QPushButton[kind="destructive"]:pressed { background: @error; color: @page; }
QPushButton[kind="link"] { background: transparent; border: none; color: @accent; padding: 0 2px; min-height: $20px; }
QPushButton[kind="link"]:hover { color: @accentHover; text-decoration: underline; }
QPushButton[kind="link"]:disabled { color: @disabled; }
QToolButton { background: transparent; color: @text1; border: none; border-radius: 6px; padding: $4px; }
QToolButton:hover { background: @hover; }
QToolButton:pressed { background: @press; }
QToolButton:checked { background: @accentSoft; }
QToolButton::menu-indicator { image: none; }
QToolButton[segment="true"] { color: @text2; font-weight: 500; padding: 0 $10px; border-radius: 5px; min-height: $24px;
    border: 1px solid transparent; }
QToolButton[segment="true"]:checked { background: @segment; color: @text1; border-color: @outline; font-weight: 500; }
QToolButton[segment="true"]:disabled { color: @disabled; }
)";

constexpr const char* kFields = R"(
QLineEdit, QPlainTextEdit[field="true"], QTextEdit[field="true"] { background: @page; color: @text1;
    border: 1px solid @outline; border-radius: 6px; padding: 0 $10px;
    selection-background-color: @accent; selection-color: @onAccent; }
QLineEdit { min-height: $30px; }
QLineEdit[size="toolbar"] { min-height: $28px; }
QLineEdit:focus, QPlainTextEdit[field="true"]:focus, QTextEdit[field="true"]:focus { border: 2px solid @accent;
    padding: 0 $9px; }
QLineEdit:focus { min-height: $28px; }
QLineEdit[size="toolbar"]:focus { min-height: $26px; }
QLineEdit[invalid="true"] { border: 2px solid @error; padding: 0 $9px; min-height: $28px; }
QLineEdit[plain="true"], QLineEdit[plain="true"]:focus { background: transparent; border: none; padding: 0 2px;
    min-height: $30px; font-size: $15px; }
QLineEdit:disabled, QLineEdit:read-only { color: @text2; }
QLineEdit QToolButton { padding: 0; }
QPlainTextEdit, QTextEdit, QTextBrowser { background: transparent; color: @text1; border: none;
    selection-background-color: @accent; selection-color: @onAccent; }
QSpinBox, QDoubleSpinBox { background: @page; color: @text1; border: 1px solid @outline; border-radius: 6px;
    padding: 0 $8px; min-height: $30px; selection-background-color: @accent; selection-color: @onAccent; }
QSpinBox:focus, QDoubleSpinBox:focus { border: 2px solid @accent; padding: 0 $7px; min-height: $28px; }
QSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::up-button, QDoubleSpinBox::down-button {
    width: 0; height: 0; border: none; }
QComboBox, QCheckBox, QRadioButton { color: @text1; }
QCheckBox:disabled, QRadioButton:disabled, QComboBox:disabled { color: @disabled; }
)";

constexpr const char* kViews = R"(
QAbstractItemView { background: transparent; color: @text1; border: none; outline: none;
    selection-background-color: @accentSoft; selection-color: @text1; }
QComboBox QAbstractItemView { background: @popup; border: 1px solid @outline; border-radius: 8px; padding: 4px; }
QComboBox QAbstractItemView::item { min-height: $28px; border-radius: 5px; padding: 0 $8px; }
QComboBox QAbstractItemView::item:hover, QComboBox QAbstractItemView::item:selected { background: @accentSoft;
    color: @text1; }
QHeaderView { background: @page; border: none; }
QHeaderView::section { background: @page; color: @text3; border: none; border-bottom: 1px solid @hairline;
    padding: 0 $8px; font-size: $12px; font-weight: 500; }
QHeaderView::section:first, QHeaderView::section:only-one { padding-left: 16px; }
QHeaderView::section:last { padding-right: 16px; }
QTableView QTableCornerButton::section { background: @page; border: none; }
QListView[nav="true"] { background: @side; padding: 0; }
QListView[nav="true"]::item { min-height: $32px; border-radius: 6px; padding: 0 $12px; color: @text1; }
QListView[nav="true"]::item:hover { background: @hover; }
QListView[nav="true"]::item:selected { background: @accentSoft; color: @text1; }
QListView[nav="true"]::item:selected:!active { background: @accentSoft; }
)";

constexpr const char* kRest = R"(
QMenu { background: @popup; color: @text1; border: 1px solid @outline; border-radius: 8px; padding: 4px; }
QMenu::item { min-height: $30px; padding: 0 $12px; border-radius: 5px; }
QMenu::icon { padding-left: $8px; }
QMenu::item:selected { background: @accentSoft; }
QMenu::item:disabled { color: @disabled; }
QMenu::separator { height: 1px; background: @hairline; margin: 4px 0; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; border: none; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; border: none; }
QScrollBar::handle { background: @press; border-radius: 3px; }
QScrollBar::handle:vertical { min-height: 32px; margin: 2px; }
QScrollBar::handle:horizontal { min-width: 32px; margin: 2px; }
QScrollBar::handle:hover { background: @control; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; border: none; background: none; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QProgressBar { background: @press; border: none; border-radius: 2px; min-height: 4px; max-height: 4px; }
QProgressBar::chunk { background: @accent; border-radius: 2px; }
QProgressBar[size="load"] { border-radius: 3px; min-height: 6px; max-height: 6px; }
QProgressBar[size="load"]::chunk { border-radius: 3px; }
)";

QHash<QString, QString> colorWords(const Theme& theme) {
    QHash<QString, QString> words;
    for (int i = 0; i < static_cast<int>(Color::count); ++i) {
        const auto color = static_cast<Color>(i);
        const QColor value = theme.color(color);
        // A QSS literal of eight digits puts alpha first, so write rgba().
        words.insert(QString::fromLatin1(colorName(color)),
            value.alpha() == 255 ? value.name()
                                 : QStringLiteral("rgba(%1, %2, %3, %4)")
                                       .arg(value.red())
                                       .arg(value.green())
                                       .arg(value.blue())
                                       .arg(value.alpha()));
    }
    // The chosen segment is the page's colour in light, and lifts off the track in dark.
    words.insert(
        QStringLiteral("segment"), theme.color(theme.scheme() == Scheme::light ? Color::page : Color::press).name());
    return words;
}

} // namespace

QString buildStyleSheet(const Theme& theme) {
    QString source;
    for (const char* part : {kSurfaces, kText, kButtons, kFields, kViews, kRest})
        source += QString::fromLatin1(part);
    const QHash<QString, QString> words = colorWords(theme);
    QString result;
    result.reserve(source.size());
    for (qsizetype i = 0; i < source.size();) {
        const QChar mark = source[i++];
        if (mark != u'@' && mark != u'$') {
            result += mark;
            continue;
        }
        const qsizetype begin = i;
        while (i < source.size() && (mark == u'@' ? source[i].isLetterOrNumber() : source[i].isDigit()))
            ++i;
        const QString word = source.mid(begin, i - begin);
        result += mark == u'@' ? words.value(word) : QString::number(theme.px(word.toInt()));
    }
    return result;
}

} // namespace vitrine::ui
