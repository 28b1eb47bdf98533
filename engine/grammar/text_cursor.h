// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/grammar: a place in a text that is being parsed.
#pragma once

#include <cstddef>
#include <string_view>

namespace vitrine::engine {

/// What the parsers of GBNF and of regular expressions read with; positions are bytes.  Thread: one.
class TextCursor {
protected:
    explicit TextCursor(std::string_view source) : source_(source) {}

    [[nodiscard]] bool at_end() const { return at_ >= source_.size(); }
    [[nodiscard]] char peek(std::size_t ahead = 0) const { // 0 beyond the end
        return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
    }
    bool take(std::string_view text) { // passes over `text` if it stands here
        if (!source_.substr(at_).starts_with(text))
            return false;
        at_ += text.size();
        return true;
    }

    std::string_view source_;
    std::size_t at_ = 0;
};

} // namespace vitrine::engine
