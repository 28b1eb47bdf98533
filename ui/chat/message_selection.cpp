// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: selecting in the column of turns by mouse and keyboard; finding text.
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>
#include <QTimer>
#include <QUrl>
#include <algorithm>

#include "ui/chat/message_list_model.h"
#include "ui/chat/message_view.h"

namespace vitrine::ui {

MessageView::Place MessageView::placeAt(QPoint point) const {
    const int row = rowAt(point.y());
    if (row < 0)
        return {};
    return {row, m_turns[static_cast<std::size_t>(row)]->positionAt(point - turnRect(row).topLeft())};
}

std::pair<MessageView::Place, MessageView::Place> MessageView::orderedSelection() const {
    return m_anchor < m_cursor ? std::pair(m_anchor, m_cursor) : std::pair(m_cursor, m_anchor);
}

void MessageView::select(Place anchor, Place cursor) {
    m_anchor = anchor;
    m_cursor = cursor;
    viewport()->update();
}

void MessageView::clearSelection() {
    select({}, {});
}

QString MessageView::selectedSource() const {
    const auto [begin, end] = orderedSelection();
    if (begin.row < 0 || begin == end)
        return {};
    QStringList parts;
    for (int row = begin.row; row <= end.row; ++row) {
        TurnLayout& turn = *m_turns[static_cast<std::size_t>(row)];
        const bool isInside = row > begin.row && row < end.row;
        if (isInside || !turn.isBuilt()) {
            parts.append(turn.turn().message.content);
            continue;
        }
        parts.append(turn.sourceOf(
            row == begin.row ? begin.position : TurnPosition{}, row == end.row ? end.position : turn.endPosition()));
    }
    return parts.join(QStringLiteral("\n\n"));
}

void MessageView::copySelection() {
    if (const QString text = selectedSource(); !text.isEmpty())
        emit copied(text);
}

void MessageView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || m_turns.empty())
        return;
    const Place place = placeAt(event->pos());
    select(event->modifiers().testFlag(Qt::ShiftModifier) && m_anchor.row >= 0 ? m_anchor : place, place);
    m_isSelecting = true;
    m_lastMouse = event->pos();
}

void MessageView::mouseMoveEvent(QMouseEvent* event) {
    if (m_turns.empty())
        return;
    const int row = rowAt(event->pos().y());
    setHoveredRow(row);
    if (!m_isSelecting) {
        const QString link = m_turns[static_cast<std::size_t>(row)]->linkAt(event->pos() - turnRect(row).topLeft());
        viewport()->setCursor(link.isEmpty() ? Qt::IBeamCursor : Qt::PointingHandCursor);
        viewport()->setToolTip(QString::fromLatin1(QUrl(link).toEncoded())); // where it leads may not be what it says
        return;
    }
    m_lastMouse = event->pos();
    select(m_anchor, placeAt(event->pos()));
    const bool isOutside = event->pos().y() < 0 || event->pos().y() > viewport()->height();
    if (isOutside && !m_autoScroll->isActive())
        m_autoScroll->start();
    else if (!isOutside)
        m_autoScroll->stop();
}

void MessageView::autoScroll() {
    const int over = m_lastMouse.y() < 0 ? m_lastMouse.y() : m_lastMouse.y() - viewport()->height();
    setFollowing(false);
    verticalScrollBar()->setValue(verticalScrollBar()->value() + over / 2);
    select(m_anchor, placeAt(m_lastMouse));
}

void MessageView::mouseReleaseEvent(QMouseEvent* event) {
    m_autoScroll->stop();
    if (!std::exchange(m_isSelecting, false) || m_anchor != m_cursor)
        return;
    const int row = rowAt(event->pos().y());
    const QString link = m_turns[static_cast<std::size_t>(row)]->linkAt(event->pos() - turnRect(row).topLeft());
    if (!link.isEmpty())
        emit linkActivated(link);
}

void MessageView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (m_turns.empty())
        return;
    const Place place = placeAt(event->pos());
    const TurnLayout& turn = *m_turns[static_cast<std::size_t>(place.row)];
    if (turn.numBlocks() == 0)
        return;
    const QString text = turn.block(place.position.block).text();
    const auto isWordAt = [&text](int at) {
        return at >= 0 && at < text.size() && (text[at].isLetterOrNumber() || text[at] == u'_');
    };
    Place begin = place;
    Place end = place;
    while (isWordAt(begin.position.offset - 1))
        --begin.position.offset;
    while (isWordAt(end.position.offset))
        ++end.position.offset;
    select(begin, end);
}

void MessageView::contextMenuEvent(QContextMenuEvent* event) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction* copy = menu->addAction(tr("Copy"), this, &MessageView::copySelection);
    copy->setEnabled(!selectedSource().isEmpty());
    menu->addAction(tr("Select all"), this, [this] {
        if (!m_turns.empty())
            select({0, {}}, {static_cast<int>(m_turns.size()) - 1, m_turns.back()->endPosition()});
    });
    menu->popup(event->globalPos());
}

void MessageView::keyPressEvent(QKeyEvent* event) {
    QScrollBar* bar = verticalScrollBar();
    const auto scrollTo = [&](int value) {
        setFollowing(value >= bar->maximum());
        bar->setValue(value);
    };
    if (event->matches(QKeySequence::Copy))
        copySelection();
    else if (event->matches(QKeySequence::SelectAll) && !m_turns.empty())
        select({0, {}}, {static_cast<int>(m_turns.size()) - 1, m_turns.back()->endPosition()});
    else if (event->key() == Qt::Key_End)
        jumpToLatest();
    else if (event->key() == Qt::Key_Home)
        scrollTo(0);
    else if (event->key() == Qt::Key_Up)
        scrollTo(bar->value() - bar->singleStep());
    else if (event->key() == Qt::Key_Down)
        scrollTo(bar->value() + bar->singleStep());
    else if (event->key() == Qt::Key_PageUp)
        scrollTo(bar->value() - bar->pageStep());
    else if (event->key() == Qt::Key_PageDown)
        scrollTo(bar->value() + bar->pageStep());
    else
        QAbstractScrollArea::keyPressEvent(event);
}

bool MessageView::find(const QString& text, bool forward) {
    if (text.isEmpty() || m_turns.empty())
        return false;
    std::vector<Place> hits;
    for (int row = 0; row < static_cast<int>(m_turns.size()); ++row) {
        TurnLayout& turn = *m_turns[static_cast<std::size_t>(row)];
        if (!turn.turn().message.content.contains(text, Qt::CaseInsensitive))
            continue;
        turn.ensureBuilt();
        for (int block = 0; block < turn.numBlocks(); ++block) {
            const QString shown = turn.block(block).text();
            for (qsizetype at = shown.indexOf(text, 0, Qt::CaseInsensitive); at >= 0;
                 at = shown.indexOf(text, at + 1, Qt::CaseInsensitive))
                hits.push_back({row, {block, static_cast<int>(at)}});
        }
    }
    if (hits.empty())
        return false;
    const Place from = orderedSelection().first;
    auto hit =
        forward ? std::upper_bound(hits.begin(), hits.end(), from) : std::lower_bound(hits.begin(), hits.end(), from);
    if (forward)
        hit = hit == hits.end() ? hits.begin() : hit;
    else
        hit = hit == hits.begin() ? hits.end() - 1 : hit - 1;
    Place end = *hit;
    end.position.offset += static_cast<int>(text.size());
    setFollowing(false);
    settle();
    const TurnLayout& turn = *m_turns[static_cast<std::size_t>(hit->row)];
    const int y = turn.blockRect(hit->position.block).top() +
        turn.block(hit->position.block).cursorRect(hit->position.offset).top();
    verticalScrollBar()->setValue(m_tops[static_cast<std::size_t>(hit->row)] + y - viewport()->height() / 3);
    select(*hit, end);
    return true;
}

} // namespace vitrine::ui
