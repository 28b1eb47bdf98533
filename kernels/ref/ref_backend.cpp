// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/ref/ref_backend.h"

#include <algorithm>
#include <string>
#include <utility>

#include "kernels/api/kv_pool.h"
#include "kernels/ref/dequantize.h"
#include "kernels/ref/ref_executable.h"
#include "kernels/ref/ref_kv_pool.h"
#include "kernels/ref/ref_weights.h"

namespace vitrine::kernels {
namespace {

RefMatrix dequantize_member(const WeightMember& member, std::span<const std::byte> bytes) {
    RefMatrix matrix{member.out_dim, member.in_dim, {}};
    matrix.values.resize(static_cast<std::size_t>(member.out_dim * member.in_dim));
    const auto stride = static_cast<std::size_t>(row_bytes(member.format, member.in_dim));
    for (std::int64_t row = 0; row < member.out_dim; ++row)
        dequantize_row(member.format, bytes.data() + static_cast<std::size_t>(row) * stride, member.in_dim,
            matrix.values.data() + row * member.in_dim);
    return matrix;
}

/// Thread: as Backend.  Invariant: weights_ is indexed by group id; an empty entry was not uploaded.
class RefBackend final : public Backend {
public:
    explicit RefBackend(const RefOptions& options) : options_(options) {}

    [[nodiscard]] DeviceInfo device() const override {
        return {"ref", "Reference (double precision)", "portable", 0, 0, options_.num_threads};
    }
    [[nodiscard]] Verdict check(const Program& /*program*/, const Op& /*op*/, Numerics /*mode*/) const override {
        return Accepted{"ref"};
    }
    [[nodiscard]] bool takes_kv_groups() const noexcept override { return true; }
    [[nodiscard]] Footprint estimate(const Program& program, const KvSpec& kv, const StepLimits& limits) const override;
    Result<void> upload(const Program& program, WeightGroupId id, WeightGroupBytes bytes) override;
    [[nodiscard]] std::int64_t held_weight_bytes() const noexcept override {
        std::size_t values = 0;
        for (const std::vector<RefMatrix>& group : weights_)
            for (const RefMatrix& matrix : group)
                values += matrix.values.size();
        return static_cast<std::int64_t>(values * sizeof(float));
    }
    Result<std::unique_ptr<KvPool>> make_kv_pool(const KvSpec& kv, int num_blocks) override;
    Result<std::unique_ptr<Executable>> compile(
        const Program& program, KvPool& pool, const StepLimits& limits, Numerics mode) override;

private:
    RefOptions options_;
    RefWeights weights_;
};

Footprint RefBackend::estimate(const Program& program, const KvSpec& kv, const StepLimits& limits) const {
    Footprint footprint;
    for (const WeightGroupSpec& group : program.weights) {
        for (const WeightMember& member : group.members)
            footprint.weight_bytes += member.out_dim * member.in_dim * static_cast<std::int64_t>(sizeof(float));
    }
    footprint.kv_block_bytes = kv_bytes_per_block(kv);
    for (const Activation& activation : program.activations) {
        const int rows = activation.dim == program.vocab_size ? limits.max_logit_rows : limits.max_rows;
        footprint.workspace_bytes += activation.dim * rows * static_cast<std::int64_t>(sizeof(double));
    }
    return footprint;
}

Result<void> RefBackend::upload(const Program& program, WeightGroupId id, WeightGroupBytes bytes) {
    if (!id.valid() || static_cast<std::size_t>(id.value) >= program.weights.size())
        return fail(
            ErrorCode::invalid_argument, "Weight group " + std::to_string(id.value) + " is not of the program.");
    const std::vector<WeightMember>& members = program.weights[static_cast<std::size_t>(id.value)].members;
    if (bytes.size() != members.size())
        return fail(ErrorCode::invalid_argument,
            "Weight group of " + members.front().name + ": " + std::to_string(bytes.size()) + " members given, " +
                std::to_string(members.size()) + " needed.");
    std::vector<RefMatrix> matrices;
    for (std::size_t i = 0; i < members.size(); ++i) {
        const WeightMember& member = members[i];
        const std::int64_t needed = row_bytes(member.format, member.in_dim) * member.out_dim;
        if (std::ssize(bytes[i]) != needed)
            return fail(ErrorCode::invalid_argument,
                "Tensor " + member.name + ": " + std::to_string(bytes[i].size()) + " bytes given, " +
                    std::to_string(needed) + " needed.");
        matrices.push_back(dequantize_member(member, bytes[i]));
    }
    weights_.resize(std::max(weights_.size(), program.weights.size()));
    weights_[static_cast<std::size_t>(id.value)] = std::move(matrices);
    return {};
}

Result<std::unique_ptr<KvPool>> RefBackend::make_kv_pool(const KvSpec& kv, int num_blocks) {
    if (num_blocks < 1 || kv.block_tokens < 1)
        return fail(ErrorCode::invalid_argument,
            "A KV pool of " + std::to_string(num_blocks) + " blocks of " + std::to_string(kv.block_tokens) +
                " tokens cannot be made.");
    if (const std::string why = why_planes_differ(kv); !why.empty())
        return fail(ErrorCode::invalid_argument, "A KV pool of several groups: " + why + ".");
    return std::make_unique<RefKvPool>(kv, num_blocks, options_.exact_kv);
}

Result<std::unique_ptr<Executable>> RefBackend::compile(
    const Program& program, KvPool& pool, const StepLimits& limits, Numerics /*mode*/) {
    auto* plain = dynamic_cast<RefKvPool*>(&pool);
    if (plain == nullptr)
        return fail(ErrorCode::invalid_argument, "The KV pool was made by another backend.");
    for (std::size_t i = 0; i < program.weights.size(); ++i) {
        if (i >= weights_.size() || weights_[i].empty())
            return fail(ErrorCode::invalid_argument,
                "Tensor " + program.weights[i].members.front().name + " was not uploaded before compile().");
    }
    return std::make_unique<RefExecutable>(program, weights_, *plain, limits, options_.num_threads);
}

} // namespace

std::unique_ptr<Backend> make_ref_backend(const RefOptions& options) {
    return std::make_unique<RefBackend>(options);
}

} // namespace vitrine::kernels
