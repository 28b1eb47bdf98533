// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: the most recent grammars.
#include "engine/core/grammar_store.h"

#include <algorithm>

namespace vitrine::engine {

std::shared_ptr<const Grammar> GrammarStore::find(const std::string& key) {
    const std::scoped_lock lock(mutex_);
    const auto found = std::ranges::find(entries_, key, &Entry::key);
    if (found == entries_.end())
        return nullptr;
    entries_.splice(entries_.begin(), entries_, found);
    return found->grammar;
}

void GrammarStore::keep(std::string key, std::shared_ptr<const Grammar> grammar) {
    const std::scoped_lock lock(mutex_);
    entries_.push_front({std::move(key), std::move(grammar)});
    if (entries_.size() > kMaxKept)
        entries_.pop_back();
}

std::shared_ptr<TokenMasks> MaskStore::masks_of(
    const std::shared_ptr<const Grammar>& grammar, const std::shared_ptr<const TokenTrie>& trie, int vocab_size) {
    const auto found = std::ranges::find(entries_, grammar, &Entry::grammar);
    if (found != entries_.end() && !found->masks->is_worn()) {
        entries_.splice(entries_.begin(), entries_, found);
        return found->masks;
    }
    if (found != entries_.end())
        entries_.erase(found); // running sequences keep theirs
    entries_.push_front({grammar, std::make_shared<TokenMasks>(grammar, trie, vocab_size)});
    if (entries_.size() > kMaxKept)
        entries_.pop_back();
    return entries_.front().masks;
}

} // namespace vitrine::engine
