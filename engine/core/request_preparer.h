// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: renders, encodes and checks one request.
#pragma once

#include <memory>

#include "engine/core/loaded_text.h"
#include "engine/core/prepared_request.h"

namespace vitrine::engine {

/// What the running model allows.  Immutable.
struct PrepareLimits {
    int context = 0;
    int max_seqs = 0;
};

/// Pure.  Thread: prepare.  Refusals: template_error, context_length (both numbers set), invalid_argument naming the
/// field, unsupported.
[[nodiscard]] tl::expected<PreparedRequest, RequestRefusal> prepare_request(
    const Request& request, const LoadedText& text, const PrepareLimits& limits);

} // namespace vitrine::engine
