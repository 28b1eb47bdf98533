// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/endpoint/generation/count_tokens.h"

namespace vitrine::app {

tl::expected<std::size_t, ApiError> count_prompt_tokens(const CompletionPlan& plan, const engine::TextModel& text) {
    const auto* prompt = std::get_if<engine::ChatPrompt>(&plan.requests.front().prompt);
    if (prompt == nullptr)
        return tl::unexpected(unsupported("messages", "Only chats are counted here; use /tokenize for text."));
    const auto rendered = text.render(*prompt);
    if (!rendered)
        return tl::unexpected(from_engine_error(rendered.error()));
    return rendered->ids.size();
}

} // namespace vitrine::app
