// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/spec: token by token comparison of two vocabularies.
#include "engine/spec/draft_vocabulary.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "engine/text/vocab.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

constexpr std::string_view kKinds[] = {"", "normal", "unknown", "control", "user-defined", "unused", "byte"};

bool is_real(const Vocab& vocab, TokenId id) {
    return vocab.has(id) && vocab.kind(id) != TokenKind::unused;
}

std::string described(const Vocab& vocab, TokenId id) {
    if (!vocab.has(id))
        return "nothing";
    return fmt::format("{:?} ({})", vocab.text(id), kKinds[static_cast<std::size_t>(vocab.kind(id))]);
}

Result<void> compare(const Vocab& target, const Vocab& draft) {
    for (TokenId id = 0; id < std::max(target.size(), draft.size()); ++id) {
        if (!is_real(target, id) && !is_real(draft, id))
            continue;
        if (target.has(id) && draft.has(id) && target.text(id) == draft.text(id) && target.kind(id) == draft.kind(id))
            continue;
        return fail(ErrorCode::invalid_argument,
            say(Sentence::draft_vocabulary_differs, std::to_string(id), described(target, id), described(draft, id)),
            say(Sentence::choose_related_draft));
    }
    return {};
}

} // namespace

Result<void> check_draft_vocabulary(
    const gguf::File& target, int target_size, const gguf::File& draft, int draft_size) {
    const bool target_has = has_vocabulary(target);
    const bool draft_has = has_vocabulary(draft);
    if (target_has && draft_has) {
        auto first = Vocab::load(target);
        if (!first)
            return tl::unexpected(first.error());
        auto second = Vocab::load(draft);
        if (!second)
            return tl::unexpected(second.error());
        return compare(**first, **second);
    }
    if (target_has != draft_has)
        return fail(ErrorCode::invalid_argument,
            say(target_has ? Sentence::draft_without_vocabulary : Sentence::model_without_vocabulary),
            say(Sentence::choose_related_draft));
    if (target_size != draft_size)
        return fail(ErrorCode::invalid_argument, say(Sentence::draft_vocabulary_size, draft_size, target_size),
            say(Sentence::choose_related_draft));
    return {};
}

} // namespace vitrine::engine
