// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/sample: rounds of a beam search.
#include "engine/sample/beam_search.h"

#include <algorithm>
#include <cmath>

#include "engine/base/check.h"

namespace vitrine::engine {
namespace {

struct Candidate {
    std::size_t parent = 0;
    kernels::TokenLogprob token;
    double sum = 0;
};

std::vector<Candidate> ranked(
    std::span<const Beam> live, std::span<const std::vector<kernels::TokenLogprob>> next, std::size_t count) {
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < live.size(); ++i) {
        for (const kernels::TokenLogprob& token : next[i]) {
            const double sum = live[i].sum_logprob + static_cast<double>(token.logprob);
            if (std::isfinite(sum))
                candidates.push_back({i, token, sum});
        }
    }
    // Candidates stand by beam and then by probability, so a stable sort leaves ties to the earlier beam, lower id.
    std::ranges::stable_sort(candidates, [](const Candidate& a, const Candidate& b) { return a.sum > b.sum; });
    candidates.resize(std::min(candidates.size(), count));
    return candidates;
}

} // namespace

BeamSearch::BeamSearch(const BeamOptions& options) : options_(options), live_(1) {
    VT_CHECK(options.width >= 1 && options.max_tokens >= 1);
}

double BeamSearch::score_of(const Beam& beam) const {
    const auto length = static_cast<double>(std::max<std::size_t>(beam.tokens.size(), 1));
    return beam.sum_logprob / std::pow(length, options_.length_penalty);
}

bool BeamSearch::done() const noexcept {
    if (live_.empty())
        return true;
    if (static_cast<int>(ended_.size()) < options_.width)
        return false;
    const auto beats = [&](const Beam& beam) { return score_of(beam) > ended_.back().score; };
    return std::ranges::none_of(live_, beats);
}

void BeamSearch::advance(
    std::span<const std::vector<kernels::TokenLogprob>> next, const std::function<bool(const Beam&)>& ends) {
    VT_CHECK(next.size() == live_.size());
    const auto width = static_cast<std::size_t>(options_.width);
    std::vector<Beam> grown;
    std::size_t rank = 0;
    for (const Candidate& candidate : ranked(live_, next, 2 * width)) {
        Beam beam = live_[candidate.parent];
        beam.tokens.push_back({candidate.token.token, candidate.token.logprob, next[candidate.parent]});
        beam.sum_logprob = candidate.sum;
        const bool first_ones = rank++ < width;
        const bool at_limit = static_cast<int>(beam.tokens.size()) >= options_.max_tokens;
        if (ends(beam)) {
            if (first_ones)
                end(std::move(beam));
        } else if (at_limit) {
            end(std::move(beam));
        } else if (grown.size() < width) {
            grown.push_back(std::move(beam));
        }
    }
    live_ = std::move(grown);
}

void BeamSearch::end(Beam beam) {
    beam.score = score_of(beam);
    const auto better = [&](const Beam& other) { return other.score >= beam.score; };
    ended_.insert(std::ranges::find_if_not(ended_, better), std::move(beam));
    if (static_cast<int>(ended_.size()) > options_.width)
        ended_.pop_back();
}

std::vector<Beam> BeamSearch::best(int count) const {
    std::vector<Beam> beams = ended_;
    std::vector<Beam> rest = live_;
    for (Beam& beam : rest)
        beam.score = score_of(beam);
    std::ranges::stable_sort(rest, [](const Beam& a, const Beam& b) { return a.score > b.score; });
    beams.insert(beams.end(), rest.begin(), rest.end());
    beams.resize(std::min(beams.size(), static_cast<std::size_t>(std::max(count, 0))));
    return beams;
}

} // namespace vitrine::engine
