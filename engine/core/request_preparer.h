// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: renders, encodes and checks one request.
#pragma once

#include <functional>
#include <memory>

#include "engine/core/grammar_store.h"
#include "engine/core/loaded_text.h"
#include "engine/core/prepared_request.h"

namespace vitrine::engine {

/// What the running model allows.  Immutable.
struct PrepareLimits {
    int context = 0;
    int max_seqs = 0;
    std::size_t num_adapters = 0;
    bool gives_text = true; // false: the model embeds only
};

/// What else a preparation may use.
struct PrepareServices {
    GrammarStore& grammars;
    std::function<bool()> cancelled; // asked while a grammar is compiled
};

/// Thread: prepare.  Refusals: template_error, context_length (both numbers set), invalid_argument naming the field,
/// invalid_schema with its param, unsupported, cancelled.
[[nodiscard]] tl::expected<PreparedRequest, RequestRefusal> prepare_request(
    const Request& request, const LoadedText& text, const PrepareLimits& limits, const PrepareServices& services);

} // namespace vitrine::engine
