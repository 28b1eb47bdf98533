// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: small value languages inside calls.
#include "engine/chat/tool_call_literals.h"

#include <algorithm>
#include <cstdlib>

namespace vitrine::engine {
namespace {

constexpr int kMaxNesting = 100;
constexpr std::string_view kGemmaQuote = "<|\"|>";

/// Reads Python literals; with Gemma's quotes and bare keys when asked.
class LiteralReader {
public:
    LiteralReader(std::string_view text, bool gemma) : text_(text), gemma_(gemma) {}

    std::optional<JinjaValue> value(int depth) {
        skip_space();
        if (depth > kMaxNesting || at_ >= text_.size())
            return std::nullopt;
        if (gemma_ && text_.substr(at_).starts_with(kGemmaQuote))
            return gemma_text();
        const char c = text_[at_];
        if (c == '\'' || c == '"')
            return quoted(c);
        if (c == '[' || c == '(')
            return list(c == '[' ? ']' : ')', depth);
        return c == '{' ? map(depth) : word();
    }

    std::optional<std::vector<std::pair<std::string, JinjaValue>>> calls() {
        std::vector<std::pair<std::string, JinjaValue>> result;
        const bool bracketed = take('[');
        while (true) {
            skip_space();
            const std::string name = identifier();
            if (name.empty() || !take('('))
                return std::nullopt;
            auto arguments = std::make_shared<JinjaMap>();
            while (!take(')')) {
                skip_space();
                const std::string key = identifier();
                auto item = key.empty() || !take('=') ? std::nullopt : value(0);
                if (!item)
                    return std::nullopt;
                arguments->set(key, *item);
                take(',');
            }
            result.emplace_back(name, JinjaValue(std::move(arguments)));
            if (!take(','))
                break;
        }
        if (bracketed && !take(']'))
            return std::nullopt;
        return result;
    }

private:
    void skip_space() {
        while (
            at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
            ++at_;
    }
    bool take(char c) {
        skip_space();
        if (at_ >= text_.size() || text_[at_] != c)
            return false;
        ++at_;
        return true;
    }
    std::string identifier() {
        const std::size_t begin = at_;
        while (at_ < text_.size() &&
            (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_' || text_[at_] == '.' ||
                text_[at_] == '-'))
            ++at_;
        return std::string(text_.substr(begin, at_ - begin));
    }

    std::optional<JinjaValue> gemma_text() {
        const std::size_t begin = at_ + kGemmaQuote.size();
        const std::size_t end = text_.find(kGemmaQuote, begin);
        if (end == std::string_view::npos)
            return std::nullopt;
        at_ = end + kGemmaQuote.size();
        return JinjaValue::text(text_.substr(begin, end - begin));
    }

    std::optional<JinjaValue> quoted(char quote) {
        std::string out;
        for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_) {
            if (text_[at_] != '\\' || at_ + 1 >= text_.size()) {
                out.push_back(text_[at_]);
                continue;
            }
            const char c = text_[++at_];
            out.push_back(c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c);
        }
        if (at_ >= text_.size())
            return std::nullopt;
        ++at_;
        return JinjaValue::text(out);
    }

    std::optional<JinjaValue> list(char close, int depth) {
        std::vector<JinjaValue> items;
        for (++at_; !take(close);) {
            auto item = value(depth + 1);
            if (!item)
                return std::nullopt;
            items.push_back(std::move(*item));
            take(',');
        }
        return JinjaValue::list(std::move(items));
    }

    std::optional<JinjaValue> map(int depth) {
        auto result = std::make_shared<JinjaMap>();
        for (++at_; !take('}');) {
            skip_space();
            const bool is_quoted = at_ < text_.size() && (text_[at_] == '\'' || text_[at_] == '"' || text_[at_] == '<');
            std::optional<JinjaValue> key;
            if (gemma_ && !is_quoted) {
                const std::size_t colon = std::min(text_.find(':', at_), text_.size());
                key = JinjaValue::text(text_.substr(at_, colon - at_));
                at_ = colon;
            } else {
                key = value(depth + 1);
            }
            auto item = key && key->is_text() && take(':') ? value(depth + 1) : std::nullopt;
            if (!item)
                return std::nullopt;
            result->set(*key, std::move(*item));
            take(',');
        }
        return JinjaValue(std::move(result));
    }

    std::optional<JinjaValue> word() {
        const std::size_t begin = at_;
        at_ = std::min(text_.find_first_of(",)]} \n", at_), text_.size());
        const std::string_view text = text_.substr(begin, at_ - begin);
        if (text.empty())
            return std::nullopt;
        if (text == "True" || text == "true" || text == "False" || text == "false")
            return JinjaValue(text[0] == 'T' || text[0] == 't');
        if (text == "None" || text == "null")
            return JinjaValue();
        auto number = jinja_from_json(text, false, "value");
        return number ? std::optional(*number) : std::nullopt;
    }

    std::string_view text_;
    bool gemma_;
    std::size_t at_ = 0;
};

} // namespace

std::size_t json_value_end(std::string_view text, std::size_t at) {
    if (at >= text.size() || (text[at] != '{' && text[at] != '['))
        return std::string_view::npos;
    int depth = 0;
    bool in_text = false;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (in_text) {
            if (c == '\\')
                ++at;
            else if (c == '"')
                in_text = false;
            continue;
        }
        in_text = c == '"';
        depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
        if (depth == 0)
            return at + 1;
    }
    return std::string_view::npos;
}

std::optional<JinjaValue> read_gemma_value(std::string_view text) {
    return LiteralReader(text, true).value(0);
}

std::optional<std::vector<std::pair<std::string, JinjaValue>>> read_python_calls(std::string_view text) {
    return LiteralReader(text, false).calls();
}

std::size_t literal_end(std::string_view text, bool gemma) {
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool is_quote = c == '\'' || c == '"';
        if (gemma && text.substr(i).starts_with(kGemmaQuote)) {
            const std::size_t close = text.find(kGemmaQuote, i + kGemmaQuote.size());
            if (close == std::string_view::npos)
                return close;
            i = close + kGemmaQuote.size() - 1;
        } else if (is_quote) {
            for (++i; i < text.size() && text[i] != c; ++i)
                i += text[i] == '\\' ? 1 : 0;
        } else if (c == '(' || c == '[' || c == '{') {
            ++depth;
        } else if (depth == 0 && (c == ',' || c == (gemma ? '}' : ')'))) {
            return i;
        } else if (c == ')' || c == ']' || c == '}') {
            --depth;
        }
    }
    return std::string_view::npos;
}

std::optional<JinjaValue> read_literal_entry(const std::string& entry, bool gemma) {
    if (gemma) {
        auto map = read_gemma_value("{" + entry + "}");
        return map && map->is_map() ? map : std::nullopt;
    }
    const auto calls = read_python_calls("f(" + entry + ")");
    return calls && calls->size() == 1 ? std::optional(calls->front().second) : std::nullopt;
}

bool jinja_contains_text(const JinjaValue& list, std::string_view text) {
    const auto& items = list.as_list()->items;
    return std::any_of(items.begin(), items.end(),
        [&](const JinjaValue& item) { return item.is_text() && item.as_text().bytes == text; });
}

} // namespace vitrine::engine
