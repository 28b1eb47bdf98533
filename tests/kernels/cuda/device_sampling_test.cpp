// SPDX-License-Identifier: GPL-3.0-or-later
// The sampler on the GPU against the reference: the same logits, settings and seeds must give the same tokens.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "kernels/ref/ref_sampling.h"
#include "tests/kernels/cuda/plugin_loader.h"
#include "tests/kernels/cuda/sampling_rig.h"

namespace vitrine::testing {
namespace {

using namespace kernels;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr int kMaxLogitRows = 64;
constexpr int kSteps = 60; // of one vocabulary

/// What the spans of a SamplingSequence show.
struct Setting {
    SamplingSequence sequence;
    std::vector<std::int32_t> drafts, recent;
    std::vector<float> draft_probs;
    std::vector<TokenCount> counts;
    std::vector<TokenBias> biases;
    std::vector<std::uint32_t> allowed;

    [[nodiscard]] SamplingSequence view() const {
        SamplingSequence result = sequence;
        result.drafts = drafts;
        result.recent = recent;
        result.draft_probs = draft_probs;
        result.counts = counts;
        result.biases = biases;
        result.allowed = allowed;
        return result;
    }
};

class Cases {
public:
    Cases(std::int64_t vocab, unsigned seed) : vocab_(vocab), random_(seed) {}

    /// Steep and flat rows, rows of ties, rows with values that are no logits.
    std::vector<float> table() {
        std::vector<float> rows;
        for (const float spread : {4.0F, 2.5F, 1.0F, 0.05F})
            for (int i = 0; i < 6; ++i)
                add_row(rows, spread, [](float value) { return value; });
        for (int i = 0; i < 4; ++i)
            add_row(rows, 3, [](float value) { return std::round(value * 2) / 2; });
        add_row(rows, 1, [](float) { return 1.5F; });
        add_row(rows, 3, [this](float value) { return one_in(3) ? std::nanf("") : value; });
        add_row(rows, 3, [this](float value) { return one_in(2000) ? kInf : value; });
        add_row(rows, 3, [this](float value) { return one_in(2) ? -kInf : value; });
        add_row(rows, 1, [](float) { return -kInf; });
        add_row(rows, 1, [](float) { return std::nanf(""); });
        return rows;
    }
    template <class T>
    T any_of(std::initializer_list<T> values) {
        return *(values.begin() + random_() % values.size());
    }
    bool one_in(unsigned n) { return random_() % n == 0; }
    std::int32_t token() { return static_cast<std::int32_t>(random_() % static_cast<unsigned>(vocab_)); }
    /// An id near the top of a row, as penalties and drafts meet them.
    std::int32_t likely_token(std::span<const float> row) {
        const std::int32_t best = sample_sequence(row, vocab_, {.temperature = 0}).tokens[0].token;
        if (one_in(3) && best >= 0)
            return best;
        SamplingSequence draw{.temperature = 1, .seed = random_()};
        const std::int32_t drawn = sample_sequence(row, vocab_, draw).tokens[0].token;
        return drawn >= 0 ? drawn : token();
    }

    Setting setting(std::span<const float> rows, int num_drafts) {
        Setting s;
        SamplingSequence& q = s.sequence;
        q.temperature = any_of({0.0F, 0.2F, 0.7F, 1.0F, 1.0F, 1.5F, 5.0F});
        q.min_p = any_of({0.0F, 0.0F, 0.05F, 0.3F, 1.0F, 1.5F});
        q.top_k = any_of({0, 0, 1, 5, 40, 1000, static_cast<std::int32_t>(vocab_) - 1});
        q.top_p = any_of({1.0F, 1.0F, 0.95F, 0.5F, 0.1F, 0.0F, 0.9999F});
        q.typical_p = any_of({1.0F, 1.0F, 1.0F, 0.9F, 0.2F});
        q.seed = random_() * 0x100000001ULL + random_();
        q.choice = static_cast<std::uint32_t>(random_() % 3);
        q.position = static_cast<std::uint32_t>(random_() % 5000);
        q.num_logprobs = any_of({-1, -1, 0, 5, 20, 200});
        if (one_in(2))
            add_penalties(s, rows);
        if (one_in(3))
            add_biases(s, rows);
        for (int i = 0; i < num_drafts; ++i)
            s.drafts.push_back(likely_token(rows.subspan(static_cast<std::size_t>(i * vocab_), width())));
        if (num_drafts > 0 && one_in(2))
            add_draft_probs(s, rows);
        if (one_in(3))
            add_masks(s, num_drafts);
        return s;
    }

private:
    [[nodiscard]] std::size_t width() const { return static_cast<std::size_t>(vocab_); }
    template <class Map>
    void add_row(std::vector<float>& rows, float spread, Map map) {
        std::normal_distribution<float> normal(0, spread);
        for (std::int64_t i = 0; i < vocab_; ++i)
            rows.push_back(map(normal(random_)));
    }
    void add_penalties(Setting& s, std::span<const float> rows) {
        s.sequence.repetition_penalty = any_of({1.0F, 1.1F, 1.3F});
        s.sequence.frequency_penalty = any_of({0.0F, 0.3F});
        s.sequence.presence_penalty = any_of({0.0F, 0.7F});
        s.sequence.repeat_last_n = any_of({-1, 4});
        for (int i = 0; i < 30; ++i) {
            const std::int32_t id = likely_token(rows.first(width()));
            if (std::none_of(s.counts.begin(), s.counts.end(), [id](const TokenCount& c) { return c.token == id; }))
                s.counts.push_back({id, static_cast<std::int32_t>(random_() % 3), one_in(2)});
        }
        for (int i = 0; i < 4 && !s.counts.empty(); ++i)
            s.recent.push_back(s.counts[random_() % s.counts.size()].token);
    }
    void add_biases(Setting& s, std::span<const float> rows) {
        for (int i = 0; i < 12; ++i)
            s.biases.push_back(
                {one_in(2) ? likely_token(rows.first(width())) : token(), any_of({-100.0F, -1.0F, 0.5F, 3.0F, 8.0F})});
        for (int i = 0, count = one_in(3) ? 3 : 0; i < count; ++i)
            s.biases.push_back({token(), 100});
    }
    void add_masks(Setting& s, int num_drafts) {
        const std::size_t words = (width() + 31) / 32;
        const bool nothing = one_in(10);
        for (std::size_t i = 0; i < words * static_cast<std::size_t>(num_drafts + 1); ++i)
            s.allowed.push_back(nothing ? 0 : static_cast<std::uint32_t>(random_()));
        for (std::size_t i = 0; i < s.drafts.size() && !nothing && s.drafts[i] >= 0; ++i) {
            const auto id = static_cast<std::size_t>(s.drafts[i]);
            s.allowed[i * words + id / 32] |= one_in(4) ? 0 : 1U << (id % 32);
        }
    }
    void add_draft_probs(Setting& s, std::span<const float> rows) {
        s.draft_probs.resize(s.drafts.size() * width());
        SamplingScratch scratch;
        for (std::size_t i = 0; i < s.drafts.size(); ++i) {
            std::vector<float> logits(rows.begin() + static_cast<std::ptrdiff_t>(i * width()),
                rows.begin() + static_cast<std::ptrdiff_t>((i + 1) * width()));
            for (std::size_t id = 0; id < width(); id += 3)
                logits[id] *= 0.7F;
            SamplingSequence plain{.temperature = 1.2F, .top_k = 200, .seed = random_()};
            s.drafts[i] =
                draft_token(logits, plain, 0, scratch, std::span(s.draft_probs).subspan(i * width(), width()));
        }
    }

    std::int64_t vocab_;
    std::mt19937 random_;
};

void expect_near(float device, float host, const std::string& where) {
    if (std::isinf(host)) {
        EXPECT_EQ(device, host) << where;
    } else {
        EXPECT_NEAR(device, host, 2e-6 * (1 + std::abs(static_cast<double>(host)))) << where;
    }
}

void expect_equal(const SamplingOutcome& device, const SamplingOutcome& host, const std::string& where) {
    ASSERT_EQ(device.num_accepted, host.num_accepted) << where;
    ASSERT_EQ(device.tokens.size(), host.tokens.size()) << where;
    for (std::size_t i = 0; i < host.tokens.size(); ++i) {
        const SampledToken& a = device.tokens[i];
        const SampledToken& b = host.tokens[i];
        ASSERT_EQ(a.token, b.token) << where << " token " << i;
        expect_near(a.logprob, b.logprob, where);
        ASSERT_EQ(a.top.size(), b.top.size()) << where;
        for (std::size_t k = 0; k < b.top.size(); ++k) {
            EXPECT_EQ(a.top[k].token, b.top[k].token) << where << " rank " << k;
            expect_near(a.top[k].logprob, b.top[k].logprob, where);
        }
    }
}

std::string describe(const SamplingSequence& q) {
    return "temperature " + std::to_string(q.temperature) + " min_p " + std::to_string(q.min_p) + " top_k " +
        std::to_string(q.top_k) + " top_p " + std::to_string(q.top_p) + " typical " + std::to_string(q.typical_p) +
        " drafts " + std::to_string(q.drafts.size()) + (q.draft_probs.empty() ? "" : " with q") + " biases " +
        std::to_string(q.biases.size()) + " counts " + std::to_string(q.counts.size()) +
        (q.allowed.empty() ? "" : " masked");
}

class DeviceSampling : public ::testing::TestWithParam<std::int64_t> {};

} // namespace

TEST_P(DeviceSampling, GivesTheTokensOfTheReference) {
    const PluginEntry* entry = load_cuda_plugin();
    ASSERT_NE(entry, nullptr) << "VITRINE_CUDA_PLUGIN names no plugin";
    if (!entry->probe())
        GTEST_SKIP() << "no usable GPU";
    const std::int64_t vocab = GetParam();
    const auto width = static_cast<std::size_t>(vocab);
    Cases cases(vocab, 17);
    const std::vector<float> table = cases.table();
    const auto num_table_rows = static_cast<std::int32_t>(table.size() / width);
    auto backend = entry->create(0);
    ASSERT_TRUE(backend) << backend.error().message;
    auto rig = SamplingRig::make(std::move(*backend), table, vocab, kMaxLogitRows);
    ASSERT_TRUE(rig) << rig.error().message;
    int num_drawn = 0;
    std::int32_t next_row = 0;
    for (int step = 0; step < kSteps; ++step) {
        std::vector<std::int32_t> rows;
        std::vector<Setting> settings;
        std::vector<std::vector<float>> logits;
        for (std::size_t i = 0, count = static_cast<std::size_t>(cases.any_of({1, 2, 7, 12})); i < count; ++i) {
            const int num_drafts = cases.any_of({0, 0, 1, 3});
            std::vector<float> own;
            const auto first = static_cast<std::int32_t>(rows.size());
            for (int draft = 0; draft <= num_drafts; ++draft) {
                rows.push_back(next_row++ % num_table_rows);
                const auto at = table.begin() + static_cast<std::ptrdiff_t>(rows.back()) * vocab;
                own.insert(own.end(), at, at + vocab);
            }
            settings.push_back(cases.setting(own, num_drafts));
            settings.back().sequence.logit_row = first;
            logits.push_back(std::move(own));
        }
        std::vector<SamplingSequence> sequences;
        for (const Setting& setting : settings)
            sequences.push_back(setting.view());
        const bool want_logits = step % 8 == 0;
        auto result = (*rig)->run(rows, sequences, want_logits);
        ASSERT_TRUE(result) << result.error().message;
        ASSERT_EQ(result->sampled.size(), sequences.size());
        for (std::size_t i = 0; i < sequences.size(); ++i) {
            expect_equal(result->sampled[i], sample_sequence(logits[i], vocab, sequences[i]),
                "step " + std::to_string(step) + " sequence " + std::to_string(i) + ": " + describe(sequences[i]));
            num_drawn += static_cast<int>(result->sampled[i].tokens.size());
        }
        ASSERT_EQ(result->logits.size(), want_logits ? rows.size() * width : 0);
        for (std::size_t i = 0; want_logits && i < rows.size(); ++i) {
            const float* raw = table.data() + static_cast<std::size_t>(rows[i]) * width;
            const float* given = result->logits.data() + i * width;
            const auto same = [](float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); };
            ASSERT_TRUE(std::equal(raw, raw + width, given, same))
                << "row " << i << " of step " << step << " was not put back";
        }
    }
    EXPECT_GT(num_drawn, kSteps);
    RecordProperty("tokens", num_drawn);
}

// Each row of the table says what follows its number; a chain that never waits must be the one that waits each time.
TEST(StepAhead, TokensOfTheStepBeforeNeedNoHost) {
    const PluginEntry* entry = load_cuda_plugin();
    ASSERT_NE(entry, nullptr) << "VITRINE_CUDA_PLUGIN names no plugin";
    if (!entry->probe())
        GTEST_SKIP() << "no usable GPU";
    constexpr std::int32_t kRows = 40;
    constexpr std::int32_t kWidth = 64;
    constexpr int kSequences = 9;
    constexpr std::uint32_t kChain = 12;
    std::mt19937 random(3);
    std::normal_distribution<float> normal(0, 1);
    std::vector<float> table(static_cast<std::size_t>(kRows * kWidth));
    for (std::size_t i = 0; i < table.size(); ++i)
        table[i] = i % kWidth < kRows ? normal(random) : -200.0F; // no token without a row
    for (const float temperature : {0.0F, 1.0F}) {
        auto backend = entry->create(0);
        ASSERT_TRUE(backend) << backend.error().message;
        auto rig = SamplingRig::make(std::move(*backend), table, kWidth, kMaxLogitRows);
        ASSERT_TRUE(rig) << rig.error().message;
        const auto sampling = [&](std::uint32_t position) {
            std::vector<SamplingSequence> sequences;
            for (std::int32_t i = 0; i < kSequences; ++i)
                sequences.push_back({.logit_row = i,
                    .temperature = temperature,
                    .seed = static_cast<std::uint64_t>(position * 31 + static_cast<std::uint32_t>(i)),
                    .position = position});
            return sequences;
        };
        // Entry i goes on from entry kSequences - 1 - i of the step before.
        std::vector<std::vector<std::int32_t>> expected;
        std::vector<std::int32_t> rows{0, 5, 11, 17, 20, 23, 31, 38, 39};
        for (std::uint32_t step = 0; step < kChain; ++step) {
            auto result = (*rig)->run(rows, sampling(step), false);
            ASSERT_TRUE(result) << result.error().message;
            expected.emplace_back();
            for (const SamplingOutcome& outcome : result->sampled)
                expected.back().push_back(outcome.tokens.at(0).token);
            rows.assign(expected.back().rbegin(), expected.back().rend());
        }
        std::vector<std::int32_t> behind;
        for (std::int32_t i = 0; i < kSequences; ++i)
            behind.push_back(-1 - (kSequences - 1 - i));
        auto ticket = (*rig)->submit({0, 5, 11, 17, 20, 23, 31, 38, 39}, sampling(0), false);
        ASSERT_TRUE(ticket) << ticket.error().message;
        for (std::uint32_t step = 0; step < kChain; ++step) {
            ASSERT_TRUE((*rig)->executable().keeps_tokens());
            Result<Ticket> next = Ticket{};
            if (step + 1 < kChain)
                next = (*rig)->submit(behind, sampling(step + 1), false);
            ASSERT_TRUE(next) << next.error().message;
            auto result = (*rig)->executable().wait(*ticket);
            ASSERT_TRUE(result) << result.error().message;
            for (std::size_t i = 0; i < kSequences; ++i)
                EXPECT_EQ(result->sampled[i].tokens.at(0).token, expected[step][i])
                    << "temperature " << temperature << " step " << step << " entry " << i;
            ticket = next;
        }
        EXPECT_FALSE((*rig)->submit({-1 - kSequences}, {}, false)) << "no such entry";
    }
}

// 257: fewer than threads.  32003: rows are not aligned.  128256: a real vocabulary.
INSTANTIATE_TEST_SUITE_P(Vocabularies, DeviceSampling, ::testing::Values(257, 32003, 128256));

} // namespace vitrine::testing
