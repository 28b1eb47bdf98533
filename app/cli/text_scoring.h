// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: negative log-likelihood of a text in consecutive windows.
#pragma once

#include <string_view>
#include <vector>

#include "app/cli/direct_model.h"

namespace vitrine::app {

/// log of the sum of exp, in double.  logits: not empty.
[[nodiscard]] double log_sum_exp(std::span<const float> logits);

/// Windows of `window` ids, whole ones only.  With a model that adds BOS the first id of each window becomes BOS.
/// Error invalid_argument: the text is shorter than one window.
[[nodiscard]] Result<std::vector<std::vector<engine::TokenId>>> cut_windows(
    const engine::LoadedText& text, std::string_view source, int window, int max_windows);

/// Sums over positions, in double.
struct WindowScore {
    double nll_sum = 0;
    int num_scored = 0; // window - 1: the first id has no prediction
    [[nodiscard]] double mean_nll() const noexcept { return num_scored > 0 ? nll_sum / num_scored : 0; }
};
[[nodiscard]] Result<WindowScore> score_window(DirectModel& model, const std::vector<engine::TokenId>& ids);

struct Divergence {
    double kl_sum = 0; // KL(reference || model), nats
    int same_top = 0; // positions with the same most likely token
    int num_positions = 0;
};
[[nodiscard]] Result<Divergence> compare_window(
    DirectModel& model, DirectModel& reference, const std::vector<engine::TokenId>& ids);

} // namespace vitrine::app
