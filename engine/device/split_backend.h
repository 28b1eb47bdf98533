// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/device: two backends as one: the first layers of a model on one device, the rest on another.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "engine/base/result.h"
#include "kernels/api/backend.h"
#include "kernels/api/cut_program.h"
#include "kernels/api/resolve.h"

namespace vitrine::engine {

struct SplitRequest {
    int front_layers = 0;
    kernels::Numerics numerics = kernels::Numerics::fast;
    bool decompose = false;
};

/// Runs one program, cut in two, each part resolved for its own device.  Blocks, tables and slots are shared: both pools have
/// the same block ids, each with its own layers.  A step runs the front, hands the residual rows over once, runs the back.
/// Its program is the one given to make(): compile(), estimate() and upload() expect that one, which needs no resolving.
/// Thread: as Backend.
class SplitBackend final : public kernels::Backend {
public:
    struct Part {
        std::unique_ptr<kernels::Backend> backend;
        kernels::ProgramPart piece; // resolved
        std::vector<kernels::KernelReport> kernels;
    };

    /// Errors: as cut_program() and resolve().
    [[nodiscard]] static Result<std::unique_ptr<SplitBackend>> make(const kernels::Program& whole,
        const SplitRequest& request, std::unique_ptr<kernels::Backend> front, std::unique_ptr<kernels::Backend> back);

    /// Front and back.
    [[nodiscard]] const std::array<Part, 2>& parts() const noexcept { return parts_; }
    /// Of each part; kv, limits: of the whole program.
    [[nodiscard]] std::array<kernels::Footprint, 2> estimate_parts(
        const kernels::KvSpec& kv, const kernels::StepLimits& limits) const;
    /// As Executable::kernels() of the whole says them: the device stands before each kernel's name.
    [[nodiscard]] std::vector<kernels::KernelReport> kernels() const;

    /// "cuda:0+cpu", memory of both.
    [[nodiscard]] kernels::DeviceInfo device() const override;
    [[nodiscard]] kernels::Verdict check(
        const kernels::Program& program, const kernels::Op& op, kernels::Numerics mode) const override;
    [[nodiscard]] bool takes_kv_groups() const noexcept override;
    [[nodiscard]] kernels::Footprint estimate(
        const kernels::Program& program, const kernels::KvSpec& kv, const kernels::StepLimits& limits) const override;
    Result<void> upload(
        const kernels::Program& program, kernels::WeightGroupId id, kernels::WeightGroupBytes bytes) override;
    [[nodiscard]] std::int64_t held_weight_bytes() const noexcept override;
    Result<std::unique_ptr<kernels::KvPool>> make_kv_pool(const kernels::KvSpec& kv, int num_blocks) override;
    Result<std::unique_ptr<kernels::Executable>> compile(const kernels::Program& program, kernels::KvPool& pool,
        const kernels::StepLimits& limits, kernels::Numerics mode) override;

private:
    explicit SplitBackend(std::array<Part, 2> parts) : parts_(std::move(parts)) {}

    std::array<Part, 2> parts_; // front, back
};

/// What the front part takes on its device, without making it: how `auto` looks for the number of layers.
[[nodiscard]] Result<kernels::Footprint> estimate_front(const kernels::Program& whole, const SplitRequest& request,
    const kernels::Backend& front, const kernels::KvSpec& kv, const kernels::StepLimits& limits);

} // namespace vitrine::engine
