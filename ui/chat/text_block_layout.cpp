// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: a paragraph, list, table, heading or quote as one QTextDocument.
#include <QAbstractTextDocumentLayout>
#include <QFontMetricsF>
#include <QPainter>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextList>
#include <QTextTable>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "ui/chat/block_layout.h"
#include "ui/chat/shown_markdown.h"

namespace vitrine::ui {

namespace {

/// Loads nothing: no file and no network, whatever a text asks for.
class SealedDocument final : public QTextDocument {
protected:
    QVariant loadResource(int, const QUrl&) override { return {}; }
};

constexpr int kParagraphGap = 8;
constexpr int kCellPadding = 6;
constexpr std::array kHeadingRoles = {TextRole::title, TextRole::section, TextRole::section}; // level 1, 2, 3

struct TextStyle {
    TextRole role; // of running text
    QColor color;
};

constexpr int kSameEnd = 8; // characters: a text whose end is shown otherwise than written is not grown

qsizetype leadingBlanks(QStringView text) {
    return std::find_if(text.begin(), text.end(), [](QChar c) { return !c.isSpace(); }) - text.begin();
}

/// Letters, marks, blanks and the commas and stops between them, none of which opens or closes anything in Markdown where it
/// stands; and no line break, after which everything may mean something else.
bool isPlainGrowth(QStringView old, QStringView added) {
    if (old.endsWith(u'\n') || old.endsWith(u'\\'))
        return false;
    const QStringView word = old.mid(std::max(old.lastIndexOf(u' '), old.lastIndexOf(u'\n')) + 1);
    const QStringView line = old.mid(old.lastIndexOf(u'\n') + 1);
    const bool startsLine = std::none_of(line.begin(), line.end(), [](QChar c) { return c.isLetter(); });
    if (startsLine || word.contains(u':') || word.contains(u'/') || word.contains(u'@') || word.contains(u'&') ||
        word.contains(QLatin1String("www"), Qt::CaseInsensitive) ||
        QStringView(added).contains(QLatin1String("www"), Qt::CaseInsensitive))
        return false;
    return std::all_of(added.begin(), added.end(), [](QChar c) {
        return c.isLetterOrNumber() || c.isMark() || c.isSurrogate() || QStringView(u" ,.;?'\"(%-").contains(c);
    });
}

struct Run {
    int position, length;
    QTextCharFormat format;
};

void styleFragments(const Theme& theme, const QTextBlock& block, QTextCursor& cursor, const TextStyle& style) {
    const int level = block.blockFormat().headingLevel();
    std::vector<Run> runs; // first all: a format that is set joins and cuts fragments under an iterator
    for (auto it = block.begin(); !it.atEnd(); ++it)
        runs.push_back({it.fragment().position(), it.fragment().length(), it.fragment().charFormat()});
    for (const Run& run : runs) {
        const QTextCharFormat& format = run.format;
        const bool isCode = format.fontFixedPitch();
        const bool isBold = format.fontWeight() > QFont::Normal || level > 0;
        QFont font = theme.font(isCode ? TextRole::code
                : level > 0            ? kHeadingRoles[static_cast<std::size_t>(std::min(level, 3) - 1)]
                                       : style.role);
        font.setBold(false);
        if (isBold)
            font.setWeight(QFont::DemiBold);
        font.setItalic(format.fontItalic());
        font.setStrikeOut(format.fontStrikeOut());
        const QString anchor = format.anchorHref();
        QTextCharFormat styled;
        styled.setFont(font);
        styled.setForeground(anchor.isEmpty() ? style.color : theme.color(Color::accent));
        if (isCode)
            styled.setBackground(theme.color(Color::well));
        if (!anchor.isEmpty()) {
            styled.setAnchor(true);
            styled.setAnchorHref(anchor);
        }
        cursor.setPosition(run.position);
        cursor.setPosition(run.position + run.length, QTextCursor::KeepAnchor);
        cursor.setCharFormat(styled);
    }
}

void styleTable(const Theme& theme, QTextTable& table) {
    QTextTableFormat format = table.format();
    format.setBorder(0);
    format.setCellSpacing(0);
    format.setCellPadding(0);
    format.setBorderCollapse(true);
    format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
    format.setTopMargin(0);
    format.setBottomMargin(0);
    table.setFormat(format);
    for (int row = 0; row < table.rows(); ++row)
        for (int column = 0; column < table.columns(); ++column) {
            QTextTableCell cell = table.cellAt(row, column);
            QTextTableCellFormat cellFormat = cell.format().toTableCellFormat();
            cellFormat.setPadding(theme.px(kCellPadding));
            cellFormat.setLeftPadding(column == 0 ? 0 : theme.px(kCellPadding * 2));
            cellFormat.setBottomBorder(1);
            cellFormat.setBottomBorderStyle(QTextFrameFormat::BorderStyle_Solid);
            cellFormat.setBottomBorderBrush(theme.color(row == 0 ? Color::outline : Color::hairline));
            cell.setFormat(cellFormat);
            QTextCursor text = cell.firstCursorPosition();
            text.setPosition(cell.lastCursorPosition().position(), QTextCursor::KeepAnchor);
            if (row == 0 && table.rows() > 1) { // a head is aligned like its column
                QTextBlockFormat aligned;
                aligned.setAlignment(table.cellAt(1, column).firstCursorPosition().blockFormat().alignment());
                text.mergeBlockFormat(aligned);
            }
            QTextCharFormat characters;
            QFont font = theme.font(row == 0 ? TextRole::medium : TextRole::base);
            characters.setFont(font, QTextCharFormat::FontPropertiesSpecifiedOnly);
            if (row == 0)
                characters.setForeground(theme.color(Color::text2));
            text.mergeCharFormat(characters);
        }
}

/// Paragraphs of a list with written numbers hang beside their number, as the items of any other list do.
void hangNumbers(const Theme& theme, QTextDocument& document, TextRole role) {
    static const QRegularExpression kNumber(QStringLiteral("^\\d+[.)] ?"));
    const QFontMetricsF metrics(theme.font(role));
    const double indent = theme.px(kListIndent);
    QTextCursor cursor(&document);
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        cursor.setPosition(block.position());
        if (QTextList* list = block.textList(); list != nullptr) {
            if (list->item(0) != block)
                continue; // its first item moved all of it
            QTextListFormat deeper = list->format();
            deeper.setIndent(deeper.indent() + 1);
            list->setFormat(deeper);
        } else if (cursor.currentTable() == nullptr) {
            QTextBlockFormat format = block.blockFormat();
            format.setLeftMargin(indent);
            if (const auto number = kNumber.match(block.text()); number.hasMatch()) {
                format.setTextIndent(-std::min(metrics.horizontalAdvance(number.captured()), indent));
                format.setTopMargin(0);
            }
            cursor.setBlockFormat(format);
        }
    }
}

void styleBlocks(const Theme& theme, QTextDocument& document, const TextStyle& style) {
    QTextCursor cursor(&document);
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        QTextBlockFormat format = block.blockFormat();
        const int level = format.headingLevel();
        const bool isFirst = block == document.begin();
        const bool isItem = block.textList() != nullptr;
        format.setTopMargin(isFirst || isItem ? 0 : theme.px(kParagraphGap));
        format.setBottomMargin(0);
        const bool isTitle = level == 1;
        cursor.setPosition(block.position());
        const bool isCell = cursor.currentTable() != nullptr;
        format.setLineHeight(
            isCell ? theme.lineHeight(TextRole::base) : theme.lineHeight(isTitle ? TextRole::title : style.role),
            QTextBlockFormat::FixedHeight);
        if (isCell)
            format.setTopMargin(0);
        cursor.setBlockFormat(format);
        styleFragments(theme, block, cursor, style);
    }
    for (QTextFrame* frame : document.rootFrame()->childFrames())
        if (auto* table = qobject_cast<QTextTable*>(frame))
            styleTable(theme, *table);
}

} // namespace

TextBlockLayout::TextBlockLayout(const Theme& theme, TextRole role, Color color, QStringView source, Format format)
    : m_theme(theme), m_color(color), m_document(std::make_unique<SealedDocument>()) {
    m_document->setUndoRedoEnabled(false);
    m_document->setDocumentMargin(0);
    m_document->setIndentWidth(theme.px(kListIndent));
    m_document->setDefaultFont(theme.font(role));
    QTextOption wrapping = m_document->defaultTextOption();
    wrapping.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere); // an address may have no place to break
    m_document->setDefaultTextOption(wrapping);
    const QFontMetrics metrics(theme.font(role));
    m_shift = (theme.lineHeight(role) - metrics.height()) / 2;
    m_document->setLayoutEnabled(false); // one layout at the end instead of one a change
    if (format == Format::markdown) {
        m_source = source.toString();
        m_document->setMarkdown(shownMarkdown(source),
            QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectGitHub) | QTextDocument::MarkdownNoHTML);
        styleBlocks(theme, *m_document, {role, theme.color(color)});
        if (hasWrittenNumbers(source))
            hangNumbers(theme, *m_document, role);
        // A table stands behind an empty first paragraph that has no meaning here.
        QTextBlock first = m_document->begin();
        if (first.next().isValid() && first.length() == 1 && !m_document->rootFrame()->childFrames().isEmpty()) {
            QTextCursor cursor(first);
            QTextBlockFormat none = first.blockFormat();
            none.setLineHeight(0, QTextBlockFormat::FixedHeight);
            cursor.setBlockFormat(none);
            m_shift = 0;
        }
    } else {
        m_document->setPlainText(source.toString());
        QTextCursor cursor(m_document.get());
        cursor.select(QTextCursor::Document);
        QTextBlockFormat lines;
        lines.setLineHeight(theme.lineHeight(role), QTextBlockFormat::FixedHeight);
        cursor.mergeBlockFormat(lines);
        QTextCharFormat characters;
        characters.setForeground(theme.color(color));
        cursor.mergeCharFormat(characters);
    }
    m_document->setLayoutEnabled(true);
}

TextBlockLayout::~TextBlockLayout() = default;

bool TextBlockLayout::grow(QStringView source) {
    if (m_source.isEmpty() || !source.startsWith(m_source))
        return false;
    const QStringView added = source.mid(m_source.size());
    const QString shown = m_document->lastBlock().text();
    if (!isPlainGrowth(m_source, added) || shown.isEmpty() ||
        !QStringView(m_source).trimmed().endsWith(shown.right(kSameEnd)))
        return false;
    QTextCursor cursor(m_document.get());
    cursor.movePosition(QTextCursor::End);
    const QTextCharFormat format = cursor.charFormat(); // of the character before
    if (cursor.currentTable() != nullptr || format.isAnchor() || format.fontItalic() || format.fontStrikeOut() ||
        format.background().style() != Qt::NoBrush ||
        (format.fontWeight() > QFont::Normal && cursor.blockFormat().headingLevel() == 0))
        return false;
    // Lines break from the top: those above the one that ended the text stay.  Half a line for accents that stand out of it.
    m_grownTop =
        std::max(cursorRect(m_document->characterCount() - 1).top() - m_theme.lineHeight(TextRole::message) / 2, 0);
    // Blanks at the end are not shown until something follows them.
    const qsizetype blanks = m_source.size() - QStringView(m_source).trimmed().size() - leadingBlanks(m_source);
    QString text = QString(blanks, u' ') + added.toString();
    while (text.endsWith(u' '))
        text.chop(1);
    cursor.insertText(text, format);
    m_source = source.toString();
    m_height = 0; // setWidth() reads it again
    return true;
}

void TextBlockLayout::setWidth(int width) {
    if (m_height > 0 && m_document->textWidth() == width)
        return;
    m_document->setTextWidth(width);
    m_height = static_cast<int>(std::ceil(m_document->size().height()));
}

int TextBlockLayout::idealWidth() const {
    m_document->setTextWidth(-1);
    return static_cast<int>(std::ceil(m_document->idealWidth()));
}

void TextBlockLayout::paint(QPainter& painter, const QRect& clip, TextRange selection) const {
    painter.save();
    painter.translate(0, -m_shift);
    QAbstractTextDocumentLayout::PaintContext context;
    context.clip = clip.translated(0, m_shift).adjusted(0, -m_shift, 0, m_shift);
    context.palette.setColor(QPalette::Text, m_theme.color(m_color));
    if (!selection.isEmpty()) {
        QAbstractTextDocumentLayout::Selection marked;
        marked.cursor = QTextCursor(m_document.get());
        const int last = m_document->characterCount() - 1;
        marked.cursor.setPosition(std::clamp(selection.begin, 0, last));
        marked.cursor.setPosition(std::clamp(selection.end, 0, last), QTextCursor::KeepAnchor);
        marked.format.setBackground(m_theme.color(Color::accent, 0.25));
        context.selections.append(marked);
    }
    m_document->documentLayout()->draw(&painter, context);
    painter.restore();
}

int TextBlockLayout::offsetAt(QPoint point) const {
    const int found = m_document->documentLayout()->hitTest(point + QPoint(0, m_shift), Qt::FuzzyHit);
    return std::clamp(found, 0, m_document->characterCount() - 1);
}

QRect TextBlockLayout::cursorRect(int offset) const {
    const QTextBlock block = m_document->findBlock(std::clamp(offset, 0, m_document->characterCount() - 1));
    const QRectF frame = m_document->documentLayout()->blockBoundingRect(block);
    const QTextLine line = block.layout()->lineForTextPosition(offset - block.position());
    if (!line.isValid())
        return {frame.topLeft().toPoint(), QSize(1, static_cast<int>(frame.height()))};
    const double x = frame.left() + line.cursorToX(offset - block.position());
    return QRectF(
        x, frame.top() + line.y() - m_shift + (line.height() - line.naturalTextRect().height()), 1, line.height())
        .toRect();
}

QString TextBlockLayout::text() const {
    return m_document->toPlainText();
}

QString TextBlockLayout::linkAt(QPoint point) const {
    return m_document->documentLayout()->anchorAt(point + QPoint(0, m_shift));
}

} // namespace vitrine::ui
