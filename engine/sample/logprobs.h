// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/sample: sampled tokens' log probabilities as clients get them.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/api/event.h"
#include "kernels/api/sampling.h"

namespace vitrine::engine {

/// bytes_of: the display bytes of a token.  Keeps at most `num_top` alternatives.
[[nodiscard]] TokenLogprobs make_logprobs(const kernels::SampledToken& sampled, int num_top, bool from_draft,
    const std::function<std::string(TokenId)>& bytes_of);

/// Logprobs of tokens that were given, from logits of the rows before them: row i judges tokens[i].
/// logits: [tokens.size(), vocab_size] f32.  Sums in double; NaN counts as -inf.
[[nodiscard]] std::vector<kernels::SampledToken> score_tokens(
    std::span<const float> logits, int vocab_size, std::span<const TokenId> tokens, int num_top);

} // namespace vitrine::engine
