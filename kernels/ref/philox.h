// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/ref: counter-based random numbers: Philox4x32-10 of Salmon et al., "Parallel Random Numbers: As Easy as
// 1, 2, 3" (SC 2011).  A draw depends on (seed, position, choice, purpose, token id) and on nothing else.
#pragma once

#include <array>
#include <cstdint>

namespace vitrine::kernels {

using PhiloxBlock = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

/// What a block is drawn for; the noises of a draft and of its judge must be independent.
enum class RandomPurpose : std::uint32_t { draw = 0, accept = 1, residual = 2, draft = 3 };

[[nodiscard]] constexpr PhiloxBlock philox4x32_10(PhiloxBlock counter, PhiloxKey key) noexcept {
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t a = 0xD2511F53ULL * counter[0];
        const std::uint64_t b = 0xCD9E8D57ULL * counter[2];
        counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
            static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
        key = {key[0] + 0x9E3779B9U, key[1] + 0xBB67AE85U};
    }
    return counter;
}

/// The random words of one output position: word of id = block(id div 4)[id mod 4].
struct RandomStream {
    std::uint64_t seed = 0;
    std::uint32_t position = 0;
    std::uint32_t choice = 0;
    RandomPurpose purpose = RandomPurpose::draw;

    [[nodiscard]] constexpr PhiloxBlock block(std::uint32_t index) const noexcept {
        return philox4x32_10({index, position, choice, static_cast<std::uint32_t>(purpose)},
            {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
    }
};

/// Uniform in (0, 1), both ends excluded; exact in float.
[[nodiscard]] constexpr float uniform_of_word(std::uint32_t word) noexcept {
    return (static_cast<float>(word >> 9) + 0.5F) * 0x1p-23F;
}

} // namespace vitrine::kernels
