// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/exec: lays a scheduler's plan out as the arrays of one step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/sched/schedule_output.h"
#include "engine/sched/sequence.h"
#include "kernels/api/step_args.h"

namespace vitrine::engine {

/// Some consecutive rows of one plan.  A plan is cut only where its logits would not fit the step's limit.
struct BatchPart {
    std::size_t plan = 0; // index into ScheduleOutput::plans
    int first = 0; // row of the plan
    int count = 0;
    [[nodiscard]] friend bool operator==(const BatchPart&, const BatchPart&) = default;
};

/// Cuts a plan into batches of at most `max_logit_rows` logit rows each, order kept; nearly always one batch.
[[nodiscard]] std::vector<std::vector<BatchPart>> cut_into_batches(const ScheduleOutput& plan, int max_logit_rows);

/// Owns the arrays that StepArgs points into; kept from step to step so that a step allocates nothing once it has grown.
/// Thread: engine.
class InputBatch {
public:
    /// num_groups: block tables of each sequence (KvGeometry).
    InputBatch(int block_tokens, int num_groups) : block_tokens_(block_tokens), num_groups_(num_groups) {}

    void build(const ScheduleOutput& plan, std::span<const BatchPart> parts);
    /// Good until the next build().
    [[nodiscard]] kernels::StepArgs args() const;

    /// Where the logits of a part begin, and how many rows there are; same order as `parts`.
    struct LogitRange {
        int first = 0;
        int count = 0;
    };
    [[nodiscard]] std::span<const LogitRange> logit_ranges() const noexcept { return logit_ranges_; }
    /// Plan of each sampling sequence, in order of StepArgs::sampling.
    [[nodiscard]] std::span<const std::size_t> sampled_plans() const noexcept { return sampled_plans_; }

private:
    void add_rows(const SequencePlan& plan, const BatchPart& part);
    void add_tables(const ScheduleOutput& plan, std::span<const BatchPart> parts);
    void add_adapters(const SequencePlan& plan);
    void add_logits(const SequencePlan& plan, const BatchPart& part, int first_row);

    int block_tokens_;
    int num_groups_;
    bool want_logits_ = false;
    bool want_hidden_ = false;
    int max_blocks_ = 0;
    std::vector<std::int32_t> tokens_, positions_, slots_, query_starts_, context_lens_, block_tables_, logit_rows_;
    std::vector<float> adapter_weights_; // [num_seqs, num_adapters]; empty while no sequence uses one
    std::vector<kernels::SamplingSequence> sampling_;
    std::vector<std::vector<std::uint32_t>> allowed_; // masks, by entry of sampling_; keeps its memory
    std::vector<LogitRange> logit_ranges_;
    std::vector<std::size_t> sampled_plans_;
};

} // namespace vitrine::engine
