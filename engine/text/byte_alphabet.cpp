// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: GPT-2's printable alphabet.
#include "engine/text/byte_alphabet.h"

#include <array>

#include "engine/base/utf8.h"

namespace vitrine::engine {
namespace {

constexpr std::size_t kNumCharacters = 324; // the highest is U+0143

constexpr bool is_itself(int byte) {
    return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
}

struct Alphabet {
    std::array<char32_t, 256> character{};
    std::array<int, kNumCharacters> byte{}; // -1: not in the alphabet
};

constexpr Alphabet make_alphabet() {
    Alphabet alphabet;
    alphabet.byte.fill(-1);
    char32_t next = 256;
    for (int byte = 0; byte < 256; ++byte) {
        const char32_t character = is_itself(byte) ? static_cast<char32_t>(byte) : next++;
        alphabet.character[static_cast<std::size_t>(byte)] = character;
        alphabet.byte[character] = byte;
    }
    return alphabet;
}

constexpr Alphabet kAlphabet = make_alphabet();

} // namespace

char32_t alphabet_character(std::uint8_t byte) noexcept {
    return kAlphabet.character[byte];
}

std::string alphabet_to_bytes(std::string_view spelling) {
    std::string bytes;
    bytes.reserve(spelling.size());
    for (std::size_t at = 0; at < spelling.size();) {
        const Utf8Step step = decode_utf8(spelling, at);
        const auto length = static_cast<std::size_t>(step.length);
        if (step.valid && step.code_point < kNumCharacters && kAlphabet.byte[step.code_point] >= 0)
            bytes.push_back(static_cast<char>(kAlphabet.byte[step.code_point]));
        else
            bytes += spelling.substr(at, length);
        at += length;
    }
    return bytes;
}

} // namespace vitrine::engine
