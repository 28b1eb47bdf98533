// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: one turn laid out in the answer column: blocks, waiting line, footer, places of its controls.
#pragma once

#include <memory>
#include <vector>

#include "ui/chat/code_block_layout.h"
#include "ui/chat/markdown_blocks.h"
#include "ui/chat/turn_item.h"

namespace vitrine::ui {

/// A place in the text of a turn.
struct TurnPosition {
    int block = 0;
    int offset = 0;
    auto operator<=>(const TurnPosition&) const = default;
};

/// Coordinates are relative to the turn's top left corner; the width is the column's.  A turn far from the view has no
/// blocks, only an estimated height (isBuilt() is false); ensureBuilt() makes them.
class TurnLayout {
public:
    explicit TurnLayout(const Theme& theme);
    ~TurnLayout();

    /// Text that grew re-parses its last block; anything else all of it.
    void setTurn(const TurnItem& turn);
    [[nodiscard]] const TurnItem& turn() const { return m_turn; }
    /// After setTurn(): nothing above this has another look than before.
    [[nodiscard]] int changedTop() const { return m_changedTop; }
    void setWidth(int width);
    void ensureBuilt();
    void release(); // keeps the height
    [[nodiscard]] bool isBuilt() const { return m_isBuilt; }
    [[nodiscard]] int height() const { return m_height; }
    void setReasoningOpen(bool open);
    [[nodiscard]] bool isReasoningOpen() const { return m_isReasoningOpen; }
    void setBannerHeight(int height); // 0: none

    struct PaintOptions {
        QRect clip;
        TurnPosition selectionBegin, selectionEnd; // equal: nothing selected
    };
    void paint(QPainter& painter, const PaintOptions& options) const;

    // Places of the child widgets; empty when there is none.
    [[nodiscard]] QRect reasoningRect() const { return m_reasoningRect; }
    [[nodiscard]] QRect bannerRect() const { return m_bannerRect; }
    [[nodiscard]] QRect actionsRect() const { return m_actionsRect; }

    [[nodiscard]] int numBlocks() const { return static_cast<int>(m_blocks.size()); }
    [[nodiscard]] QRect blockRect(int block) const;
    [[nodiscard]] BlockLayout& block(int block) const { return *m_blocks[static_cast<std::size_t>(block)].layout; }
    [[nodiscard]] CodeBlockLayout* codeBlock(int block) const; // null: text
    void codeChanged(); // a code block was wrapped or unwrapped
    [[nodiscard]] TurnPosition positionAt(QPoint point) const;
    [[nodiscard]] QString linkAt(QPoint point) const;
    [[nodiscard]] TurnPosition endPosition() const;
    /// Source of what lies between: whole blocks as they were written, parts of a block as they are shown.
    [[nodiscard]] QString sourceOf(TurnPosition begin, TurnPosition end) const;

private:
    struct Block {
        MarkdownBlock span;
        bool isReasoning = false;
        std::unique_ptr<BlockLayout> layout;
        int top = 0;
        bool isRightToLeft = false; // inside a list item: its indent is on the right
    };
    void buildReasoning();
    std::size_t buildContent(); // the first block that has another look now
    [[nodiscard]] Block makeBlock(const MarkdownBlock& span, QStringView source, bool isReasoning) const;
    [[nodiscard]] bool growBlock(Block& open, const MarkdownBlock& span);
    void place();
    int placeAnswer(int y);
    int placeUser(int y);
    void estimate();
    void paintWaiting(QPainter& painter) const;
    void paintCaret(QPainter& painter) const;
    [[nodiscard]] QString userText() const;
    [[nodiscard]] int indentOf(const Block& block) const;
    [[nodiscard]] std::size_t numReasoningBlocks() const;

    const Theme& m_theme;
    TurnItem m_turn;
    std::vector<Block> m_blocks; // reasoning first, if open
    std::vector<MarkdownBlock> m_spans; // of the content
    QString m_builtContent;
    QString m_builtReasoning;
    int m_width = 0;
    int m_height = 0;
    int m_bannerHeight = 0;
    int m_changedTop = 0;
    int m_grownTop = 0; // inside the first block that changed
    int m_waitingTop = 0;
    int m_footerTop = 0;
    bool m_isBuilt = false;
    bool m_isReasoningOpen = false;
    QRect m_reasoningRect;
    QRect m_bannerRect;
    QRect m_actionsRect;
    QRect m_bubble; // user turns
};

} // namespace vitrine::ui
