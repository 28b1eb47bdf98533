// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: colours of code, line by line.
#pragma once

#include <QString>
#include <cstdint>
#include <vector>

#include "ui/theme/tokens.h"

namespace vitrine::ui {

/// What is open at the end of a line.
enum class CodeState : std::uint8_t { plain, blockComment, tripleDouble, tripleSingle, backtick };

struct CodeRun {
    qsizetype begin = 0;
    qsizetype length = 0;
    Color color = Color::text1; // synKeyword, synString, synFunction, synNumber or text3 (comment)
};

/// How a language is written; one scanner serves all of them.
struct CodeLanguage;
/// By the fence's language word, in any case; an unknown one gets strings and numbers only.
[[nodiscard]] const CodeLanguage& codeLanguage(const QString& name);
/// Runs of one line in order; `state` is what was open before it and becomes what is open behind it.
[[nodiscard]] std::vector<CodeRun> highlightLine(const CodeLanguage& language, QStringView line, CodeState& state);

} // namespace vitrine::ui
