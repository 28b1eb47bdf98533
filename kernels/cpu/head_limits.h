// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cpu: how large a head may be.
#pragma once

namespace vitrine::kernels::cpu {

inline constexpr int kMaxHeadDim =
    640; // scratch of the attention and the cache's codec; DeepSeek's latent heads have 576

} // namespace vitrine::kernels::cpu
