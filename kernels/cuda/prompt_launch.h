// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda: attention of sequences with many queries on wgmma; see device/attention_prompt.cu.
#pragma once

#include "kernels/cuda/launch.h"

namespace vitrine::kernels {

/// Instead of launch_prefill_attention() on compute capability 9.0: heads of 64 or 128, any type of keys but bf16, no soft cap.
[[nodiscard]] bool prompt_attention_supports(const AttentionArgs& args) noexcept;
/// `num_blocks`: of the pool.
[[nodiscard]] cudaError_t launch_prompt_attention(
    const AttentionArgs& args, int num_blocks, int num_sms, cudaStream_t stream);

} // namespace vitrine::kernels
