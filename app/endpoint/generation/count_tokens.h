// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: how many tokens a planned request would send to the model.
#pragma once

#include <tl/expected.hpp>

#include "app/endpoint/openai/completion_plan.h"

namespace vitrine::app {

[[nodiscard]] tl::expected<std::size_t, ApiError> count_prompt_tokens(
    const CompletionPlan& plan, const engine::TextModel& text);

} // namespace vitrine::app
