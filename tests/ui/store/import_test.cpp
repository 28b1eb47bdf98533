// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/store: chats of others.
#include <gtest/gtest.h>

#include "ui/store/chat_export.h"
#include "ui/store/chat_import.h"

namespace vitrine::ui {

namespace {

/// A conversation in the shape of ChatGPT's conversations.json: a system node, a turn, two answers, one of them shown.
const QByteArray kConversation = R"([{"title":"Heat pumps","create_time":1700000000.5,"update_time":1700000100,
"current_node":"d2","mapping":{
"root":{"id":"root","message":null,"parent":null,"children":["a"]},
"a":{"id":"a","message":{"author":{"role":"system"},"content":{"content_type":"text","parts":[""]}},"parent":"root","children":["b"]},
"b":{"id":"b","message":{"author":{"role":"user"},"create_time":1700000001,"content":{"content_type":"text","parts":["How?","日本"]}},"parent":"a","children":["t"]},
"t":{"id":"t","message":{"author":{"role":"tool"},"content":{"content_type":"text","parts":["search"]}},"parent":"b","children":["d1","d2"]},
"d1":{"id":"d1","message":{"author":{"role":"assistant"},"content":{"content_type":"text","parts":["First."]},"metadata":{"model_slug":"x-1"}},"parent":"t","children":[]},
"d2":{"id":"d2","message":{"author":{"role":"assistant"},"content":{"content_type":"multimodal_text","parts":[{"content_type":"image"},"Second."]}},"parent":"t","children":[]}
}}, {"title":"empty","mapping":{}}])";

} // namespace

TEST(ChatImport, ReadsBranchesOfAChatGptExport) {
    const auto chats = chatsFromFile(kConversation);
    ASSERT_TRUE(chats) << chats.error().toStdString();
    ASSERT_EQ(chats->chats.size(), 1) << "a conversation without text is left out";
    EXPECT_EQ(chats->numUnreadable, 0) << "an empty one is no damage";
    const ChatTree& tree = chats->chats.first();
    EXPECT_EQ(tree.chat.title.toStdString(), "Heat pumps");
    EXPECT_EQ(tree.chat.createdMs, 1'700'000'000'500);
    ASSERT_EQ(tree.messages.size(), 3);
    const QList<MessageRecord> shown = branchTo(tree, tree.chat.leaf);
    ASSERT_EQ(shown.size(), 2) << "the tool's node is skipped";
    EXPECT_EQ(shown[0].content.toStdString(), "How?\n\n日本");
    EXPECT_EQ(shown[1].content.toStdString(), "[attachment]\n\nSecond.");
    EXPECT_EQ(shown[1].role, MessageRole::assistant);
}

TEST(ChatImport, ReadsVitrinesOwnJson) {
    ChatTree tree = chatsFromFile(kConversation)->chats.first();
    const auto again = chatsFromFile(chatToJson(tree));
    ASSERT_TRUE(again) << again.error().toStdString();
    ASSERT_EQ(again->chats.size(), 1);
    EXPECT_EQ(again->chats.first().messages.size(), 3);
    EXPECT_NE(again->chats.first().chat.id, tree.chat.id);
}

TEST(ChatImport, AFileThatNamesNoLeafIsShownToItsEnd) {
    QByteArray bare = kConversation;
    bare.replace("\"current_node\":\"d2\",", "");
    const auto chats = chatsFromFile(bare);
    ASSERT_TRUE(chats) << chats.error().toStdString();
    EXPECT_EQ(branchTo(chats->chats.first(), chats->chats.first().chat.leaf).size(), 2);
    const auto own = chatsFromFile(R"({"vitrine_chat":1,"title":"t","messages":[
        {"id":"5","parent":"0","role":"user","content":"a"},{"id":"6","parent":"5","role":"assistant","content":"b"}]})");
    ASSERT_TRUE(own) << own.error().toStdString();
    EXPECT_EQ(branchTo(own->chats.first(), own->chats.first().chat.leaf).size(), 2);
}

TEST(ChatImport, WhatIsDamagedIsCountedAndItsChildrenHangOnWhatStandsAbove) {
    const auto own = chatsFromFile(R"({"vitrine_chat":1,"title":"t","leaf":"8","messages":[
        {"id":"5","parent":"0","role":"user","content":"a"},
        {"id":"6","parent":"5","role":"assistant","content":17},
        {"id":"7","parent":"6","role":"user","content":"c"},
        "rubbish",
        {"id":"8","parent":"7","role":"assistant","content":"d"}]})");
    ASSERT_TRUE(own) << own.error().toStdString();
    const ChatTree& tree = own->chats.first();
    EXPECT_EQ(tree.hiddenMessages, 2);
    QStringList shown;
    for (const MessageRecord& message : branchTo(tree, tree.chat.leaf))
        shown += message.content;
    EXPECT_EQ(shown, QStringList({"a", "c", "d"}));

    QByteArray broken = kConversation;
    broken.replace(broken.indexOf("\"t\":{"), broken.indexOf("\"d1\":{") - broken.indexOf("\"t\":{"), "\"t\":null,\n");
    broken.replace("{\"title\":\"empty\",\"mapping\":{}}", "{\"title\":\"gone\",\"mapping\":7}");
    const auto others = chatsFromFile(broken);
    ASSERT_TRUE(others) << others.error().toStdString();
    ASSERT_EQ(others->chats.size(), 1);
    EXPECT_EQ(others->numUnreadable, 1);
    const ChatTree& first = others->chats.first();
    EXPECT_EQ(first.hiddenMessages, 1);
    ASSERT_EQ(first.messages.size(), 3) << "the answers below the damaged node are not lost";
    EXPECT_EQ(branchTo(first, first.chat.leaf).size(), 2);
}

TEST(ChatImport, AFileThatBreaksOffSaysWhere) {
    const QByteArray part = kConversation.left(300);
    const auto chats = chatsFromFile(part);
    ASSERT_FALSE(chats);
    EXPECT_TRUE(chats.error().contains(QStringLiteral("byte 300 of 300"))) << chats.error().toStdString();
}

TEST(ChatExport, ARunningAnswerIsInTheFileAndABranchWithoutALeafIsShownToItsEnd) {
    ChatTree tree = chatsFromFile(kConversation)->chats.first();
    tree.messages.last().state = MessageState::streaming;
    const auto back = chatsFromFile(chatToJson(tree));
    ASSERT_TRUE(back) << back.error().toStdString();
    EXPECT_EQ(back->chats.first().messages.last().state, MessageState::interrupted) << "it is not whole";
    tree.chat.leaf = 4711; // of a message that is not there
    EXPECT_TRUE(chatToMarkdown(tree).contains("How?"));
}

TEST(ChatImport, RefusesWhatIsNoChatWithASentence) {
    for (const char* text : {"", "{", "[]", "{}", "[1,2]", R"({"mapping":{}})", R"([{"mapping":[]}])"}) {
        const auto chats = chatsFromFile(text);
        ASSERT_FALSE(chats) << text;
        EXPECT_FALSE(chats.error().isEmpty()) << text;
    }
}

TEST(ChatImport, ARingOfParentsEnds) {
    const auto chats = chatsFromFile(R"([{"current_node":"a","mapping":{
        "r":{"parent":null,"children":["a"]},
        "a":{"message":{"author":{"role":"user"},"content":{"parts":["x"]}},"parent":"b","children":["b"]},
        "b":{"message":{"author":{"role":"assistant"},"content":{"parts":["y"]}},"parent":"a","children":["a"]}}}])");
    ASSERT_TRUE(chats) << chats.error().toStdString();
    EXPECT_LE(branchTo(chats->chats.first(), chats->chats.first().chat.leaf).size(), 2);
}

} // namespace vitrine::ui
