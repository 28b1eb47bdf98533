// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: beam search against an exhaustive search, and its corner cases.
#include "engine/sample/beam_search.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>

namespace vitrine::engine {
namespace {

constexpr int kVocab = 4;
constexpr TokenId kEnd = 3;

/// Log probabilities after a text: they depend on its last token and length, so that greedy is often not the best.
std::vector<kernels::TokenLogprob> next_of(const Beam& beam, int count, int model) {
    const TokenId last = beam.tokens.empty() ? 0 : beam.tokens.back().token;
    std::vector<kernels::TokenLogprob> next;
    double total = 0;
    for (int i = 0; i < kVocab; ++i)
        total += std::exp(1.5 * std::sin(model + 2.1 * last + 1.3 * i));
    for (int i = 0; i < kVocab; ++i)
        next.push_back({i, static_cast<float>(1.5 * std::sin(model + 2.1 * last + 1.3 * i) - std::log(total))});
    std::ranges::stable_sort(next, [](const auto& a, const auto& b) { return a.logprob > b.logprob; });
    next.resize(static_cast<std::size_t>(std::min(count, kVocab)));
    return next;
}

bool at_end(const Beam& beam) {
    return beam.tokens.back().token == kEnd;
}

std::vector<TokenId> ids(const Beam& beam) {
    std::vector<TokenId> result;
    for (const auto& token : beam.tokens)
        result.push_back(token.token);
    return result;
}

std::vector<Beam> run(const BeamOptions& options, int model, int count) {
    BeamSearch search(options);
    while (!search.done()) {
        std::vector<std::vector<kernels::TokenLogprob>> next;
        for (const Beam& beam : search.live())
            next.push_back(next_of(beam, 2 * options.width, model));
        search.advance(next, at_end);
    }
    return search.best(count);
}

/// Every text that ends or reaches the limit, best score first.
std::vector<std::pair<double, std::vector<TokenId>>> all_texts(const BeamOptions& options, int model) {
    std::vector<std::pair<double, std::vector<TokenId>>> texts;
    std::vector<Beam> open{{}};
    while (!open.empty()) {
        const Beam beam = open.back();
        open.pop_back();
        for (const auto& token : next_of(beam, kVocab, model)) {
            Beam longer = beam;
            longer.tokens.push_back({token.token, token.logprob, {}});
            longer.sum_logprob += static_cast<double>(token.logprob);
            const auto length = static_cast<double>(longer.tokens.size());
            if (at_end(longer) || longer.tokens.size() == static_cast<std::size_t>(options.max_tokens))
                texts.emplace_back(longer.sum_logprob / std::pow(length, options.length_penalty), ids(longer));
            else
                open.push_back(longer);
        }
    }
    std::ranges::sort(texts, std::greater<>());
    return texts;
}

TEST(BeamSearch, WideEnoughItFindsTheBestText) {
    for (int model = 0; model < 12; ++model) {
        // Scores are sums here, so nothing live can overtake and the search is exact.
        const BeamOptions options{.width = 256, .length_penalty = 0, .max_tokens = 4};
        const auto expected = all_texts(options, model);
        const auto found = run(options, model, 3);
        ASSERT_EQ(found.size(), 3U);
        for (std::size_t i = 0; i < found.size(); ++i)
            EXPECT_EQ(ids(found[i]), expected[i].second) << "model " << model << " rank " << i;
        EXPECT_NEAR(found[0].score, expected[0].first, 1e-6);
    }
}

TEST(BeamSearch, WidthOneIsGreedy) {
    for (int model = 0; model < 12; ++model) {
        for (const double penalty : {0.0, 1.0, 2.0}) {
            Beam greedy;
            while (greedy.tokens.size() < 6 && (greedy.tokens.empty() || !at_end(greedy)))
                greedy.tokens.push_back({next_of(greedy, 1, model).front().token, 0, {}});
            const auto found = run({.width = 1, .length_penalty = penalty, .max_tokens = 6}, model, 1);
            ASSERT_EQ(found.size(), 1U);
            EXPECT_EQ(ids(found[0]), ids(greedy)) << "model " << model;
        }
    }
}

TEST(BeamSearch, WiderIsNeverWorseHere) {
    for (int model = 0; model < 12; ++model) {
        double before = -1e9;
        for (const int width : {1, 4, 64}) {
            const auto found = run({.width = width, .length_penalty = 0, .max_tokens = 5}, model, 1);
            EXPECT_GE(found[0].score, before - 1e-9);
            before = found[0].score;
        }
    }
}

TEST(BeamSearch, WithoutACandidateItIsOver) {
    BeamSearch search({.width = 2, .length_penalty = 1, .max_tokens = 4});
    const std::vector<std::vector<kernels::TokenLogprob>> none(1);
    search.advance(none, at_end);
    EXPECT_TRUE(search.done());
    EXPECT_TRUE(search.best(2).empty());
}

} // namespace
} // namespace vitrine::engine
