// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: drives the scheduler with the hash backend, as the engine loop does, and checks every step.
#pragma once

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "engine/sched/scheduler.h"
#include "engine/spec/draft_model_proposer.h"
#include "engine/spec/ngram_proposer.h"
#include "tests/support/hash_backend.h"
#include "tests/support/manual_clock.h"

namespace vitrine::engine {

enum class Drafter { none, ngram, model };

struct DriverOptions {
    SchedulerConfig config;
    int num_blocks = 64;
    int block_tokens = 4;
    bool prefix_cache = true;
    Drafter drafter = Drafter::none;
    bool random_gamma = false; // another limit of drafts for each request
    std::vector<int> windows{0}; // of each block group; 0: sees everything
    bool measures = false; // steps tell what they took, so that prompts beside streams are cut smaller
};

class StepDriver {
public:
    static constexpr int kVocab = 40;

    explicit StepDriver(const DriverOptions& options)
        : options_(options),
          kv_(KvCacheManager::Options{.num_blocks = options.num_blocks,
              .hash = {.model = "hash", .kv_type = "f16", .block_tokens = options.block_tokens, .rope = "", .seed = {}},
              .prefix_cache = options.prefix_cache,
              .clock = &clock,
              .groups = groups_of(options.windows)}),
          scheduler(options.config, kv_, clock), pool_(spec_of(options), options.num_blocks + 1),
          model_(kVocab, {.windows = options.windows}), executable_(model_, pool_,
                                                            {.max_rows = options.config.max_batch_tokens,
                                                                .max_seqs = options.config.max_seqs,
                                                                .max_logit_rows = options.config.max_batch_tokens,
                                                                .max_context = options.config.context},
                                                            testing::HashBackendOptions{}),
          proposer_(make_proposer(options)) {}

    /// Adds a greedy sequence; its id, or 0 if it was refused.
    SequenceId add(std::vector<TokenId> prompt, int max_output, int priority = 0, SequenceId leader = {}) {
        SequenceSpec spec;
        spec.id = SequenceId{++last_id_};
        spec.request = RequestId{last_id_};
        spec.priority = priority;
        spec.arrival = clock.now();
        spec.prompt = prompt;
        spec.max_output = max_output;
        spec.sampling.params.temperature = 0;
        spec.speculate = options_.drafter != Drafter::none;
        spec.draft_length.max_gamma = options_.config.max_gamma;
        if (options_.random_gamma)
            spec.draft_length.max_gamma =
                static_cast<int>(last_id_ % (1U + static_cast<unsigned>(options_.config.max_gamma)));
        spec.draft_length.fixed_gamma = spec.draft_length.max_gamma;
        spec.leader = leader;
        const SequenceId id = spec.id;
        if (!scheduler.add(std::make_unique<Sequence>(std::move(spec))))
            return SequenceId{};
        prompts[id] = std::move(prompt);
        limits[id] = max_output;
        return id;
    }

    /// One step.  Returns false when there was nothing to do.
    bool step() {
        propose();
        const std::vector<Sequence*> before(scheduler.running().begin(), scheduler.running().end());
        plan = scheduler.schedule();
        scheduler.check_plan(plan);
        check_plan(before);
        if (plan.plans.empty())
            return false;
        EXPECT_TRUE(pool_.copy_blocks(plan.copies).has_value());
        const std::vector<kernels::SamplingOutcome> sampled = run();
        if (options_.measures)
            scheduler.measured(plan, 0.002 + 0.001 * plan.num_rows);
        commit(sampled);
        scheduler.check_invariants();
        clock.advance(std::chrono::milliseconds(50));
        return true;
    }
    int run_to_end(int most_steps = 100000) {
        int steps = 0;
        while (scheduler.has_work() && steps < most_steps) {
            ++steps;
            if (!step() && plan.preempted.empty()) {
                ADD_FAILURE() << "work is left and nothing was planned in step " << steps;
                break;
            }
        }
        return steps;
    }
    void cancel(SequenceId id) {
        proposer_->forget(id);
        static_cast<void>(scheduler.finish(id));
        scheduler.check_invariants();
    }
    /// Every finished output equals the solo run of its prompt.
    void expect_solo_outputs() const {
        for (const auto& [id, output] : outputs)
            EXPECT_EQ(output, model_.greedy(prompts.at(id), limits.at(id))) << "sequence " << static_cast<unsigned>(id);
    }

    testing::ManualClock clock;
    std::map<SequenceId, std::vector<TokenId>> prompts;
    std::map<SequenceId, int> limits;
    std::map<SequenceId, std::vector<TokenId>> outputs; // of finished ones
    ScheduleOutput plan; // the last one
    int preemptions = 0;
    AcceptanceCounts acceptance;

private:
    DriverOptions options_;
    KvCacheManager kv_;

public:
    Scheduler scheduler;
    KvCacheManager& kv() { return kv_; }

private:
    static std::vector<BlockGroup> groups_of(const std::vector<int>& windows) {
        std::vector<BlockGroup> groups;
        for (const int window : windows)
            groups.push_back({window, 1});
        return groups;
    }
    static kernels::KvSpec spec_of(const DriverOptions& options) {
        kernels::KvSpec spec{kernels::KvType::f16, options.block_tokens, {}};
        for (std::size_t group = 0; group < options.windows.size(); ++group)
            spec.layers.push_back({1, 2, static_cast<int>(group)});
        return spec;
    }
    void propose() {
        std::vector<Sequence*> askers;
        std::vector<DraftRequest> requests;
        for (Sequence* sequence : scheduler.running()) {
            if (sequence->max_drafts() == 0)
                continue;
            askers.push_back(sequence);
            requests.push_back({sequence->id(), sequence->tokens(), sequence->max_drafts(), &sequence->sampler(),
                &sequence->spec().extras, nullptr});
        }
        auto drafts = proposer_->propose(requests);
        ASSERT_TRUE(drafts.has_value());
        for (std::size_t i = 0; i < askers.size(); ++i) {
            Draft& draft = drafts->at(i);
            if (options_.drafter == Drafter::model) { // the drafter's own solo run: its KV was in step
                const std::vector<TokenId> text(askers[i]->tokens().begin(), askers[i]->tokens().end());
                EXPECT_EQ(draft.tokens, draft_model_.greedy(text, static_cast<int>(draft.tokens.size())));
            }
            askers[i]->set_draft(std::move(draft));
        }
    }
    static std::unique_ptr<Proposer> make_proposer(const DriverOptions& options) {
        if (options.drafter != Drafter::model)
            return std::make_unique<NgramProposer>();
        const kernels::KvSpec kv{kernels::KvType::f16, options.block_tokens, {{1, 2}}};
        DraftModelProposer::Parts parts;
        parts.limits = {.max_rows = options.config.max_batch_tokens,
            .max_seqs = options.config.max_seqs,
            .max_logit_rows = options.config.max_seqs,
            .max_context = options.config.context};
        parts.vocab_size = kVocab;
        parts.target_vocab_size = kVocab;
        parts.kv = {.num_blocks = options.num_blocks,
            .hash = {.model = "draft", .kv_type = "f16", .block_tokens = options.block_tokens, .rope = "", .seed = {}},
            .prefix_cache = options.prefix_cache};
        auto pool = std::make_unique<testing::HashKvPool>(kv, options.num_blocks + 1);
        parts.executable = std::make_unique<testing::HashExecutable>(
            testing::HashModel(kVocab, kDrafterOptions), *pool, parts.limits, kDrafterOptions);
        parts.pool = std::move(pool);
        return std::make_unique<DraftModelProposer>(std::move(parts));
    }
    void check_plan(const std::vector<Sequence*>& before) {
        preemptions += static_cast<int>(plan.preempted.size());
        for (const SequenceId id : plan.preempted)
            proposer_->forget(id);
        int rows = 0;
        std::set<SequenceId> planned;
        for (const SequencePlan& one : plan.plans) {
            rows += one.count;
            EXPECT_TRUE(planned.insert(one.id).second);
            for (const GroupBlocks& group : one.sequence->table().groups) {
                for (int position = one.first_position; position < one.first_position + one.count; ++position) {
                    const BlockId block = group.blocks[static_cast<std::size_t>(position / options_.block_tokens)];
                    EXPECT_EQ(kv_.pool().block(block).ref_count, 1) << "a shared block is written";
                    EXPECT_FALSE(kv_.pool().block(block).cached) << "a hashed block is written";
                }
            }
        }
        EXPECT_EQ(rows, plan.num_rows);
        EXPECT_LE(rows, options_.config.max_batch_tokens);
        if (before.empty())
            return;
        // By (priority, arrival), as the scheduler orders them; without priorities by arrival alone.
        const auto oldest = std::min_element(before.begin(), before.end(), [&](const Sequence* a, const Sequence* b) {
            return goes_before(*a, *b, clock.now(), options_.config.raise_after);
        });
        EXPECT_TRUE(planned.contains((*oldest)->id()) || options_.config.policy == BatchPolicy::fixed)
            << "the oldest was not planned";
    }
    std::vector<kernels::SamplingOutcome> run() {
        std::vector<std::int32_t> tokens, positions, slots, starts{0}, lens, tables, logit_rows;
        std::vector<kernels::SamplingSequence> sampling;
        std::size_t widest = 1;
        for (const SequencePlan& one : plan.plans)
            widest = std::max(widest, static_cast<std::size_t>(one.sequence->table().num_blocks()));
        for (std::size_t group = 0; group < options_.windows.size(); ++group) {
            for (const SequencePlan& one : plan.plans) {
                const BlockTable& table = one.sequence->table();
                for (int i = 0; i < one.count; ++i)
                    slots.push_back(table.slot(one.first_position + i, options_.block_tokens, group));
                const auto& blocks = table.groups[group].blocks;
                for (std::size_t i = 0; i < widest; ++i)
                    tables.push_back(i < blocks.size() ? blocks[i].value : 0);
            }
        }
        for (const SequencePlan& one : plan.plans) {
            const Sequence& sequence = *one.sequence;
            for (int i = 0; i < one.count; ++i) {
                const int position = one.first_position + i;
                if (one.samples && i >= one.count - one.num_drafts - 1)
                    logit_rows.push_back(static_cast<std::int32_t>(tokens.size()));
                tokens.push_back(sequence.token_at(position));
                positions.push_back(position);
            }
            starts.push_back(static_cast<std::int32_t>(tokens.size()));
            lens.push_back(one.first_position + one.count);
            if (one.samples) {
                const auto row = static_cast<std::int32_t>(logit_rows.size()) - one.num_drafts - 1;
                sampling.push_back(sequence.sampler().row(row, sequence.drafts(), {}));
            }
        }
        kernels::StepArgs args;
        args.tokens = tokens;
        args.positions = positions;
        args.slots = slots;
        args.query_starts = starts;
        args.context_lens = lens;
        args.block_tables = tables;
        args.max_blocks = static_cast<std::int32_t>(widest);
        args.logit_rows = logit_rows;
        args.sampling = sampling;
        const auto ticket = executable_.submit(args);
        EXPECT_TRUE(ticket.has_value()) << (ticket ? "" : ticket.error().message);
        if (!ticket)
            return {};
        return executable_.wait(*ticket)->sampled;
    }
    void commit(const std::vector<kernels::SamplingOutcome>& sampled) {
        std::vector<std::vector<TokenId>> kept(plan.plans.size());
        std::vector<StepOutcome> outcomes(plan.plans.size());
        std::size_t next = 0;
        for (std::size_t i = 0; i < plan.plans.size(); ++i) {
            if (!plan.plans[i].samples)
                continue;
            for (const kernels::SampledToken& token : sampled.at(next).tokens)
                kept[i].push_back(token.token);
            outcomes[i] = {.kept = kept[i], .num_accepted = sampled.at(next).num_accepted};
            acceptance.record(plan.plans[i].num_drafts, outcomes[i].num_accepted);
            ++next;
        }
        scheduler.commit(plan, outcomes);
        for (const SequencePlan& one : plan.plans) {
            const Sequence* sequence = scheduler.find(one.id);
            if (sequence == nullptr || sequence->num_output() < limits.at(one.id))
                continue;
            outputs[one.id].assign(sequence->output().begin(), sequence->output().end());
            proposer_->forget(one.id);
            EXPECT_NE(scheduler.finish(one.id), nullptr);
        }
    }

    testing::HashKvPool pool_;
    testing::HashModel model_;
    testing::HashExecutable executable_;
    inline static const testing::HashBackendOptions kDrafterOptions{.salt = 99};
    testing::HashModel draft_model_{kVocab, kDrafterOptions};
    std::unique_ptr<Proposer> proposer_;
    std::uint32_t last_id_ = 0;
};

} // namespace vitrine::engine
