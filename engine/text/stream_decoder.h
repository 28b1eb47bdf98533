// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: token bytes as they come, whole UTF-8 characters out.
#pragma once

#include <string>
#include <string_view>

#include "engine/text/tokenizer.h"

namespace vitrine::engine {

/// The concatenation of all that push() and finish() return does not depend on how the bytes were cut, and equals
/// replace_invalid_utf8() of them.  Holds back at most 3 bytes.  Thread: one.
class StreamDecoder {
public:
    /// `drop_leading_space`: the first byte is dropped if it is a space (Tokenizer::strips_leading_space(), when the
    /// stream is a text of its own and not the continuation of a prompt).
    explicit StreamDecoder(bool drop_leading_space = false) noexcept : drop_leading_space_(drop_leading_space) {}

    /// Any bytes in; whole characters out, U+FFFD for each maximal subpart that can no longer become one.
    [[nodiscard]] std::string push(std::string_view bytes);
    /// The held bytes as U+FFFD, if any; the decoder is as new afterwards, without the leading-space rule.
    [[nodiscard]] std::string finish();

private:
    std::string held_;
    bool drop_leading_space_;
};

} // namespace vitrine::engine
