// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: one JSON object that arrives in pieces, checked as it comes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace vitrine::engine {

/// Reads an object character by character (RFC 8259) and gives it on as it stands, but for two faults models make:
/// control characters in strings are escaped, half surrogate pairs become \ufffd.  Cutting the input elsewhere changes
/// nothing in the joined output.  One object a value, used by one thread.
class JsonProgress {
public:
    enum class Status : std::uint8_t { more, done, broken };
    struct Step {
        Status status = Status::more;
        std::size_t size = 0; // bytes of `text` that belong to the value; with broken: those before the fault
    };

    /// Appends what is certain to `out`.
    Step feed(std::string_view text, std::string& out);
    [[nodiscard]] bool in_text() const noexcept { return in_text_; } // between the quotes of a string

private:
    enum class Expect : std::uint8_t { object, value, value_or_end, key_or_end, key, colon, comma_or_end, end };
    static constexpr std::size_t kMaxDepth = 128;
    static constexpr std::size_t kMaxScalar = 1024; // bytes of a number

    bool take(char c, std::string& out);
    bool take_in_text(char c, std::string& out);
    bool take_in_escape(char c, std::string& out);
    bool finish_unit(std::string& out);
    void drop_half_pair(std::string& out);
    bool take_structure(char c);
    bool begin_value(char c);
    bool close(char c);
    bool end_scalar();

    Expect expect_ = Expect::object;
    std::string open_; // '{' and '[' of the containers around
    std::string scalar_; // number, true, false or null so far
    std::string escape_; // "\" ... so far
    std::string high_; // first half of a surrogate pair
    bool in_text_ = false;
    bool is_key_ = false;
};

} // namespace vitrine::engine
