// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: JSON in pieces.
#include "engine/chat/json_progress.h"

#include <cstdlib>

#include <nlohmann/json.hpp>

namespace vitrine::engine {
namespace {

constexpr std::size_t kUnitSize = 6; // \uXXXX
constexpr std::string_view kReplacement = "\\ufffd";

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// Of a number, true, false or null.  Nothing else goes to nlohmann's reader, which takes a zero byte for the end.
bool in_scalar(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == 'E' || c == '+' || c == '-' || c == '.';
}

bool is_hex(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

} // namespace

JsonProgress::Step JsonProgress::feed(std::string_view text, std::string& out) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!take(text[i], out))
            return {Status::broken, i};
        if (expect_ == Expect::end)
            return {Status::done, i + 1};
    }
    return {Status::more, text.size()};
}

bool JsonProgress::take(char c, std::string& out) {
    if (in_text_)
        return escape_.empty() ? take_in_text(c, out) : take_in_escape(c, out);
    if (!scalar_.empty()) {
        if (!is_space(c) && c != ',' && c != '}' && c != ']') {
            scalar_ += c;
            out += c;
            return in_scalar(c) && scalar_.size() <= kMaxScalar;
        }
        if (!end_scalar())
            return false;
    }
    if (!is_space(c) && !take_structure(c))
        return false;
    out += c;
    return true;
}

bool JsonProgress::take_in_text(char c, std::string& out) {
    if (c == '\\') {
        escape_ = c;
        return true;
    }
    drop_half_pair(out);
    if (static_cast<unsigned char>(c) < 0x20) {
        constexpr std::string_view kDigits = "0123456789abcdef";
        out += "\\u00";
        out += kDigits[static_cast<unsigned char>(c) >> 4U];
        out += kDigits[static_cast<unsigned char>(c) & 15U];
        return true;
    }
    out += c;
    if (c != '"')
        return true;
    in_text_ = false;
    expect_ = is_key_ ? Expect::colon : Expect::comma_or_end;
    return true;
}

bool JsonProgress::take_in_escape(char c, std::string& out) {
    escape_ += c;
    if (escape_.size() == 2) {
        if (c == 'u')
            return true;
        drop_half_pair(out);
        out += escape_;
        escape_.clear();
        return std::string_view("\"\\/bfnrt").find(c) != std::string_view::npos;
    }
    if (!is_hex(c))
        return false;
    return escape_.size() < kUnitSize || finish_unit(out);
}

/// A whole \uXXXX: surrogates go out in pairs only.
bool JsonProgress::finish_unit(std::string& out) {
    const auto unit = std::strtoul(escape_.c_str() + 2, nullptr, 16);
    const bool is_high = unit >= 0xD800 && unit < 0xDC00;
    const bool is_low = unit >= 0xDC00 && unit < 0xE000;
    if (is_low && !high_.empty()) {
        out += high_ + escape_;
        high_.clear();
    } else {
        drop_half_pair(out);
        if (is_high)
            high_ = escape_;
        else
            out += is_low ? std::string(kReplacement) : escape_;
    }
    escape_.clear();
    return true;
}

void JsonProgress::drop_half_pair(std::string& out) {
    if (high_.empty())
        return;
    out += kReplacement;
    high_.clear();
}

bool JsonProgress::take_structure(char c) {
    switch (expect_) {
    case Expect::object:
        return c == '{' && begin_value(c);
    case Expect::value:
        return begin_value(c);
    case Expect::value_or_end:
        return c == ']' ? close(c) : begin_value(c);
    case Expect::key_or_end:
    case Expect::key:
        if (c == '}' && expect_ == Expect::key_or_end)
            return close(c);
        in_text_ = is_key_ = c == '"';
        return in_text_;
    case Expect::colon:
        expect_ = Expect::value;
        return c == ':';
    case Expect::comma_or_end:
        if (c != ',')
            return close(c);
        expect_ = open_.back() == '{' ? Expect::key : Expect::value;
        return true;
    case Expect::end:
        break;
    }
    return false;
}

bool JsonProgress::begin_value(char c) {
    if (c == '"') {
        in_text_ = true;
        is_key_ = false;
        return true;
    }
    if (c == '{' || c == '[') {
        open_ += c;
        expect_ = c == '{' ? Expect::key_or_end : Expect::value_or_end;
        return open_.size() <= kMaxDepth;
    }
    scalar_ = c;
    return std::string_view("-0123456789tfn").find(c) != std::string_view::npos;
}

bool JsonProgress::close(char c) {
    if (open_.empty() || c != (open_.back() == '{' ? '}' : ']'))
        return false;
    open_.pop_back();
    expect_ = open_.empty() ? Expect::end : Expect::comma_or_end;
    return true;
}

bool JsonProgress::end_scalar() {
    const bool good = nlohmann::json::accept(scalar_);
    scalar_.clear();
    expect_ = Expect::comma_or_end;
    return good;
}

} // namespace vitrine::engine
