// SPDX-License-Identifier: GPL-3.0-or-later
// From ops of the floor to launches: norms, gates, latent attention.
#include "kernels/cuda/cuda_executable.h"
#include "kernels/cuda/floor_launch.h"

namespace vitrine::kernels {

Result<void> CudaExecutable::run(const NormOp& op) {
    const int group = op.group_dim == 0 ? dim(op.input) : op.group_dim;
    const std::int64_t groups = std::int64_t{rows_of(op.input)} * (dim(op.input) / group);
    if (op.centered)
        return cuda_result(launch_layer_norm({values(op.input), values(op.output), vector_of(op.norm.gain),
                                                 vector_of(op.bias), op.norm.eps, group, groups},
                               stream_->get()),
            "A layer norm");
    return cuda_result(launch_norm(values(op.input), values(op.output), vector_of(op.norm.gain), op.norm.eps, group,
                           groups, stream_->get()),
        "A norm");
}

Result<void> CudaExecutable::run(const GateOp& op) {
    const std::int64_t count = std::int64_t{rows_of(op.output)} * dim(op.output);
    const float* up = op.up.valid() ? values(op.up) : nullptr;
    const bool usual = up != nullptr && (op.kind == GateKind::silu || op.kind == GateKind::gelu_tanh);
    const auto launch = usual ? launch_gate : launch_activate;
    return cuda_result(launch(values(op.gate), up, values(op.output), op.kind, count, stream_->get()), "A gate");
}

Result<void> CudaExecutable::run(const HeadCopyOp& op) {
    HeadCopyArgs args;
    args.source = values(op.source);
    args.target = values(op.target);
    args.from = {dim(op.source) / op.source_heads, op.source_first};
    args.to = {dim(op.target) / op.num_heads, op.target_first};
    args.num_rows = shape_.num_rows;
    args.num_heads = op.num_heads;
    args.source_heads = op.source_heads;
    args.count = op.count;
    args.clear = op.clear;
    return cuda_result(launch_head_copy(args, stream_->get()), "A copy of heads");
}

Result<void> CudaExecutable::run(const HeadLinearOp& op) {
    const WeightMember& member = program_.weights[static_cast<std::size_t>(op.weights.value)].members.front();
    HeadLinearArgs args;
    args.table = weights_.find(op.weights)->rows;
    args.format = member.format;
    args.row_bytes = row_bytes(member.format, member.in_dim);
    args.source = values(op.source);
    args.target = values(op.target);
    args.from = {dim(op.source) / op.num_heads, op.source_first};
    args.to = {dim(op.target) / op.num_heads, op.target_first};
    args.num_rows = shape_.num_rows;
    args.num_heads = op.num_heads;
    args.in_dim = static_cast<int>(member.in_dim);
    args.out_dim = static_cast<int>(member.out_dim / op.num_heads);
    return cuda_result(launch_head_linear(args, stream_->get()), "A product of heads");
}

Result<void> CudaExecutable::run(const LowRankOp& /*op*/) {
    return fail(ErrorCode::internal, "A LoRA adapter reached the GPU, which declines it.", "Report this.");
}

} // namespace vitrine::kernels
