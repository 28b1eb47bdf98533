// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/api: weights that are uploaded and repacked together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/api/weight_format.h"

namespace vitrine::kernels {

/// What a group is for; it permits the row order a backend may choose (pairs for RoPE, gate/up interleaved).
enum class WeightRole : std::uint8_t {
    plain, // 1 member
    qkv, // members q, k, v
    gate_up, // members gate, up
    embedding, // 1 member [vocab, dim]: rows are gathered
    head, // 1 member [vocab, dim]: logits
    tied_head, // embedding and head in one: gathered and multiplied
    vector, // 1 member [1, dim]: norm weight or bias, f32 after upload
    experts, // 1 or 2 members [num_experts * out_dim, in_dim], expert by expert
};

/// One matrix of a group.  Row-major [out_dim, in_dim], each row row_bytes(format, in_dim) long, in file order.
struct WeightMember {
    std::string name; // tensor name in the file
    std::int64_t out_dim = 0;
    std::int64_t in_dim = 0;
    WeightFormat format = WeightFormat::f32;
    std::int64_t first_weight = 0; // of the tensor: a fused tensor holds several members (a multiple of in_dim)
};

/// Metadata of a group, known before a byte is read.
struct WeightGroupSpec {
    WeightRole role = WeightRole::plain;
    std::vector<WeightMember> members;
};

/// Bytes of a group's members, in member order, row_bytes * out_dim each.  Valid during upload only.
using WeightGroupBytes = std::span<const std::span<const std::byte>>;

} // namespace vitrine::kernels
