// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: loading a draft model.
#include "engine/core/draft_setup.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/model/architecture_registry.h"
#include "engine/model/model_config.h"
#include "engine/model/model_file.h"
#include "engine/model/model_inspection.h"
#include "engine/model/weight_loader.h"
#include "engine/spec/draft_model_proposer.h"
#include "engine/spec/draft_vocabulary.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {

bool wants_draft_model(const EngineConfig& config) noexcept {
    return !config.draft.empty() && config.draft != "ngram" && config.gamma != 0;
}

Result<DraftSetup> set_up_draft(
    const EngineConfig& config, const DraftTarget& target, std::unique_ptr<kernels::Backend> backend) {
    DraftSetup setup;
    setup.backend = std::move(backend);
    auto file = open_model_file(config.draft);
    if (!file)
        return tl::unexpected(file.error());
    setup.file = *std::move(file);
    const ModelInfo info = inspect_file(*setup.file);
    if (info.vocabulary_only)
        return fail(
            ErrorCode::bad_file, say(Sentence::vocabulary_only, config.draft), say(Sentence::choose_whole_draft));
    auto model = read_model_config(*setup.file);
    if (!model)
        return tl::unexpected(model.error());
    VT_TRY(check_draft_vocabulary(*target.file, target.vocab_size, *setup.file, model->vocab_size));
    const int context = std::min(config.context, model->context_length);
    auto program = build_program(*setup.file, *model, ProgramOptions{context, {}});
    if (!program)
        return tl::unexpected(program.error());
    auto resolved = kernels::resolve(*std::move(program), *setup.backend, config.numerics, config.decompose);
    if (!resolved)
        return tl::unexpected(resolved.error());
    setup.resolved = *std::move(resolved);
    setup.limits = target.limits;
    setup.limits.max_context = context;
    setup.limits.max_logit_rows = std::min(setup.limits.max_logit_rows, config.max_seqs);
    const bool by_window = target.kv->groups.size() > 1 && setup.backend->takes_kv_groups();
    setup.kv = kv_layout(setup.resolved.program, config.kv_type, config.block_tokens, by_window);
    const int per_sequence = blocks_of_sequence(setup.kv.groups, config.block_tokens, context, setup.limits.max_rows);
    setup.blocks_per_target_block = std::max( // for long sequences, and for short ones, which fill no window
        static_cast<double>(per_sequence) / target.blocks_per_sequence,
        static_cast<double>(setup.kv.groups.size()) / static_cast<double>(target.kv->groups.size()));
    setup.footprint = setup.backend->estimate(setup.resolved.program, setup.kv.spec, setup.limits);
    setup.hash.model = fmt::format("{}/{}", info.name, info.file_bytes);
    setup.hash.kv_type = kernels::kv_type_name(config.kv_type);
    setup.hash.block_tokens = config.block_tokens;
    if (!config.fixed_hash_seed)
        setup.hash = random_seeded(std::move(setup.hash));
    return setup;
}

int draft_blocks(const DraftSetup& setup, int num_blocks) noexcept {
    return static_cast<int>(std::ceil(setup.blocks_per_target_block * num_blocks));
}

Result<std::unique_ptr<Proposer>> finish_draft(
    DraftSetup setup, const EngineConfig& config, int num_blocks, int target_vocab_size, std::stop_token stop) {
    const kernels::Program& program = setup.resolved.program;
    WeightLoad weights;
    weights.num_threads = std::max(1, config.num_threads);
    weights.stop = std::move(stop);
    if (auto uploaded = load_weights(*setup.file, program, *setup.backend, weights); !uploaded)
        return tl::unexpected(uploaded.error());
    num_blocks = draft_blocks(setup, num_blocks);
    auto pool = setup.backend->make_kv_pool(setup.kv.spec, num_blocks + 1);
    if (!pool)
        return tl::unexpected(pool.error());
    auto executable = setup.backend->compile(program, **pool, setup.limits, config.numerics);
    if (!executable)
        return tl::unexpected(executable.error());
    DraftModelProposer::Parts parts;
    parts.backend = std::move(setup.backend);
    parts.pool = *std::move(pool);
    parts.executable = *std::move(executable);
    parts.limits = setup.limits;
    parts.vocab_size = program.vocab_size;
    parts.target_vocab_size = target_vocab_size;
    parts.kv.num_blocks = num_blocks;
    parts.kv.hash = std::move(setup.hash);
    parts.kv.prefix_cache = config.prefix_cache;
    parts.kv.groups = setup.kv.groups;
    return std::unique_ptr<Proposer>(std::make_unique<DraftModelProposer>(std::move(parts)));
}

} // namespace vitrine::engine
