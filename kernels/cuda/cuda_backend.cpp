// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/cuda_backend.h"

#include <string>

#include "kernels/api/sentence.h"
#include "kernels/cuda/cuda_executable.h"
#include "kernels/cuda/cuda_probe.h"

namespace vitrine::kernels {
namespace {

/// Thread: as Backend.
class CudaBackend final : public Backend {
public:
    CudaBackend(DeviceInfo info, std::shared_ptr<CudaStream> stream)
        : info_(std::move(info)), stream_(stream), weights_(std::move(stream)) {}

    [[nodiscard]] DeviceInfo device() const override { return info_; }
    [[nodiscard]] Verdict check(const Program& program, const Op& op, Numerics /*mode*/) const override {
        std::string reason = why_declined(program, op);
        if (!reason.empty())
            return Declined{std::move(reason)};
        return Accepted{kernel_name(program, op)};
    }
    [[nodiscard]] bool takes_kv_groups() const noexcept override { return true; }
    [[nodiscard]] Footprint estimate(
        const Program& program, const KvSpec& kv, const StepLimits& limits) const override {
        return {CudaWeights::device_bytes(program), kv_bytes_per_block(kv), workspace_bytes(program, limits)};
    }
    Result<void> upload(const Program& program, WeightGroupId id, WeightGroupBytes bytes) override {
        return weights_.upload(program, id, bytes);
    }
    [[nodiscard]] std::int64_t held_weight_bytes() const noexcept override { return weights_.held_bytes(); }
    Result<std::unique_ptr<KvPool>> make_kv_pool(const KvSpec& kv, int num_blocks) override {
        return CudaKvPool::make(kv, num_blocks, stream_);
    }
    Result<std::unique_ptr<Executable>> compile(
        const Program& program, KvPool& pool, const StepLimits& limits, Numerics mode) override;

private:
    DeviceInfo info_;
    std::shared_ptr<CudaStream> stream_;
    CudaWeights weights_;
};

Result<std::unique_ptr<Executable>> CudaBackend::compile(
    const Program& program, KvPool& pool, const StepLimits& limits, Numerics mode) {
    auto* own = dynamic_cast<CudaKvPool*>(&pool);
    if (own == nullptr)
        return fail(ErrorCode::invalid_argument, "The KV pool was made by another backend.");
    for (std::size_t i = 0; i < program.weights.size(); ++i) {
        if (weights_.find({static_cast<std::int32_t>(i)}) == nullptr)
            return fail(ErrorCode::invalid_argument,
                "Tensor " + program.weights[i].members.front().name + " was not uploaded before compile().");
    }
    for (const Op& op : program.ops) {
        if (std::string reason = why_declined(program, op); !reason.empty())
            return fail(ErrorCode::invalid_argument, "The program holds an op that the GPU declined: " + reason + ".");
    }
    return CudaExecutable::make(program, weights_, *own, limits, mode, stream_);
}

} // namespace

Result<std::unique_ptr<Backend>> make_cuda_backend(int device) {
    auto devices = probe_cuda_devices();
    VT_TRY(devices);
    const std::string id = "cuda:" + std::to_string(device);
    for (DeviceInfo& info : *devices) {
        if (info.id != id)
            continue;
        auto stream = CudaStream::make(device);
        VT_TRY(stream);
        return std::make_unique<CudaBackend>(std::move(info), std::move(*stream));
    }
    return fail(ErrorCode::not_found, say(Sentence::gpu_not_there, id), say(Sentence::choose_listed_device));
}

} // namespace vitrine::kernels
