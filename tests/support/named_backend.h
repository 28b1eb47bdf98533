// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/support: a backend under another device's name and with as much memory as a test says: a GPU without a GPU.
// Header only.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "kernels/api/backend.h"

namespace vitrine::testing {

struct NamedDevice {
    kernels::DeviceInfo info;
    std::function<std::string(const kernels::Op&)> why_declined{}; // empty answer: accepted
};

/// Computes as `inner` does.
class NamedBackend final : public kernels::Backend {
public:
    NamedBackend(NamedDevice device, std::unique_ptr<kernels::Backend> inner)
        : device_(std::move(device)), inner_(std::move(inner)) {}

    [[nodiscard]] kernels::DeviceInfo device() const override { return device_.info; }
    [[nodiscard]] kernels::Verdict check(
        const kernels::Program& program, const kernels::Op& op, kernels::Numerics mode) const override {
        if (device_.why_declined)
            if (std::string reason = device_.why_declined(op); !reason.empty())
                return kernels::Declined{std::move(reason)};
        return inner_->check(program, op, mode);
    }
    [[nodiscard]] bool takes_kv_groups() const noexcept override { return inner_->takes_kv_groups(); }
    [[nodiscard]] kernels::Footprint estimate(
        const kernels::Program& program, const kernels::KvSpec& kv, const kernels::StepLimits& limits) const override {
        return inner_->estimate(program, kv, limits);
    }
    Result<void> upload(
        const kernels::Program& program, kernels::WeightGroupId id, kernels::WeightGroupBytes bytes) override {
        return inner_->upload(program, id, bytes);
    }
    [[nodiscard]] std::int64_t held_weight_bytes() const noexcept override { return inner_->held_weight_bytes(); }
    Result<std::unique_ptr<kernels::KvPool>> make_kv_pool(const kernels::KvSpec& kv, int num_blocks) override {
        return inner_->make_kv_pool(kv, num_blocks);
    }
    Result<std::unique_ptr<kernels::Executable>> compile(const kernels::Program& program, kernels::KvPool& pool,
        const kernels::StepLimits& limits, kernels::Numerics mode) override {
        return inner_->compile(program, pool, limits, mode);
    }

private:
    NamedDevice device_;
    std::unique_ptr<kernels::Backend> inner_;
};

} // namespace vitrine::testing
