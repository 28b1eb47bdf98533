// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/packed_weights.h"

#include <cstring>
#include <string>

#include "kernels/ref/dequantize.h"

namespace vitrine::kernels::cpu {
namespace {

PackedMember describe_member(const WeightMember& member, const IsaTable& isa) noexcept {
    PackedMember packed;
    packed.layout = {member.format, isa.lanes, isa.signed_codes};
    packed.out_dim = member.out_dim;
    packed.in_dim = member.in_dim;
    packed.band_bytes = packed.layout.band_bytes(member.in_dim);
    packed.num_bands = packed.layout.num_bands(member.out_dim);
    return packed;
}

std::int64_t member_bytes(WeightRole role, const WeightMember& member, const IsaTable& isa) noexcept {
    if (role == WeightRole::embedding)
        return row_bytes(member.format, member.in_dim) * member.out_dim;
    const PackedMember packed = describe_member(member, isa);
    return packed.band_bytes * packed.num_bands;
}

Result<void> check_bytes(const WeightGroupSpec& spec, WeightGroupBytes bytes) {
    if (bytes.size() != spec.members.size())
        return fail(ErrorCode::invalid_argument,
            "weight group of " + (spec.members.empty() ? std::string("nothing") : spec.members.front().name) + ": " +
                std::to_string(bytes.size()) + " members given, " + std::to_string(spec.members.size()) + " needed");
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const WeightMember& member = spec.members[i];
        const std::int64_t needed = row_bytes(member.format, member.in_dim) * member.out_dim;
        if (static_cast<std::int64_t>(bytes[i].size()) != needed)
            return fail(ErrorCode::invalid_argument,
                "tensor " + member.name + ": " + std::to_string(bytes[i].size()) + " bytes given, " +
                    std::to_string(needed) + " needed");
    }
    return {};
}

/// Bands are shared out so that each page is first touched by the worker that will read it.
void pack_member(const PackedMember& member, std::span<const std::byte> rows, std::uint8_t* target, WorkerPool& pool) {
    pool.run_each([&](int worker) {
        const std::int64_t begin = member.num_bands * worker / pool.size();
        const std::int64_t end = member.num_bands * (worker + 1) / pool.size();
        for (std::int64_t band = begin; band < end; ++band)
            pack_band(member.layout, rows, member.out_dim, member.in_dim, band * member.layout.lanes,
                target + band * member.band_bytes);
    });
}

} // namespace

std::int64_t arena_bytes(const WeightGroupSpec& spec, const IsaTable& isa) noexcept {
    std::int64_t bytes = 0;
    for (const WeightMember& member : spec.members)
        bytes += spec.role == WeightRole::vector ? 0 : round_up(member_bytes(spec.role, member, isa), 64);
    return bytes;
}

std::int64_t vector_bytes(const WeightGroupSpec& spec) noexcept {
    if (spec.role != WeightRole::vector)
        return 0;
    const WeightMember& member = spec.members.front();
    return member.in_dim * member.out_dim * static_cast<std::int64_t>(sizeof(float));
}

Result<PackedGroup> pack_group(
    const WeightGroupSpec& spec, WeightGroupBytes bytes, const IsaTable& isa, WorkerPool& pool, std::uint8_t* target) {
    VT_TRY(check_bytes(spec, bytes));
    PackedGroup group;
    group.role = spec.role;
    if (spec.role == WeightRole::vector) {
        const WeightMember& member = spec.members.front();
        group.vector.resize(static_cast<std::size_t>(member.in_dim * member.out_dim));
        dequantize_row(member.format, bytes[0].data(), member.in_dim * member.out_dim, group.vector.data());
        group.members.push_back(describe_member(member, isa));
        return group;
    }
    std::uint8_t* at = target;
    for (std::size_t i = 0; i < spec.members.size(); ++i) {
        PackedMember member = describe_member(spec.members[i], isa);
        member.data = at;
        if (spec.role == WeightRole::embedding)
            std::memcpy(at, bytes[i].data(), bytes[i].size());
        else
            pack_member(member, bytes[i], at, pool);
        at += round_up(member_bytes(spec.role, spec.members[i], isa), 64);
        group.members.push_back(member);
    }
    return group;
}

void gather_row(const PackedGroup& group, std::int64_t row, std::byte* bytes, float* out) {
    const PackedMember& member = group.members.front();
    const WeightFormat format = member.layout.format;
    if (group.role == WeightRole::embedding) {
        const std::int64_t stride = row_bytes(format, member.in_dim);
        dequantize_row(format, reinterpret_cast<const std::byte*>(member.data) + row * stride, member.in_dim, out);
        return;
    }
    const int lanes = member.layout.lanes;
    unpack_row(member.layout, member.data + row / lanes * member.band_bytes, static_cast<int>(row % lanes),
        member.in_dim, bytes);
    dequantize_row(format, bytes, member.in_dim, out);
}

} // namespace vitrine::kernels::cpu
