// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/conformance/case_runner.h"

#include <gtest/gtest.h>

#include "kernels/api/resolve.h"

namespace vitrine::testing {
namespace {

constexpr int kBlockTokens = 16;

int blocks_per_sequence(const RunLimits& limits) {
    return (limits.max_context + kBlockTokens - 1) / kBlockTokens;
}

} // namespace

/// Arrays of one StepArgs.
struct CaseRunner::Arrays {
    std::vector<std::int32_t> tokens, positions, slots, query_starts{0}, context_lens, block_tables, logit_rows;
    std::vector<float> adapter_weights;
};

CaseRunner::CaseRunner(const Implementation& implementation, const Case& entry, const RunLimits& limits)
    : limits_(limits), lengths_(static_cast<std::size_t>(limits.num_seqs), 0),
      num_adapters_(static_cast<std::size_t>(entry.program.num_adapters)),
      gives_logits_(!entry.program.output.valid()) {
    const Result<void> opened = open(implementation, entry);
    if (!opened)
        ADD_FAILURE() << implementation.name << ": " << opened.error().message;
}

Result<void> CaseRunner::open(const Implementation& implementation, const Case& entry) {
    auto backend = implementation.make();
    if (!backend)
        return tl::unexpected(backend.error());
    backend_ = std::move(*backend);
    auto resolved = resolve(entry.program, *backend_, implementation.mode, implementation.decompose_all);
    if (!resolved)
        return tl::unexpected(resolved.error());
    for (std::size_t group = 0; group < entry.bytes.size(); ++group) {
        const std::vector<std::span<const std::byte>> members(entry.bytes[group].begin(), entry.bytes[group].end());
        VT_TRY(backend_->upload(resolved->program, {static_cast<std::int32_t>(group)}, members));
    }
    const KvSpec kv{limits_.kv_type, kBlockTokens, entry.program.kv_layers};
    windows_.assign(static_cast<std::size_t>(kv_num_groups(kv)), 0);
    auto pool = backend_->make_kv_pool(kv, 1 + kv_num_groups(kv) * limits_.num_seqs * blocks_per_sequence(limits_));
    if (!pool)
        return tl::unexpected(pool.error());
    pool_ = std::move(*pool);
    constexpr int kPaddingSeqs = 8;
    const StepLimits step_limits{limits_.max_rows + kPaddingSeqs, limits_.num_seqs + kPaddingSeqs,
        limits_.max_rows + kPaddingSeqs, limits_.max_context};
    auto executable = backend_->compile(resolved->program, *pool_, step_limits, implementation.mode);
    if (!executable)
        return tl::unexpected(executable.error());
    executable_ = std::move(*executable);
    return {};
}

std::int32_t CaseRunner::block_of(int sequence, int index, int group) const noexcept {
    const int of_group = limits_.num_seqs * blocks_per_sequence(limits_);
    return (group + 1) * of_group - (index * limits_.num_seqs + sequence);
}

StepResult CaseRunner::step(const std::vector<Piece>& pieces, std::span<const SamplingSequence> sampling, int padding,
    std::span<const float> input) {
    if (!usable())
        return {};
    Arrays arrays;
    const int max_blocks = blocks_per_sequence(limits_);
    for (const Piece& piece : pieces) {
        int& length = lengths_[static_cast<std::size_t>(piece.sequence)];
        for (const std::int32_t token : piece.tokens) {
            arrays.logit_rows.push_back(static_cast<std::int32_t>(arrays.tokens.size()));
            arrays.tokens.push_back(token);
            arrays.positions.push_back(length++);
        }
        arrays.query_starts.push_back(static_cast<std::int32_t>(arrays.tokens.size()));
        arrays.context_lens.push_back(length);
        if (!adapter_weights_.empty()) {
            const auto own = adapter_weights_.begin() + static_cast<std::ptrdiff_t>(num_adapters_) * piece.sequence;
            arrays.adapter_weights.insert(
                arrays.adapter_weights.end(), own, own + static_cast<std::ptrdiff_t>(num_adapters_));
        }
    }
    for (int i = 0; i < padding; ++i) {
        arrays.tokens.push_back(0);
        arrays.positions.push_back(0);
        arrays.query_starts.push_back(static_cast<std::int32_t>(arrays.tokens.size()));
        arrays.context_lens.push_back(1);
    }
    for (std::size_t group = 0; group < windows_.size(); ++group)
        add_places(arrays, pieces, static_cast<int>(group));
    if (!adapter_weights_.empty())
        arrays.adapter_weights.resize(arrays.context_lens.size() * num_adapters_, 0);
    StepArgs args{arrays.tokens, arrays.positions, arrays.slots, arrays.query_starts, arrays.context_lens,
        arrays.block_tables, max_blocks, arrays.logit_rows, sampling};
    args.adapter_weights = arrays.adapter_weights;
    args.want_logits = gives_logits_;
    if (!gives_logits_)
        args.logit_rows = {};
    args.input = input;
    const Result<Ticket> ticket = executable_->submit(args);
    if (!ticket) {
        ADD_FAILURE() << ticket.error().message;
        return {};
    }
    Result<StepResult> result = executable_->wait(*ticket);
    if (!result) {
        ADD_FAILURE() << result.error().message;
        return {};
    }
    return std::move(*result);
}

/// Slots and block tables of one group; sequences behind the pieces are padding.
void CaseRunner::add_places(Arrays& arrays, const std::vector<Piece>& pieces, int group) const {
    const int max_blocks = blocks_per_sequence(limits_);
    const int window = windows_[static_cast<std::size_t>(group)];
    for (std::size_t seq = 0; seq < arrays.context_lens.size(); ++seq) {
        const bool is_padding = seq >= pieces.size();
        const auto begin = static_cast<std::size_t>(arrays.query_starts[seq]);
        const auto end = static_cast<std::size_t>(arrays.query_starts[seq + 1]);
        for (std::size_t row = begin; row < end; ++row) {
            const int position = arrays.positions[row];
            arrays.slots.push_back(is_padding
                    ? 0
                    : block_of(pieces[seq].sequence, position / kBlockTokens, group) * kBlockTokens +
                        position % kBlockTokens);
        }
        const int first_row = arrays.positions[begin];
        for (int i = 0; i < max_blocks; ++i) {
            const bool left_behind = window > 0 && (i + 1) * kBlockTokens <= first_row + 1 - window;
            const bool used = !is_padding && i * kBlockTokens < arrays.context_lens[seq] && !left_behind;
            arrays.block_tables.push_back(used ? block_of(pieces[seq].sequence, i, group) : 0);
        }
    }
}

bool is_runnable(const Implementation& implementation, const Case& entry) {
    const auto backend = implementation.make();
    return !backend || resolve(entry.program, **backend, implementation.mode, implementation.decompose_all).has_value();
}

std::vector<std::int32_t> token_run(int count, std::int64_t vocab, int first) {
    std::vector<std::int32_t> tokens;
    for (int i = 0; i < count; ++i)
        tokens.push_back(static_cast<std::int32_t>((first + i) % vocab));
    return tokens;
}

} // namespace vitrine::testing
