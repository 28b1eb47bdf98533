// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/api: why tokens of a prompt were not taken from the prefix cache, as values; whoever shows them words
// them.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace vitrine::engine {

/// Why a token was not taken from the cache; each has exactly one reason (engine.md 3.4).
enum class MissReason : std::uint8_t { diverged, evicted, context, cold, last_block, partial, disabled };
inline constexpr int kNumMissReasons = 7;
[[nodiscard]] constexpr std::string_view miss_reason_name(MissReason reason) {
    constexpr std::string_view kNames[] = {
        "diverged", "evicted", "context", "cold", "last_block", "partial", "disabled"};
    return kNames[static_cast<int>(reason)];
}

/// The reason that most tokens of one look-up share.
struct PrefixMiss {
    MissReason reason = MissReason::cold;
    int missed_tokens = 0; // for that reason
    int prompt_tokens = 0;
    int position = 0; // with diverged: of the first token that differs
    std::string expected, got; // with diverged: texts of that token, on one line, quoted; "id 7" without a text
    std::chrono::microseconds evicted_ago{0}; // with evicted
    std::string context_field; // with context: "salt", "LoRA"
};

} // namespace vitrine::engine
