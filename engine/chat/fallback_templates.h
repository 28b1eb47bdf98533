// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: templates for files that carry none, picked by a person.
#pragma once

#include <span>
#include <string_view>

namespace vitrine::engine {

/// One preset: the text of resources/templates/<name>.jinja.
struct FallbackTemplate {
    std::string_view name; // "chatml"
    std::string_view description; // which models use it
    std::string_view source;
};

/// All presets, most common first.  Static storage.
[[nodiscard]] std::span<const FallbackTemplate> fallback_templates();
/// nullptr: no preset of that name.
[[nodiscard]] const FallbackTemplate* find_fallback_template(std::string_view name);

} // namespace vitrine::engine
