// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/support: a backend whose logits depend on exactly what the block tables make visible, so that a wrong slot,
// mask, reuse or stale draft changes the text.  Header only.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <fmt/core.h>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "kernels/api/backend.h"
#include "kernels/ref/ref_sampling.h"

namespace vitrine::testing {

struct HashBackendOptions {
    int end_token = -1; // gets the highest logit about once in `end_every` tokens; -1: no token is special
    int end_every = 32;
    int fail_at_step = 0; // from the N-th submit (from 1) on each fails with ErrorCode::device; 0: none
    std::string device = "cpu"; // "cuda:0": the engine works on the text of a step while the next one runs
    std::chrono::microseconds step_time{0}; // a step takes at least this long, as a real one does
    std::uint64_t salt = 0; // another model that often agrees: a drafter
    std::vector<int> windows{0}; // of each block group: tokens a row sees, itself included; 0: all
    std::shared_ptr<std::atomic<int>> num_behind{}; // counts steps submitted while another was in flight
};

/// The model: the state of a row is a hash of the states of everything before it, its token and its position.
class HashModel {
public:
    HashModel(int vocab_size, const HashBackendOptions& options) : vocab_size_(vocab_size), options_(options) {}

    [[nodiscard]] static std::uint64_t mix(std::uint64_t a, std::uint64_t b) noexcept {
        std::uint64_t x = a ^ (b + 0x9e3779b97f4a7c15 + (a << 6) + (a >> 2)); // splitmix64's finisher
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
        x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
        return x ^ (x >> 31);
    }
    /// visible: states of positions 0 .. position - 1.
    [[nodiscard]] static std::uint64_t state(
        std::span<const std::uint64_t> visible, std::int32_t token, std::int32_t position) noexcept {
        std::uint64_t hash = mix(static_cast<std::uint64_t>(token), static_cast<std::uint64_t>(position));
        for (const std::uint64_t one : visible)
            hash = mix(hash, one);
        return hash;
    }
    /// First position that a row sees.
    [[nodiscard]] static std::int32_t oldest(std::int32_t position, int window) noexcept {
        return window == 0 ? 0 : std::max(0, position - window + 1);
    }
    /// [vocab].  Three times of four a function of the token alone wins, so that text repeats and drafts are accepted.
    void logits(std::uint64_t state, std::int32_t token, std::span<float> out) const noexcept {
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = static_cast<float>(mix(state ^ options_.salt, i) >> 40) * 0x1p-22F; // 0 .. 4
        if (options_.end_token >= 0)
            out[static_cast<std::size_t>(options_.end_token)] = -10;
        if (state % 4 != 0)
            out[static_cast<std::size_t>((token * 5 + 3) % std::min(vocab_size_, 16))] += 4;
        if (options_.end_token >= 0 && mix(state, 77) % static_cast<std::uint64_t>(options_.end_every) == 0)
            out[static_cast<std::size_t>(options_.end_token)] = 20;
    }
    /// The solo run: greedy tokens after `prompt`, without any cache; what every engine must give.
    [[nodiscard]] std::vector<std::int32_t> greedy(std::vector<std::int32_t> prompt, int count) const {
        std::vector<std::uint64_t> states;
        std::vector<std::int32_t> output;
        std::vector<float> row(static_cast<std::size_t>(vocab_size_));
        for (std::size_t i = 0; i < prompt.size() && static_cast<int>(output.size()) < count; ++i) {
            const auto position = static_cast<std::int32_t>(i);
            const auto first = static_cast<std::size_t>(oldest(position, options_.windows.front()));
            states.push_back(state(std::span(states).subspan(first), prompt[i], position));
            if (i + 1 < prompt.size())
                continue;
            logits(states.back(), prompt[i], row);
            output.push_back(static_cast<std::int32_t>(std::max_element(row.begin(), row.end()) - row.begin()));
            prompt.push_back(output.back());
            if (output.back() == options_.end_token)
                break;
        }
        return output;
    }
    [[nodiscard]] int vocab_size() const noexcept { return vocab_size_; }
    [[nodiscard]] std::span<const int> windows() const noexcept { return options_.windows; }

private:
    int vocab_size_;
    HashBackendOptions options_;
};

/// One state a slot; 0: never written.
class HashKvPool final : public kernels::KvPool {
public:
    HashKvPool(kernels::KvSpec spec, int num_blocks)
        : spec_(std::move(spec)), states_(static_cast<std::size_t>(num_blocks * spec_.block_tokens)) {}

    [[nodiscard]] kernels::KvGeometry geometry() const noexcept override {
        return {.num_blocks = static_cast<int>(states_.size()) / spec_.block_tokens,
            .block_tokens = spec_.block_tokens,
            .bytes_per_block = kernels::kv_bytes_per_block(spec_),
            .num_groups = kernels::kv_num_groups(spec_)};
    }
    Result<void> copy_blocks(std::span<const kernels::BlockCopy> copies) override {
        for (const kernels::BlockCopy& copy : copies)
            std::copy_n(states_.begin() + copy.source * spec_.block_tokens, spec_.block_tokens,
                states_.begin() + copy.target * spec_.block_tokens);
        return {};
    }
    [[nodiscard]] Result<std::vector<float>> read_block(kernels::LayerId, std::int32_t) const override {
        return fail(ErrorCode::unsupported, "the hash pool holds no keys and values");
    }
    [[nodiscard]] std::uint64_t& at(std::int32_t slot) { return states_.at(static_cast<std::size_t>(slot)); }

private:
    kernels::KvSpec spec_;
    std::vector<std::uint64_t> states_;
};

class HashExecutable final : public kernels::Executable {
public:
    HashExecutable(HashModel model, HashKvPool& pool, kernels::StepLimits limits, const HashBackendOptions& options)
        : model_(std::move(model)), pool_(pool), limits_(limits), fail_at_step_(options.fail_at_step),
          step_time_(options.step_time), keeps_tokens_(options.device != "cpu"), num_behind_(options.num_behind) {}

    Result<kernels::Ticket> submit(const kernels::StepArgs& step) override {
        ++step_;
        if (fail_at_step_ > 0 && static_cast<int>(step_) >= fail_at_step_)
            return fail(ErrorCode::device, fmt::format("the device failed in step {}", step_));
        VT_TRY(check(step));
        auto tokens = resolve(step.tokens);
        VT_TRY(tokens);
        kernels::StepArgs known = step;
        known.tokens = *tokens;
        if (step_time_.count() > 0)
            std::this_thread::sleep_for(step_time_);
        std::vector<std::uint64_t> row_states(step.tokens.size());
        for (std::size_t sequence = 0; sequence + 1 < step.query_starts.size(); ++sequence)
            VT_TRY(run_sequence(known, sequence, row_states));
        results_.push_back(sample(known, row_states));
        if (results_.size() > 1 && num_behind_)
            ++*num_behind_;
        last_tokens_.clear();
        for (const kernels::SamplingOutcome& outcome : results_.back().sampled)
            last_tokens_.push_back(std::max(outcome.tokens.back().token, 0));
        return kernels::Ticket{step_};
    }
    Result<kernels::StepResult> wait(kernels::Ticket) override {
        kernels::StepResult result = std::move(results_.front());
        results_.pop_front();
        return result;
    }
    [[nodiscard]] bool keeps_tokens() const noexcept override { return keeps_tokens_; }
    [[nodiscard]] std::span<const kernels::KernelReport> kernels() const noexcept override { return {}; }

private:
    static tl::unexpected<Error> bad(std::string what) {
        return fail(ErrorCode::internal, "bad step: " + std::move(what));
    }

    /// Tokens that the step before sampled, where the step names them so.
    [[nodiscard]] Result<std::vector<std::int32_t>> resolve(std::span<const std::int32_t> tokens) const {
        std::vector<std::int32_t> known(tokens.begin(), tokens.end());
        for (std::int32_t& token : known) {
            if (token >= 0)
                continue;
            const auto entry = static_cast<std::size_t>(-1 - token);
            if (!keeps_tokens_ || entry >= last_tokens_.size() || results_.size() > 1)
                return bad(fmt::format("no token was kept for entry {}", entry));
            token = last_tokens_[entry];
        }
        return known;
    }
    [[nodiscard]] Result<void> check(const kernels::StepArgs& step) const {
        if (results_.size() > 1)
            return bad("two steps are in flight already");
        const std::size_t rows = step.tokens.size();
        const auto groups = static_cast<std::size_t>(pool_.geometry().num_groups);
        if (step.positions.size() != rows || step.slots.size() != groups * rows)
            return bad("tokens, positions and slots differ in length");
        if (groups != model_.windows().size())
            return bad(fmt::format("the pool has {} groups and the model {}", groups, model_.windows().size()));
        if (step.query_starts.size() != step.context_lens.size() + 1 ||
            step.block_tables.size() != groups * step.context_lens.size() * static_cast<std::size_t>(step.max_blocks))
            return bad("query_starts, context_lens and block_tables do not fit together");
        if (static_cast<int>(rows) > limits_.max_rows ||
            static_cast<int>(step.context_lens.size()) > limits_.max_seqs ||
            static_cast<int>(step.logit_rows.size()) > limits_.max_logit_rows)
            return bad("beyond the limits of the executable");
        if (!std::is_sorted(step.logit_rows.begin(), step.logit_rows.end()))
            return bad("logit rows are not ascending");
        std::set<std::int32_t> written;
        for (const std::int32_t slot : step.slots) {
            if (slot >= pool_.geometry().block_tokens && !written.insert(slot).second)
                return bad(fmt::format("slot {} is written twice", slot));
        }
        return {};
    }
    /// Every group keeps the states of all rows in its own blocks, and must find the same ones where it looks.
    Result<void> run_sequence(
        const kernels::StepArgs& step, std::size_t sequence, std::span<std::uint64_t> row_states) {
        const std::int32_t end = step.query_starts[sequence + 1];
        for (std::int32_t row = step.query_starts[sequence]; row < end; ++row) {
            const auto r = static_cast<std::size_t>(row);
            const std::int32_t position = step.positions[r];
            if (step.context_lens[sequence] != position + (end - row))
                return bad(fmt::format("context_len {} for row {} at {}", step.context_lens[sequence], row, position));
            for (std::size_t group = 0; group < model_.windows().size(); ++group)
                VT_TRY(run_row(step, sequence, r, group, row_states[r]));
        }
        return {};
    }
    Result<void> run_row(const kernels::StepArgs& step, std::size_t sequence, std::size_t row, std::size_t group,
        std::uint64_t& row_state) {
        const std::int32_t block_tokens = pool_.geometry().block_tokens;
        const auto width = static_cast<std::size_t>(step.max_blocks);
        const auto table = step.group_tables(static_cast<int>(group)).subspan(sequence * width, width);
        const auto slot_of = [&](std::int32_t position) {
            return table[static_cast<std::size_t>(position / block_tokens)] * block_tokens + position % block_tokens;
        };
        const std::int32_t position = step.positions[row];
        const std::int32_t slot = step.group_slots(static_cast<int>(group))[row];
        if (slot < block_tokens) // padding: written, never read
            return {};
        if (slot != slot_of(position))
            return bad(fmt::format(
                "row {} of group {} writes slot {}, its table says {}", row, group, slot, slot_of(position)));
        std::vector<std::uint64_t> visible;
        for (auto before = HashModel::oldest(position, model_.windows()[group]); before < position; ++before) {
            if (slot_of(before) < block_tokens)
                return bad(fmt::format("row {} of group {} at {} sees no block at {}", row, group, position, before));
            visible.push_back(pool_.at(slot_of(before)));
        }
        if (group == 0)
            row_state = HashModel::state(visible, step.tokens[row], position);
        else if (!std::ranges::equal(visible, std::span(first_visible_).last(visible.size())))
            return bad(fmt::format("group {} sees other tokens than the first at {}", group, position));
        pool_.at(slot) = row_state;
        if (group == 0)
            first_visible_ = std::move(visible);
        return {};
    }
    kernels::StepResult sample(const kernels::StepArgs& step, std::span<const std::uint64_t> row_states) const {
        const auto vocab = static_cast<std::size_t>(model_.vocab_size());
        std::vector<float> logits(step.logit_rows.size() * vocab);
        for (std::size_t i = 0; i < step.logit_rows.size(); ++i) {
            const auto row = static_cast<std::size_t>(step.logit_rows[i]);
            model_.logits(row_states[row], step.tokens[row], std::span(logits).subspan(i * vocab, vocab));
        }
        kernels::StepResult result;
        for (const kernels::SamplingSequence& one : step.sampling) {
            const auto first = static_cast<std::size_t>(one.logit_row) * vocab;
            result.sampled.push_back(kernels::sample_sequence(
                std::span(logits).subspan(first, (one.drafts.size() + 1) * vocab), model_.vocab_size(), one));
        }
        if (step.want_logits)
            result.logits = std::move(logits);
        for (const std::int32_t row : step.want_hidden ? step.logit_rows : std::span<const std::int32_t>{}) {
            result.hidden.push_back(static_cast<float>(step.tokens[static_cast<std::size_t>(row)]));
            result.hidden.push_back(static_cast<float>(step.positions[static_cast<std::size_t>(row)]));
        }
        return result;
    }

    HashModel model_;
    HashKvPool& pool_;
    kernels::StepLimits limits_;
    int fail_at_step_;
    std::chrono::microseconds step_time_;
    std::uint64_t step_ = 0;
    std::vector<std::uint64_t> first_visible_; // states that the running row saw in group 0, which sees the most
    bool keeps_tokens_;
    std::shared_ptr<std::atomic<int>> num_behind_;
    std::deque<kernels::StepResult> results_; // of steps that nobody has waited for
    std::vector<std::int32_t> last_tokens_; // of the step submitted last, one for each entry of its sampling
};

/// Weights are accepted and forgotten; only the program's vocab_size counts.
class HashBackend final : public kernels::Backend {
public:
    explicit HashBackend(HashBackendOptions options = {}) : options_(options) {}

    [[nodiscard]] kernels::DeviceInfo device() const override {
        return {.id = options_.device,
            .name = "hash",
            .isa = "scalar",
            .memory_total_bytes = std::int64_t{1} << 34,
            .memory_free_bytes = std::int64_t{1} << 33,
            .num_threads = 1};
    }
    [[nodiscard]] kernels::Verdict check(
        const kernels::Program&, const kernels::Op&, kernels::Numerics) const override {
        return kernels::Accepted{"hash"};
    }
    [[nodiscard]] kernels::Footprint estimate(
        const kernels::Program&, const kernels::KvSpec& kv, const kernels::StepLimits&) const override {
        return {.weight_bytes = 0, .kv_block_bytes = kernels::kv_bytes_per_block(kv), .workspace_bytes = 0};
    }
    Result<void> upload(const kernels::Program&, kernels::WeightGroupId, kernels::WeightGroupBytes bytes) override {
        for (const auto& member : bytes)
            uploaded_bytes_ += static_cast<std::int64_t>(member.size());
        return {};
    }
    [[nodiscard]] std::int64_t held_weight_bytes() const noexcept override { return uploaded_bytes_; }
    Result<std::unique_ptr<kernels::KvPool>> make_kv_pool(const kernels::KvSpec& kv, int num_blocks) override {
        return std::make_unique<HashKvPool>(kv, num_blocks);
    }
    Result<std::unique_ptr<kernels::Executable>> compile(const kernels::Program& program, kernels::KvPool& pool,
        const kernels::StepLimits& limits, kernels::Numerics) override {
        return std::make_unique<HashExecutable>(HashModel(static_cast<int>(program.vocab_size), options_),
            dynamic_cast<HashKvPool&>(pool), limits, options_);
    }

private:
    HashBackendOptions options_;
    std::int64_t uploaded_bytes_ = 0;
};

} // namespace vitrine::testing
