// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: the engine's door.
#include "engine/core/engine_impl.h"

#include <future>
#include <utility>

#include "engine/base/log.h"
#include "engine/model/model_file.h"
#include "engine/model/model_inspection.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

constexpr int kPrepareThreads = 2;
constexpr std::size_t kMaxPrepareJobs = 1024;

} // namespace

std::unique_ptr<Engine> make_engine() {
    return std::make_unique<EngineImpl>();
}

EngineImpl::EngineImpl() : EngineImpl(BackendMaker{}) {
    make_backend_ = [this](const DeviceRequest& request) { return catalog_.make(request); };
}

EngineImpl::EngineImpl(BackendMaker make_backend)
    : make_backend_(std::move(make_backend)), prepare_pool_(kPrepareThreads, kMaxPrepareJobs),
      loop_(mail_, prepare_pool_, [this](const Error& error) { on_device_lost(error); }),
      engine_thread_([this] { loop_.run(); }) {}

EngineImpl::~EngineImpl() {
    stop();
}

Result<ModelInfo> EngineImpl::inspect(const std::string& path) {
    auto file = open_model_file(path);
    if (!file)
        return tl::unexpected(file.error());
    return inspect_file(**file);
}

Result<LoadSetup> EngineImpl::set_up(const std::string& path, const EngineConfig& config, const HeldBytes& held) {
    return set_up_load_on(path, config, make_backend_, held);
}

HeldBytes EngineImpl::held_bytes() const {
    const auto model = snapshot()->model;
    HeldBytes held;
    if (!model)
        return held;
    if (model->plan.devices.size() < 2)
        held[model->device.id] = model->measured_weight_bytes + model->measured_kv_bytes;
    else // measured together alone
        for (const DevicePlan& part : model->plan.devices)
            held[part.device] = part.weights + part.kv;
    return held;
}

Result<LoadPlan> EngineImpl::plan(const std::string& path, const EngineConfig& config) {
    auto setup = set_up(path, config, held_bytes());
    if (!setup)
        return tl::unexpected(setup.error());
    return setup->plan;
}

std::vector<Engine::DeviceChoice> EngineImpl::devices() {
    std::vector<DeviceChoice> choices;
    for (BackendCatalog::Entry& entry : catalog_.devices())
        choices.push_back(DeviceChoice{std::move(entry.info), std::move(entry.unusable_reason)});
    return choices;
}

Result<void> EngineImpl::load(const std::string& path, const EngineConfig& config, std::shared_ptr<LoadSink> sink) {
    const std::scoped_lock lock(load_mutex_);
    if (stopped_)
        return fail(ErrorCode::cancelled, say(Sentence::engine_stopping));
    if (loading_)
        return fail(ErrorCode::busy, say(Sentence::loading_other), say(Sentence::wait_or_cancel));
    loading_ = true;
    const LoadOrder order{path, config, std::move(sink), ++generation_};
    load_thread_ = std::jthread([this, order](std::stop_token stop) { run_load(order, std::move(stop)); });
    return {};
}

void EngineImpl::run_load(const LoadOrder& order, std::stop_token stop) {
    auto session = load_session(order, stop);
    std::optional<Error> lost;
    {
        const std::scoped_lock lock(load_mutex_);
        lost = std::exchange(lost_, std::nullopt);
        if (session) { // it takes the place of what was lost
            installed_ = LoadOrder{order.path, order.config, nullptr, order.generation};
            lost.reset();
        }
        loading_ = lost.has_value();
    }
    if (session) {
        if (mail_.commands.push_always(InstallCommand{*std::move(session), order.sink}))
            return;
        session = fail(ErrorCode::cancelled, say(Sentence::engine_stopping));
    }
    const Error& error = session.error();
    if (error.code != ErrorCode::cancelled)
        log_error("loading {} failed: {}", order.path, error.message);
    if (order.sink)
        order.sink->on_load_progress(LoadProgress{
            error.code == ErrorCode::cancelled ? LoadPhase::cancelled : LoadPhase::failed, 0, 0, error, {}});
    if (lost)
        recover(*lost, std::move(stop));
}

Result<std::unique_ptr<ModelSession>> EngineImpl::load_session(
    const LoadOrder& order, std::stop_token stop, const std::optional<Error>& device_reason) {
    // Old and new model are in memory together for a moment, so nothing counts as freed here.
    auto setup = set_up(order.path, order.config, {});
    if (!setup)
        return tl::unexpected(setup.error());
    if (device_reason)
        setup->made.device_reason = device_reason;
    LoadRun run;
    run.generation = order.generation;
    run.stop = std::move(stop);
    if (order.sink)
        run.progress = [sink = order.sink](const LoadProgress& progress) { sink->on_load_progress(progress); };
    return finish_load(*std::move(setup), run);
}

void EngineImpl::cancel_load() {
    const std::scoped_lock lock(load_mutex_);
    if (loading_)
        load_thread_.request_stop();
}

void EngineImpl::unload() {
    (void)mail_.commands.push_always(InstallCommand{}); // after stop() nothing is loaded any more
}

Result<RequestId> EngineImpl::submit(Request request, std::shared_ptr<EventSink> sink) {
    const RequestId id{last_request_.fetch_add(1) + 1};
    VT_TRY(mail_.commands.push(
        SubmitCommand{id, std::make_shared<const Request>(std::move(request)), std::move(sink), steady_clock().now()}));
    return id;
}

void EngineImpl::cancel(RequestId request) {
    (void)mail_.commands.push_always(CancelCommand{request}); // after stop() every request has ended
}

void EngineImpl::reset_prefix_cache() {
    (void)mail_.commands.push_always(ResetPrefixCacheCommand{}); // after stop() there is no cache
}

std::shared_ptr<const Snapshot> EngineImpl::snapshot() const {
    return mail_.snapshot.get();
}

std::shared_ptr<const TextModel> EngineImpl::text_model() const {
    return mail_.text.get();
}

std::size_t EngineImpl::read_steps(std::uint64_t from_step, std::span<StepRecord> out) const {
    return mail_.steps.read(from_step, out).count;
}

std::size_t EngineImpl::read_lines(
    std::uint64_t from_line, std::span<SequenceLine> out, std::uint64_t& next_line) const {
    const auto read = mail_.lines.read(from_line, out);
    next_line = read.next;
    return read.count;
}

std::string EngineImpl::block_text(int block) const {
    BlockTextCommand command{block, {}};
    std::future<std::string> answer = command.answer.get_future();
    if (!mail_.commands.push_always(std::move(command)))
        return {};
    // The engine thread drains its queue once more after it was closed, so the promise is always kept.
    return answer.get();
}

void EngineImpl::stop() {
    {
        const std::scoped_lock lock(load_mutex_);
        stopped_ = true;
        load_thread_.request_stop();
    }
    prepare_pool_.stop();
    if (load_thread_.joinable())
        load_thread_.join();
    mail_.commands.close();
    if (engine_thread_.joinable())
        engine_thread_.join();
}

} // namespace vitrine::engine
