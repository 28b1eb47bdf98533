// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: compiled grammars and their masks of one loaded model, kept for the next request that asks for them.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "engine/grammar/grammar_compiler.h"
#include "engine/grammar/token_mask.h"

namespace vitrine::engine {

/// Compiled grammars by everything that went into them.  Thread: any (prepare threads).
class GrammarStore {
public:
    static constexpr std::size_t kMaxKept = 32;

    [[nodiscard]] std::shared_ptr<const Grammar> find(const std::string& key);
    void keep(std::string key, std::shared_ptr<const Grammar> grammar);

private:
    struct Entry {
        std::string key;
        std::shared_ptr<const Grammar> grammar;
    };
    std::mutex mutex_;
    std::list<Entry> entries_; // most recent first
};

/// One TokenMasks for all sequences of a grammar, until it is worn.  Thread: engine.
class MaskStore {
public:
    static constexpr std::size_t kMaxKept = 8;

    [[nodiscard]] std::shared_ptr<TokenMasks> masks_of(
        const std::shared_ptr<const Grammar>& grammar, const std::shared_ptr<const TokenTrie>& trie, int vocab_size);

private:
    struct Entry {
        std::shared_ptr<const Grammar> grammar;
        std::shared_ptr<TokenMasks> masks;
    };
    std::list<Entry> entries_; // most recent first
};

} // namespace vitrine::engine
