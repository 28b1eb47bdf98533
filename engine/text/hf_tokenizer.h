// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: tokenizer.json in the terms of GGUF's tokenizer keys.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/gguf/file.h"

namespace vitrine::engine {

/// The files beside a safetensors model; empty: not there.
struct TokenizerFiles {
    std::string path; // of tokenizer.json, for the errors
    std::string tokenizer; // tokenizer.json
    std::string config; // tokenizer_config.json
    std::string generation; // generation_config.json
    std::string chat_template; // chat_template.jinja
    std::int64_t vocab_size = 0; // rows of the embedding: ids beyond the tokenizer's become unused tokens
};

using MetadataPairs = std::vector<std::pair<std::string, gguf::Value>>;

/// Byte-level BPE, SentencePiece-like BPE (byte_fallback), WordPiece as BERT splits, Unigram behind Metaspace.  Errors: bad_file
/// (ids that do not fit, no vocabulary), unsupported (a normalizer, a pre-tokenizer or a splitting pattern that this build does
/// not know; the message shows it).
[[nodiscard]] Result<MetadataPairs> read_hf_tokenizer(const TokenizerFiles& files);

} // namespace vitrine::engine
