// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/api: a device that runs programs: Backend makes, Executable steps.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "kernels/api/kv_pool.h"
#include "kernels/api/program.h"
#include "kernels/api/result.h"
#include "kernels/api/step_args.h"

namespace vitrine::kernels {

/// fast: default.  exact: 16-bit activations where the default rounds to 8 (CPU int8x2).  invariant: bits of a row do not depend on the batch.
enum class Numerics : std::uint8_t { fast, exact, invariant };

struct DeviceInfo {
    std::string id; // "cpu", "cuda:0"
    std::string name; // "AMD EPYC 9354", "NVIDIA H200"
    std::string isa; // "avx512", "avx2", "scalar", "sm_90"
    std::int64_t memory_total_bytes = 0;
    std::int64_t memory_free_bytes = 0;
    int num_threads = 0; // CPU worker threads; 0 elsewhere
};

struct Accepted {
    std::string kernel;
};
struct Declined {
    std::string reason;
};
using Verdict = std::variant<Accepted, Declined>;

struct Footprint {
    std::int64_t weight_bytes = 0;
    std::int64_t kv_block_bytes = 0;
    std::int64_t workspace_bytes = 0;
};

/// How one op of the resolved program is run; feeds the kernel table, the log and bench.
struct KernelReport {
    std::string op; // "linear qkv blk.0"
    std::string kernel; // "gemv_q4_1_avx512"
    bool fused = true;
    std::string reason; // why it was decomposed, if it was
};

/// Upper bounds of one step, fixed at compile time: nothing is allocated later.
struct StepLimits {
    int max_rows = 0;
    int max_seqs = 0;
    int max_logit_rows = 0;
    int max_context = 0; // tokens
    bool graphs = true; // recurring steps may be recorded and replayed; the same results either way
};

struct Ticket {
    std::uint64_t step = 0;
};

/// Owns workspace and graphs of one resolved program; at most two steps in flight.  Thread: engine.
class Executable {
public:
    virtual ~Executable() = default;
    /// Requires: args within StepLimits, consistent.  Host arrays are copied before it returns.
    virtual Result<Ticket> submit(const StepArgs& step) = 0;
    /// Blocks until the step has ended.  Each ticket is waited for once, in order.
    virtual Result<StepResult> wait(Ticket ticket) = 0;
    /// True if the step submitted last leaves what it samples where the next one finds it, without the host: StepArgs::tokens.
    [[nodiscard]] virtual bool keeps_tokens() const noexcept { return false; }
    [[nodiscard]] virtual std::span<const KernelReport> kernels() const noexcept = 0;
};

/// One device for one session: load thread until the session is installed, then engine thread.
class Backend {
public:
    virtual ~Backend() = default;
    [[nodiscard]] virtual DeviceInfo device() const = 0;
    /// Pure: no allocation on the device, no device work.
    [[nodiscard]] virtual Verdict check(const Program& program, const Op& op, Numerics mode) const = 0;
    /// Whether pools and executables take a KvSpec of several groups; else the engine keeps all layers in one.
    [[nodiscard]] virtual bool takes_kv_groups() const noexcept { return false; }
    [[nodiscard]] virtual Footprint estimate(
        const Program& program, const KvSpec& kv, const StepLimits& limits) const = 0;
    /// Repacks one group of the program; the source may go on return.  Groups may come in any order, each once.
    virtual Result<void> upload(const Program& program, WeightGroupId id, WeightGroupBytes bytes) = 0;
    /// Bytes of the device's memory that uploaded weights take now, as they lie there: what estimate() foretold.
    [[nodiscard]] virtual std::int64_t held_weight_bytes() const noexcept = 0;
    virtual Result<std::unique_ptr<KvPool>> make_kv_pool(const KvSpec& kv, int num_blocks) = 0;
    /// Requires: every group of the program uploaded; the pool was made by this backend and outlives the executable.
    virtual Result<std::unique_ptr<Executable>> compile(
        const Program& program, KvPool& pool, const StepLimits& limits, Numerics mode) = 0;
};

} // namespace vitrine::kernels
