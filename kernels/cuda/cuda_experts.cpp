// SPDX-License-Identifier: GPL-3.0-or-later
// A mixture of experts on the GPU: what is accepted, its buffers, and its launches in order.
#include <algorithm>

#include "kernels/cuda/cuda_executable.h"

namespace vitrine::kernels {
namespace {

constexpr const char* kWhat = "A mixture of experts";

const WeightGroupSpec& group_of(const Program& program, WeightGroupId id) {
    return program.weights[static_cast<std::size_t>(id.value)];
}

/// in_dim in whole chunks of the member's tiles.
std::int64_t padded_depth(const WeightMember& member) {
    const int chunk = tile_info(tile_format_of(member.format)).chunk_weights;
    return (member.in_dim + chunk - 1) / chunk * chunk;
}
int padded_depth(const TileMatrix& matrix) {
    return matrix.num_chunks * tile_info(matrix.format).chunk_weights;
}

/// Bytes of each buffer, for the largest mixture of the program.
struct ExpertSizes {
    std::int64_t image = 0, scales = 0, pairs = 0, items = 0, hidden = 0, parts = 0;
};

ExpertSizes sizes_of(const Program& program, int max_rows) {
    ExpertSizes sizes;
    for (const Op& op : program.ops) {
        const auto* experts = std::get_if<ExpertsOp>(&op);
        if (experts == nullptr)
            continue;
        const WeightMember& gate = group_of(program, experts->gate_up).members[0];
        const WeightMember& down = group_of(program, experts->down).members[0];
        const std::int64_t pairs = std::int64_t{max_rows} * experts->num_used;
        const auto items = max_expert_items(static_cast<int>(pairs), experts->num_experts);
        sizes.image = std::max({sizes.image, max_rows * padded_depth(gate) * 2, pairs * padded_depth(down) * 2});
        sizes.scales = std::max(sizes.scales, pairs * 4);
        sizes.pairs = std::max(sizes.pairs, pairs * 4);
        sizes.items = std::max(sizes.items, items * static_cast<std::int64_t>(sizeof(ExpertItem)));
        sizes.hidden = std::max(sizes.hidden, pairs * (gate.out_dim / experts->num_experts) * 4);
        sizes.parts = std::max(sizes.parts, pairs * (down.out_dim / experts->num_experts) * 4);
    }
    return sizes;
}

} // namespace

std::string why_declined_experts(const Program& program, const ExpertsOp& op) {
    const WeightGroupSpec& gate_up = group_of(program, op.gate_up);
    const WeightGroupSpec& down = group_of(program, op.down);
    if (op.num_experts > kMaxDeviceExperts)
        return std::to_string(op.num_experts) + " experts, at most " + std::to_string(kMaxDeviceExperts);
    if (gate_up.members.size() != 2 || gate_up.members[0].format != gate_up.members[1].format)
        return "gate and up of the experts differ in format";
    if (gate_up.members[0].out_dim / op.num_experts % kTileRows != 0 ||
        down.members[0].out_dim / op.num_experts % kTileRows != 0)
        return "experts whose rows are no multiple of " + std::to_string(kTileRows);
    return {};
}

std::int64_t expert_bytes(const Program& program, int max_rows) {
    const ExpertSizes sizes = sizes_of(program, max_rows);
    return sizes.image + sizes.scales + 3 * sizes.pairs + sizes.items + sizes.hidden + sizes.parts;
}

Result<void> CudaExecutable::make_experts() {
    const ExpertSizes sizes = sizes_of(program_, limits_.max_rows);
    if (sizes.pairs == 0)
        return {};
    const auto reserve = [](DeviceBuffer& target, std::int64_t bytes) -> Result<void> {
        auto buffer = DeviceBuffer::make(static_cast<std::size_t>(bytes), "The workspace of experts");
        VT_TRY(buffer);
        target = std::move(*buffer);
        return {};
    };
    VT_TRY(reserve(experts_.image, sizes.image));
    VT_TRY(reserve(experts_.scales, sizes.scales));
    VT_TRY(reserve(experts_.ids, sizes.pairs));
    VT_TRY(reserve(experts_.weights, sizes.pairs));
    VT_TRY(reserve(experts_.grouped, sizes.pairs));
    VT_TRY(reserve(experts_.items, sizes.items));
    VT_TRY(reserve(experts_.num_items, sizeof(std::int32_t)));
    VT_TRY(reserve(experts_.hidden, sizes.hidden));
    return reserve(experts_.parts, sizes.parts);
}

Result<void> CudaExecutable::run(const ExpertsOp& op) {
    VT_TRY(route_experts(op));
    const CudaGroup& gate_up = *weights_.find(op.gate_up);
    const CudaGroup& down = *weights_.find(op.down);
    const int rows = shape_.num_rows;
    ExpertProductArgs args;
    args.kind = op.kind;
    args.image = experts_.image.as<std::uint16_t>();
    args.scales = experts_.scales.as<float>();
    args.items = experts_.items.as<ExpertItem>();
    args.num_items = experts_.num_items.as<std::int32_t>();
    args.grouped = experts_.grouped.as<std::int32_t>();
    args.max_items = max_expert_items(rows * op.num_used, op.num_experts);

    ExpertProductArgs first = args;
    first.first = gate_up.matrices[0];
    first.second = gate_up.matrices[1];
    first.bias = vector_of(op.gate_bias);
    first.second_bias = vector_of(op.up_bias);
    first.out_dim = first.first.out_dim / op.num_experts;
    first.padded_dim = padded_depth(first.first);
    first.num_used = op.num_used;
    first.output = experts_.hidden.as<float>();
    VT_TRY(multiply_experts(first, values(op.input), rows, dim(op.input)));

    ExpertProductArgs second = args;
    second.first = down.matrices[0];
    second.bias = vector_of(op.down_bias);
    second.out_dim = second.first.out_dim / op.num_experts;
    second.padded_dim = padded_depth(second.first);
    second.num_used = 1;
    second.weights = experts_.weights.as<float>();
    second.output = experts_.parts.as<float>();
    VT_TRY(multiply_experts(second, first.output, rows * op.num_used, first.out_dim));
    return cuda_result(
        launch_expert_sum(second.output, values(op.residual), rows, op.num_used, second.out_dim, stream_->get()),
        kWhat);
}

Result<void> CudaExecutable::route_experts(const ExpertsOp& op) {
    RouteArgs route;
    route.router = values(op.router);
    route.selection_bias = vector_of(op.selection_bias);
    route.num_rows = shape_.num_rows;
    route.num_experts = op.num_experts;
    route.num_used = op.num_used;
    route.kind = op.router_kind;
    route.normalize = op.normalize;
    route.scale = op.scale;
    route.ids = experts_.ids.as<std::int32_t>();
    route.weights = experts_.weights.as<float>();
    route.grouped = experts_.grouped.as<std::int32_t>();
    route.items = experts_.items.as<ExpertItem>();
    route.num_items = experts_.num_items.as<std::int32_t>();
    return cuda_result(launch_route(route, stream_->get()), kWhat);
}

Result<void> CudaExecutable::multiply_experts(
    const ExpertProductArgs& args, const float* input, int num_rows, int in_dim) {
    VT_TRY(cuda_result(launch_expert_rows(input, num_rows, in_dim, args.padded_dim, experts_.image.as<std::uint16_t>(),
                           experts_.scales.as<float>(), stream_->get()),
        kWhat));
    return cuda_result(launch_expert_product(args, stream_->get()), kWhat);
}

} // namespace vitrine::kernels
