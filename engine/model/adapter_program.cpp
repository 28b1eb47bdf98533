// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: LoRA adapters in a program.
#include "engine/model/adapter_program.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include <fmt/format.h>

#include "kernels/api/resolve.h"

namespace vitrine::engine {
namespace {

using namespace kernels;

constexpr std::int64_t kRankMultiple = 32; // whole blocks for every kernel; the rest is zeros

class Attacher {
public:
    Attacher(Program& program, std::span<const Adapter> adapters) : program_(program), adapters_(adapters) {
        for (const Adapter& adapter : adapters)
            for (const auto& [name, factors] : adapter.tensors)
                missing_.insert(name);
        targets_ = missing_;
    }

    Result<AdapterWeights> run() {
        program_.num_adapters = static_cast<int>(adapters_.size());
        const std::vector<Op> ops = std::exchange(program_.ops, {});
        for (const Op& op : ops)
            VT_TRY(place(op));
        if (!missing_.empty())
            return fail(ErrorCode::bad_file,
                fmt::format("{} changes tensor {}, which is no matrix of the model's products",
                    owner(*missing_.begin()).path, *missing_.begin()),
                "Choose an adapter of this model.");
        return std::move(bytes_);
    }

private:
    [[nodiscard]] const Adapter& owner(const std::string& tensor) const {
        return *std::find_if(adapters_.begin(), adapters_.end(),
            [&](const Adapter& adapter) { return adapter.tensors.contains(tensor); });
    }
    [[nodiscard]] const std::vector<WeightMember>& members(WeightGroupId id) const {
        return program_.weights[static_cast<std::size_t>(id.value)].members;
    }
    /// The first matrix of the group that an adapter changes; empty: none.
    [[nodiscard]] std::string target_in(WeightGroupId id) const {
        for (const WeightMember& member : members(id))
            if (targets_.contains(member.name))
                return member.name;
        return {};
    }
    [[nodiscard]] tl::unexpected<Error> refuse(const std::string& tensor, std::string_view why) const {
        return fail(ErrorCode::unsupported, fmt::format("{} changes {}, {}", owner(tensor).path, tensor, why),
            "Merge the adapter into the model.");
    }

    Result<void> place(const Op& op) {
        if (const auto* linear = std::get_if<LinearOp>(&op); linear && !target_in(linear->weights).empty())
            return place_linear(*linear);
        if (const auto* linear = std::get_if<MemberLinearOp>(&op)) {
            program_.ops.push_back(op);
            const WeightMember member = members(linear->weights)[static_cast<std::size_t>(linear->member)];
            return targets_.contains(member.name) ? add_low_rank(member, linear->input, linear->output, linear->rows)
                                                  : Result<void>{};
        }
        if (const auto* experts = std::get_if<ExpertsOp>(&op))
            for (const WeightGroupId id : {experts->gate_up, experts->down})
                if (const std::string name = target_in(id); !name.empty())
                    return refuse(name, "the experts of a mixture, to which adapters are not applied");
        if (const auto* heads = std::get_if<HeadLinearOp>(&op))
            if (const std::string name = target_in(heads->weights); !name.empty())
                return refuse(name, "a matrix of latent attention, to which adapters are not applied");
        if (const auto* gather = std::get_if<GatherOp>(&op))
            if (const std::string name = target_in(gather->embedding); !name.empty())
                return refuse(name, "the embedding, to which adapters are not applied");
        program_.ops.push_back(op);
        return {};
    }
    Result<void> place_linear(const LinearOp& op) {
        const std::vector<Op> pieces = decompose(program_, op);
        if (pieces.empty())
            return refuse(target_in(op.weights), "whose logits are scaled or capped, and such heads take no adapter");
        for (const Op& piece : pieces)
            VT_TRY(place(piece));
        return {};
    }

    Result<void> add_low_rank(const WeightMember& member, ActivationId input, ActivationId output, RowSet rows) {
        if (input == output)
            return fail(ErrorCode::internal, fmt::format("the product of {} overwrites its input", member.name));
        LowRankOp op;
        op.input = input;
        op.output = output;
        op.rows = rows;
        std::int32_t rank = 0;
        for (const Adapter& adapter : adapters_) {
            if (const auto found = adapter.tensors.find(member.name); found != adapter.tensors.end()) {
                VT_TRY(check(member, found->second, adapter));
                rank += static_cast<std::int32_t>(found->second.rank);
            }
            op.rank_ends.push_back(rank);
        }
        const std::int64_t padded = (rank + kRankMultiple - 1) / kRankMultiple * kRankMultiple;
        op.hidden = hidden(padded);
        op.down = add_group(member.name + ".lora_a", padded, member.in_dim, joined_down(member, op, padded));
        op.up = add_group(member.name + ".lora_b", member.out_dim, padded, joined_up(member, op, padded));
        program_.ops.emplace_back(std::move(op));
        missing_.erase(member.name);
        return {};
    }
    /// A fused tensor holds several members: each takes its rows.
    static Result<void> check(const WeightMember& member, const AdapterFactors& factors, const Adapter& adapter) {
        const std::int64_t end = member.first_weight / member.in_dim + member.out_dim;
        if (factors.in_dim == member.in_dim && factors.out_dim >= end)
            return {};
        return fail(ErrorCode::bad_file,
            fmt::format("{}: the factors of {} make a matrix of {} by {}, the model's is {} by at least {}",
                adapter.path, member.name, factors.in_dim, factors.out_dim, member.in_dim, end),
            "Choose an adapter of this model.");
    }
    ActivationId hidden(std::int64_t padded) {
        const auto [entry, is_new] = hidden_.try_emplace(padded);
        if (is_new) {
            entry->second = {static_cast<std::int32_t>(program_.activations.size())};
            program_.activations.push_back({fmt::format("adapters.{}", padded), padded});
        }
        return entry->second;
    }
    WeightGroupId add_group(
        std::string name, std::int64_t rows, std::int64_t columns, const std::vector<float>& values) {
        program_.weights.push_back({WeightRole::plain, {{std::move(name), rows, columns, WeightFormat::f32}}});
        const auto bytes = std::as_bytes(std::span(values));
        bytes_.emplace_back(bytes.begin(), bytes.end());
        return {static_cast<std::int32_t>(program_.weights.size()) - 1};
    }
    [[nodiscard]] std::vector<float> joined_down(
        const WeightMember& member, const LowRankOp& op, std::int64_t padded) const {
        std::vector<float> joined(static_cast<std::size_t>(padded * member.in_dim), 0);
        for_each_factor(member, op, [&](const AdapterFactors& factors, std::int32_t first) {
            std::copy(factors.down.begin(), factors.down.end(), joined.begin() + first * member.in_dim);
        });
        return joined;
    }
    [[nodiscard]] std::vector<float> joined_up(
        const WeightMember& member, const LowRankOp& op, std::int64_t padded) const {
        std::vector<float> joined(static_cast<std::size_t>(member.out_dim * padded), 0);
        const std::int64_t first_row = member.first_weight / member.in_dim;
        for_each_factor(member, op, [&](const AdapterFactors& factors, std::int32_t first) {
            for (std::int64_t row = 0; row < member.out_dim; ++row)
                std::copy_n(factors.up.begin() + (first_row + row) * factors.rank, factors.rank,
                    joined.begin() + row * padded + first);
        });
        return joined;
    }
    template <class Use>
    void for_each_factor(const WeightMember& member, const LowRankOp& op, const Use& use) const {
        for (std::size_t i = 0; i < adapters_.size(); ++i)
            if (const auto found = adapters_[i].tensors.find(member.name); found != adapters_[i].tensors.end())
                use(found->second, i == 0 ? 0 : op.rank_ends[i - 1]);
    }

    Program& program_;
    const std::span<const Adapter> adapters_;
    std::set<std::string> targets_; // tensors that adapters change
    std::set<std::string> missing_; // of those, what no op has used yet
    std::map<std::int64_t, ActivationId> hidden_; // by dim
    AdapterWeights bytes_;
};

} // namespace

Result<AdapterWeights> attach_adapters(Program& program, std::span<const Adapter> adapters) {
    if (adapters.empty())
        return AdapterWeights{};
    return Attacher(program, adapters).run();
}

} // namespace vitrine::engine
