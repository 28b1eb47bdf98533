// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/lab: stepping by hand.
#include "engine/lab/direct_model.h"

#include <algorithm>

#include "engine/core/adapter_setup.h"
#include "engine/core/load_job.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {

Result<DirectModel> DirectModel::open(
    const std::string& path, EngineConfig config, int context, int num_sequences, kernels::InputObserver* observer) {
    return open_on(path, std::move(config), context, num_sequences, [observer](DeviceRequest request) {
        request.observer = observer;
        return BackendCatalog().make(request);
    });
}

Result<DirectModel> DirectModel::open_on(
    const std::string& path, EngineConfig config, int context, int num_sequences, const BackendMaker& make_backend) {
    config.draft.clear(); // every step is planned by hand here, so nothing would draft
    config.gamma = -1;
    config.window_groups = false; // one table for all layers
    if (config.context == 0 || config.context < context)
        config.context = context;
    const int block_tokens = config.block_tokens == 0 ? 16 : config.block_tokens;
    const int blocks_each = (context + block_tokens - 1) / block_tokens;
    if (config.num_blocks == 0)
        config.num_blocks = blocks_each * num_sequences;
    config.max_seqs = std::max(config.max_seqs, num_sequences);
    auto setup = set_up_load_on(path, config, make_backend, {});
    if (!setup)
        return tl::unexpected(setup.error());
    auto session = finish_load(*std::move(setup), {});
    if (!session)
        return tl::unexpected(session.error());
    if ((*session)->kv->num_blocks() < blocks_each * num_sequences)
        return fail(ErrorCode::out_of_blocks,
            say(Sentence::blocks_for_sequences, num_sequences, context, blocks_each * num_sequences,
                (*session)->kv->num_blocks()),
            say(Sentence::raise_num_blocks));
    return DirectModel(*std::move(session), blocks_each);
}

DirectModel::DirectModel(std::unique_ptr<ModelSession> session, int blocks_each)
    : session_(std::move(session)), blocks_each_(blocks_each),
      block_tokens_(session_->runner->kv_geometry().block_tokens),
      adapters_(choose_adapters(std::nullopt, session_->model->adapters).weights) {}

std::int32_t DirectModel::slot(int sequence, int position) const noexcept {
    return (1 + sequence * blocks_each_) * block_tokens_ + position;
}

void DirectModel::begin_step() {
    for (auto* array : {&tokens_, &positions_, &slots_, &starts_, &lens_, &tables_, &logit_rows_})
        array->clear();
    sampling_.clear();
    adapter_weights_.clear();
    starts_.push_back(0);
}

void DirectModel::add_rows(int sequence, int first_position, std::span<const TokenId> ids) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const int position = first_position + static_cast<int>(i);
        tokens_.push_back(ids[i]);
        positions_.push_back(position);
        slots_.push_back(slot(sequence, position));
    }
    starts_.push_back(static_cast<std::int32_t>(tokens_.size()));
    lens_.push_back(first_position + static_cast<std::int32_t>(ids.size()));
    adapter_weights_.insert(adapter_weights_.end(), adapters_.begin(), adapters_.end());
    for (int block = 0; block < blocks_each_; ++block)
        tables_.push_back(1 + sequence * blocks_each_ + block);
}

kernels::StepArgs DirectModel::args(bool want_logits) const {
    kernels::StepArgs step;
    step.tokens = tokens_;
    step.positions = positions_;
    step.slots = slots_;
    step.query_starts = starts_;
    step.context_lens = lens_;
    step.block_tables = tables_;
    step.max_blocks = blocks_each_;
    step.logit_rows = logit_rows_;
    step.sampling = sampling_;
    step.adapter_weights = adapter_weights_;
    step.want_logits = want_logits;
    return step;
}

Result<void> DirectModel::feed(
    int sequence, int first_position, std::span<const TokenId> ids, const RowReader& reader) {
    const kernels::StepLimits& limits = session_->runner->limits();
    const auto chunk =
        static_cast<std::size_t>(reader ? std::min(limits.max_rows, limits.max_logit_rows) : limits.max_rows);
    const auto vocab = static_cast<std::size_t>(vocab_size());
    for (std::size_t begin = 0; begin < ids.size(); begin += chunk) {
        const auto part = ids.subspan(begin, std::min(chunk, ids.size() - begin));
        const int position = first_position + static_cast<int>(begin);
        begin_step();
        add_rows(sequence, position, part);
        const bool last = begin + part.size() == ids.size();
        for (std::size_t row = 0; row < part.size(); ++row)
            if (reader || (last && row + 1 == part.size()))
                logit_rows_.push_back(static_cast<std::int32_t>(row));
        auto result = session_->runner->run_raw(args(static_cast<bool>(reader)));
        if (!result)
            return tl::unexpected(result.error());
        for (std::size_t row = 0; reader && row < part.size(); ++row)
            reader(position + static_cast<int>(row), std::span(result->logits).subspan(row * vocab, vocab));
    }
    return {};
}

Result<std::vector<TokenId>> DirectModel::decode(std::span<const TokenId> tokens, int position) {
    begin_step();
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        add_rows(static_cast<int>(i), position, tokens.subspan(i, 1));
        logit_rows_.push_back(static_cast<std::int32_t>(i));
        kernels::SamplingSequence greedy;
        greedy.logit_row = static_cast<std::int32_t>(i);
        greedy.temperature = 0;
        sampling_.push_back(greedy);
    }
    auto result = session_->runner->run_raw(args(false));
    if (!result)
        return tl::unexpected(result.error());
    std::vector<TokenId> next;
    for (const kernels::SamplingOutcome& outcome : result->sampled)
        next.push_back(std::max(0, outcome.tokens.front().token));
    return next;
}

} // namespace vitrine::engine
