// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: model loading.
#include "engine/core/load_job.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "engine/base/log.h"
#include "engine/core/config_defaults.h"
#include "engine/kv/kv_budget.h"
#include "engine/model/architecture_registry.h"
#include "engine/model/memory_plan.h"
#include "engine/model/model_file.h"
#include "engine/model/model_inspection.h"
#include "engine/model/weight_loader.h"
#include "engine/spec/ngram_proposer.h"

namespace vitrine::engine {
namespace {

// A CPU pool shares the machine with everything else, so it stops at what sixteen full contexts take.
constexpr int kCpuPoolContexts = 16;

KvBudgetQuestion budget_question(const LoadSetup& setup, const kernels::Footprint& footprint, std::int64_t free_bytes) {
    KvBudgetQuestion question;
    question.free_bytes = free_bytes;
    question.memory_fraction = setup.config.memory_fraction;
    question.weight_bytes = footprint.weight_bytes;
    question.scratch_bytes = footprint.workspace_bytes;
    question.block_bytes = footprint.kv_block_bytes;
    question.blocks_per_sequence = setup.blocks_per_sequence();
    question.context = setup.config.context;
    question.max_seqs = is_gpu(setup.made.backend->device()) ? setup.config.max_seqs
                                                             : std::min(setup.config.max_seqs, kCpuPoolContexts);
    question.num_blocks = setup.config.num_blocks;
    return question;
}

void plan_memory(LoadSetup& setup, std::int64_t held_bytes) {
    const kernels::DeviceInfo device = setup.made.backend->device();
    kernels::Footprint footprint = setup.made.backend->estimate(setup.resolved.program, setup.kv.spec, setup.limits);
    if (!is_gpu(device)) // the tokenizer stands in the same memory: 30 MB for 262,144 tokens
        footprint.workspace_bytes += tokenizer_bytes(*setup.file);
    std::int64_t bytes_per_token = kernels::kv_bytes_per_token(setup.kv.spec);
    std::int64_t bytes_per_far_token = kv_bytes_per_far_token(setup.kv);
    if (setup.draft) { // its pool holds as many tokens
        const DraftSetup& draft = *setup.draft;
        footprint.weight_bytes += draft.footprint.weight_bytes;
        footprint.kv_block_bytes += static_cast<std::int64_t>(
            std::ceil(draft.blocks_per_target_block * static_cast<double>(draft.footprint.kv_block_bytes)));
        footprint.workspace_bytes += draft.footprint.workspace_bytes;
        bytes_per_token += kernels::kv_bytes_per_token(draft.kv.spec);
        bytes_per_far_token += kv_bytes_per_far_token(draft.kv);
    }
    std::int64_t free_bytes = device.memory_free_bytes;
    if (free_bytes <= 0)
        free_bytes = available_memory_bytes().value_or(0);
    free_bytes += held_bytes;
    MemoryNeeds needs;
    needs.weight_bytes = footprint.weight_bytes;
    needs.scratch_bytes = footprint.workspace_bytes;
    needs.kv_block_bytes = footprint.kv_block_bytes;
    needs.kv_bytes_per_token = bytes_per_token;
    needs.kv_bytes_per_far_token = bytes_per_far_token;
    needs.blocks_per_sequence = setup.blocks_per_sequence();
    needs.block_tokens = setup.config.block_tokens;
    needs.context = setup.config.context;
    needs.available_bytes = free_bytes;
    needs.device = device.id;
    const auto blocks = kv_budget(budget_question(setup, footprint, free_bytes));
    if (!blocks)
        setup.does_not_fit = blocks.error();
    needs.num_blocks = blocks         ? *blocks
        : setup.config.num_blocks > 0 ? setup.config.num_blocks
                                      : needs.blocks_per_sequence;
    setup.plan = make_load_plan(needs);
}

/// A second backend on the same device holds the draft model: a backend has one set of weights.
Result<void> add_draft(LoadSetup& setup, const BackendMaker& make_backend) {
    const EngineConfig& config = setup.config;
    if (!wants_draft_model(config))
        return {};
    auto made = make_backend(DeviceRequest{config.device, config.isa, config.num_threads});
    if (!made)
        return tl::unexpected(made.error());
    const DraftTarget target{
        setup.file.get(), setup.model.vocab_size, setup.limits, &setup.kv, setup.blocks_per_sequence()};
    auto draft = set_up_draft(config, target, std::move(made->backend));
    if (!draft)
        return tl::unexpected(draft.error());
    setup.draft.emplace(*std::move(draft));
    return {};
}

/// The same text for equal rotations: part of every block's key.
std::string canonical_rope(const kernels::Program& program) {
    std::string text;
    for (const kernels::RopeSpec& rope : program.ropes)
        text += fmt::format("{}/{}/{:.17g}/{:.17g}/{:.17g};", static_cast<int>(rope.style), rope.rotary_dim,
            rope.inv_freq.size() > 1 ? rope.inv_freq[1] : 1.0, rope.inv_freq.empty() ? 1.0 : rope.inv_freq.back(),
            rope.attention_factor);
    return text;
}

HashContext hash_context(const LoadSetup& setup) {
    HashContext context;
    context.model = fmt::format("{}/{}/{}", setup.info.name, setup.info.file_bytes, setup.config.quantize);
    context.kv_type = kernels::kv_type_name(setup.config.kv_type);
    context.block_tokens = setup.config.block_tokens;
    context.rope = canonical_rope(setup.resolved.program);
    return setup.config.fixed_hash_seed ? context : random_seeded(std::move(context));
}

/// Zeros for as many groups as the runner's pool has, `count` for each.
std::vector<std::int32_t> zeros_by_group(const ModelRunner& runner, std::size_t count) {
    return std::vector<std::int32_t>(count * static_cast<std::size_t>(runner.kv_geometry().num_groups), 0);
}

/// One token in the null block: binds lazily made resources and finds a broken device before a request does.
Result<void> warm_up(ModelRunner& runner) {
    constexpr std::array<std::int32_t, 1> kZero{0};
    constexpr std::array<std::int32_t, 1> kOne{1};
    constexpr std::array<std::int32_t, 2> kStarts{0, 1};
    const std::vector<std::int32_t> null_blocks = zeros_by_group(runner, 1);
    kernels::StepArgs args;
    args.tokens = kZero;
    args.positions = kZero;
    args.slots = null_blocks;
    args.query_starts = kStarts;
    args.context_lens = kOne;
    args.block_tables = null_blocks;
    args.max_blocks = 1;
    args.logit_rows = kZero;
    if (auto step = runner.run_raw(args); !step)
        return tl::unexpected(step.error());
    return {};
}

/// Runs `num_rows` rows in the null block.
Result<std::chrono::nanoseconds> time_step(ModelRunner& runner, std::size_t num_rows) {
    std::vector<std::int32_t> numbers(num_rows);
    std::iota(numbers.begin(), numbers.end(), 0);
    const std::vector<std::int32_t> zeros = zeros_by_group(runner, num_rows);
    std::vector<std::int32_t> slots;
    for (int group = 0; group < runner.kv_geometry().num_groups; ++group)
        slots.insert(slots.end(), numbers.begin(), numbers.end());
    const std::array<std::int32_t, 2> starts{0, static_cast<std::int32_t>(num_rows)};
    kernels::StepArgs args;
    args.tokens = std::span(zeros).first(num_rows);
    args.positions = args.logit_rows = numbers;
    args.slots = slots;
    args.query_starts = starts;
    args.context_lens = std::span(starts).last(1);
    args.block_tables = std::span(zeros).first(static_cast<std::size_t>(runner.kv_geometry().num_groups));
    args.max_blocks = 1;
    const TimePoint before = steady_clock().now();
    if (auto step = runner.run_raw(args); !step)
        return tl::unexpected(step.error());
    return steady_clock().now() - before;
}

/// What steps of 1 to 9 rows take, so that draft lengths start from numbers of this machine (four rows often cost hardly
/// more than three).  The fastest of up to three rounds counts; a slow model gets one.
Result<void> measure_steps(ModelRunner& runner, StepCosts& costs) {
    constexpr std::chrono::milliseconds kEnough{400};
    std::array<std::chrono::nanoseconds, 9> best{};
    best.fill(std::chrono::nanoseconds::max());
    const TimePoint start = steady_clock().now();
    for (int round = 0; round < 3 && steady_clock().now() - start < kEnough; ++round) {
        for (std::size_t i = 0; i < best.size(); ++i) {
            const auto time = time_step(runner, i + 1);
            if (!time)
                return tl::unexpected(time.error());
            best[i] = std::min(best[i], *time);
        }
    }
    for (std::size_t i = 0; i < best.size(); ++i)
        costs.record_step(static_cast<int>(i) + 1, best[i]);
    return {};
}

Result<std::unique_ptr<ModelRunner>> make_runner(LoadSetup& setup) {
    kernels::Backend& backend = *setup.made.backend;
    auto pool = backend.make_kv_pool(setup.kv.spec, setup.plan.num_blocks + 1);
    if (!pool)
        return tl::unexpected(pool.error());
    auto executable = backend.compile(setup.resolved.program, **pool, setup.limits, setup.config.numerics);
    if (!executable)
        return tl::unexpected(executable.error());
    return std::make_unique<ModelRunner>(
        *std::move(pool), *std::move(executable), setup.limits, setup.resolved.program.vocab_size);
}

std::vector<kernels::KernelReport> kernel_reports(const LoadSetup& setup, const ModelRunner& runner) {
    const auto kernels = runner.kernels();
    if (kernels.empty())
        return setup.resolved.kernels;
    return {kernels.begin(), kernels.end()};
}

void make_scheduling(ModelSession& session, const LoadSetup& setup) {
    KvCacheManager::Options kv;
    kv.num_blocks = setup.plan.num_blocks;
    kv.hash = hash_context(setup);
    kv.prefix_cache = setup.config.prefix_cache;
    kv.groups = setup.kv.groups;
    session.kv = std::make_unique<KvCacheManager>(kv);
    session.scheduler = std::make_unique<Scheduler>(make_scheduler_config(setup.config), *session.kv, steady_clock());
    if (setup.config.draft == "ngram" && setup.config.gamma != 0)
        session.proposer = std::make_unique<NgramProposer>();
    session.gives_text = !setup.model.encoder;
    session.runs_aside = is_gpu(setup.made.backend->device());
    session.steps_ahead = session.runs_aside && setup.config.step_ahead;
    session.stats = std::make_unique<EngineStats>(
        steady_clock().now(), EngineStats::Objectives{setup.config.slo_ttft_s, setup.config.slo_tpot_s});
}

} // namespace

int LoadSetup::blocks_per_sequence() const noexcept {
    const SchedulerConfig scheduler = make_scheduler_config(config);
    return blocks_of_sequence(kv.groups, config.block_tokens, config.context, most_step_tokens(scheduler));
}

Result<LoadSetup> set_up_load(
    const std::string& path, const EngineConfig& config, const BackendCatalog& catalog, std::int64_t held_bytes) {
    return set_up_load_on(
        path, config, [&catalog](const DeviceRequest& request) { return catalog.make(request); }, held_bytes);
}

namespace {

/// From a file and what is known of it to the plan.
Result<LoadSetup> set_up(std::shared_ptr<const gguf::File> file, ModelInfo info, const EngineConfig& config,
    const BackendMaker& make_backend, std::int64_t held_bytes) {
    LoadSetup setup;
    setup.file = std::move(file);
    setup.info = std::move(info);
    auto made = make_backend(DeviceRequest{config.device, config.isa, config.num_threads});
    if (!made)
        return tl::unexpected(made.error());
    setup.made = *std::move(made);
    auto model = read_model_config(*setup.file);
    if (!model)
        return tl::unexpected(model.error());
    setup.model = *std::move(model);
    auto resolved_config = resolve_config(config, setup.model, setup.made.backend->device());
    if (!resolved_config)
        return tl::unexpected(resolved_config.error());
    setup.config = *std::move(resolved_config);
    if (config.auto_numerics)
        setup.config.numerics = choose_numerics(setup.info, setup.config.device);
    auto program = build_program(*setup.file, setup.model, ProgramOptions{setup.config.context, setup.config.quantize});
    if (!program)
        return tl::unexpected(program.error());
    auto adapters = set_up_adapters(setup.config.adapters, setup.model, *program);
    if (!adapters)
        return tl::unexpected(adapters.error());
    setup.adapters = *std::move(adapters);
    auto resolved =
        kernels::resolve(*std::move(program), *setup.made.backend, setup.config.numerics, setup.config.decompose);
    if (!resolved)
        return tl::unexpected(resolved.error());
    setup.resolved = *std::move(resolved);
    setup.kv = kv_layout(setup.resolved.program, setup.config.kv_type, setup.config.block_tokens,
        setup.config.window_groups && setup.made.backend->takes_kv_groups());
    if (config.context == 0 && config.num_blocks > 0) // a pool made small on purpose bounds a sequence
        setup.config.context = tokens_that_fit(setup.kv.groups, setup.config.block_tokens, config.num_blocks,
            setup.config.prefill_chunk, setup.config.context);
    setup.info.kv_bytes_per_far_token = far_kv_bytes_by_type(setup.kv);
    setup.limits = make_step_limits(setup.config, setup.resolved.program.vocab_size);
    if (setup.model.encoder) // no logits to hold: a text's rows stay in one batch
        setup.limits.max_logit_rows = setup.limits.max_rows;
    VT_TRY(add_draft(setup, make_backend));
    plan_memory(setup, held_bytes);
    return setup;
}

} // namespace

Result<LoadSetup> set_up_load_on(
    const std::string& path, const EngineConfig& config, const BackendMaker& make_backend, std::int64_t held_bytes) {
    auto file = open_model_file(path);
    if (!file)
        return tl::unexpected(file.error());
    ModelInfo info = inspect_file(**file);
    if (info.vocabulary_only)
        return fail(ErrorCode::bad_file, fmt::format("{} holds a vocabulary and no weights", path),
            "Choose the whole model; this file only tokenizes.");
    return set_up(*std::move(file), std::move(info), config, make_backend, held_bytes);
}

Result<LoadSetup> set_up_shapes(
    std::shared_ptr<const gguf::File> file, const EngineConfig& config, const BackendCatalog& catalog) {
    ModelInfo info = inspect_shapes(*file);
    return set_up(
        std::move(file), std::move(info), config,
        [&catalog](const DeviceRequest& request) { return catalog.make(request); }, 0);
}

Result<std::unique_ptr<ModelSession>> finish_load(LoadSetup setup, const LoadRun& run) {
    const TimePoint start = steady_clock().now();
    if (setup.does_not_fit)
        return tl::unexpected(*setup.does_not_fit);
    const auto report = [&](LoadPhase phase, std::int64_t done, std::int64_t total) {
        if (run.progress)
            run.progress(LoadProgress{phase, done, total, {}, {}});
    };
    report(LoadPhase::reading, 0, setup.info.weight_bytes);
    auto text = LoadedText::create(*setup.file, static_cast<int>(setup.resolved.program.vocab_size));
    if (!text)
        return tl::unexpected(text.error());
    WeightLoad weights{std::max(1, setup.config.num_threads),
        [&](std::int64_t done, std::int64_t total) { report(LoadPhase::weights, done, total); }, run.stop,
        setup.adapters.weights};
    auto uploaded = load_weights(*setup.file, setup.resolved.program, *setup.made.backend, weights);
    if (!uploaded)
        return tl::unexpected(uploaded.error());
    setup.adapters.weights.clear();
    report(LoadPhase::kv_pool, *uploaded, *uploaded);
    auto session = std::make_unique<ModelSession>();
    auto runner = make_runner(setup);
    if (!runner)
        return tl::unexpected(runner.error());
    report(LoadPhase::warm_up, *uploaded, *uploaded);
    VT_TRY(warm_up(**runner));
    if (run.stop.stop_requested())
        return fail(ErrorCode::cancelled, fmt::format("loading {} was cancelled", setup.info.path));

    session->text = *std::move(text);
    session->runner = *std::move(runner);
    make_scheduling(*session, setup);
    std::int64_t draft_weights = 0;
    std::int64_t draft_kv = 0;
    if (setup.draft) {
        draft_kv = (draft_blocks(*setup.draft, setup.plan.num_blocks) + std::int64_t{1}) *
            setup.draft->footprint.kv_block_bytes;
        const kernels::Backend& draft_backend = *setup.draft->backend; // the proposer keeps it
        auto proposer = finish_draft(*std::move(setup.draft), setup.config, setup.plan.num_blocks,
            static_cast<int>(setup.resolved.program.vocab_size), run.stop);
        if (!proposer)
            return tl::unexpected(proposer.error());
        session->proposer = *std::move(proposer);
        draft_weights = draft_backend.held_weight_bytes();
    }
    if (session->proposer && setup.config.gamma < 0)
        VT_TRY(measure_steps(*session->runner, session->step_costs));
    auto model = std::make_shared<LoadedModel>();
    model->generation = run.generation;
    model->info = setup.info;
    model->config = setup.config;
    model->config.num_blocks = setup.plan.num_blocks;
    model->plan = setup.plan;
    model->measured_weight_bytes = setup.made.backend->held_weight_bytes() + draft_weights;
    const kernels::KvGeometry geometry = session->runner->kv_geometry();
    model->measured_kv_bytes = geometry.num_blocks * geometry.bytes_per_block + draft_kv;
    model->context = setup.config.context;
    model->device = setup.made.backend->device();
    model->device_reason = setup.made.device_reason;
    model->block_groups = setup.kv.groups;
    model->kernels = kernel_reports(setup, *session->runner);
    model->adapters = setup.adapters.adapters;
    model->is_chat_model = session->text->has_template();
    model->template_note = session->text->template_note();
    model->load_time = std::chrono::duration_cast<std::chrono::microseconds>(steady_clock().now() - start);
    session->model = std::move(model);
    session->backend = std::move(setup.made.backend);
    log_info("loaded {} on {}: {} blocks of {} tokens, context {}", setup.info.name, session->model->device.id,
        setup.plan.num_blocks, setup.config.block_tokens, setup.config.context);
    return session;
}

} // namespace vitrine::engine
