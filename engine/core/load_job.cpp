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
#include "engine/core/placement.h"
#include "engine/model/architecture_registry.h"
#include "engine/model/model_file.h"
#include "engine/model/model_inspection.h"
#include "engine/model/weight_loader.h"
#include "engine/spec/ngram_proposer.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

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
    session.runs_aside = setup.split == nullptr && is_gpu(setup.made.backend->device()); // a CPU part ends in submit()
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
    const std::string& path, const EngineConfig& config, const BackendCatalog& catalog, const HeldBytes& held) {
    return set_up_load_on(
        path, config, [&catalog](const DeviceRequest& request) { return catalog.make(request); }, held);
}

namespace {

/// From a file and what is known of it to a program without a device, its cache and its limits.
Result<kernels::Program> set_up_program(LoadSetup& setup, const EngineConfig& config) {
    const kernels::Backend& backend = *setup.made.backend;
    auto model = read_model_config(*setup.file);
    if (!model)
        return tl::unexpected(model.error());
    setup.model = *std::move(model);
    auto resolved_config = resolve_config(config, setup.model, backend.device());
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
    setup.kv = kv_layout(*program, setup.config.kv_type, setup.config.block_tokens,
        setup.config.window_groups && backend.takes_kv_groups());
    if (config.context == 0 && config.num_blocks > 0) // a pool made small on purpose bounds a sequence
        setup.config.context = tokens_that_fit(setup.kv.groups, setup.config.block_tokens, config.num_blocks,
            setup.config.prefill_chunk, setup.config.context);
    setup.info.kv_bytes_per_far_token = far_kv_bytes_by_type(setup.kv);
    setup.limits = make_step_limits(setup.config, program->vocab_size);
    if (setup.model.encoder) // no logits to hold: a text's rows stay in one batch
        setup.limits.max_logit_rows = setup.limits.max_rows;
    return program;
}

struct PlacedLoad {
    LoadSetup setup;
    Placement placement;
};

/// To the plan, on the device asked for; without a plan if the CPU has to do it all.
Result<PlacedLoad> set_up_once(std::shared_ptr<const gguf::File> file, const ModelInfo& info,
    const EngineConfig& config, const BackendMaker& make_backend, const HeldBytes& held) {
    PlacedLoad placed;
    LoadSetup& setup = placed.setup;
    setup.file = std::move(file);
    setup.info = info;
    auto made = make_backend(DeviceRequest{config.device, config.isa, config.num_threads});
    if (!made)
        return tl::unexpected(made.error());
    setup.made = *std::move(made);
    auto program = set_up_program(setup, config);
    if (!program)
        return tl::unexpected(program.error());
    VT_TRY(add_draft(setup, make_backend));
    auto place = place_layers(setup, *std::move(program), PlacementRequest{config, make_backend, held});
    if (!place)
        return tl::unexpected(place.error());
    placed.placement = *std::move(place);
    if (!placed.placement.on_cpu)
        plan_memory(setup, held);
    return placed;
}

Result<LoadSetup> set_up(std::shared_ptr<const gguf::File> file, const ModelInfo& info, EngineConfig config,
    const BackendMaker& make_backend, const HeldBytes& held) {
    auto placed = set_up_once(file, info, config, make_backend, held);
    if (!placed)
        return tl::unexpected(placed.error());
    if (!placed->placement.on_cpu)
        return std::move(placed->setup);
    config.device = "cpu";
    config.gpu_layers = -1;
    const std::optional<Error> reason = std::move(placed->placement.cpu_reason);
    *placed = {}; // the GPU is let go first
    placed = set_up_once(std::move(file), info, config, make_backend, held);
    if (!placed)
        return tl::unexpected(placed.error());
    placed->setup.made.device_reason = reason;
    return std::move(placed->setup);
}

} // namespace

Result<LoadSetup> set_up_load_on(
    const std::string& path, const EngineConfig& config, const BackendMaker& make_backend, const HeldBytes& held) {
    auto file = open_model_file(path);
    if (!file)
        return tl::unexpected(file.error());
    const ModelInfo info = inspect_file(**file);
    if (info.vocabulary_only)
        return fail(ErrorCode::bad_file, say(Sentence::vocabulary_only, path), say(Sentence::choose_whole_model));
    return set_up(*std::move(file), info, config, make_backend, held);
}

Result<LoadSetup> set_up_shapes(
    std::shared_ptr<const gguf::File> file, const EngineConfig& config, const BackendCatalog& catalog) {
    const ModelInfo info = inspect_shapes(*file);
    return set_up(
        std::move(file), info, config, [&catalog](const DeviceRequest& request) { return catalog.make(request); }, {});
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
        return fail(ErrorCode::cancelled, say(Sentence::load_cancelled, setup.info.path));

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
