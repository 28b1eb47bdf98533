// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: token bytes as they come, whole UTF-8 characters out.
#include "engine/text/stream_decoder.h"

#include "engine/base/utf8.h"

namespace vitrine::engine {

std::string StreamDecoder::push(std::string_view bytes) {
    if (drop_leading_space_ && !bytes.empty()) {
        drop_leading_space_ = false;
        if (bytes.front() == ' ')
            bytes.remove_prefix(1);
    }
    held_ += bytes;
    const std::size_t whole = held_.size() - incomplete_utf8_tail(held_);
    std::string out = replace_invalid_utf8(std::string_view(held_).substr(0, whole));
    held_.erase(0, whole);
    return out;
}

std::string StreamDecoder::finish() {
    std::string out = replace_invalid_utf8(held_);
    held_.clear();
    drop_leading_space_ = false;
    return out;
}

} // namespace vitrine::engine
