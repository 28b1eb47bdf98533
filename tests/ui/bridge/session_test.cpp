// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/bridge: block frames come back exactly, recordings survive the file and refuse what is damaged.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
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

/// Blocks are compared eight at a time; one by one gives the same, whatever stands in fields and between them.
TEST(BlockHistory, FindsWhatASlowComparisonFinds) {
    std::mt19937 random(5);
    const auto block = [&random] {
        BlockStatus made{static_cast<BlockState>(random() % 3), static_cast<std::uint16_t>(random() % 2),
            static_cast<std::uint32_t>(random() % 2 ? 1 : 0x80000001U),
            static_cast<std::uint32_t>(random() % 4 ? random() % 3'000 : random()), 0, random() % 2 == 1};
        made.group = static_cast<std::uint8_t>(random() % 2);
        return made;
    };
    std::vector<BlockStatus> before(83), after;
    BlockHistory history;
    for (int frame = 1; frame <= 400; ++frame) {
        after = before;
        for (BlockStatus& one : after)
            if (one.state != BlockState::free)
                one.last_used_ms += 50; // time passes
        for (int change = 0; change < 3; ++change)
            after[random() % after.size()] = block();
        for (std::size_t from = 0; from <= after.size(); ++from) {
            std::size_t slow = from;
            while (slow < after.size() && isSameUse(after[slow], before[slow]))
                ++slow;
            ASSERT_EQ(firstOtherUse(after.data(), before.data(), from, after.size()), slow);
        }
        const double time = 10 + frame * 0.05;
        history.add(time, after);
        const auto known = history.at(time);
        ASSERT_TRUE(known);
        for (std::size_t i = 0; i < after.size(); ++i) {
            ASSERT_TRUE(isSameUse(known->blocks[i], after[i])) << frame << ' ' << i;
            const bool isTold = after[i].state != BlockState::free && after[i].last_used_ms < time * 1000 - 1;
            ASSERT_NEAR(double(known->blocks[i].last_used_ms), isTold ? double(after[i].last_used_ms) : 0, 61)
                << frame << ' ' << i;
        }
        before = after;
    }
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
    broken("steps", [&](QJsonArray& rows) { setCell(rows, 3, 1, 0); }); // began before the one above
    broken("steps", [&](QJsonArray& rows) { setCell(rows, 49, 1, 8e15); }); // in 250 years
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
    EXPECT_FALSE(sessionFromJson(R"({"vitrine_session": 2, "steps": 7})")) << "what is no list was no step";
    EXPECT_FALSE(sessionFromJson(R"({"vitrine_session": 99})"));
    EXPECT_TRUE(sessionFromJson(R"({"vitrine_session": 1})")) << "nothing recorded is no damage";
}

/// Ten seconds of frames in which blocks change owners, or are used again without looking different.
SessionHistory longSession() {
    SessionHistory session = sampleSession();
    std::mt19937 random(3);
    auto snapshot = std::make_shared<Snapshot>(*session.last());
    snapshot->block_map.assign(40, {BlockState::active, 1, 7, 12});
    for (int frame = 0; frame < 600; ++frame) {
        auto next = std::make_shared<Snapshot>(*snapshot);
        next->engine_us += 17'300;
        for (BlockStatus& block : next->block_map)
            block.last_used_ms += 17;
        BlockStatus& block = next->block_map[random() % 40];
        block.last_used_ms = 0;
        if (frame % 3 == 0)
            block = {static_cast<BlockState>(random() % 3), static_cast<std::uint16_t>(random() % 3),
                static_cast<std::uint32_t>(random() % 5), 1};
        session.add(next);
        snapshot = next;
    }
    return session;
}

TEST(Session, TwiceThroughTheFileIsTheSameFile) {
    const SessionHistory session = longSession();
    const auto once = sessionFromJson(sessionToJson(session));
    ASSERT_TRUE(once) << once.error().message;
    const QByteArray first = sessionToJson(*once);
    const auto twice = sessionFromJson(first);
    ASSERT_TRUE(twice) << twice.error().message;
    EXPECT_EQ(first, sessionToJson(*twice));
    EXPECT_EQ(stepsToCsv(session.steps(), {}), stepsToCsv(twice->steps(), {}));
    EXPECT_EQ(stepsToTrace(session.steps(), {}), stepsToTrace(twice->steps(), {}));
}

TEST(Session, TellsWhenABlockWasLastUsedThoughItLooksTheSame) {
    const SessionHistory session = longSession();
    const auto back = sessionFromJson(sessionToJson(session));
    ASSERT_TRUE(back) << back.error().message;
    const double end = session.blocks().lastTime();
    const auto was = session.blocks().at(end), is = back->blocks().at(end);
    ASSERT_TRUE(was && is);
    ASSERT_TRUE(sameBlocks(was->blocks, is->blocks));
    for (std::size_t i = 0; i < was->blocks.size(); ++i) {
        if (was->blocks[i].state != BlockState::free) {
            EXPECT_NEAR(double(was->blocks[i].last_used_ms), double(is->blocks[i].last_used_ms), 130) << i;
        }
    }
}

/// Truncated anywhere, bytes changed, random bytes: a sentence or a session, never a crash or a wait.
TEST(Session, SurvivesHostileFiles) {
    const QByteArray good = sessionToJson(longSession());
    for (qsizetype length = 0; length < good.size(); length += std::max<qsizetype>(1, good.size() / 200)) {
        const auto result = sessionFromJson(good.left(length));
        ASSERT_FALSE(result);
        EXPECT_FALSE(result.error().message.empty());
        EXPECT_FALSE(result.error().remedy.empty());
    }
    std::mt19937 random(11);
    for (int i = 0; i < 200; ++i) {
        QByteArray bytes = good;
        for (int change = 0; change < 3; ++change)
            bytes[static_cast<qsizetype>(random() % static_cast<unsigned>(bytes.size()))] =
                "0123456789-e.,[]{}\""[random() % 19];
        const auto result = sessionFromJson(bytes);
        EXPECT_TRUE(result || !result.error().message.empty());
    }
    QByteArray noise(10'000, Qt::Uninitialized);
    for (char& c : noise)
        c = static_cast<char>(random());
    EXPECT_FALSE(sessionFromJson(noise));
}

TEST(Session, RefusesMoreThanARecordingHolds) {
    QByteArray frames, requests;
    for (int i = 0; i < 2'000; ++i)
        frames += "{\"time\":" + QByteArray::number(i + 1) + ",\"count\":4194304,\"changes\":[]},";
    for (int i = 0; i < 5'000; ++i)
        requests += "[" + QByteArray::number(i + 1) + ",1,0,1,0,1,0,1,0,0],";
    const auto read = [](const QByteArray& part, QByteArray rows) {
        rows.chop(1);
        return sessionFromJson("{\"vitrine_session\":2,\"" + part + "\":[" + rows + "]}");
    };
    EXPECT_NE(read("blocks", frames).error().message.find("more block states"), std::string::npos);
    EXPECT_NE(read("requests", requests).error().message.find("requests row 4097"), std::string::npos);
}

TEST(Session, ExportsEveryStepOrThoseOfARange) {
    const SessionHistory session = sampleSession();
    EXPECT_EQ(stepsToCsv(session.steps(), {}).count('\n'), 51); // with the head
    EXPECT_EQ(stepsToCsv(session.steps(), std::pair(0.1, 0.2)).count('\n'), 11);
    EXPECT_EQ(QJsonDocument::fromJson(stepsToJson(session.steps(), {})).array().size(), 50);
    const QLocale before;
    QLocale::setDefault(QLocale(QLocale::German));
    const QByteArray german = stepsToCsv(session.steps(), {});
    QLocale::setDefault(before);
    EXPECT_EQ(german, stepsToCsv(session.steps(), {}));
    EXPECT_TRUE(german.startsWith("step,start_us,schedule_us,forward_us,sample_us,commit_us,prefill_tokens,"));
    EXPECT_TRUE(german.contains(",draft_us,accepted_1,")) << "new columns stand at the end";
    const QJsonObject trace = QJsonDocument::fromJson(stepsToTrace(session.steps(), {})).object();
    EXPECT_GT(trace.value(QStringLiteral("traceEvents")).toArray().size(), 50 * 5);
}

} // namespace
} // namespace vitrine::ui
