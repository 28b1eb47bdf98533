// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/lab: text scoring.
#include "engine/lab/text_scoring.h"

#include <algorithm>
#include <cmath>

#include "kernels/api/sentence.h"

namespace vitrine::engine {

double log_sum_exp(std::span<const float> logits) {
    const double highest = *std::max_element(logits.begin(), logits.end());
    double sum = 0;
    for (const float logit : logits)
        sum += std::exp(static_cast<double>(logit) - highest);
    return highest + std::log(sum);
}

Result<std::vector<std::vector<TokenId>>> cut_windows(
    const LoadedText& text, std::string_view source, int window, int max_windows) {
    auto ids = text.tokenize(source, true, false);
    if (!ids)
        return tl::unexpected(ids.error());
    std::vector<std::vector<TokenId>> windows;
    for (auto begin = ids->begin(); ids->end() - begin >= window; begin += window) {
        if (max_windows > 0 && static_cast<int>(windows.size()) == max_windows)
            break;
        windows.emplace_back(begin, begin + window);
        if (text.tokenizer()->adds_bos() && text.tokenizer()->bos_id())
            windows.back().front() = *text.tokenizer()->bos_id();
    }
    if (windows.empty())
        return fail(ErrorCode::invalid_argument, say(Sentence::text_too_short, ids->size(), window),
            say(Sentence::give_longer_text));
    return windows;
}

Result<WindowScore> score_window(DirectModel& model, const std::vector<TokenId>& ids) {
    WindowScore score;
    VT_TRY(model.feed(0, 0, ids, [&](int position, std::span<const float> logits) {
        const auto next = static_cast<std::size_t>(position) + 1;
        if (next >= ids.size())
            return;
        score.nll_sum += log_sum_exp(logits) - static_cast<double>(logits[static_cast<std::size_t>(ids[next])]);
        ++score.num_scored;
    }));
    return score;
}

Result<WindowDivergence> compare_window(DirectModel& model, DirectModel& reference, const std::vector<TokenId>& ids) {
    const auto vocab = static_cast<std::size_t>(model.vocab_size());
    std::vector<float> expected(ids.size() * vocab);
    VT_TRY(reference.feed(0, 0, ids, [&](int position, std::span<const float> logits) {
        std::copy(logits.begin(), logits.end(), expected.begin() + position * static_cast<std::ptrdiff_t>(vocab));
    }));
    WindowDivergence result;
    VT_TRY(model.feed(0, 0, ids, [&](int position, std::span<const float> logits) {
        const auto p = std::span<const float>(expected).subspan(static_cast<std::size_t>(position) * vocab, vocab);
        const double p_norm = log_sum_exp(p), q_norm = log_sum_exp(logits);
        for (std::size_t i = 0; i < vocab; ++i) {
            const double log_p = static_cast<double>(p[i]) - p_norm;
            result.kl_sum += std::exp(log_p) * (log_p - (static_cast<double>(logits[i]) - q_norm));
        }
        const auto top_p = std::max_element(p.begin(), p.end()) - p.begin();
        const auto top_q = std::max_element(logits.begin(), logits.end()) - logits.begin();
        result.same_top += top_p == top_q ? 1 : 0;
        ++result.num_positions;
    }));
    return result;
}

} // namespace vitrine::engine
