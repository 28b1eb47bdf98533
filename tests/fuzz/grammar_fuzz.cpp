// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz: GBNF, regular expressions and choices through the compiler; what compiles has no dead end.  First byte: which.
#include <cstdint>

#include "engine/grammar/grammar_compiler.h"
#include "tests/fuzz/grammar_walk.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace vitrine::engine;
    if (size < 2)
        return 0;
    constexpr ConstraintKind kKinds[] = {ConstraintKind::gbnf, ConstraintKind::regex, ConstraintKind::choice};
    const OutputConstraint constraint{
        kKinds[data[0] % 3], std::string(reinterpret_cast<const char*>(data) + 1, size - 1), false, {}};
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
    static_cast<void>(vitrine::fuzz::random_text(*grammar, static_cast<std::uint32_t>(size), 64, text));
    return 0;
}
