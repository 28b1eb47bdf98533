// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: rewrites a request's messages into the shape that a template takes.
#pragma once

#include "engine/chat/template_probe.h"

#include <string_view>

namespace vitrine::engine {

/// Adapts and renders; tries the other argument shape, then a folded system message, when the template raises.
[[nodiscard]] Result<AdaptedText> render_adapted(
    const ChatTemplate& compiled, const TemplateTraits& traits, const RenderInput& input);

/// Does this prompt end inside reasoning?
[[nodiscard]] bool reasoning_is_open(std::string_view prompt, const ReasoningTags& tags);

} // namespace vitrine::engine
