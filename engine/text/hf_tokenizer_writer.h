// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: tokenizer.json and tokenizer_config.json from GGUF's tokenizer keys; hf_tokenizer.h reads them.
#pragma once

#include "engine/base/result.h"
#include "engine/gguf/file.h"
#include "engine/text/hf_tokenizer.h"

namespace vitrine::engine {

/// Byte-level BPE ("gpt2") as its merges and splitting patterns; SentencePiece ("llama") as the merges that its scores imply.
/// Unused tokens are left out where they only pad.  Fills tokenizer, config, and generation (further end ids), as JSON text.
/// Errors: what Vocab::load says; unsupported: another tokenizer model, a pre-tokenizer that this build does not know.
[[nodiscard]] Result<TokenizerFiles> write_hf_tokenizer(const gguf::File& file);

} // namespace vitrine::engine
