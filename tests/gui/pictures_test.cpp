// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/gui: pictures of every page, light and dark, 100 and 200 %; people look at them, the test at blanks.
#include <QApplication>
#include <QSet>
#include <QTest>

#include "tests/gui/window_fixture.h"

namespace vitrine::testing {

namespace {

ScriptedAnswer richAnswer() {
    ScriptedAnswer answer;
    answer.reasoning = {"The", " user", " wants", " the", " fastest", " way", "."};
    const std::string text =
        "Convert once, then aggregate. Parsing CSV dominates the time, so pay for it a single time and let the query "
        "read "
        "three columns of `std::vector<int>`:\n\n```sql\nCOPY (SELECT sensor_id, ts, value FROM 'readings/*.csv')\n  "
        "TO "
        "'readings.parquet' (FORMAT parquet, COMPRESSION zstd);\n\nSELECT sensor_id, date_trunc('hour', ts) AS hour, "
        "max(value) AS peak\nFROM 'readings.parquet' GROUP BY ALL;\n```\n\n| Approach | Read from disk | Time "
        "|\n|-|-:|-:|\n"
        "| CSV each time | 40 GB | 95 s |\n| Parquet, three columns | 3.1 GB | 4 s |\n\n1. First **bold** step\n2. "
        "Then *the "
        "other* one\n\nIf new files arrive every night, append one Parquet file per day instead of rewriting the whole "
        "set.";
    for (std::size_t i = 0; i < text.size(); i += 4)
        answer.pieces.push_back(text.substr(i, 4));
    answer.cached_tokens = 3;
    answer.tokens_per_step = 2;
    return answer;
}

int numColors(const QImage& image) {
    QSet<QRgb> colors;
    for (int y = 0; y < image.height(); y += 4)
        for (int x = 0; x < image.width(); x += 4)
            colors.insert(image.pixel(x, y));
    return static_cast<int>(colors.size());
}

} // namespace

class PicturesTest : public WindowTest, public ::testing::WithParamInterface<std::pair<const char*, int>> {};

TEST_P(PicturesTest, EveryPageIsPainted) {
    const auto [style, percent] = GetParam();
    launch({.step_time = std::chrono::microseconds(300)}, style);
    m_app->settings().set(ui::keys::kTextSizePercent, percent);
    const auto named = [&, style = style, percent = percent](
                           const char* page) { return QStringLiteral("%1-%2-%3").arg(page, style).arg(percent); };
    ASSERT_TRUE(waitFor([&] { return m_app->window().isVisible(); }));
    QTest::qWait(200);
    shot(named("first"));
    m_engine->set_answer(richAnswer());
    say("The readings are 40 GB of CSV, one file per day. What is the fastest way to get the hourly maximum of each "
        "sensor?");
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 1; }) && waitIdle());
    if (!part<ui::MessageView>().isVisible())
        FAIL() << "the messages are not shown";
    page().toggleInspector();
    QTest::qWait(100);
    shot(named("chat"));
    page().newChat();
    ScriptedAnswer refused;
    refused.rejection = Error{ErrorCode::context_length, "the prompt has 9,012 tokens, the context holds 8,192",
        "Start a new chat, or load the model with a longer context."};
    m_engine->set_answer(refused);
    say("Too long");
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 2; }) && waitIdle());
    QTest::qWait(50);
    shot(named("chat-error"));
    page().showBeside(m_app->store().chats().last().id);
    QTest::qWait(150);
    shot(named("chat-beside"));
    page().newChat();
    ScriptedAnswer hang = richAnswer();
    hang.reasoning.clear();
    hang.hang_after_tokens = 60;
    m_engine->set_answer(hang);
    say("Stream");
    ASSERT_TRUE(waitFor([&] { return m_engine->requests().size() == 3; }));
    QTest::qWait(150);
    shot(named("chat-streaming"));
    for (const char* page : {"models", "engine", "server", "settings"}) {
        ASSERT_TRUE(m_app->window().showPage(page));
        QTest::qWait(150);
        shot(named(page));
        EXPECT_GT(numColors(m_app->window().grab().toImage()), 10) << page;
    }
}

INSTANTIATE_TEST_SUITE_P(Styles, PicturesTest,
    ::testing::Values(
        std::pair("light", 100), std::pair("dark", 100), std::pair("contrast", 100), std::pair("light", 200)),
    [](const auto& picture) { return std::string(picture.param.first) + std::to_string(picture.param.second); });

} // namespace vitrine::testing
