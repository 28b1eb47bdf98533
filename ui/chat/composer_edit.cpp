// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: the text of the composer.
#include "ui/chat/composer_edit.h"

#include <QAbstractTextDocumentLayout>
#include <QInputMethodEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QTextBlock>
#include <QUrl>
#include <algorithm>
#include <cmath>

namespace vitrine::ui {

namespace {

constexpr qsizetype kBigPaste = 8'000; // characters: from here on a chip, not text in the field

} // namespace

ComposerEdit::ComposerEdit(const Theme& theme, QWidget* parent) : QPlainTextEdit(parent), m_theme(theme) {
    setFrameShape(QFrame::NoFrame);
    setTabChangesFocus(true);
    setProperty("focusRing", QStringLiteral("none")); // the frame around it shows the focus
    setAccessibleName(tr("Message"));
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    document()->setDocumentMargin(0);
    connect(document()->documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged, this,
        [this] { updateGeometry(); });
    connect(&theme, &Theme::changed, this, &ComposerEdit::restyle);
    restyle();
}

void ComposerEdit::restyle() {
    setFont(m_theme.font(TextRole::message));
    document()->setDefaultFont(m_theme.font(TextRole::message));
    updateGeometry();
}

void ComposerEdit::setMaximumTextHeight(int height) {
    if (height == m_maximumHeight)
        return;
    m_maximumHeight = height;
    updateGeometry();
}

void ComposerEdit::setEnterSends(bool sends) {
    m_enterSends = sends;
}

QSize ComposerEdit::sizeHint() const {
    // A plain text layout counts its height in lines.
    const int lineHeight = QFontMetrics(font()).lineSpacing();
    const int lines = std::max(1, static_cast<int>(document()->size().height()));
    const int height = std::clamp(lines * lineHeight, lineHeight, std::max(m_maximumHeight, lineHeight));
    return {200, height + m_theme.px(Measure::kSpace1)};
}

void ComposerEdit::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        updateGeometry();
}

void ComposerEdit::keyPressEvent(QKeyEvent* event) {
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isEnter && m_isComposing)
        return; // the input method takes it
    const bool breaksLine = event->modifiers().testFlag(Qt::ShiftModifier) ||
        (!m_enterSends && !event->modifiers().testFlag(Qt::ControlModifier));
    if (isEnter && !breaksLine) {
        emit submitted();
        return;
    }
    if (event->key() == Qt::Key_Up && event->modifiers() == Qt::NoModifier && document()->isEmpty() &&
        !m_isComposing) { // what is being composed is not in the document yet
        emit editLastRequested();
        return;
    }
    QPlainTextEdit::keyPressEvent(event);
}

void ComposerEdit::inputMethodEvent(QInputMethodEvent* event) {
    m_isComposing = !event->preeditString().isEmpty();
    QPlainTextEdit::inputMethodEvent(event);
}

void ComposerEdit::insertFromMimeData(const QMimeData* source) {
    QStringList paths;
    for (const QUrl& url : source->urls())
        if (url.isLocalFile())
            paths.append(url.toLocalFile());
    if (!paths.isEmpty())
        emit filesDropped(paths);
    else if (source->hasText() && source->text().size() >= kBigPaste)
        emit bigTextPasted(source->text()); // a field of a megabyte would make every later key slow
    else
        QPlainTextEdit::insertFromMimeData(source);
}

} // namespace vitrine::ui
