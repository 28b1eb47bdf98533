// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/chat: Markdown blocks, code colours, layouts, item models.
#include <QAbstractItemModelTester>
#include <QDateTime>
#include <QImage>
#include <QPainter>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextList>
#include <gtest/gtest.h>
#include <random>

#include "ui/chat/chat_list_model.h"
#include "ui/chat/code_highlighter.h"
#include "ui/chat/markdown_blocks.h"
#include "ui/chat/shown_markdown.h"
#include "ui/chat/turn_layout.h"
#include "ui/store/chat_store.h"
#include "ui/theme/theme.h"

namespace vitrine::ui {

namespace {

QStringList textsOf(const QString& source) {
    QStringList texts;
    for (const MarkdownBlock& block : splitMarkdown(source))
        texts.append(source.mid(block.begin, block.end - block.begin));
    return texts;
}

QString shownText(const QString& source) {
    QTextDocument document;
    document.setMarkdown(shownMarkdown(source),
        QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectGitHub) | QTextDocument::MarkdownNoHTML);
    return document.toPlainText();
}

TurnItem answerOf(const QString& content) {
    TurnItem turn;
    turn.message.role = MessageRole::assistant;
    turn.message.content = content;
    return turn;
}

} // namespace

TEST(MarkdownBlocks, CutsHeadingsParagraphsFencesAndKeepsListsWhole) {
    EXPECT_EQ(textsOf("# T\ntext\nmore\n\n- a\n\n- b\n  c\n\nend\n```cpp\nx\n\ny\n```\ntail"),
        QStringList({"# T", "text\nmore", "- a\n\n- b\n  c", "end", "```cpp\nx\n\ny\n```", "tail"}));
}

TEST(MarkdownBlocks, KnowsLanguageCodeAndAnOpenFence) {
    const QString source = "```python title\nprint(1)\n\nx = `";
    const auto blocks = splitMarkdown(source);
    ASSERT_EQ(blocks.size(), 1U);
    EXPECT_EQ(blocks[0].language, "python");
    EXPECT_FALSE(blocks[0].isClosed);
    EXPECT_EQ(source.mid(blocks[0].codeBegin, blocks[0].codeEnd - blocks[0].codeBegin), "print(1)\n\nx = `");
    EXPECT_EQ(lastCodeOf("a\n```\nb\n```\nc\n~~~\nd\n~~~"), "d");
}

TEST(MarkdownBlocks, CodeInsideAListItemIsABlockOfItsOwn) {
    const QString source =
        "1. Install:\n\n    ```bash\n    pip install x\n      deeper\n    ```\n    Then go on\n    here.\n"
        "2. Nested:\n   - sub\n     ~~~\n     a\n     ~~~\n\n   - next\n3. last\n\nend\n    ```";
    const auto blocks = splitMarkdown(source);
    ASSERT_EQ(blocks.size(), 8U);
    EXPECT_EQ(textOf(source, blocks[0]), "1. Install:");
    EXPECT_EQ(blocks[1].language, "bash");
    EXPECT_EQ(codeOf(source, blocks[1]), "pip install x\n  deeper");
    EXPECT_EQ(blocks[1].items, std::vector<qsizetype>{0});
    EXPECT_EQ(textOf(source, blocks[2]), "Then go on\nhere.") << "not code because it is indented";
    EXPECT_EQ(blocks[2].items, std::vector<qsizetype>{0});
    EXPECT_EQ(textOf(source, blocks[3]), "2. Nested:\n   - sub");
    EXPECT_TRUE(blocks[3].items.empty());
    EXPECT_EQ(codeOf(source, blocks[4]), "a");
    EXPECT_EQ(blocks[4].items, (std::vector<qsizetype>{0, 3}));
    EXPECT_EQ(textOf(source, blocks[5]), "- next");
    EXPECT_EQ(blocks[5].items, std::vector<qsizetype>{0});
    EXPECT_EQ(textOf(source, blocks[6]), "3. last");
    EXPECT_TRUE(blocks[6].items.empty());
    EXPECT_EQ(textOf(source, blocks[7]), "end\n    ```") << "outside a list a fence stands at the edge";
    EXPECT_EQ(blocks[7].kind, MarkdownBlock::Kind::text);
    EXPECT_EQ(lastCodeOf("- a\n  ```\n  b\n    c\n  ```"), "b\n  c");
    EXPECT_EQ(lastCodeOf("- a\n\t```\n\tb\n\t\tc\n\t```\n\tend"), "b\n\tc");
}

TEST(MarkdownBlocks, NumbersThatDoNotBeginWithOneStandAsParagraphs) {
    EXPECT_TRUE(hasWrittenNumbers(QStringLiteral("2. b\n3. c")));
    EXPECT_FALSE(hasWrittenNumbers(QStringLiteral("1. b\n3. c")));
    QTextDocument document;
    document.setMarkdown(shownMarkdown(QStringLiteral("2. two\n   more\n    - sub\n3. three\n\n   alone")),
        QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectGitHub) | QTextDocument::MarkdownNoHTML);
    QStringList lines;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        lines.append((block.textList() != nullptr ? "* " : "") + block.text().replace(QChar(0x2028), u'|'));
    EXPECT_EQ(lines, QStringList({"2. two", "more", "* sub", "3. three", "alone"}));
}

TEST(MarkdownBlocks, GrowingByAnyPieceGivesTheSameBlocksAsTheWholeText) {
    for (const QString& whole : {QString("- a\n    ```\n    x\n    ```\n  text\n\n  - in\n    ~~~js\n  y\n    ~~~\n"
                                         "    deep\n  shallow\n   - again\n1. z\n\n   ```\nq\n```\nend"),
             QString("Intro line\n\n1. one\n\n2. two\n   - sub\n\n```js\nlet a = 1;\n```\n| a | b |\n|-|-|\n| 1 | "
                     "2 |\n\n> q\n\n## H\nend\n\n- x\n\n\n- y\nlazy\n\nfin")}) {
        std::mt19937 random(7);
        for (int round = 0; round < 200; ++round) {
            std::vector<MarkdownBlock> grown;
            qsizetype at = 0;
            while (at < whole.size()) {
                at = std::min<qsizetype>(at + 1 + static_cast<qsizetype>(random() % 9), whole.size());
                appendMarkdown(grown, whole.left(at));
            }
            ASSERT_EQ(grown, splitMarkdown(whole)) << round << " of " << whole.toStdString();
        }
    }
}

TEST(MarkdownBlocks, ShowsEveryCharacterOfHostileText) {
    // ui.md 16, case 6
    EXPECT_EQ(shownText("std::vector<int> and #include <x>"), "std::vector<int> and #include <x>");
    EXPECT_EQ(shownText("\"\\(user)\" \\[x\\] costs $5 and $6"), "\"\\(user)\" \\[x\\] costs $5 and $6");
    EXPECT_EQ(shownText("<script>a</script> <think>"), "<script>a</script> <think>");
    EXPECT_EQ(shownText("![](file:///etc/passwd)"), "![](file:///etc/passwd)");
    EXPECT_EQ(shownText("from ~5 to ~6"), "from ~5 to ~6");
    EXPECT_EQ(shownText("`a \\( b`"), "a \\( b");
    EXPECT_EQ(shownText("2. second\n3. third").remove(QChar(0x2028)).simplified(), "2. second 3. third");
}

TEST(MarkdownBlocks, LeavesFormulasAsTheyAreWritten) {
    for (const char* formula : {"$a*b*c$", "$x_{1} * y_{1}$ and $\\{1,2\\}$", "\\(a_i \\, b_i\\)",
             "$$\\frac{a}{b}\\\\ c$$", "\\[ f(x) = \\_ \\]"})
        EXPECT_EQ(shownText(QString::fromUtf8(formula)).toStdString(), formula);
    EXPECT_EQ(shownText("pay $5 and **more** is $6"), "pay $5 and more is $6") << "prices are no formula";
    EXPECT_EQ(shownText("US$5*x*$"), "US$5x$");
    EXPECT_EQ(textsOf("\\[\na\n- b\n+ c\n\\]\nend").size(), 1) << "a minus inside is no list";
    EXPECT_EQ(shownText("$$\na\n- b\n$$").remove(QChar(0x2028)).simplified(), "$$ a - b $$");
}

TEST(MarkdownBlocks, CutsWhatHasNoEndAndLosesNothing) {
    QString paragraph, list, word(30'000, u'x'), item = "- item\n", nested = "- item\n";
    for (int i = 0; i < 6'000; ++i) {
        item += QStringLiteral("  line %1\n").arg(i);
        nested += QStringLiteral("  - sub %1\n").arg(i);
        paragraph += QStringLiteral("word%1 ").arg(i);
        list += QStringLiteral("- item %1\n").arg(i);
    }
    for (const QString& source : {paragraph, list, word, item, nested}) {
        const auto blocks = splitMarkdown(source);
        EXPECT_GT(blocks.size(), 3U);
        qsizetype at = 0;
        for (const MarkdownBlock& block : blocks) {
            EXPECT_LE(block.end - block.begin, 16'100);
            EXPECT_TRUE(source.mid(at, block.begin - at).trimmed().isEmpty());
            at = block.end;
        }
        EXPECT_TRUE(source.mid(at).trimmed().isEmpty());
        std::vector<MarkdownBlock> grown;
        for (qsizetype end = 0; end < source.size(); end += 997)
            appendMarkdown(grown, source.left(end));
        appendMarkdown(grown, source);
        EXPECT_EQ(grown, blocks);
    }
}

TEST(CodeHighlighter, CarriesAnOpenCommentOverLines) {
    const CodeLanguage& language = codeLanguage("C++");
    CodeState state = CodeState::plain;
    const auto first = highlightLine(language, u"int x = 1; /* a", state);
    EXPECT_EQ(state, CodeState::blockComment);
    ASSERT_EQ(first.size(), 3U);
    EXPECT_EQ(first[0].color, Color::synKeyword);
    EXPECT_EQ(first[1].color, Color::synNumber);
    const auto second = highlightLine(language, u"b */ return f(\"s\");", state);
    EXPECT_EQ(state, CodeState::plain);
    ASSERT_EQ(second.size(), 4U);
    EXPECT_EQ(second[2].color, Color::synFunction);
    EXPECT_EQ(second[3].color, Color::synString);
}

TEST(CodeHighlighter, RunsNeverOverlapOrLeaveTheLine) {
    std::mt19937 random(3);
    const QString alphabet = "ab1\"'`/*#\\ (){}-";
    for (int round = 0; round < 2'000; ++round) {
        QString line;
        for (int i = 0; i < 30; ++i)
            line += alphabet[static_cast<qsizetype>(random() % static_cast<unsigned>(alphabet.size()))];
        CodeState state = CodeState::plain;
        qsizetype end = 0;
        for (const CodeRun& run : highlightLine(codeLanguage(round % 2 ? "python" : "js"), line, state)) {
            EXPECT_GE(run.begin, end);
            end = run.begin + run.length;
            EXPECT_LE(end, line.size());
        }
    }
}

TEST(TurnLayout, CopiesWholeBlocksAsTheirSource) {
    Theme theme;
    TurnLayout layout(theme);
    const QString source = "**bold** `std::vector<int>`\n\n```cpp\nint a;\n```\n\n- x\n- y";
    layout.setTurn(answerOf(source));
    layout.setWidth(600);
    layout.ensureBuilt();
    ASSERT_EQ(layout.numBlocks(), 3);
    EXPECT_EQ(layout.sourceOf({}, layout.endPosition()), source);
    EXPECT_EQ(layout.sourceOf({0, 0}, {0, 4}), "bold"); // part of a block: as shown
}

TEST(TurnLayout, WhatBelongsToAListItemBeginsWhereItsTextDoes) {
    Theme theme;
    TurnLayout layout(theme);
    const QString source = "- a\n  ```\n  x\n  ```\n  left to right\n\n  مرحبا بكم\n\nend";
    layout.setTurn(answerOf(source));
    layout.setWidth(600);
    layout.ensureBuilt();
    ASSERT_EQ(layout.numBlocks(), 5);
    const int indent = theme.px(kListIndent);
    const QList<QRect> wanted{{0, 0, 600, 1}, {indent, 0, 600 - indent, 1}, {indent, 0, 600 - indent, 1},
        {0, 0, 600 - indent, 1}, {0, 0, 600, 1}};
    for (int i = 0; i < layout.numBlocks(); ++i) {
        EXPECT_EQ(layout.blockRect(i).left(), wanted[i].left()) << i;
        EXPECT_EQ(layout.blockRect(i).width(), wanted[i].width()) << i;
    }
    EXPECT_EQ(layout.block(1).text(), "x");
    EXPECT_EQ(layout.sourceOf({}, layout.endPosition()), source) << "copied as it was written";
}

TEST(TurnLayout, StreamingEndsInTheSameLayoutAsTheWholeText) {
    Theme theme;
    const QString whole = "One two\n\n```py\nfor i in x:\n    pass\n```\n\n| a | b |\n|-|-|\n| 1 | 2 |\n\nend\n\n"
                          "1. do\n    ```sh\n    ls\n      -l\n    ```\n    and on\n2. then\n   - part";
    TurnLayout grown(theme);
    grown.setWidth(500);
    grown.setTurn(answerOf({}));
    grown.ensureBuilt();
    for (qsizetype at = 1; at <= whole.size(); ++at)
        grown.setTurn(answerOf(whole.left(at)));
    TurnLayout direct(theme);
    direct.setWidth(500);
    direct.setTurn(answerOf(whole));
    direct.ensureBuilt();
    EXPECT_EQ(grown.height(), direct.height());
    ASSERT_EQ(grown.numBlocks(), direct.numBlocks());
    for (int i = 0; i < grown.numBlocks(); ++i)
        EXPECT_EQ(grown.block(i).text(), direct.block(i).text()) << i;
}

void expectSame(const TextBlockLayout& one, const TextBlockLayout& other, const QString& source) {
    EXPECT_EQ(one.text(), other.text()) << source.toStdString();
    EXPECT_EQ(one.height(), other.height()) << source.toStdString();
    for (int offset = 0; offset <= static_cast<int>(other.text().size()); ++offset) {
        EXPECT_EQ(one.cursorRect(offset), other.cursorRect(offset)) << offset << " of " << source.toStdString();
    }
}

// Wherever a stream is cut, a grown paragraph is what one made of the whole would be; and most pieces do grow.
TEST(TextBlockLayout, GrownTextLooksLikeTextMadeAtOnce) {
    Theme theme;
    const QStringList sources{
        QStringLiteral("The cable was laid in 1858, and it failed within weeks; nobody knew why (or said so)."),
        QStringLiteral("Some *words* lean, **others** stand, `code` is fixed, ~~gone~~ and _x_y_ a*b*c plain again."),
        QStringLiteral("- a list with words\n- and 2. more of them\n  10 in the second"),
        QStringLiteral("1. first thing\n2. second thing with a tail"),
        QStringLiteral("7. seventh thing of a list that goes on over many words\n   - a part\n8. eighth and last"),
        QStringLiteral("### A heading of words\nand a line"),
        QStringLiteral(
            "See www.example.org and https://example.org/a?b=1, a@b.org; [text](there) &amp; $x_1$ at 50% off-"),
        QStringLiteral("| a | b |\n|---|---|\n| one | two words |"), QStringLiteral("> quoted words\n> and more"),
        QStringLiteral("Größe, naïve, 今天天气 很好, مرحبا بكم and 👍🏽 faces  with  blanks  ")};
    const auto laidOut = [&theme](const QString& text) {
        auto layout = std::make_unique<TextBlockLayout>(
            theme, TextRole::message, Color::text1, text, TextBlockLayout::Format::markdown);
        layout->setWidth(300);
        return layout;
    };
    std::mt19937 random(7);
    int grown = 0, made = 0;
    for (const QString& source : sources)
        for (int round = 0; round < 40; ++round) {
            std::unique_ptr<TextBlockLayout> layout;
            for (qsizetype end = 0; end < source.size();) {
                end = std::min(source.size(), end + 1 + static_cast<qsizetype>(random() % 9));
                if (end < source.size() && source[end].isLowSurrogate())
                    ++end; // engines end at whole characters
                const QString text = source.left(end);
                if (layout != nullptr && layout->grow(text)) {
                    ++grown;
                    layout->setWidth(300);
                } else {
                    ++made;
                    layout = laidOut(text);
                }
                expectSame(*layout, *laidOut(text), text);
                if (testing::Test::HasFailure())
                    return;
            }
        }
    EXPECT_GT(grown, made / 3);
}

TEST(TextBlockLayout, AListUnderAWrittenNumberIsMovedOnce) {
    Theme theme;
    TextBlockLayout layout(theme, TextRole::message, Color::text1, QStringLiteral("2. two\n   - x\n     - y\n   - z"),
        TextBlockLayout::Format::markdown);
    layout.setWidth(400);
    const QString text = layout.text();
    const auto left = [&](char letter) { return layout.cursorRect(int(text.indexOf(QLatin1Char(letter)))).left(); };
    EXPECT_EQ(left('x'), 2 * theme.px(kListIndent));
    EXPECT_EQ(left('z'), left('x')) << "also behind a list inside it";
    EXPECT_EQ(left('y'), 3 * theme.px(kListIndent));
}

// What a drain paints is the last lines, and it is the same picture as all of it painted anew.
TEST(TurnLayout, AGrowingTextIsPaintedFromItsLastLines) {
    Theme theme;
    QString whole;
    std::mt19937 random(3);
    for (int i = 0; i < 400; ++i)
        whole += QStringLiteral("%1 ").arg(QStringList{
            "word", "longer", "今天天气很好。", "Ǻé̂", "supercalifragilisticexpialidocious"}[int(random() % 5)]);
    whole += QStringLiteral("\n\n```cpp\n");
    for (int i = 0; i < 40; ++i)
        whole += QStringLiteral("int value%1 = %1; // a comment\n").arg(i);
    TurnLayout layout(theme);
    layout.setWidth(420);
    layout.setTurn(answerOf(whole.left(3)));
    layout.ensureBuilt();
    const auto paint = [&](QImage& image, const QRect& clip) {
        QPainter painter(&image);
        painter.setClipRect(clip);
        painter.fillRect(clip, Qt::white);
        layout.paint(painter, {clip, {}, {}});
    };
    QImage shown(420, 3'500, QImage::Format_RGB32);
    shown.fill(Qt::white);
    paint(shown, shown.rect());
    qint64 painted = 0, steps = 0;
    for (qsizetype end = 3; end < whole.size();) {
        end = std::min(whole.size(), end + 1 + static_cast<qsizetype>(random() % 9));
        layout.setTurn(answerOf(whole.left(end)));
        const QRect changed(0, layout.changedTop(), shown.width(), shown.height() - layout.changedTop());
        paint(shown, changed);
        painted += layout.height() - layout.changedTop();
        if (++steps % 32 != 0 && end < whole.size())
            continue;
        QImage fresh(shown.size(), shown.format());
        fresh.fill(Qt::white);
        paint(fresh, fresh.rect());
        ASSERT_EQ(shown, fresh) << "after " << end << " characters";
    }
    EXPECT_LT(painted / steps, 8 * theme.lineHeight(TextRole::message)) << "pixels a drain";
}

TEST(TurnLayout, TextsOfWaitingAndFooterCarryTheNumbers) {
    QLocale::setDefault(QLocale::c());
    TurnItem turn;
    turn.live = {.phase = TurnPhase::queued, .queueAhead = 1};
    EXPECT_EQ(waitingText(turn), "queued, 1 ahead");
    turn.live = {.phase = TurnPhase::reading, .promptTokens = 800, .computedTokens = 320, .cachedTokens = 192};
    EXPECT_EQ(waitingText(turn), "reading 320 of 800 tokens, 192 reused");
    TurnItem done;
    done.message.stats.outputTokens = 212;
    done.message.stats.decodeSeconds = 211 / 63.0;
    done.message.stats.firstTokenSeconds = 0.18;
    EXPECT_TRUE(footerText(done).startsWith(QStringLiteral("212 tok · 63 tok/s · first 0.18")))
        << footerText(done).toStdString();
}

TEST(ChatListModel, GroupsChatsAndSurvivesTheModelTester) {
    QTemporaryDir dir;
    ChatStore store(dir.path());
    ChatListModel model(store);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    EXPECT_EQ(model.rowCount(), 0);
    QList<ChatId> chats;
    for (int i = 0; i < 3; ++i) {
        MessageRecord turn;
        turn.id = newRecordId();
        turn.chat = store.createChat().id;
        turn.content = QStringLiteral("chat %1").arg(i);
        turn.createdMs = QDateTime::currentMSecsSinceEpoch() - (i == 2 ? 40LL * 86'400'000 : 0);
        store.commitUserTurn(turn, &store, [](bool) {});
        chats.append(turn.chat);
    }
    ASSERT_EQ(model.rowCount(), 5); // Today, two chats, Earlier, one chat
    EXPECT_EQ(model.chatAt(0), 0);
    EXPECT_EQ(model.chatAt(4), chats[2]);
    ChatRecord pinned = *store.chat(chats[2]);
    pinned.pinned = true;
    store.updateChat(pinned);
    EXPECT_EQ(model.rowOf(chats[2]), 1);
    store.moveToTrash(chats[0]);
    EXPECT_EQ(model.rowOf(chats[0]), -1);
    EXPECT_EQ(model.numTrashed(), 1);
    model.setMode(ChatListModel::Mode::trash);
    EXPECT_EQ(model.rowOf(chats[0]), 1);
}

TEST(ChatListModel, TimesShrinkWithAge) {
    QLocale::setDefault(QLocale::c());
    const QDateTime now(QDate(2026, 11, 29), QTime(12, 0));
    const auto text = [&](const QDateTime& time) { return chatTimeText(time.toMSecsSinceEpoch(), now); };
    EXPECT_EQ(text(QDateTime(QDate(2026, 11, 29), QTime(9, 12))), "09:12");
    EXPECT_EQ(text(QDateTime(QDate(2026, 11, 24), QTime(9, 12))), "Tue");
    EXPECT_EQ(text(QDateTime(QDate(2026, 11, 14), QTime(9, 12))), "14 Nov");
    EXPECT_EQ(text(QDateTime(QDate(2025, 10, 3), QTime(9, 12))), "3 Oct 2025");
}

} // namespace vitrine::ui
