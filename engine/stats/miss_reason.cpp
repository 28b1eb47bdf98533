// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/stats: the largest reason for a miss in words.
#include "engine/stats/miss_reason.h"

#include <algorithm>
#include <fmt/core.h>

#include "engine/base/format.h"
#include "engine/base/utf8.h"

namespace vitrine::engine {
namespace {

/// On one line and valid UTF-8; a token without text by its number.
std::string quoted(TokenId token, const std::function<std::string(TokenId)>& token_text) {
    const std::string text = token_text(token);
    if (text.empty())
        return fmt::format("id {}", token);
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '\n')
            out += "\\n";
        else if (byte < 0x20 || byte == 0x7F || (byte >= 0x80 && !is_valid_utf8(text)))
            out += fmt::format("\\x{:02x}", byte);
        else
            out += c;
    }
    return out + "\"";
}

} // namespace

std::optional<PrefixMiss> largest_miss(
    const PrefixMatch& match, TimePoint now, const std::function<std::string(TokenId)>& token_text) {
    const auto largest = std::ranges::max_element(match.missed);
    if (*largest == 0)
        return std::nullopt;
    PrefixMiss miss;
    miss.reason = static_cast<MissReason>(largest - match.missed.begin());
    miss.missed_tokens = *largest;
    miss.prompt_tokens = match.num_tokens;
    if (miss.reason == MissReason::diverged) {
        const Divergence divergence = match.divergence.value_or(Divergence{});
        miss.position = divergence.position;
        miss.expected = quoted(divergence.expected, token_text);
        miss.got = quoted(divergence.got, token_text);
    }
    if (miss.reason == MissReason::evicted)
        miss.evicted_ago = std::chrono::duration_cast<std::chrono::microseconds>(now - match.evicted_at.value_or(now));
    if (miss.reason == MissReason::context)
        miss.context_field = match.context_field;
    return miss;
}

std::string miss_sentence(const PrefixMiss& miss) {
    const std::string head =
        fmt::format("{} of {} tokens were not in the cache: ", miss.missed_tokens, miss.prompt_tokens);
    switch (miss.reason) {
    case MissReason::diverged:
        return head +
            fmt::format("the text differs from the cached one at token {}: {} was expected, {} came", miss.position,
                miss.expected, miss.got);
    case MissReason::evicted:
        return head +
            fmt::format("their blocks were given to other requests {} ago", format_duration(miss.evicted_ago));
    case MissReason::context:
        return head + fmt::format("they are cached under another {}", miss.context_field);
    case MissReason::cold:
        return head + "they were never computed before";
    case MissReason::last_block:
        return head + "the last block is computed again, since its logits are needed";
    case MissReason::partial:
        return head + "the end of the prompt does not fill a block";
    case MissReason::disabled:
        break;
    }
    return head + "the look-up is off for this request";
}

} // namespace vitrine::engine
