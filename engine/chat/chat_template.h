// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: a chat template compiled once per model and rendered many times.
#pragma once

#include "engine/base/result.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine::engine {

struct JinjaProgram;
class JinjaValue;

/// The local date and time that strftime_now prints.  Calendar fields as a person reads them.
struct TemplateTime {
    int year = 2026;
    int month = 1; // 1..12
    int day = 1; // 1..31
    int hour = 0;
    int minute = 0;
    int second = 0;

    /// The machine's local time.
    [[nodiscard]] static TemplateTime now();
    /// "2026-07-26T09:00:00"; seconds may be missing.
    [[nodiscard]] static Result<TemplateTime> parse(std::string_view text);
};

/// What a template sees.  The four JSON texts keep key order, int against float and big integers.
struct RenderInput {
    std::string messages_json; // array of messages
    std::string tools_json; // array, or empty for none
    std::string documents_json; // array, or empty for none
    std::string variables_json; // object of further variables (enable_thinking ...), or empty
    bool add_generation_prompt = true;
    std::string bos_token;
    std::string eos_token;
    TemplateTime now = TemplateTime::now();
};

/// user_bytes: one entry a byte of text; 1: the byte came from messages, tools, documents or variables, so that the
/// tokenizer must not read a control token in it.  Template literals, bos and eos are 0.
struct RenderedText {
    std::string text;
    std::vector<std::uint8_t> user_bytes;
};

/// A compiled Jinja template.  Const functions are safe from every thread.
/// The truth is jinja2's ImmutableSandboxedEnvironment(trim_blocks, lstrip_blocks, loopcontrols, generation), as the
/// transformers package builds it.  Deviations: list append and pop work, the filter from_json exists, the variable
/// `functions` equals tools, strftime uses the C locale.
class ChatTemplate {
public:
    static constexpr std::size_t kMaxSourceBytes = 256 * 1024;

    /// Errors: template_error with line and column.
    [[nodiscard]] static Result<std::unique_ptr<const ChatTemplate>> compile(std::string source);
    ~ChatTemplate();
    ChatTemplate(const ChatTemplate&) = delete;
    ChatTemplate& operator=(const ChatTemplate&) = delete;

    /// Renders as given: no probing, no folding.  Errors: template_error (raise_exception's text, line, column; a
    /// limit), invalid_argument (a JSON text that does not parse).
    [[nodiscard]] Result<RenderedText> render(const RenderInput& input) const;
    /// The same with messages that are values already; input.messages_json is not read.
    [[nodiscard]] Result<RenderedText> render(const RenderInput& input, const JinjaValue& messages) const;
    [[nodiscard]] const std::string& source() const noexcept { return source_; }
    /// Does the template's code name this variable anywhere?
    [[nodiscard]] bool reads_variable(std::string_view name) const;

private:
    ChatTemplate(std::string source, std::unique_ptr<const JinjaProgram> program);
    std::string source_;
    std::unique_ptr<const JinjaProgram> program_;
};

} // namespace vitrine::engine
