// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: finds special tokens in raw text.
#include "engine/text/special_tokens.h"

#include <algorithm>
#include <optional>

namespace vitrine::engine {
namespace {

bool is_space(char c) noexcept {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

} // namespace

SpecialTokens::SpecialTokens(const Vocab& vocab) : rules_(static_cast<std::size_t>(vocab.size())) {
    for (TokenId id = 0; id < vocab.size(); ++id) {
        const TokenKind kind = vocab.kind(id);
        const bool user_defined = kind == TokenKind::user_defined;
        if (vocab.text(id).empty() || (!user_defined && kind != TokenKind::control && kind != TokenKind::unknown))
            continue;
        trie_.add(vocab.text(id), id);
        rules_[static_cast<std::size_t>(id)].user_defined = user_defined;
    }
    trie_.build();
    add_space_rules(vocab);
}

/// Which tokens swallow spaces is not in the file; these models' originals say so, and llama.cpp goes by name as well.
void SpecialTokens::add_space_rules(const Vocab& vocab) {
    const auto rule_of = [&](std::string_view text) -> Rule* {
        const std::optional<TokenId> id = vocab.find(text);
        return id ? &rules_[static_cast<std::size_t>(*id)] : nullptr;
    };
    const bool phi3 =
        vocab.lower_name.find("phi-3") != std::string::npos || vocab.lower_name.find("phi3") != std::string::npos;
    if (phi3) {
        for (TokenId id = 0; id < vocab.size(); ++id) {
            const TokenKind kind = vocab.kind(id);
            rules_[static_cast<std::size_t>(id)].swallow_after =
                kind == TokenKind::control || kind == TokenKind::unknown || kind == TokenKind::user_defined;
        }
        for (const std::string_view text : {"<unk>", "<s>", "<|endoftext|>"}) {
            if (Rule* rule = rule_of(text))
                rule->swallow_after = false;
        }
    }
    if (vocab.pre == "jina-v2-de" || vocab.pre == "jina-v2-es" || vocab.pre == "jina-v2-code") {
        if (Rule* rule = rule_of("<mask>"))
            rule->swallow_before = true;
    }
}

std::vector<SpecialTokens::Match> SpecialTokens::find(
    std::string_view text, std::span<const std::uint8_t> user_bytes, bool parse_special) const {
    std::vector<Match> matches;
    const auto allowed = [&](const Match& match) {
        if (rules_[static_cast<std::size_t>(match.id)].user_defined)
            return true;
        if (!parse_special)
            return false;
        const auto touched = user_bytes.empty() ? user_bytes : user_bytes.subspan(match.begin, match.end - match.begin);
        return std::none_of(touched.begin(), touched.end(), [](std::uint8_t user) { return user != 0; });
    };
    std::size_t taken = 0; // end of the last match
    std::int32_t state = ByteTrie::kRoot;
    std::optional<Match> best;
    const auto commit = [&] {
        const Rule& rule = rules_[static_cast<std::size_t>(best->id)];
        while (rule.swallow_before && best->begin > taken && is_space(text[best->begin - 1]))
            --best->begin;
        while (rule.swallow_after && best->end < text.size() && is_space(text[best->end]))
            ++best->end;
        matches.push_back(*best);
        taken = best->end;
        best.reset();
        state = ByteTrie::kRoot;
    };
    for (std::size_t at = 0; at < text.size() || best;) {
        if (at == text.size()) { // what was still open did not come true
            commit();
            at = taken;
            continue;
        }
        state = trie_.next(state, static_cast<std::uint8_t>(text[at]));
        ++at;
        for (std::int32_t hit = trie_.first_match(state); hit != ByteTrie::kRoot; hit = trie_.next_match(hit)) {
            const Match match{
                .begin = at - static_cast<std::size_t>(trie_.depth(hit)), .end = at, .id = trie_.value(hit)};
            const bool better =
                !best || match.begin < best->begin || (match.begin == best->begin && match.end > best->end);
            if (better && allowed(match))
                best = match;
        }
        if (best && at - static_cast<std::size_t>(trie_.depth(state)) > best->begin) {
            commit();
            at = taken;
        }
    }
    return matches;
}

} // namespace vitrine::engine
