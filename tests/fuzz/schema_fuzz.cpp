// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz: JSON schemas through the compiler; every finished text of what compiles is JSON.  First byte: strict or not.
#include <cstdint>

#include <nlohmann/json.hpp>

#include "engine/grammar/grammar_compiler.h"
#include "tests/fuzz/grammar_walk.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace vitrine::engine;
    if (size < 2)
        return 0;
    const OutputConstraint constraint{ConstraintKind::json_schema,
        std::string(reinterpret_cast<const char*>(data) + 1, size - 1), data[0] % 2 == 1, {}};
    const GrammarResult grammar = compile_grammar({}, [&](GrammarBuilder& builder) {
        JsonText json(builder);
        return add_constraint(builder, json, constraint);
    });
    if (!grammar) {
        if (grammar.error().error.message.empty())
            std::abort();
        return 0;
    }
    std::string text;
    if (vitrine::fuzz::random_text(*grammar, static_cast<std::uint32_t>(size), 200, text) &&
        !nlohmann::json::accept(text))
        std::abort();
    return 0;
}
