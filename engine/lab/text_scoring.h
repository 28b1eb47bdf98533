// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/lab: negative log-likelihood of a text in consecutive windows.
#pragma once

#include <string_view>
#include <vector>

#include "engine/lab/direct_model.h"

namespace vitrine::engine {

/// log of the sum of exp, in double.  logits: not empty.
[[nodiscard]] double log_sum_exp(std::span<const float> logits);

/// Windows of `window` ids, whole ones only.  With a model that adds BOS the first id of each window becomes BOS.
/// Error invalid_argument: the text is shorter than one window.
[[nodiscard]] Result<std::vector<std::vector<TokenId>>> cut_windows(
    const LoadedText& text, std::string_view source, int window, int max_windows);

/// Sums over positions, in double.
struct WindowScore {
    double nll_sum = 0;
    int num_scored = 0; // window - 1: the first id has no prediction
    [[nodiscard]] double mean_nll() const noexcept { return num_scored > 0 ? nll_sum / num_scored : 0; }
};
[[nodiscard]] Result<WindowScore> score_window(DirectModel& model, const std::vector<TokenId>& ids);

struct WindowDivergence {
    double kl_sum = 0; // KL(reference || model), nats
    int same_top = 0; // positions with the same most likely token
    int num_positions = 0;
};
[[nodiscard]] Result<WindowDivergence> compare_window(
    DirectModel& model, DirectModel& reference, const std::vector<TokenId>& ids);

} // namespace vitrine::engine
