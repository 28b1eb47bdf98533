// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/spec: drafts drawn by a small model with the same vocabulary and a KV pool of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "engine/kv/kv_cache_manager.h"
#include "engine/spec/proposer.h"
#include "kernels/api/backend.h"
#include "kernels/ref/ref_sampling.h"

namespace vitrine::engine {

/// Leviathan et al. 2023, Chen et al. 2023.  Fed t0, d1 .. d(gamma - 1), so that d(gamma) has no K and V yet; what it was
/// fed is compared with the text in the next call, which covers rejection, full acceptance, a stop, a preemption and
/// steps without drafts alike (engine.md 4.1).
class DraftModelProposer final : public Proposer {
public:
    struct Parts {
        std::unique_ptr<kernels::Backend> backend; // holds the weights
        std::unique_ptr<kernels::KvPool> pool;
        std::unique_ptr<kernels::Executable> executable;
        kernels::StepLimits limits;
        std::int64_t vocab_size = 0; // of the draft model's head
        std::int64_t target_vocab_size = 0; // of the rows that judge
        KvCacheManager::Options kv;
    };
    explicit DraftModelProposer(Parts parts);

    [[nodiscard]] std::string_view name() const noexcept override { return "draft model"; }
    /// A sequence whose text is still being read (at most limits.max_rows tokens a call, oldest first), that does not fit
    /// the pool or the draft model's context gets none.
    [[nodiscard]] Result<std::vector<Draft>> propose(std::span<const DraftRequest> requests) override;
    void forget(SequenceId sequence) override;

    [[nodiscard]] const KvCacheManager& kv() const noexcept { return kv_; }
    [[nodiscard]] kernels::KvGeometry kv_geometry() const noexcept { return parts_.pool->geometry(); }

private:
    /// How far the draft model has read one sequence.
    struct Follower {
        BlockTable table;
        std::vector<TokenId> fed; // tokens and drafts whose K and V lie in its pool
    };
    /// One request during one call.
    struct Run {
        const DraftRequest* request = nullptr;
        Follower* follower = nullptr;
        Draft* draft = nullptr;
        std::vector<std::uint32_t> masks; // [drafts so far + 1, ceil(vocab/32)], or empty
        int num_rows = 0; // of the coming round
        int max_drafts = 0; // 0: only reads
    };
    /// Arrays of one step of the draft model.
    struct Batch {
        std::vector<std::int32_t> tokens, positions, slots, starts, lens, tables, logit_rows;
        int max_blocks = 1;
    };

    std::vector<Run> start(std::span<const DraftRequest> requests, std::span<Draft> drafts);
    Follower* follow(const DraftRequest& request, std::vector<std::span<const TokenId>>& fresh_heads);
    Result<void> run_round(std::vector<Run>& runs);
    void add_rows(const Run& run);
    void add_tables(std::span<const Run> runs);
    void draw(Run& run, std::span<const float> logits);

    Parts parts_;
    KvCacheManager kv_;
    std::unordered_map<SequenceId, Follower> followers_;
    Batch batch_;
    std::vector<float> row_, probs_;
    kernels::SamplingScratch scratch_;
};

} // namespace vitrine::engine
