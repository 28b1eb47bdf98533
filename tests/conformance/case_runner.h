// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/conformance: one case on one implementation: upload, compile, steps.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "tests/conformance/case_builder.h"
#include "tests/conformance/implementation.h"

namespace vitrine::testing {

struct RunLimits {
    int max_rows = 64;
    int num_seqs = 1;
    int max_context = 512;
    KvType kv_type = KvType::f16;
};

/// Tokens that follow what a sequence has computed so far.
struct Piece {
    int sequence = 0;
    std::vector<std::int32_t> tokens;
};

/// Errors become test failures; a runner that could not be made gives empty results.  Blocks of the sequences are interleaved
/// and descending, so that no table is contiguous.
class CaseRunner {
public:
    CaseRunner(const Implementation& implementation, const Case& entry, const RunLimits& limits);

    /// One batch; logits of every row, in the order of the pieces.  `padding`: that many null sequences follow.
    /// A program with Program::input takes it from `input`; one with an output gives that and no logits.
    StepResult step(const std::vector<Piece>& pieces, std::span<const SamplingSequence> sampling = {}, int padding = 0,
        std::span<const float> input = {});
    /// Logits of one batch that is a single piece of sequence 0.
    std::vector<float> logits(const std::vector<std::int32_t>& tokens) { return step({{0, tokens}}).logits; }
    /// Of each sequence, [num_seqs, num_adapters]; the steps that follow use them.  Empty: none uses any.
    void use_adapters(std::vector<float> weights) { adapter_weights_ = std::move(weights); }
    /// Takes back all but `length` tokens of a sequence; later pieces overwrite what was there.
    void truncate(int sequence, int length) { lengths_[static_cast<std::size_t>(sequence)] = length; }

    [[nodiscard]] KvPool& pool() { return *pool_; }
    [[nodiscard]] bool usable() const noexcept { return executable_ != nullptr; }
    [[nodiscard]] std::int32_t block_of(int sequence, int index, int group = 0) const noexcept;
    /// The layers of `group` see `tokens` back: blocks that the first row of a piece does not see are named 0 from then on.
    void drop_blocks_behind(int group, int tokens) { windows_[static_cast<std::size_t>(group)] = tokens; }

private:
    struct Arrays;
    void add_places(Arrays& arrays, const std::vector<Piece>& pieces, int group) const;
    [[nodiscard]] Result<void> open(const Implementation& implementation, const Case& entry);

    RunLimits limits_;
    std::unique_ptr<Backend> backend_;
    std::unique_ptr<KvPool> pool_;
    std::unique_ptr<Executable> executable_;
    std::vector<int> lengths_; // of each sequence
    std::vector<int> windows_; // of each group of the cache; 0: every block is kept
    std::size_t num_adapters_ = 0;
    bool gives_logits_ = true;
    std::vector<float> adapter_weights_;
};

/// Whether every op of the case has a form that the implementation accepts.
[[nodiscard]] bool is_runnable(const Implementation& implementation, const Case& entry);

/// Consecutive token ids 0, 1, ... modulo `vocab`.
[[nodiscard]] std::vector<std::int32_t> token_run(int count, std::int64_t vocab, int first = 0);

} // namespace vitrine::testing
