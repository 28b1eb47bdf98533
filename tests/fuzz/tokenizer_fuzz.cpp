// SPDX-License-Identifier: GPL-3.0-or-later
// Any text as tokenizer.json; what is accepted must make a tokenizer or an error, and encode a text.
#include "engine/gguf/file.h"
#include "engine/text/hf_tokenizer.h"
#include "engine/text/tokenizer.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace vitrine::engine;
    const std::string text(reinterpret_cast<const char*>(data), size);
    auto pairs = read_hf_tokenizer({"fuzz", text, R"({"bos_token":"<s>","eos_token":"</s>"})", "", "", 0});
    if (!pairs)
        return 0;
    gguf::Assembly assembly;
    assembly.metadata = *std::move(pairs);
    const auto file = gguf::File::assemble(std::move(assembly));
    if (!file)
        return 0;
    if (const auto tokenizer = make_tokenizer(**file)) {
        const auto ids = (*tokenizer)->encode("Hello, w\xC3\xB6rld 12", {});
        if (ids)
            (void)(*tokenizer)->decode(*ids, true);
    }
    return 0;
}
