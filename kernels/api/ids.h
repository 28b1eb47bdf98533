// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/api: strong ids: an index that cannot be mistaken for another.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace vitrine::kernels {

template <class Tag, class Rep = std::int32_t>
struct StrongId {
    Rep value = -1; // -1: none

    [[nodiscard]] constexpr bool valid() const noexcept { return value >= 0; }
    friend constexpr auto operator<=>(StrongId, StrongId) = default;
};

using ActivationId = StrongId<struct ActivationTag>; // index into Program::activations
using WeightGroupId = StrongId<struct WeightGroupTag>; // index into Program::weights
using RopeId = StrongId<struct RopeTag>; // index into Program::ropes
using LayerId = StrongId<struct LayerTag>; // index into KvSpec::layers

} // namespace vitrine::kernels

template <class Tag, class Rep>
struct std::hash<vitrine::kernels::StrongId<Tag, Rep>> {
    std::size_t operator()(vitrine::kernels::StrongId<Tag, Rep> id) const noexcept {
        return std::hash<Rep>{}(id.value);
    }
};
