// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: finds the blocks of calls in streamed content.
#include "engine/chat/tool_call_parser.h"

#include "engine/chat/stream_text.h"
#include "engine/chat/tool_call_progress.h"
#include "engine/chat/tool_call_syntax.h"

#include <algorithm>
#include <array>

namespace vitrine::engine {
namespace {

using Outcome = ToolBlock::Outcome;
constexpr std::size_t kNone = std::string_view::npos;

struct Pattern {
    std::string_view mark; // in the template's source
    std::string_view second; // also in it; may be empty
    ToolSyntax syntax;
    std::string_view begin;
    std::string_view end;
};

// The first row whose marks are both there.  Special marks come before those that other families share.
constexpr std::array<Pattern, 28> kPatterns = {{
    {"<|channel|>", "functions", ToolSyntax::harmony, "to=functions.", "<|call|>"},
    {"｜DSML｜", "function_calls", ToolSyntax::invoke_tag, "<｜DSML｜function_calls>", "</｜DSML｜function_calls>"},
    {"｜DSML｜", "", ToolSyntax::invoke_tag, "<｜DSML｜tool_calls>", "</｜DSML｜tool_calls>"},
    {"minimax:tool_call", "", ToolSyntax::invoke_tag, "<minimax:tool_call>", "</minimax:tool_call>"},
    {"<｜tool▁calls▁begin｜>", "```json", ToolSyntax::deepseek_r1, "<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"},
    {"<｜tool▁calls▁begin｜>", "", ToolSyntax::deepseek_v31, "<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"},
    {"<|tool_call>", "<tool_call|>", ToolSyntax::gemma4, "<|tool_call>", "<tool_call|>"},
    {"<|tool_calls_section_begin|>", "", ToolSyntax::kimi_k2, "<|tool_calls_section_begin|>",
        "<|tool_calls_section_end|>"},
    {"<|open|>", "<|sep|>", ToolSyntax::kimi_k3, "<|open|>call ", "<|close|>call<|sep|>"},
    {"<|tool_call_start|>", "", ToolSyntax::pythonic, "<|tool_call_start|>", "<|tool_call_end|>"},
    {"<|tool_call:begin|>", "", ToolSyntax::solar, "<|tool_call:begin|>", "<|tool_call:end|>"},
    {"<|function_call|>", "", ToolSyntax::function_call_tag, "<|function_call|>", ""},
    {"<|START_ACTION|>", "", ToolSyntax::json_list_tag, "<|START_ACTION|>", "<|END_ACTION|>"},
    {"<|tools_prefix|>", "", ToolSyntax::json_list_tag, "<|tools_prefix|>", "<|tools_suffix|>"},
    {"<TOOLCALL>", "", ToolSyntax::json_list_tag, "<TOOLCALL>", "</TOOLCALL>"},
    {"[TOOL_CALLS]", "[ARGS]", ToolSyntax::mistral_args, "[TOOL_CALLS]", ""},
    {"[TOOL_CALLS]", "", ToolSyntax::mistral_list, "[TOOL_CALLS]", ""},
    {"<arg_key", ":opensource", ToolSyntax::arg_key_tag, "<tool_call:opensource>", "</tool_call:opensource>"},
    {"<arg_key", "", ToolSyntax::arg_key_tag, "<tool_call>", "</tool_call>"},
    {"seed:tool_call", "", ToolSyntax::function_tag, "<seed:tool_call>", "</seed:tool_call>"},
    {"<function=", "<parameter=", ToolSyntax::function_tag, "<tool_call>", "</tool_call>"},
    {"<function=", "", ToolSyntax::functionary_31, "<function=", "</function>"},
    {">>>", "all", ToolSyntax::functionary_32, ">>>", ""},
    {"<function name=", "", ToolSyntax::function_param, "<function name=", "</function>"},
    {"<tool_calls>", "", ToolSyntax::json_list_tag, "<tool_calls>", "</tool_calls>"},
    {"<tool_call>", "", ToolSyntax::json_tag, "<tool_call>", "</tool_call>"},
    {"<|python_tag|>", "", ToolSyntax::llama3_json, "", ""},
    {"\"name\"", "\"parameters\":", ToolSyntax::llama3_json, "", ""},
}};

} // namespace

ToolFormat ToolFormat::detect(std::string_view source) {
    const auto has = [&](std::string_view part) { return source.find(part) != kNone; };
    for (const Pattern& pattern : kPatterns) {
        if (has(pattern.mark) && (pattern.second.empty() || has(pattern.second)))
            return {pattern.syntax, std::string(pattern.begin), std::string(pattern.end)};
    }
    return {};
}

std::string_view tool_syntax_name(ToolSyntax syntax) {
    static constexpr std::array<std::string_view, 22> kNames = {"none", "json_tag", "json_list_tag", "function_tag",
        "arg_key_tag", "llama3_json", "functionary_31", "functionary_32", "function_param", "mistral_list",
        "mistral_args", "deepseek_r1", "deepseek_v31", "invoke_tag", "harmony", "gemma4", "kimi_k2", "kimi_k3",
        "pythonic", "solar", "function_call_tag", "generic_json"};
    return kNames[static_cast<std::size_t>(syntax)];
}

struct ToolCallParser::State {
    ToolFormat format;
    std::vector<ToolSchema> tools;
    std::vector<std::string> begins;
    bool takes_start = false; // a block may begin the message without a literal
    std::string pending;
    bool at_start = true;
    bool in_block = false;
    bool may_end = true; // the newest piece has a character that ends blocks
    CallProgress progress;

    State(ToolFormat the_format, std::vector<ToolSchema> the_tools)
        : format(std::move(the_format)), tools(std::move(the_tools)), begins(tool_block_begins(format)),
          progress(format, tools) {
        takes_start = std::erase(begins, std::string()) > 0;
    }

    void emit_content(std::size_t num_bytes, std::vector<ChatEvent>& events) {
        if (num_bytes == 0)
            return;
        events.push_back({ChatEventKind::content, pending.substr(0, num_bytes), -1, {}});
        pending.erase(0, num_bytes);
        at_start = false;
    }

    /// Those of a whole block; the ones that were followed while they came have been given already.
    void emit_calls(ToolBlock& block, std::vector<ChatEvent>& events) {
        if (!block.content.empty())
            events.push_back({ChatEventKind::content, block.content, -1, {}});
        for (std::size_t i = 0; i < block.calls.size(); ++i) {
            if (progress.end_call(i, events))
                continue;
            ToolCall& call = block.calls[i];
            const int index = progress.count_whole();
            events.push_back({ChatEventKind::tool_begin, {}, index, {call.id, call.name, {}}});
            events.push_back({ChatEventKind::tool_arguments, call.arguments_json, index, {}});
            events.push_back({ChatEventKind::tool_end, {}, index, std::move(call)});
        }
    }

    /// The message's first characters may be a block themselves.
    [[nodiscard]] bool starts_block(bool& undecided) {
        undecided = false;
        if (!takes_start || !at_start)
            return false;
        const bool joins = format.syntax == ToolSyntax::llama3_json && progress.num_ended() > 0; // calls with ';'
        const std::size_t first = pending.find_first_not_of(joins ? " \t\r\n;" : " \t\r\n");
        undecided = first == kNone;
        if (undecided)
            return false;
        const bool starts = format.syntax == ToolSyntax::functionary_32 || pending[first] == '{';
        if (starts && joins)
            pending.erase(0, first);
        return starts;
    }

    void begin_block() {
        in_block = true;
        may_end = true;
        progress.begin_block(pending);
    }

    /// Moves content out up to the next block.  False: more text is needed.
    bool find_block(std::vector<ChatEvent>& events, bool at_end) {
        bool undecided = false;
        if (starts_block(undecided)) {
            begin_block();
            return true;
        }
        if (undecided && !at_end)
            return false;
        std::size_t begin = kNone;
        std::size_t held = 0;
        for (const std::string& literal : begins) {
            if (literal.empty())
                continue;
            begin = std::min(begin, pending.find(literal));
            held = std::max(held, partial_suffix(pending, literal));
        }
        const std::size_t stop = begin != kNone ? begin : pending.size() - (at_end ? 0 : held);
        std::size_t text_end = pending.find_last_not_of(" \t\r\n", stop == 0 ? 0 : stop - 1);
        text_end = stop == 0 || text_end == kNone ? 0 : text_end + 1; // white space before a call belongs to no one
        if (begin == kNone) {
            emit_content(at_end && progress.num_ended() == 0 ? stop : text_end, events);
            return false;
        }
        emit_content(text_end, events);
        pending.erase(0, stop - text_end);
        begin_block();
        return true;
    }

    /// False: more text is needed.
    bool read_block(std::vector<ChatEvent>& events, bool at_end) {
        const CallProgress::State state = progress.advance(pending, events);
        if (state == CallProgress::State::broken) {
            in_block = false;
            return !pending.empty();
        }
        if (state == CallProgress::State::open) { // cut short: the call is left as it stands
            if (at_end)
                pending.clear();
            return false;
        }
        if (!may_end && !at_end)
            return false;
        ToolBlock block = read_tool_block(format, tools, pending, at_end);
        if (block.outcome == Outcome::need_more && !at_end)
            return false;
        const std::size_t size = std::clamp<std::size_t>(block.size, 1, pending.size());
        in_block = false;
        if (block.outcome == Outcome::calls) {
            emit_calls(block, events);
            pending.erase(0, size);
            // Only Llama's ';' and functionary's ">>>" let a further call follow directly.
            at_start = format.syntax == ToolSyntax::llama3_json;
        } else if (progress.has_begun_in_block()) { // what is left of it are tags
            pending.erase(0, block.outcome == Outcome::need_more ? pending.size() : size);
        } else {
            emit_content(block.outcome == Outcome::need_more ? pending.size() : size, events);
        }
        return !pending.empty();
    }

    void run(std::vector<ChatEvent>& events, bool at_end) {
        if (begins.empty() && !takes_start)
            return emit_content(pending.size(), events);
        while (!pending.empty()) {
            if (!(in_block ? read_block(events, at_end) : find_block(events, at_end)))
                return;
        }
    }
};

ToolCallParser::ToolCallParser(ToolFormat format, std::vector<ToolSchema> tools)
    : state_(std::make_unique<State>(std::move(format), std::move(tools))) {}

ToolCallParser::~ToolCallParser() = default;
ToolCallParser::ToolCallParser(ToolCallParser&&) noexcept = default;
ToolCallParser& ToolCallParser::operator=(ToolCallParser&&) noexcept = default;

void ToolCallParser::feed(std::string_view piece, std::vector<ChatEvent>& events) {
    state_->pending += piece;
    // A block can only end with one of these, so that one that is read whole is not read again at every token.
    state_->may_end = piece.find_first_of(">]})\n") != kNone;
    state_->run(events, false);
}

void ToolCallParser::finish(std::vector<ChatEvent>& events) {
    state_->run(events, true);
    state_->pending.clear();
}

int ToolCallParser::num_calls() const noexcept {
    return state_->progress.num_ended();
}

AssistantMessage parse_tool_calls(
    const ToolFormat& format, const std::vector<ToolSchema>& tools, std::string_view text) {
    std::vector<ChatEvent> events;
    ToolCallParser parser(format, tools);
    parser.feed(text, events);
    parser.finish(events);
    AssistantMessage message;
    for (ChatEvent& event : events) {
        if (event.kind == ChatEventKind::content)
            message.content += event.text;
        else if (event.kind == ChatEventKind::tool_end)
            message.tool_calls.push_back(std::move(event.call));
    }
    return message;
}

std::vector<ToolSchema> tool_schemas_from_json(std::string_view tools_json) {
    std::vector<ToolSchema> schemas;
    const auto tools = jinja_from_json(tools_json, false, "tools");
    if (!tools || !tools->is_list())
        return schemas;
    for (const JinjaValue& tool : tools->as_list()->items) {
        if (!tool.is_map())
            continue;
        const JinjaValue* inner = tool.as_map()->find("function");
        const JinjaMap& function = inner != nullptr && inner->is_map() ? *inner->as_map() : *tool.as_map();
        const JinjaValue* name = function.find("name");
        const JinjaValue* parameters = function.find("parameters");
        if (name == nullptr || !name->is_text())
            continue;
        const bool has_schema = parameters != nullptr && parameters->is_map();
        schemas.push_back({name->as_text().bytes, has_schema ? jinja_to_json(*parameters, {}).bytes : std::string()});
    }
    return schemas;
}

} // namespace vitrine::engine
