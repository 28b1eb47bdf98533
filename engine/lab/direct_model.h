// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/lab: a loaded model stepped by hand, without scheduler: logits, perplexity and bench.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/api/engine_config.h"
#include "engine/core/load_job.h"
#include "engine/core/model_session.h"
#include "kernels/api/input_observer.h"

namespace vitrine::engine {

/// Sequence s owns the blocks 1 + s * blocks_each ..., in order.  Thread: one.
class DirectModel {
public:
    /// context: tokens a sequence must hold; num_sequences: how many.  Errors: as loading, or out_of_blocks.
    /// observer: sees the inputs of every matrix (CPU only); outlives the model.
    [[nodiscard]] static Result<DirectModel> open(const std::string& path, EngineConfig config, int context,
        int num_sequences, kernels::InputObserver* observer = nullptr);
    /// The same with backends from elsewhere (tests).
    [[nodiscard]] static Result<DirectModel> open_on(
        const std::string& path, EngineConfig config, int context, int num_sequences, const BackendMaker& make_backend);

    /// logits: [vocab] of one position.
    using RowReader = std::function<void(int position, std::span<const float> logits)>;
    /// Feeds ids at first_position... of one sequence in chunks.  With a reader every row's logits are read; without one
    /// only the last row's are computed.
    Result<void> feed(int sequence, int first_position, std::span<const TokenId> ids, const RowReader& reader);
    /// One decode step of `tokens.size()` sequences at one position, greedy; gives each one's next token.
    Result<std::vector<TokenId>> decode(std::span<const TokenId> tokens, int position);

    [[nodiscard]] const ModelSession& session() const noexcept { return *session_; }
    [[nodiscard]] int vocab_size() const noexcept { return session_->text->vocab_size(); }

private:
    DirectModel(std::unique_ptr<ModelSession> session, int blocks_each);
    [[nodiscard]] std::int32_t slot(int sequence, int position) const noexcept;
    void begin_step();
    void add_rows(int sequence, int first_position, std::span<const TokenId> ids);
    [[nodiscard]] kernels::StepArgs args(bool want_logits) const;

    std::unique_ptr<ModelSession> session_;
    int blocks_each_;
    int block_tokens_;
    std::vector<std::int32_t> tokens_, positions_, slots_, starts_, lens_, tables_, logit_rows_;
    std::vector<kernels::SamplingSequence> sampling_;
    std::vector<float> adapters_; // of one sequence, as loaded; empty: none
    std::vector<float> adapter_weights_;
};

} // namespace vitrine::engine
