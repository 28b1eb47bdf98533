// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: kinds of packed checkpoints.
#include "engine/model/checkpoint_packer.h"

#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/quant/gptq.h"

namespace vitrine::engine {
namespace {

using nlohmann::ordered_json;

constexpr double kDamping = 0.01;

struct TargetRow {
    std::string_view type, method;
    CheckpointTarget target;
};
constexpr std::array kTargets{TargetRow{"int4", "rtn", {CheckpointKind::gptq, 4, false}},
    TargetRow{"int4", "gptq", {CheckpointKind::gptq, 4, true}},
    TargetRow{"int4", "awq", {CheckpointKind::awq, 4, true}},
    TargetRow{"int8", "rtn", {CheckpointKind::int8, 8, false}},
    TargetRow{"int8", "gptq", {CheckpointKind::gptq, 8, true}},
    TargetRow{"nf4", "rtn", {CheckpointKind::nf4, 4, false}}, TargetRow{"fp8", "rtn", {CheckpointKind::fp8, 8, false}}};

} // namespace

std::optional<CheckpointTarget> checkpoint_target(std::string_view type, std::string_view method) {
    for (const TargetRow& row : kTargets)
        if (row.type == type && row.method == method)
            return row.target;
    return {};
}

std::vector<std::pair<std::string_view, std::string_view>> checkpoint_types() {
    std::vector<std::pair<std::string_view, std::string_view>> types;
    for (const TargetRow& row : kTargets)
        types.emplace_back(row.type, row.method);
    return types;
}

std::string CheckpointPacker::name() const {
    switch (options_->target.kind) {
    case CheckpointKind::gptq:
        return fmt::format("gptq-{}bit-g{}", rule_.bits, rule_.group_size);
    case CheckpointKind::awq:
        return fmt::format("awq-4bit-g{}", rule_.group_size);
    case CheckpointKind::int8:
        return "int8";
    case CheckpointKind::nf4:
        return "nf4";
    case CheckpointKind::fp8:
        break;
    }
    return "fp8";
}

bool CheckpointPacker::fits(std::int64_t out_dim, std::int64_t in_dim) const noexcept {
    switch (options_->target.kind) {
    case CheckpointKind::gptq: // kernels of readers take 32 inputs and outputs at a time
        return in_dim % 32 == 0 && out_dim % 32 == 0;
    case CheckpointKind::awq:
        return in_dim % rule_.group_size == 0 && out_dim % 8 == 0;
    case CheckpointKind::nf4:
        return in_dim * out_dim % 2 == 0;
    case CheckpointKind::int8:
    case CheckpointKind::fp8:
        break;
    }
    return true;
}

PackedParts CheckpointPacker::parts(std::int64_t out_dim, std::int64_t in_dim) const {
    switch (options_->target.kind) {
    case CheckpointKind::gptq:
        return gptq_parts(rule_, out_dim, in_dim);
    case CheckpointKind::awq:
        return awq_parts(rule_, out_dim, in_dim);
    case CheckpointKind::int8:
        return int8_parts(out_dim, in_dim);
    case CheckpointKind::nf4:
        return nf4_parts(out_dim, in_dim);
    case CheckpointKind::fp8:
        break;
    }
    return fp8_parts(out_dim, in_dim);
}

Result<PackedParts> CheckpointPacker::pack(
    const DenseMatrix& matrix, const InputProducts* inputs, std::span<const float> importance) const {
    const int threads = options_->num_threads;
    switch (options_->target.kind) {
    case CheckpointKind::gptq: {
        if (inputs == nullptr)
            return pack_gptq(round_to_groups(matrix, {}, rule_, threads));
        const auto codes = gptq_round(matrix, inputs->sums, {rule_, options_->act_order, kDamping, threads});
        VT_TRY(codes);
        return pack_gptq(*codes);
    }
    case CheckpointKind::awq:
        return pack_awq(round_to_groups(matrix, importance, rule_, threads));
    case CheckpointKind::int8:
        return pack_int8(matrix);
    case CheckpointKind::nf4:
        return pack_nf4(matrix);
    case CheckpointKind::fp8:
        break;
    }
    return pack_fp8(matrix);
}

ordered_json CheckpointPacker::config(const std::vector<std::string>& left) const {
    const ordered_json left_or_null = left.empty() ? ordered_json() : ordered_json(left);
    ordered_json json;
    switch (options_->target.kind) {
    case CheckpointKind::gptq:
        json = {{"quant_method", "gptq"}, {"bits", rule_.bits}, {"group_size", rule_.group_size},
            {"desc_act", options_->act_order}, {"sym", rule_.symmetric}, {"damp_percent", kDamping},
            {"true_sequential", false}, {"static_groups", false}, {"checkpoint_format", "gptq"}};
        for (const std::string& module : left)
            json["dynamic"][fmt::format("-:^{}$", module)] = ordered_json::object();
        return json;
    case CheckpointKind::awq:
        return {{"quant_method", "awq"}, {"bits", 4}, {"group_size", rule_.group_size}, {"zero_point", true},
            {"version", "gemm"}, {"modules_to_not_convert", left_or_null}};
    case CheckpointKind::int8:
        return {{"quant_method", "bitsandbytes"}, {"load_in_8bit", true}, {"load_in_4bit", false},
            {"llm_int8_threshold", options_->outlier_threshold}, {"llm_int8_skip_modules", left_or_null}};
    case CheckpointKind::nf4:
        return {{"quant_method", "bitsandbytes"}, {"load_in_8bit", false}, {"load_in_4bit", true},
            {"bnb_4bit_quant_type", "nf4"}, {"bnb_4bit_use_double_quant", true}, {"bnb_4bit_compute_dtype", "float16"},
            {"bnb_4bit_quant_storage", "uint8"}, {"llm_int8_skip_modules", left_or_null}};
    case CheckpointKind::fp8:
        break;
    }
    return {{"quant_method", "fp8"}, {"activation_scheme", "dynamic"}, {"fmt", "e4m3"},
        {"weight_block_size", {128, 128}}, {"modules_to_not_convert", left_or_null}};
}

} // namespace vitrine::engine
