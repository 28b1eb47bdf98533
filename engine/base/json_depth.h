// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/base: how deep a JSON text nests, known before anything is built of it.
#pragma once

#include <string_view>

namespace vitrine::engine {

/// More than any file of a model needs.  Copying a JSON value recurses, so a deeper one could end the process.
inline constexpr int kMaxFileJsonDepth = 64;

/// Whether objects and lists nest at most kMaxFileJsonDepth deep.  One pass; says nothing of whether the text is JSON.
[[nodiscard]] bool json_depth_is_bounded(std::string_view text) noexcept;

} // namespace vitrine::engine
