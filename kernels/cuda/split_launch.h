// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda: the attention of few sequences; see device/attention_split.cu.
#pragma once

#include "kernels/cuda/launch.h"

namespace vitrine::kernels {

/// f16 in fast and exact mode, where launch_decode_attention() would do too.
[[nodiscard]] bool split_attention_supports(const AttentionArgs& args) noexcept;
[[nodiscard]] cudaError_t launch_split_attention(const AttentionArgs& args, cudaStream_t stream);

} // namespace vitrine::kernels
