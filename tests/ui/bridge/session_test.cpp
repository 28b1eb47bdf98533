// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/bridge: block frames come back exactly, recordings survive the file and refuse what is damaged.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <gtest/gtest.h>
#include <random>

#include "ui/bridge/block_history.h"
#include "ui/bridge/session_file.h"

namespace vitrine::ui {
namespace {

bool sameBlocks(const std::vector<BlockStatus>& a, const std::vector<BlockStatus>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const BlockStatus& x, const BlockStatus& y) {
        return x.state == y.state && x.references == y.references && x.owner == y.owner;
    });
}

TEST(BlockHistory, GivesBackEveryFrameAcrossKeyframes) {
    std::mt19937 random(7);
    BlockHistory history;
    std::vector<BlockStatus> blocks(200);
    std::vector<std::vector<BlockStatus>> frames;
    for (int i = 0; i < 700; ++i) { // three groups of 256
        for (int change = 0; change < 5; ++change) {
            BlockStatus& block = blocks[random() % blocks.size()];
            block.state = static_cast<BlockState>(random() % 3);
            block.references = static_cast<std::uint16_t>(block.state == BlockState::active ? 1 + random() % 3 : 0);
            block.owner = block.state == BlockState::active ? static_cast<std::uint32_t>(1 + random() % 9) : 0;
        }
        history.add(i * 0.1, blocks);
        frames.push_back(blocks);
    }
    EXPECT_FALSE(history.at(-0.01).has_value());
    for (int i = 0; i < 700; ++i) {
        const auto frame = history.at(i * 0.1 + 0.05);
        ASSERT_TRUE(frame.has_value());
        ASSERT_DOUBLE_EQ(frame->time, i * 0.1);
        ASSERT_TRUE(sameBlocks(frame->blocks, frames[static_cast<std::size_t>(i)])) << i;
    }
    std::size_t visited = 0;
    history.forEachFrame([&](const BlockFrame& frame) {
        ASSERT_TRUE(sameBlocks(frame.blocks, frames[visited]));
        ++visited;
    });
    EXPECT_EQ(visited, frames.size());
}

TEST(BlockHistory, StaysBelowItsLimit) {
    BlockHistory history;
    std::vector<BlockStatus> blocks(65'536);
    for (int i = 0; i < 40 * 256; i += 256)
        for (int j = 0; j < 256; ++j) {
            for (std::size_t b = 0; b < 16; ++b)
                blocks[(static_cast<std::size_t>(i + j) * 16 + b) % blocks.size()].owner =
                    static_cast<std::uint32_t>(i + j + 1);
            history.add(i + j, blocks);
        }
    EXPECT_LE(history.bytes(), BlockHistory::kMaxBytes);
    EXPECT_TRUE(history.at(40 * 256 - 1).has_value());
}

SessionHistory sampleSession() {
    SessionHistory session;
    for (int i = 0; i < 50; ++i) {
        StepRecord step;
        step.step = static_cast<std::uint64_t>(i + 5);
        step.start_us = static_cast<std::uint64_t>(i) * 10'000;
        step.forward_us = 9'000;
        step.emitted = 3;
        step.accepted_per_position = {2, 1};
        session.add(step);
        SequenceLine line;
        line.step = step.step;
        line.sequence = 1;
        line.kind = 2;
        line.count = 3;
        line.accepted = 2;
        session.add(line);
    }
    auto snapshot = std::make_shared<Snapshot>();
    auto model = std::make_shared<LoadedModel>();
    model->info.name = "Sample";
    model->kernels = {{"linear qkv blk.0", "gemv", true, ""}};
    snapshot->model = model;
    snapshot->engine_us = 500'000;
    snapshot->block_map = {{BlockState::active, 2, 1, 40}, {BlockState::cached, 0, 0, 90}, {}};
    snapshot->rates.ttft_s = {0.1, 0.2, 0.3};
    SequenceStatus status;
    status.sequence = 1;
    status.label = "a secret title";
    status.prompt_tokens = 21;
    snapshot->sequences = {status};
    session.add(snapshot);
    return session;
}

TEST(Session, SurvivesTheFileWithoutAnyText) {
    const SessionHistory session = sampleSession();
    const QByteArray json = sessionToJson(session);
    EXPECT_FALSE(json.contains("secret"));
    const auto back = sessionFromJson(json);
    ASSERT_TRUE(back) << back.error().message;
    ASSERT_EQ(back->steps().steps().size(), 50U);
    EXPECT_EQ(back->steps().steps()[49].accepted_per_position[1], 1);
    EXPECT_EQ(back->steps().lines().back().accepted, 2);
    EXPECT_EQ(back->requests().at(1).promptTokens, 21);
    EXPECT_EQ(back->last()->blocks.shared, 1);
    EXPECT_EQ(back->last()->blocks.total, 3);
    EXPECT_DOUBLE_EQ(back->last()->rates.ttft_s[2], 0.3);
    EXPECT_EQ(back->last()->model->kernels.size(), 1U);
    EXPECT_EQ(back->last()->block_map[0].last_used_ms, 40U);
}

TEST(Session, RefusesWhatIsDamagedAndNamesTheRow) {
    const QJsonObject good = QJsonDocument::fromJson(sessionToJson(sampleSession())).object();
    const auto broken = [&](const char* part, auto edit) {
        QJsonObject object = good;
        QJsonArray rows = object.value(QLatin1String(part)).toArray();
        edit(rows);
        object.insert(QLatin1String(part), rows);
        const auto result = sessionFromJson(QJsonDocument(object).toJson());
        EXPECT_FALSE(result) << part;
        return result ? std::string() : result.error().message;
    };
    const auto setCell = [](QJsonArray& rows, int row, int column, const QJsonValue& value) {
        QJsonArray cells = rows.at(row).toArray();
        cells.replace(column, value);
        rows.replace(row, cells);
    };
    EXPECT_EQ(broken("steps", [&](QJsonArray& rows) { setCell(rows, 3, 1, -5); }),
        "The recording is damaged: steps row 4 has a value that is no count.");
    broken("steps", [&](QJsonArray& rows) { setCell(rows, 3, 0, 1); }); // before the one above
    broken("steps", [&](QJsonArray& rows) { setCell(rows, 3, 7, 1e12); }); // more than the field holds
    broken("steps", [&](QJsonArray& rows) { rows.replace(0, QJsonValue(1)); });
    broken("lines", [&](QJsonArray& rows) { setCell(rows, 0, 7, 9); }); // kind
    broken("rates", [&](QJsonArray& rows) { setCell(rows, 0, 2, QStringLiteral("fast")); });
    broken("requests", [&](QJsonArray& rows) { setCell(rows, 0, 2, 77); }); // source
    broken("blocks", [&](QJsonArray& rows) {
        QJsonObject frame = rows.at(0).toObject();
        frame.insert(QStringLiteral("count"), 1e11);
        rows.replace(0, frame);
    });
    broken("blocks", [&](QJsonArray& rows) {
        QJsonObject frame = rows.at(0).toObject();
        frame.insert(QStringLiteral("changes"), QJsonArray{QJsonArray{3, 0, 0, 0, 0}}); // no fourth block
        rows.replace(0, frame);
    });
    EXPECT_FALSE(sessionFromJson("[1, 2"));
    EXPECT_FALSE(sessionFromJson("{}"));
    EXPECT_FALSE(sessionFromJson(R"({"vitrine_session": 99})"));
    EXPECT_TRUE(sessionFromJson(R"({"vitrine_session": 1})")) << "nothing recorded is no damage";
}

TEST(Session, ExportsEveryStepOrThoseOfARange) {
    const SessionHistory session = sampleSession();
    EXPECT_EQ(stepsToCsv(session.steps(), {}).count('\n'), 51); // with the head
    EXPECT_EQ(stepsToCsv(session.steps(), std::pair(0.1, 0.2)).count('\n'), 11);
    EXPECT_EQ(QJsonDocument::fromJson(stepsToJson(session.steps(), {})).array().size(), 50);
    const QJsonObject trace = QJsonDocument::fromJson(stepsToTrace(session.steps(), {})).object();
    EXPECT_GT(trace.value(QStringLiteral("traceEvents")).toArray().size(), 50 * 5);
}

} // namespace
} // namespace vitrine::ui
