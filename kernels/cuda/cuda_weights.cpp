// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/cuda_weights.h"

#include <algorithm>
#include <variant>

#include "kernels/ref/dequantize.h"

namespace vitrine::kernels {
namespace {

constexpr int kPairRows = 8;

/// The linear op that reads a group as a whole, if the program has one.
const LinearOp* user_of(const Program& program, WeightGroupId id) {
    for (const Op& op : program.ops) {
        const auto* linear = std::get_if<LinearOp>(&op);
        if (linear != nullptr && linear->weights == id)
            return linear;
    }
    return nullptr;
}

/// A matrix for each head, which its plain kernel reads as the file has it.
bool is_read_by_heads(const Program& program, WeightGroupId id) {
    return std::any_of(program.ops.begin(), program.ops.end(), [id](const Op& op) {
        const auto* heads = std::get_if<HeadLinearOp>(&op);
        return heads != nullptr && heads->weights == id;
    });
}

int int_of(std::int64_t value) {
    return static_cast<int>(value);
}

/// Shape and order of a member's matrix; `order` decides how many file rows a tile takes of it.
TileMatrix shape_of(const WeightMember& member, RowOrder order) {
    TileMatrix matrix;
    matrix.format = tile_format_of(member.format);
    matrix.order = order;
    matrix.out_dim = int_of(member.out_dim);
    const TileInfo info = tile_info(matrix.format);
    const int rows = order == RowOrder::gate_up ? kPairRows : kTileRows;
    matrix.num_tiles = (matrix.out_dim + rows - 1) / rows;
    matrix.num_chunks = (int_of(member.in_dim) + info.chunk_weights - 1) / info.chunk_weights;
    return matrix;
}

std::size_t tile_bytes(const TileMatrix& matrix) {
    return static_cast<std::size_t>(matrix.num_tiles) * static_cast<std::size_t>(matrix.num_chunks) *
        static_cast<std::size_t>(tile_info(matrix.format).chunk_bytes);
}

/// RoPE pairs of q and k in rows g and g + 8.
void pair_rows(TileMatrix& matrix, const RopeSpec& rope, const HeadLayout& heads) {
    matrix.order = rope.style == RopeStyle::neox ? RowOrder::paired_neox : RowOrder::paired_interleaved;
    matrix.head_dim = heads.head_dim;
    matrix.half_rotary = rope.rotary_dim / 2;
}

} // namespace

std::string why_not_paired_gate(const WeightGroupSpec& group) {
    if (group.members.size() != 2)
        return "gate and up are not two matrices";
    if (tile_format_of(group.members[0].format) != tile_format_of(group.members[1].format) ||
        group.members[0].format != group.members[1].format)
        return "gate and up differ in format";
    return group.members[0].out_dim != group.members[1].out_dim ? "gate and up differ in size" : "";
}

const CudaGroup* CudaWeights::find(WeightGroupId id) const noexcept {
    const auto index = static_cast<std::size_t>(id.value);
    return id.valid() && index < groups_.size() ? groups_[index].get() : nullptr;
}

std::int64_t CudaWeights::device_bytes(const Program& program) {
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < program.weights.size(); ++i) {
        const WeightGroupSpec& group = program.weights[i];
        const bool by_heads = is_read_by_heads(program, {static_cast<std::int32_t>(i)});
        for (const WeightMember& member : group.members) {
            if (group.role == WeightRole::vector) {
                bytes += member.in_dim * static_cast<std::int64_t>(sizeof(float));
                continue;
            }
            if (by_heads || group.role == WeightRole::embedding || group.role == WeightRole::tied_head)
                bytes += row_bytes(member.format, member.in_dim) * member.out_dim;
            if (!by_heads && group.role != WeightRole::embedding)
                bytes += static_cast<std::int64_t>(tile_bytes(shape_of(member, RowOrder::plain)));
        }
    }
    return bytes;
}

std::int64_t CudaWeights::held_bytes() const noexcept {
    std::size_t bytes = 0;
    for (const auto& group : groups_) {
        if (group == nullptr)
            continue;
        for (const DeviceBuffer& buffer : group->buffers)
            bytes += buffer.bytes();
    }
    return static_cast<std::int64_t>(bytes);
}

Result<void> CudaWeights::upload(const Program& program, WeightGroupId id, WeightGroupBytes bytes) {
    if (!id.valid() || static_cast<std::size_t>(id.value) >= program.weights.size())
        return fail(
            ErrorCode::invalid_argument, "Weight group " + std::to_string(id.value) + " is not of the program.");
    const WeightGroupSpec& spec = program.weights[static_cast<std::size_t>(id.value)];
    if (bytes.size() != spec.members.size())
        return fail(ErrorCode::invalid_argument,
            "Weight group of " + spec.members.front().name + ": " + std::to_string(bytes.size()) + " members given, " +
                std::to_string(spec.members.size()) + " needed.");
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const WeightMember& member = spec.members[i];
        const std::int64_t needed = row_bytes(member.format, member.in_dim) * member.out_dim;
        if (static_cast<std::int64_t>(bytes[i].size()) != needed)
            return fail(ErrorCode::invalid_argument,
                "Tensor " + member.name + ": " + std::to_string(bytes[i].size()) + " bytes given, " +
                    std::to_string(needed) + " needed.");
    }
    VT_TRY(stream_->use());
    auto group = std::make_unique<CudaGroup>();
    const LinearOp* user = user_of(program, id);
    const bool by_heads = is_read_by_heads(program, id);
    if (spec.role == WeightRole::vector) {
        VT_TRY(upload_vector(spec.members[0], bytes[0], *group));
    } else if (user != nullptr && std::holds_alternative<GatedEpilogue>(user->epilogue)) {
        VT_TRY(upload_matrix(spec.members[0], shape_of(spec.members[0], RowOrder::gate_up), bytes, *group));
    } else {
        const auto* rope_kv = user != nullptr ? std::get_if<RopeKvEpilogue>(&user->epilogue) : nullptr;
        for (std::size_t i = 0; i < bytes.size() && !by_heads && spec.role != WeightRole::embedding; ++i) {
            TileMatrix matrix = shape_of(spec.members[i], RowOrder::plain);
            if (rope_kv != nullptr && rope_kv->rope.valid() && i < 2)
                pair_rows(matrix, program.ropes[static_cast<std::size_t>(rope_kv->rope.value)], rope_kv->heads);
            VT_TRY(upload_matrix(spec.members[i], matrix, bytes.subspan(i, 1), *group));
        }
    }
    if (by_heads || spec.role == WeightRole::embedding || spec.role == WeightRole::tied_head)
        VT_TRY(upload_rows(spec.members[0], bytes[0], *group));
    VT_TRY(cuda_result(cudaDeviceSynchronize(), "Uploading weights"));
    groups_.resize(std::max(groups_.size(), program.weights.size()));
    groups_[static_cast<std::size_t>(id.value)] = std::move(group);
    return {};
}

Result<void> CudaWeights::upload_vector(
    const WeightMember& member, std::span<const std::byte> bytes, CudaGroup& group) {
    std::vector<float> values(static_cast<std::size_t>(member.in_dim * member.out_dim));
    for (std::int64_t row = 0; row < member.out_dim; ++row)
        dequantize_row(member.format, bytes.data() + row * row_bytes(member.format, member.in_dim), member.in_dim,
            values.data() + row * member.in_dim);
    auto buffer = DeviceBuffer::make(values.size() * sizeof(float) + 16, "Tensor " + member.name);
    VT_TRY(buffer);
    VT_TRY(cuda_result(
        cudaMemcpy(buffer->as<float>(), values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice),
        "Copying tensor " + member.name));
    group.vector = buffer->as<float>();
    group.buffers.push_back(std::move(*buffer));
    return {};
}

Result<void> CudaWeights::upload_rows(const WeightMember& member, std::span<const std::byte> bytes, CudaGroup& group) {
    auto buffer = DeviceBuffer::make(bytes.size(), "Tensor " + member.name);
    VT_TRY(buffer);
    VT_TRY(cuda_result(cudaMemcpy(buffer->as<>(), bytes.data(), bytes.size(), cudaMemcpyHostToDevice),
        "Copying tensor " + member.name));
    group.rows = buffer->as<>();
    group.buffers.push_back(std::move(*buffer));
    return {};
}

Result<const std::uint8_t*> CudaWeights::stage(std::span<const std::byte> bytes, DeviceBuffer& staging) {
    if (staging.bytes() < bytes.size()) {
        staging = DeviceBuffer{};
        auto buffer = DeviceBuffer::make(bytes.size(), "Staging of weights");
        VT_TRY(buffer);
        staging = std::move(*buffer);
    }
    VT_TRY(
        cuda_result(cudaMemcpyAsync(staging.as<>(), bytes.data(), bytes.size(), cudaMemcpyHostToDevice, stream_->get()),
            "Copying weights"));
    return staging.as<>();
}

Result<void> CudaWeights::upload_matrix(const WeightMember& member, TileMatrix matrix,
    std::span<const std::span<const std::byte>> sources, CudaGroup& group) {
    const std::string purpose = "Tensor " + member.name;
    auto tiles = DeviceBuffer::make(tile_bytes(matrix), purpose);
    VT_TRY(tiles);
    matrix.tiles = tiles->as<>();
    group.buffers.push_back(std::move(*tiles));
    if (matrix.format == TileFormat::h16) {
        auto scales =
            DeviceBuffer::make(static_cast<std::size_t>(matrix.num_tiles) * kTileRows * sizeof(float), purpose);
        VT_TRY(scales);
        matrix.row_scales = scales->as<float>();
        group.buffers.push_back(std::move(*scales));
    }
    RepackArgs args;
    args.format = member.format;
    args.matrix = matrix;
    args.row_bytes = row_bytes(member.format, member.in_dim);
    args.in_dim = int_of(member.in_dim);
    for (std::size_t i = 0; i < sources.size(); ++i) {
        auto staged = stage(sources[i], staging_[i]);
        VT_TRY(staged);
        args.source[i] = *staged;
    }
    VT_TRY(cuda_result(launch_repack(args, stream_->get()), "Repacking " + member.name));
    VT_TRY(stream_->synchronize()); // the staging is used again
    group.matrices.push_back(matrix);
    return {};
}

} // namespace vitrine::kernels
