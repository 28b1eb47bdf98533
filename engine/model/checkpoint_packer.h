// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: what differs between GPTQ, AWQ, INT8, NF4 and FP8 when a folder is written.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/checkpoint_job.h"
#include "engine/quant/checkpoint_packing.h"

namespace vitrine::engine {

/// A target with its group chosen.
class CheckpointPacker {
public:
    /// options: outlives the packer.
    CheckpointPacker(const CheckpointOptions& options, GroupRule rule) : options_(&options), rule_(rule) {}

    [[nodiscard]] const GroupRule& rule() const noexcept { return rule_; }
    [[nodiscard]] std::string name() const; // "gptq-4bit-g64", for the report
    /// Whether a matrix can be packed; others stay in 16 bits.
    [[nodiscard]] bool fits(std::int64_t out_dim, std::int64_t in_dim) const noexcept;
    [[nodiscard]] PackedParts parts(std::int64_t out_dim, std::int64_t in_dim) const;
    /// inputs: with a calibrated target the products of its input.  importance: of AWQ, or empty.
    [[nodiscard]] Result<PackedParts> pack(
        const DenseMatrix& matrix, const InputProducts* inputs, std::span<const float> importance) const;
    /// quantization_config.  left: modules of the layers that stay in 16 bits.
    [[nodiscard]] nlohmann::ordered_json config(const std::vector<std::string>& left) const;

private:
    const CheckpointOptions* options_;
    GroupRule rule_;
};

} // namespace vitrine::engine
