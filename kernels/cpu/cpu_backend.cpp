// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/cpu_backend.h"

#include <algorithm>
#include <chrono>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "kernels/api/cpu_isa.h"
#include "kernels/api/host_memory.h"
#include "kernels/api/sentence.h"
#include "kernels/cpu/cpu_executable.h"
#include "kernels/cpu/head_limits.h"
#include "kernels/cpu/isa_select.h"
#include "kernels/cpu/physical_cores.h"
#include "kernels/cpu/weight_arena.h"
#include "kernels/ref/expert_choice.h"

namespace vitrine::kernels {
namespace {

using namespace cpu;

constexpr int kMaxThreads = 1024;

/// Threads and where they run.
struct Placement {
    int num_threads = 1;
    std::vector<int> cores; // empty: not pinned
};

Result<Placement> place(const CpuOptions& options) {
    std::vector<int> cores = physical_cores();
    if (options.num_threads < 0 || options.num_threads > kMaxThreads)
        return fail(ErrorCode::invalid_argument,
            say(Sentence::cpu_threads_out_of_range, options.num_threads, kMaxThreads), say(Sentence::use_every_core));
    Placement placement;
    placement.num_threads = options.num_threads == 0 ? static_cast<int>(cores.size()) : options.num_threads;
    if (options.pin_threads && placement.num_threads <= static_cast<int>(cores.size())) {
        cores.resize(static_cast<std::size_t>(placement.num_threads));
        placement.cores = std::move(cores);
    }
    return placement;
}

DeviceInfo describe_device(const IsaTable& isa, int num_threads) {
    const std::int64_t page = sysconf(_SC_PAGESIZE);
    return {"cpu", cpu_features().name, isa.name, sysconf(_SC_PHYS_PAGES) * page,
        available_memory_bytes().value_or(sysconf(_SC_AVPHYS_PAGES) * page), num_threads};
}

std::string decline_heads(const HeadLayout& heads) {
    if (heads.head_dim > kMaxHeadDim)
        return "head dimension " + std::to_string(heads.head_dim) + " is above " + std::to_string(kMaxHeadDim);
    return {};
}

/// Why the fused form is not offered; empty: it is.
struct Decliner {
    const Program& program;

    [[nodiscard]] const std::vector<WeightMember>& members(WeightGroupId id) const {
        return program.weights[static_cast<std::size_t>(id.value)].members;
    }
    [[nodiscard]] std::string operator()(const LinearOp& op) const {
        const std::vector<WeightMember>& matrices = members(op.weights);
        for (const WeightMember& member : matrices)
            if (is_dense(member.format) != is_dense(matrices.front().format))
                return "members mix 8-bit and float activations";
        if (const auto* rope_kv = std::get_if<RopeKvEpilogue>(&op.epilogue)) {
            if (rope_kv->heads.head_dim % 16 != 0)
                return "head dimension is no multiple of 16";
            return decline_heads(rope_kv->heads);
        }
        return {};
    }
    [[nodiscard]] std::string operator()(const AttentionOp& op) const { return decline_heads(op.heads); }
    [[nodiscard]] std::string operator()(const HeadLinearOp& op) const {
        const std::int64_t out_dim = members(op.weights).front().out_dim / op.num_heads;
        return out_dim % 16 != 0 ? "heads of " + std::to_string(out_dim) + " are no multiple of 16" : "";
    }
    [[nodiscard]] std::string operator()(const ExpertsOp& op) const {
        const std::vector<WeightMember>& gate_up = members(op.gate_up);
        const WeightMember& down = members(op.down).front();
        if (is_dense(gate_up[0].format) != is_dense(gate_up[1].format))
            return "members mix 8-bit and float activations";
        if (gate_up[0].out_dim / op.num_experts % 16 != 0 || down.out_dim / op.num_experts % 16 != 0)
            return "experts of " + std::to_string(down.in_dim) + " by " +
                std::to_string(down.out_dim / op.num_experts) + " are no multiples of 16";
        return op.num_experts > kMaxExperts ? "more than " + std::to_string(kMaxExperts) + " experts" : "";
    }
    template <class Other>
    [[nodiscard]] std::string operator()(const Other&) const {
        return {};
    }
};

/// Thread: as Backend.  Invariant: weights_ is indexed by group id; an entry without members was not uploaded.
class CpuBackend final : public Backend {
public:
    CpuBackend(const CpuOptions& options, const IsaTable& isa, Placement placement)
        : options_(options), isa_(isa), workers_(placement.num_threads, std::move(placement.cores)) {}

    [[nodiscard]] DeviceInfo device() const override { return describe_device(isa_, workers_.size()); }

    [[nodiscard]] Verdict check(const Program& program, const Op& op, Numerics mode) const override {
        std::string reason = std::visit(Decliner{program}, op);
        if (!reason.empty())
            return Declined{std::move(reason)};
        return Accepted{kernel_name(program, op, isa_, mode)};
    }

    [[nodiscard]] bool takes_kv_groups() const noexcept override { return true; }
    [[nodiscard]] Footprint estimate(
        const Program& program, const KvSpec& kv, const StepLimits& limits) const override {
        Footprint footprint;
        for (const WeightGroupSpec& group : program.weights)
            footprint.weight_bytes += arena_bytes(group, isa_) + vector_bytes(group);
        footprint.kv_block_bytes = kv_bytes_per_block(kv);
        footprint.workspace_bytes = workspace_bytes(program, limits, workers_.size());
        return footprint;
    }

    Result<void> upload(const Program& program, WeightGroupId id, WeightGroupBytes bytes) override {
        if (!id.valid() || static_cast<std::size_t>(id.value) >= program.weights.size())
            return fail(
                ErrorCode::invalid_argument, "weight group " + std::to_string(id.value) + " is not of the program");
        VT_TRY(reserve(program));
        const auto index = static_cast<std::size_t>(id.value);
        auto group = pack_group(program.weights[index], bytes, isa_, workers_, arena_.data() + group_offsets_[index]);
        if (!group)
            return tl::unexpected(std::move(group).error());
        weights_[index] = std::move(*group);
        return {};
    }

    [[nodiscard]] std::int64_t held_weight_bytes() const noexcept override {
        auto bytes = static_cast<std::int64_t>(arena_.size());
        for (const PackedGroup& group : weights_)
            bytes += static_cast<std::int64_t>(group.vector.size() * sizeof(float));
        return bytes;
    }

    Result<std::unique_ptr<KvPool>> make_kv_pool(const KvSpec& kv, int num_blocks) override {
        auto pool = CpuKvPool::create(kv, num_blocks, options_.huge_pages);
        if (!pool)
            return tl::unexpected(std::move(pool).error());
        return std::move(*pool);
    }

    Result<std::unique_ptr<Executable>> compile(
        const Program& program, KvPool& pool, const StepLimits& limits, Numerics mode) override {
        auto* kv = dynamic_cast<CpuKvPool*>(&pool);
        if (kv == nullptr)
            return fail(ErrorCode::invalid_argument, "the KV pool was made by another backend");
        for (std::size_t i = 0; i < program.weights.size(); ++i) {
            if (i >= weights_.size() || weights_[i].members.empty())
                return fail(ErrorCode::invalid_argument,
                    "tensor " + program.weights[i].members.front().name + " was not uploaded before compile()");
        }
        for (const Op& op : program.ops) {
            if (std::string reason = std::visit(Decliner{program}, op); !reason.empty())
                return fail(ErrorCode::unsupported, "the CPU backend cannot run an op of this program: " + reason,
                    "Resolve the program against this backend first.");
        }
        try {
            return std::make_unique<CpuExecutable>(
                program, weights_, isa_, workers_, *kv, limits, mode, options_.observer);
        } catch (const std::bad_alloc&) {
            return fail(ErrorCode::out_of_memory,
                say(Sentence::workspace_refused, workspace_bytes(program, limits, workers_.size())),
                say(Sentence::take_smaller_steps));
        }
    }

    [[nodiscard]] double barrier_ns() {
        constexpr int kRounds = 5000;
        if (workers_.size() == 1)
            return 0;
        const auto start = std::chrono::steady_clock::now();
        workers_.run_each([this](int) {
            for (int i = 0; i < kRounds; ++i)
                workers_.barrier();
        });
        return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count() / kRounds;
    }

private:
    /// One mapping for all weights, in program order: groups of a small model are far below a huge page, and a decode step
    /// reads them one after the other.  Pages are taken as they are filled.
    Result<void> reserve(const Program& program) {
        std::vector<std::int64_t> offsets(1, 0);
        for (const WeightGroupSpec& group : program.weights)
            offsets.push_back(offsets.back() + arena_bytes(group, isa_));
        if (offsets == group_offsets_)
            return {};
        auto arena = WeightArena::create(static_cast<std::size_t>(offsets.back()), options_.huge_pages);
        if (!arena)
            return tl::unexpected(std::move(arena).error());
        arena_ = std::move(*arena);
        group_offsets_ = std::move(offsets);
        weights_.clear(); // of another program
        weights_.resize(program.weights.size());
        return {};
    }

    const CpuOptions options_;
    const IsaTable isa_;
    WorkerPool workers_;
    WeightArena arena_;
    std::vector<std::int64_t> group_offsets_; // [groups + 1] bytes into the arena
    std::vector<PackedGroup> weights_; // empty until the first upload
};

} // namespace

Result<std::unique_ptr<Backend>> make_cpu_backend(const CpuOptions& options) {
    auto isa = select_isa(options.isa);
    if (!isa)
        return tl::unexpected(std::move(isa).error());
    auto placement = place(options);
    if (!placement)
        return tl::unexpected(std::move(placement).error());
    const int num_threads = placement->num_threads;
    try {
        return std::make_unique<CpuBackend>(options, *isa, std::move(*placement));
    } catch (const std::system_error& error) {
        return fail(ErrorCode::device, say(Sentence::cpu_threads_refused, num_threads, error.what()),
            say(Sentence::take_fewer_threads));
    }
}

Result<DeviceInfo> probe_cpu(const CpuOptions& options) {
    const auto isa = select_isa(options.isa);
    if (!isa)
        return tl::unexpected(isa.error());
    const auto placement = place(options);
    if (!placement)
        return tl::unexpected(placement.error());
    return describe_device(*isa, placement->num_threads);
}

double measure_barrier_ns(Backend& backend) {
    return static_cast<CpuBackend&>(backend).barrier_ns();
}

} // namespace vitrine::kernels
