// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cpu: the uploaded weights of a program in the order the kernels want.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/api/program.h"
#include "kernels/api/result.h"
#include "kernels/cpu/isa_table.h"
#include "kernels/cpu/repack/band_layout.h"
#include "kernels/cpu/worker_pool.h"

namespace vitrine::kernels::cpu {

struct PackedMember {
    BandLayout layout;
    std::int64_t out_dim = 0;
    std::int64_t in_dim = 0;
    std::int64_t band_bytes = 0;
    std::int64_t num_bands = 0;
    const std::uint8_t* data = nullptr; // bands; role embedding: rows in file order
};

/// role embedding keeps file order (only gathered); tied_head is packed once and gathered from its bands; vector: floats.
struct PackedGroup {
    WeightRole role = WeightRole::plain;
    std::vector<PackedMember> members; // empty: not uploaded
    std::vector<float> vector;
};

/// Bytes of `target` that pack_group() fills, and those of the vector a group keeps itself.
[[nodiscard]] std::int64_t arena_bytes(const WeightGroupSpec& spec, const IsaTable& isa) noexcept;
[[nodiscard]] std::int64_t vector_bytes(const WeightGroupSpec& spec) noexcept;

/// Repacks with all workers.  Error `invalid_argument` when bytes do not fit the members.
/// target: arena_bytes, 64-byte aligned; outlives the group
[[nodiscard]] Result<PackedGroup> pack_group(
    const WeightGroupSpec& spec, WeightGroupBytes bytes, const IsaTable& isa, WorkerPool& pool, std::uint8_t* target);

/// Row `row` of a gathered group's table as floats, exactly.   bytes: scratch, row_bytes   out: [in_dim] f32
void gather_row(const PackedGroup& group, std::int64_t row, std::byte* bytes, float* out);

} // namespace vitrine::kernels::cpu
