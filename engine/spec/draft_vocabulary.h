// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/spec: may one model draft for another?
#pragma once

#include <string>

#include "engine/base/result.h"
#include "engine/gguf/file.h"

namespace vitrine::engine {

/// Every real token must have the same text and kind in both files; sizes may differ by padding (unused tokens at the
/// end).  Files without a vocabulary (synth) must agree in its size.  `invalid_argument` names the first id that differs
/// and both texts.
[[nodiscard]] Result<void> check_draft_vocabulary(
    const gguf::File& target, int target_size, const gguf::File& draft, int draft_size);

} // namespace vitrine::engine
