// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: the column of turns: layout, painting, scrolling, controls.  Selection: message_selection.cpp.
#include "ui/chat/message_view.h"

#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTimer>
#include <QWheelEvent>
#include <algorithm>

#include "ui/chat/message_accessible.h"
#include "ui/chat/message_list_model.h"
#include "ui/widgets/error_banner.h"

namespace vitrine::ui {

namespace {

constexpr int kMaxColumn = 760;
constexpr int kEdge = 32; // 24 below 560 px, 16 below 480
constexpr int kTopMargin = 16;
constexpr int kBottomMargin = 8;
constexpr int kReleaseAbove = 60; // turns; fewer stay laid out

} // namespace

namespace {

/// A control may be the sender of the signal that makes it go.
struct DeleteLater {
    void operator()(QWidget* widget) const {
        widget->hide();
        widget->deleteLater();
    }
};
template <class T>
using Control = std::unique_ptr<T, DeleteLater>;

} // namespace

/// Child widgets of one turn.
struct MessageView::TurnControls {
    Control<TurnActions> actions;
    Control<ReasoningFold> fold;
    Control<ErrorBanner> banner;
    QString bannerText;
    std::vector<Control<CodeTools>> code; // one a code block, in order
};

MessageView::MessageView(const Theme& theme, MessageListModel& model, QWidget* parent)
    : QAbstractScrollArea(parent), m_theme(theme), m_model(model), m_autoScroll(new QTimer(this)) {
    static const bool kIsRegistered = [] {
        QAccessible::installFactory(makeMessageViewAccessible);
        return true;
    }();
    Q_UNUSED(kIsRegistered)
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(MessageView::tr("Messages")); // said whole: lupdate loses the class behind the lambda
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setProperty("focusRing", QStringLiteral("inset"));
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(
        Qt::WA_OpaquePaintEvent); // paintEvent() fills: nothing behind it is painted for every token
    viewport()->setCursor(Qt::IBeamCursor);
    verticalScrollBar()->setSingleStep(theme.lineHeight(TextRole::message));
    m_autoScroll->setInterval(30);
    connect(m_autoScroll, &QTimer::timeout, this, &MessageView::autoScroll);
    connect(&model, &QAbstractItemModel::modelReset, this, &MessageView::rebuild);
    connect(&model, &QAbstractItemModel::rowsInserted, this,
        [this](const QModelIndex&, int first, int last) { insertTurns(first, last); });
    connect(&model, &QAbstractItemModel::rowsRemoved, this,
        [this](const QModelIndex&, int first, int last) { removeTurns(first, last); });
    connect(&model, &QAbstractItemModel::dataChanged, this,
        [this](const QModelIndex& first, const QModelIndex& last) { updateTurns(first.row(), last.row()); });
    connect(verticalScrollBar(), &QScrollBar::actionTriggered, this, [this](int) {
        // By the user: dragging or stepping to the very end follows again, anything else holds.
        setFollowing(verticalScrollBar()->sliderPosition() >= verticalScrollBar()->maximum());
    });
    connect(&theme, &Theme::changed, this, &MessageView::rebuild);
    rebuild();
}

MessageView::~MessageView() = default;

void MessageView::rebuild() {
    m_turns.clear();
    m_controls.clear();
    m_anchor = m_cursor = Place{};
    m_hoveredRow = -1;
    if (m_model.rowCount() > 0)
        insertTurns(0, m_model.rowCount() - 1);
    setFollowing(true);
    layoutAll();
}

void MessageView::insertTurns(int first, int last) {
    for (int row = first; row <= last; ++row) {
        auto layout = std::make_unique<TurnLayout>(m_theme);
        layout->setWidth(m_column.width());
        layout->setTurn(m_model.turn(row));
        m_turns.insert(m_turns.begin() + row, std::move(layout));
    }
    if (last == m_model.rowCount() - 1)
        setFollowing(true); // a turn of one's own is always shown
    layoutAll();
}

void MessageView::removeTurns(int first, int last) {
    for (int row = first; row <= last; ++row)
        m_controls.remove(m_turns[static_cast<std::size_t>(row)]->turn().message.id);
    m_turns.erase(m_turns.begin() + first, m_turns.begin() + last + 1);
    if (std::max(m_anchor.row, m_cursor.row) >= first)
        m_anchor = m_cursor = Place{};
    layoutAll();
}

void MessageView::updateTurns(int first, int last) {
    for (int row = first; row <= last; ++row)
        m_turns[static_cast<std::size_t>(row)]->setTurn(m_model.turn(row));
    settle();
    QRect changed = turnRect(first).united(turnRect(last));
    changed.setTop(changed.top() + m_turns[static_cast<std::size_t>(first)]->changedTop());
    viewport()->update(changed.adjusted(-kEdge, 0, kEdge, 0));
}

QRect MessageView::columnRect() const {
    return m_column.translated(viewport()->pos());
}

void MessageView::layoutAll() {
    const int available = viewport()->width();
    const int edge = available < 480 ? 16 : available < 560 ? 24 : kEdge;
    const int width = std::clamp(available - 2 * edge, 100, m_theme.px(kMaxColumn));
    const QRect column((available - width) / 2, 0, width, 1);
    const bool isNew = column != m_column;
    m_column = column;
    for (const auto& turn : m_turns)
        turn->setWidth(width);
    settle();
    if (isNew)
        emit columnChanged();
    viewport()->update();
}

void MessageView::placeTops() {
    m_tops.resize(m_turns.size() + 1);
    int y = m_theme.px(kTopMargin);
    for (std::size_t i = 0; i < m_turns.size(); ++i) {
        m_tops[i] = y;
        y += m_turns[i]->height();
    }
    m_tops.back() = y + m_theme.px(kBottomMargin);
}

/// Estimated heights become real ones as turns come near; what is at the top of the view stays there meanwhile.
void MessageView::settle() {
    if (m_isSettling || m_column.width() <= 0)
        return;
    m_isSettling = true;
    const int page = viewport()->height();
    QScrollBar* bar = verticalScrollBar();
    const int oldValue = bar->value();
    const bool hasTops = m_tops.size() == m_turns.size() + 1 && !m_turns.empty();
    const int anchorRow = hasTops ? rowAt(0) : -1;
    const int anchorOffset = anchorRow >= 0 ? bar->value() - m_tops[static_cast<std::size_t>(anchorRow)] : 0;
    const std::vector<int> oldTops = m_tops;
    placeTops();
    for (int pass = 0; pass < 8; ++pass) {
        const int end = m_tops.back();
        bar->setPageStep(page);
        bar->setRange(0, std::max(end - page, 0));
        if (m_isFollowing)
            bar->setValue(bar->maximum());
        else if (anchorRow >= 0)
            bar->setValue(m_tops[static_cast<std::size_t>(anchorRow)] + anchorOffset);
        bool hasChanged = false;
        for (std::size_t i = 0; i < m_turns.size(); ++i) {
            const int top = m_tops[i] - bar->value();
            const int bottom = m_tops[i + 1] - bar->value();
            const bool isNear = bottom > -page && top < 2 * page;
            if (isNear && !m_turns[i]->isBuilt()) {
                m_turns[i]->ensureBuilt();
                hasChanged = true;
            } else if (m_turns[i]->isBuilt() && m_turns.size() > kReleaseAbove &&
                (bottom < -4 * page || top > 5 * page)) {
                m_turns[i]->release();
            }
        }
        if (!hasChanged)
            break;
        placeTops();
    }
    // What was on screen stands where it stood in the text: its pixels move, and only what came new is painted.
    const bool moves =
        oldTops.size() == m_tops.size() && std::equal(oldTops.begin(), oldTops.end() - 1, m_tops.begin());
    if (bar->value() != oldValue && moves)
        viewport()->scroll(0, oldValue - bar->value());
    else if (bar->value() != oldValue)
        viewport()->update();
    updateControls();
    m_isSettling = false;
}

QRect MessageView::turnRect(int row) const {
    const auto index = static_cast<std::size_t>(row);
    const int top = m_tops[index] - verticalScrollBar()->value();
    return {m_column.left(), top, m_column.width(), m_turns[index]->height()};
}

int MessageView::rowAt(int y) const {
    if (m_turns.empty())
        return -1;
    const int at = y + verticalScrollBar()->value();
    const auto it = std::upper_bound(m_tops.begin(), m_tops.end() - 1, at);
    return std::clamp(static_cast<int>(it - m_tops.begin()) - 1, 0, static_cast<int>(m_turns.size()) - 1);
}

int MessageView::numBuiltTurns() const {
    return static_cast<int>(
        std::count_if(m_turns.begin(), m_turns.end(), [](const auto& turn) { return turn->isBuilt(); }));
}

void MessageView::paintEvent(QPaintEvent* event) {
    QPainter painter(viewport());
    painter.fillRect(event->rect(), m_theme.color(Color::page));
    if (m_turns.empty())
        return;
    const auto [begin, end] = orderedSelection();
    for (int row = rowAt(event->rect().top()); row < static_cast<int>(m_turns.size()); ++row) {
        const QRect rect = turnRect(row);
        if (rect.top() > event->rect().bottom())
            break;
        const TurnLayout& turn = *m_turns[static_cast<std::size_t>(row)];
        TurnLayout::PaintOptions options;
        options.clip = event->rect().translated(-rect.topLeft());
        if (begin < end && row >= begin.row && row <= end.row) {
            options.selectionBegin = row == begin.row ? begin.position : TurnPosition{};
            options.selectionEnd = row == end.row ? end.position : turn.endPosition();
        }
        painter.save();
        painter.translate(rect.topLeft());
        turn.paint(painter, options);
        painter.restore();
    }
}

void MessageView::resizeEvent(QResizeEvent*) {
    layoutAll();
}

void MessageView::scrollContentsBy(int, int) {
    if (m_isSettling)
        return;
    settle();
    viewport()->update();
}

void MessageView::wheelEvent(QWheelEvent* event) {
    const QPoint delta = event->pixelDelta().isNull() ? event->angleDelta() / 2 : event->pixelDelta();
    const int sideways = event->modifiers().testFlag(Qt::ShiftModifier) ? delta.y() : delta.x();
    if (sideways != 0 && !m_turns.empty()) {
        const int row = rowAt(event->position().toPoint().y());
        const QPoint inside = event->position().toPoint() - turnRect(row).topLeft();
        TurnLayout& turn = *m_turns[static_cast<std::size_t>(row)];
        for (int i = 0; i < turn.numBlocks(); ++i)
            if (turn.blockRect(i).contains(inside) && turn.block(i).scrollBy(-sideways)) {
                viewport()->update();
                event->accept();
                return;
            }
    }
    if (delta.y() > 0)
        setFollowing(false);
    QAbstractScrollArea::wheelEvent(event);
    if (delta.y() < 0 && verticalScrollBar()->value() >= verticalScrollBar()->maximum())
        setFollowing(true);
}

void MessageView::setFollowing(bool following) {
    if (following == m_isFollowing)
        return;
    m_isFollowing = following;
    emit followingChanged(following);
}

void MessageView::jumpToLatest() {
    setFollowing(true);
    settle();
    viewport()->update();
}

void MessageView::scrollToTurn(MessageId message) {
    const int row = m_model.rowOf(message);
    if (row < 0)
        return;
    setFollowing(false);
    for (int pass = 0; pass < 3; ++pass) // heights on the way become real
        verticalScrollBar()->setValue(m_tops[static_cast<std::size_t>(row)] - m_theme.px(kTopMargin));
}

void MessageView::updateControls() {
    const int page = viewport()->height();
    QSet<MessageId> near;
    for (int row = 0; row < static_cast<int>(m_turns.size()); ++row) {
        const QRect rect = turnRect(row);
        TurnLayout& turn = *m_turns[static_cast<std::size_t>(row)];
        if (!turn.isBuilt() || rect.bottom() < -page / 2 || rect.top() > page + page / 2)
            continue;
        const MessageId id = turn.turn().message.id;
        near.insert(id);
        auto& controls = m_controls[id];
        if (!controls) {
            controls = std::make_shared<TurnControls>();
            makeControls(row, *controls);
        }
        placeControls(row, *controls);
    }
    m_controls.removeIf([&near](const auto& entry) { return !near.contains(entry.key()); });
}

void MessageView::makeControls(int row, TurnControls& controls) {
    const TurnItem& item = m_turns[static_cast<std::size_t>(row)]->turn();
    const MessageId id = item.message.id;
    controls.actions = Control<TurnActions>(new TurnActions(m_theme, item.isUser(), viewport()));
    connect(controls.actions.get(), &TurnActions::triggered, this,
        [this, id](TurnAction action) { emit actionTriggered(action, id); });
    controls.actions->setCursor(Qt::ArrowCursor);
    controls.actions->show();
}

void MessageView::placeControls(int row, TurnControls& controls) {
    TurnLayout& turn = *m_turns[static_cast<std::size_t>(row)];
    const TurnItem& item = turn.turn();
    showError(row, controls);
    const QPoint origin = turnRect(row).topLeft();
    controls.actions->setTurn(item);
    controls.actions->setRevealed(row == m_hoveredRow || (item.isLast && !item.isUser() && !item.isRunning()));
    // The icon's edge, not the button's, lines up with the text.
    const int shift = item.isUser() ? 0 : -m_theme.px(Measure::kSpace1);
    controls.actions->setGeometry(turn.actionsRect().translated(origin).translated(shift, 0));
    if (!turn.reasoningRect().isEmpty()) {
        if (!controls.fold) {
            controls.fold = Control<ReasoningFold>(new ReasoningFold(m_theme, viewport()));
            controls.fold->setChecked(turn.isReasoningOpen());
            const MessageId id = item.message.id;
            connect(controls.fold.get(), &ReasoningFold::toggled, this, [this, id](bool open) {
                if (const int at = m_model.rowOf(id); at >= 0) {
                    setFollowing(m_isFollowing && m_turns[static_cast<std::size_t>(at)]->turn().isRunning());
                    m_turns[static_cast<std::size_t>(at)]->setReasoningOpen(open);
                    settle();
                    viewport()->update();
                }
            });
            controls.fold->show();
        }
        controls.fold->setTurn(item);
        controls.fold->move(turn.reasoningRect().topLeft() + origin);
    }
    std::size_t used = 0;
    for (int i = 0; i < turn.numBlocks(); ++i) {
        CodeBlockLayout* code = turn.codeBlock(i);
        if (code == nullptr)
            continue;
        if (used == controls.code.size()) {
            controls.code.push_back(Control<CodeTools>(new CodeTools(m_theme, viewport())));
            controls.code.back()->setCursor(Qt::ArrowCursor);
            controls.code.back()->show();
        }
        CodeTools& tools = *controls.code[used++];
        tools.disconnect(this); // the block behind a place may have changed
        connect(&tools, &CodeTools::copyRequested, this, [this, code] { emit copied(code->text()); });
        connect(&tools, &CodeTools::wrapToggled, this, [this, code, layout = &turn] {
            code->setWrapped(!code->isWrapped());
            layout->codeChanged();
            settle();
            viewport()->update();
        });
        const QRect header = code->headerRect().translated(turn.blockRect(i).topLeft() + origin);
        const QSize size = tools.sizeHint();
        tools.setGeometry(header.right() - size.width() - m_theme.px(Measure::kSpace1),
            header.center().y() - size.height() / 2, size.width(), size.height());
    }
    controls.code.resize(used);
}

void MessageView::showError(int row, TurnControls& controls) {
    TurnLayout& turn = *m_turns[static_cast<std::size_t>(row)];
    const MessageRecord& message = turn.turn().message;
    if (message.error.isEmpty() || turn.turn().isRunning()) {
        controls.banner.reset();
        controls.bannerText.clear();
        turn.setBannerHeight(0);
        return;
    }
    if (!controls.banner) {
        controls.banner = Control<ErrorBanner>(new ErrorBanner(m_theme, viewport()));
        controls.banner->setCursor(Qt::ArrowCursor);
        const MessageId id = message.id;
        connect(controls.banner.get(), &ErrorBanner::actionTriggered, this, [this, id](int index) {
            emit actionTriggered(index == 0 ? TurnAction::retry : TurnAction::openModel, id);
        });
    }
    if (controls.bannerText != message.error) {
        controls.bannerText = message.error;
        const qsizetype lineBreak = message.error.indexOf(u'\n');
        controls.banner->showMessage(ErrorBanner::Kind::error, message.error.left(lineBreak),
            lineBreak < 0 ? QString() : message.error.mid(lineBreak + 1), {tr("Try again"), tr("Models")});
    }
    const int width = m_column.width();
    const int wanted = controls.banner->heightForWidth(width);
    const int height = wanted > 0 ? wanted : controls.banner->sizeHint().height();
    if (turn.bannerRect().height() != height) {
        turn.setBannerHeight(height);
        placeTops();
        verticalScrollBar()->setRange(0, std::max(m_tops.back() - viewport()->height(), 0));
        if (m_isFollowing)
            verticalScrollBar()->setValue(verticalScrollBar()->maximum());
    }
    controls.banner->setGeometry(turn.bannerRect().translated(turnRect(row).topLeft()));
}

void MessageView::setHoveredRow(int row) {
    if (row == m_hoveredRow)
        return;
    m_hoveredRow = row;
    for (const auto& controls : std::as_const(m_controls))
        controls->actions->setRevealed(false);
    for (int i = 0; i < static_cast<int>(m_turns.size()); ++i) {
        const TurnItem& item = m_turns[static_cast<std::size_t>(i)]->turn();
        const auto controls = m_controls.value(item.message.id);
        if (controls)
            controls->actions->setRevealed(i == row || (item.isLast && !item.isUser() && !item.isRunning()));
    }
}

bool MessageView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave && !viewport()->underMouse())
        setHoveredRow(-1);
    return QAbstractScrollArea::viewportEvent(event);
}

} // namespace vitrine::ui
