// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: one turn laid out in the answer column.
#include "ui/chat/turn_layout.h"

#include <QCoreApplication>
#include <QPainter>
#include <QStyle>
#include <algorithm>

#include "ui/theme/sequence_brush.h"
#include "ui/widgets/numbers.h"

namespace vitrine::ui {

namespace {

constexpr int kUserIndent = 64; // a user turn starts this far in
constexpr int kBubblePaddingX = 14;
constexpr int kBubblePaddingY = 10;
constexpr int kBlockGap = 12;
constexpr int kReasoningHeight = 28;
constexpr int kReasoningIndent = 16;
constexpr std::size_t kMaxIndentedItems = 4; // deeper code begins where that of the fourth does
constexpr int kWaitingHeight = 24;
constexpr int kReadingBar = 8;
constexpr int kFooterHeight = 20;
constexpr int kActionsHeight = 28;
constexpr int kTurnGap = 12;
constexpr int kMaxUserText = 8'000, kUserTail = 1'000; // characters laid out of a paste; copy gives all of it
constexpr int kEstimatedColumns = 90; // characters a line, before a turn is laid out

} // namespace

TurnLayout::TurnLayout(const Theme& theme) : m_theme(theme) {}

TurnLayout::~TurnLayout() = default;

void TurnLayout::setTurn(const TurnItem& turn) {
    m_turn = turn;
    if (!m_isBuilt) {
        estimate();
        return;
    }
    const bool hasSameReasoning = m_turn.message.reasoning == m_builtReasoning || !m_isReasoningOpen;
    const QRect fold = m_reasoningRect;
    buildReasoning();
    const std::size_t first = buildContent();
    place();
    const bool grows = hasSameReasoning && fold == m_reasoningRect && !m_turn.isUser() && first < m_blocks.size();
    m_changedTop = grows ? m_blocks[first].top + m_grownTop : 0;
}

void TurnLayout::setWidth(int width) {
    if (width == m_width)
        return;
    m_width = width;
    if (m_isBuilt)
        place();
    else
        estimate();
}

void TurnLayout::estimate() {
    const qsizetype lines = m_turn.message.content.size() / kEstimatedColumns + m_turn.message.content.count(u'\n') + 1;
    const int chrome = m_turn.isUser() ? 2 * kBubblePaddingY + kActionsHeight : kFooterHeight + kActionsHeight;
    m_height = static_cast<int>(lines) * m_theme.lineHeight(TextRole::message) + m_theme.px(chrome + kTurnGap);
}

void TurnLayout::ensureBuilt() {
    if (m_isBuilt)
        return;
    m_isBuilt = true;
    buildReasoning();
    buildContent();
    place();
}

void TurnLayout::release() {
    m_isBuilt = false;
    m_blocks.clear();
    m_spans.clear();
    m_builtContent.clear();
    m_builtReasoning.clear();
}

std::size_t TurnLayout::numReasoningBlocks() const {
    return static_cast<std::size_t>(
        std::count_if(m_blocks.begin(), m_blocks.end(), [](const Block& block) { return block.isReasoning; }));
}

TurnLayout::Block TurnLayout::makeBlock(const MarkdownBlock& span, QStringView source, bool isReasoning) const {
    Block block{span, isReasoning, nullptr, 0, false};
    if (span.kind == MarkdownBlock::Kind::code) {
        auto code = std::make_unique<CodeBlockLayout>(m_theme, span.language);
        code->setCode(codeOf(source, span));
        block.layout = std::move(code);
    } else {
        const QString text = textOf(source, span);
        block.layout = std::make_unique<TextBlockLayout>(m_theme, isReasoning ? TextRole::base : TextRole::message,
            isReasoning ? Color::text2 : Color::text1, text, TextBlockLayout::Format::markdown);
        block.isRightToLeft = !span.items.empty() && text.isRightToLeft();
    }
    return block;
}

void TurnLayout::buildReasoning() {
    const QString& reasoning = m_turn.message.reasoning;
    const bool isShown = m_isReasoningOpen && !m_turn.isUser();
    if (isShown && reasoning == m_builtReasoning)
        return;
    const std::size_t old = numReasoningBlocks();
    if (!isShown) {
        m_blocks.erase(m_blocks.begin(), m_blocks.begin() + static_cast<std::ptrdiff_t>(old));
        m_builtReasoning.clear();
        return;
    }
    std::vector<MarkdownBlock> spans;
    for (std::size_t i = 0; i < old; ++i)
        spans.push_back(m_blocks[i].span);
    std::size_t same = 0;
    if (!m_builtReasoning.isEmpty() && reasoning.startsWith(m_builtReasoning))
        same = appendMarkdown(spans, reasoning);
    else
        spans = splitMarkdown(reasoning);
    const auto at = [this](std::size_t index) { return m_blocks.begin() + static_cast<std::ptrdiff_t>(index); };
    m_blocks.erase(at(same), at(old));
    for (std::size_t i = same; i < spans.size(); ++i)
        m_blocks.insert(at(i), makeBlock(spans[i], reasoning, true));
    m_builtReasoning = reasoning;
}

QString TurnLayout::userText() const {
    const QString& content = m_turn.message.content;
    const qsizetype left = content.size() - kMaxUserText;
    if (left <= 0)
        return content;
    // A question often stands below what was pasted: the end is shown too.
    const QString note = QCoreApplication::translate("TurnLayout", "… %1 characters not shown; Copy takes them all …")
                             .arg(countText(left));
    return content.left(kMaxUserText - kUserTail) + QStringLiteral("\n\n") + note + QStringLiteral("\n\n") +
        content.right(kUserTail);
}

std::size_t TurnLayout::buildContent() {
    m_grownTop = 0;
    const QString& content = m_turn.message.content;
    const std::size_t lastBefore = m_blocks.empty() ? 0 : m_blocks.size() - 1; // the caret was behind it
    if (content == m_builtContent && (!m_spans.empty() || content.isEmpty()))
        return lastBefore;
    const std::size_t first = numReasoningBlocks();
    if (m_turn.isUser()) {
        m_blocks.resize(first);
        const MarkdownBlock span{.begin = 0, .end = content.size(), .items = {}, .language = {}};
        m_spans = {span};
        m_blocks.push_back(Block{span, false,
            std::make_unique<TextBlockLayout>(
                m_theme, TextRole::message, Color::text1, userText(), TextBlockLayout::Format::plain),
            0, false});
        m_builtContent = content;
        return first;
    }
    std::size_t same = 0;
    if (!m_builtContent.isEmpty() && content.startsWith(m_builtContent)) {
        same = appendMarkdown(m_spans, content);
    } else {
        m_spans = splitMarkdown(content);
        m_blocks.resize(first);
    }
    const std::size_t open = first + same;
    const std::size_t changed = std::min(open, lastBefore);
    if (open < m_blocks.size() && same < m_spans.size() && growBlock(m_blocks[open], m_spans[same]))
        ++same;
    if (changed != open)
        m_grownTop = 0;
    m_blocks.resize(std::min(m_blocks.size(), first + same));
    for (std::size_t i = same; i < m_spans.size(); ++i)
        m_blocks.push_back(makeBlock(m_spans[i], content, false));
    m_builtContent = content;
    return changed;
}

/// True if the block's layout could take what came new: an open fence colours only its last line again, a paragraph takes
/// plain words.
bool TurnLayout::growBlock(Block& open, const MarkdownBlock& span) {
    if (open.span.kind != span.kind || open.span.begin != span.begin || open.span.items != span.items)
        return false;
    const QStringView content(m_turn.message.content);
    if (auto* code = dynamic_cast<CodeBlockLayout*>(open.layout.get()); code != nullptr) {
        if (span.language != open.span.language)
            return false;
        m_grownTop = code->cursorRect(static_cast<int>(code->text().size())).top();
        code->setCode(codeOf(content, span));
    } else {
        auto* text = dynamic_cast<TextBlockLayout*>(open.layout.get());
        if (text == nullptr || !text->grow(textOf(content, span)))
            return false;
        m_grownTop = text->grownTop();
    }
    open.span = span;
    return true;
}

/// What belongs to a list item begins where the item's text does.
int TurnLayout::indentOf(const Block& block) const {
    const int items = static_cast<int>(std::min(block.span.items.size(), kMaxIndentedItems));
    return m_theme.px((block.isReasoning ? kReasoningIndent : 0) + kListIndent * items);
}

void TurnLayout::place() {
    if (m_width <= 0)
        return;
    m_reasoningRect = m_bannerRect = m_actionsRect = m_bubble = QRect();
    const int bottom = m_turn.isUser() ? placeUser(0) : placeAnswer(0);
    m_height = bottom + (m_turn.isUser() ? 0 : m_theme.px(kTurnGap));
}

int TurnLayout::placeUser(int y) {
    const int left = std::min(m_theme.px(kUserIndent), m_width / 4);
    const int padding = m_theme.px(kBubblePaddingX);
    Block& block = m_blocks.back();
    block.layout->setWidth(m_width - left - 2 * padding);
    block.top = y + m_theme.px(kBubblePaddingY);
    m_bubble = QRect(left, y, m_width - left, block.layout->height() + 2 * m_theme.px(kBubblePaddingY));
    m_actionsRect = QRect(left, m_bubble.bottom() + 1, m_width - left, m_theme.px(kActionsHeight));
    return m_actionsRect.bottom() + 1;
}

int TurnLayout::placeAnswer(int y) {
    if (!m_turn.message.reasoning.isEmpty()) {
        m_reasoningRect = QRect(0, y, m_width, m_theme.px(kReasoningHeight));
        y += m_reasoningRect.height();
    }
    const int gap = m_theme.px(kBlockGap);
    for (std::size_t i = 0; i < m_blocks.size(); ++i) {
        Block& block = m_blocks[i];
        block.layout->setWidth(m_width - indentOf(block));
        block.top = y;
        y += block.layout->height() + (i + 1 < m_blocks.size() ? gap : 0);
    }
    m_waitingTop = y;
    if (!waitingText(m_turn).isEmpty())
        y += m_theme.px(kWaitingHeight);
    if (m_turn.live.phase == TurnPhase::reading)
        y += m_theme.px(kReadingBar + Measure::kSpace1);
    if (m_bannerHeight > 0) {
        y += m_blocks.empty() ? 0 : gap;
        m_bannerRect = QRect(0, y, m_width, m_bannerHeight);
        y += m_bannerHeight;
    }
    m_footerTop = y + m_theme.px(Measure::kSpace1);
    m_actionsRect = QRect(0, m_footerTop + m_theme.px(kFooterHeight), m_width, m_theme.px(kActionsHeight));
    return m_actionsRect.bottom() + 1;
}

void TurnLayout::setReasoningOpen(bool open) {
    m_isReasoningOpen = open;
    if (!m_isBuilt)
        return;
    buildReasoning();
    place();
}

void TurnLayout::setBannerHeight(int height) {
    if (height == m_bannerHeight)
        return;
    m_bannerHeight = height;
    if (m_isBuilt)
        place();
}

void TurnLayout::codeChanged() {
    place();
}

QRect TurnLayout::blockRect(int index) const {
    const Block& block = m_blocks[static_cast<std::size_t>(index)];
    const int padding = m_theme.px(kBubblePaddingX);
    if (m_turn.isUser())
        return {m_bubble.left() + padding, block.top, m_bubble.width() - 2 * padding, block.layout->height()};
    const int indent = indentOf(block);
    return {block.isRightToLeft ? 0 : indent, block.top, m_width - indent, block.layout->height()};
}

CodeBlockLayout* TurnLayout::codeBlock(int index) const {
    return dynamic_cast<CodeBlockLayout*>(m_blocks[static_cast<std::size_t>(index)].layout.get());
}

void TurnLayout::paint(QPainter& painter, const PaintOptions& options) const {
    if (m_turn.isUser()) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_theme.color(Color::well));
        painter.drawRoundedRect(m_bubble, Measure::kRadiusCard, Measure::kRadiusCard);
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
    for (int i = 0; i < numBlocks(); ++i) {
        const QRect rect = blockRect(i);
        if (!rect.intersects(options.clip))
            continue;
        TextRange selection;
        if (options.selectionBegin < options.selectionEnd && i >= options.selectionBegin.block &&
            i <= options.selectionEnd.block) {
            selection.begin = i == options.selectionBegin.block ? options.selectionBegin.offset : 0;
            selection.end = i == options.selectionEnd.block ? options.selectionEnd.offset
                                                            : static_cast<int>(block(i).text().size());
        }
        painter.save();
        painter.translate(rect.topLeft());
        block(i).paint(painter, options.clip.translated(-rect.topLeft()), selection);
        painter.restore();
    }
    if (m_turn.isUser())
        return;
    paintWaiting(painter);
    paintCaret(painter);
    const bool isRunning = m_turn.isRunning();
    int x = 0;
    const QRect footer(0, m_footerTop, m_width, m_theme.px(kFooterHeight));
    if (isRunning) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_theme.color(Color::decode));
        const int dot = m_theme.px(7);
        painter.drawEllipse(
            QStyle::visualRect(painter.layoutDirection(), footer, {0, footer.center().y() - dot / 2, dot, dot}));
        painter.setRenderHint(QPainter::Antialiasing, false);
        x = m_theme.px(15);
    }
    painter.setFont(m_theme.font(TextRole::small));
    painter.setPen(m_theme.color(Color::text3));
    painter.drawText(QStyle::visualRect(painter.layoutDirection(), footer, footer.adjusted(x, 0, 0, 0)),
        Qt::AlignLeft | Qt::AlignVCenter,
        painter.fontMetrics().elidedText(footerText(m_turn), Qt::ElideRight, m_width - x));
}

void TurnLayout::paintWaiting(QPainter& painter) const {
    const QString text = waitingText(m_turn);
    if (text.isEmpty())
        return;
    painter.setFont(m_theme.font(TextRole::base));
    painter.setPen(m_theme.color(Color::text2));
    const QRect line(0, m_waitingTop, m_width, m_theme.px(kWaitingHeight));
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, text);
    const LiveTurn& live = m_turn.live;
    if (live.phase != TurnPhase::reading || live.promptTokens <= 0)
        return;
    const QRect track(0, line.bottom() + 1, std::min(m_width, m_theme.px(320)), m_theme.px(kReadingBar));
    painter.fillRect(track, m_theme.color(Color::press));
    const auto share = [&](int tokens) {
        return static_cast<int>(
            std::int64_t{track.width()} * std::clamp(tokens, 0, live.promptTokens) / live.promptTokens);
    };
    const int reused = share(live.cachedTokens);
    paintHatch(painter, QRect(track.left(), track.top(), reused, track.height()), m_theme.color(Color::prefill));
    painter.fillRect(
        QRect(track.left() + reused, track.top(), std::max(share(live.computedTokens) - reused, 0), track.height()),
        m_theme.color(Color::prefill));
}

/// A still block behind the last character: a caret that blinked would draw the eye for a minute.
void TurnLayout::paintCaret(QPainter& painter) const {
    if (m_turn.live.phase != TurnPhase::answering || m_blocks.empty())
        return;
    const int last = numBlocks() - 1;
    const QRect rect = blockRect(last);
    const QRect cursor = block(last).cursorRect(static_cast<int>(block(last).text().size()));
    const int height = m_theme.px(17);
    painter.fillRect(QRect(rect.left() + cursor.left() + m_theme.px(3), rect.top() + cursor.center().y() - height / 2,
                         m_theme.px(8), height),
        m_theme.color(Color::accent));
}

TurnPosition TurnLayout::positionAt(QPoint point) const {
    if (m_blocks.empty())
        return {};
    int nearest = 0;
    for (int i = 0; i < numBlocks() && blockRect(i).top() <= point.y(); ++i)
        nearest = i;
    const QRect rect = blockRect(nearest);
    const QPoint inside(point.x() - rect.left(), std::min(point.y(), rect.bottom()) - rect.top());
    return {nearest, block(nearest).offsetAt(inside)};
}

QString TurnLayout::linkAt(QPoint point) const {
    for (int i = 0; i < numBlocks(); ++i)
        if (blockRect(i).contains(point))
            return block(i).linkAt(point - blockRect(i).topLeft());
    return {};
}

TurnPosition TurnLayout::endPosition() const {
    if (m_blocks.empty())
        return {};
    return {numBlocks() - 1, static_cast<int>(block(numBlocks() - 1).text().size())};
}

QString TurnLayout::sourceOf(TurnPosition begin, TurnPosition end) const {
    if (m_blocks.empty() || begin >= end)
        return {};
    const auto isWhole = [&](int i) {
        const bool fromStart = i > begin.block || begin.offset == 0;
        const bool toEnd = i < end.block || end.offset >= static_cast<int>(block(i).text().size());
        return fromStart && toEnd;
    };
    QString result;
    qsizetype previousEnd = -1; // in the source, of a whole block before
    bool previousIsReasoning = false;
    for (int i = begin.block; i <= end.block && i < numBlocks(); ++i) {
        const Block& item = m_blocks[static_cast<std::size_t>(i)];
        const QString& source = item.isReasoning ? m_turn.message.reasoning : m_turn.message.content;
        if (i > begin.block) {
            const bool isJoined = previousEnd >= 0 && isWhole(i) && previousIsReasoning == item.isReasoning;
            result += isJoined ? source.mid(previousEnd, item.span.begin - previousEnd) : QStringLiteral("\n\n");
        }
        if (isWhole(i)) {
            result += source.mid(item.span.begin, item.span.end - item.span.begin);
            previousEnd = item.span.end;
        } else {
            const int from = i == begin.block ? begin.offset : 0;
            const QString shown = block(i).text();
            result += shown.mid(from, (i == end.block ? end.offset : static_cast<int>(shown.size())) - from);
            previousEnd = -1;
        }
        previousIsReasoning = item.isReasoning;
    }
    return result;
}

} // namespace vitrine::ui
