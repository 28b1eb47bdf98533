// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/endpoint/model_switch.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace vitrine::app {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kBusyRetry{50}; // another load or an unload runs

/// Tells the switch of a load's end, on the IO thread.
class LoadWatch final : public engine::LoadSink {
public:
    explicit LoadWatch(std::function<void(std::optional<Error>)> done) : done_(std::move(done)) {}
    void on_load_progress(const engine::LoadProgress& progress) override {
        using engine::LoadPhase;
        if (progress.phase == LoadPhase::done)
            done_(std::nullopt);
        else if (progress.phase == LoadPhase::failed || progress.phase == LoadPhase::cancelled)
            done_(progress.error.value_or(Error{ErrorCode::cancelled, "loading was cancelled", "Send it again."}));
    }

private:
    std::function<void(std::optional<Error>)> done_;
};

std::string plain_name(const std::string& name) {
    std::string plain = lower_case(name);
    if (plain.ends_with(":latest"))
        plain.resize(plain.size() - 7);
    if (plain.ends_with(".gguf"))
        plain.resize(plain.size() - 5);
    return plain;
}

std::string id_of(const std::filesystem::path& path) {
    return path.extension() == ".gguf" ? path.stem().string() : path.filename().string();
}

ApiError load_failed(const std::string& name, const Error& error) {
    ApiError out;
    out.status = 500;
    out.type = "server_error";
    out.code = "model_load_failed";
    out.message = fmt::format("The model '{}' cannot be loaded: {}. {}", name, error.message, error.remedy);
    out.no_retry = true;
    return out;
}

ApiError not_loaded() {
    ApiError error;
    error.status = 503;
    error.type = "unavailable_error";
    error.code = "model_not_loaded";
    error.message = "No model is loaded; load one in the window or wait until loading ends.";
    error.retry_after_s = 1;
    return error;
}

} // namespace

ModelSwitch::ModelSwitch(engine::Engine& engine, const EndpointConfig& config, Hooks hooks)
    : engine_(engine), config_(config), hooks_(std::move(hooks)), idle_limit_(config.idle_unload),
      idle_since_(Clock::now()) {}

std::vector<NamedModel> ModelSwitch::list() const {
    std::vector<NamedModel> models;
    const auto loaded = engine_.snapshot()->model;
    if (loaded)
        models.push_back({id_of(loaded->info.path), loaded->info.path, loaded});
    const auto add = [&](const std::string& id, const std::string& path) {
        const bool known = std::any_of(
            models.begin(), models.end(), [&](const NamedModel& m) { return plain_name(m.id) == plain_name(id); });
        if (!known)
            models.push_back({id, path, loaded && path == loaded->info.path ? loaded : nullptr});
    };
    for (std::size_t i = 0; loaded && i < loaded->adapters.size(); ++i) // a name for the model with one adapter
        add(loaded->adapters[i].name, loaded->info.path);
    for (const ModelAlias& alias : config_.aliases) {
        if (alias.path.empty() && loaded)
            add(alias.name, loaded->info.path);
        else if (!alias.path.empty())
            add(alias.name, alias.path);
    }
    for (const std::string& path : config_.catalog)
        add(id_of(path), path);
    return models;
}

std::optional<NamedModel> ModelSwitch::find(const std::string& name) const {
    const std::string wanted = plain_name(name);
    for (NamedModel& model : list()) {
        if (plain_name(model.id) == wanted)
            return std::move(model);
    }
    return std::nullopt;
}

ApiError ModelSwitch::not_found(const std::string& name) const {
    std::vector<std::string> ids;
    for (const NamedModel& model : list())
        ids.push_back(model.id);
    if (ids.empty())
        return not_loaded();
    ApiError error;
    error.status = 404;
    error.code = "model_not_found";
    error.param = "model";
    error.message = fmt::format("The model '{}' does not exist here; there are: {}.", name, fmt::join(ids, ", "));
    return error;
}

void ModelSwitch::acquire(std::uint64_t ticket, const std::string& name, Done done) {
    std::optional<NamedModel> found;
    if (name.empty()) {
        auto all = list();
        if (!all.empty())
            found = std::move(all.front());
    } else {
        found = find(name);
    }
    if (!found) {
        done(tl::unexpected(not_found(name)));
        return;
    }
    waiting_.push_back({ticket, name.empty() ? found->id : name, found->path, Clock::now(), std::move(done)});
    pump();
}

void ModelSwitch::cancel(std::uint64_t ticket) {
    std::erase_if(waiting_, [&](const Waiting& one) { return one.ticket == ticket; });
    const bool wanted =
        std::any_of(waiting_.begin(), waiting_.end(), [&](const Waiting& one) { return one.path == loading_; });
    if (!loading_.empty() && !wanted)
        engine_.cancel_load();
    pump();
}

void ModelSwitch::keep_alive(std::chrono::milliseconds time) {
    if (!loads_on_demand())
        return;
    idle_limit_ = time;
    watch_idle();
}

void ModelSwitch::stop() {
    stopped_ = true;
    waiting_.clear();
    if (!loading_.empty())
        engine_.cancel_load();
}

void ModelSwitch::pump() {
    while (!stopped_ && loading_.empty() && !waiting_.empty() && grant_front()) {
    }
}

/// Returns whether the next one may be looked at.
bool ModelSwitch::grant_front() {
    const auto model = engine_.snapshot()->model;
    unloading_ = unloading_ && model != nullptr;
    if (unloading_) { // by command: it takes a step
        hooks_.after(kBusyRetry, [this] { pump(); });
        return false;
    }
    if (model && model->info.path == waiting_.front().path) {
        Waiting front = std::move(waiting_.front());
        waiting_.pop_front();
        const auto waited = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - front.since);
        front.done(make_lease(front.name, model, waited));
        return true;
    }
    if (!loads_on_demand()) {
        Waiting front = std::move(waiting_.front());
        waiting_.pop_front();
        front.done(tl::unexpected(not_found(front.name)));
        return true;
    }
    if (num_leases_ == 0)
        start_load(waiting_.front().path);
    return false;
}

void ModelSwitch::start_load(const std::string& path) {
    loading_ = path;
    const auto sink = std::make_shared<LoadWatch>([this, post = hooks_.post](std::optional<Error> error) {
        post([this, error = std::move(error)] { on_loaded(error); });
    });
    const auto started = engine_.load(path, config_.load, sink);
    if (started)
        return;
    loading_.clear();
    if (started.error().code == ErrorCode::busy)
        hooks_.after(kBusyRetry, [this] { pump(); });
    else
        hooks_.post([this, path, error = started.error()] {
            loading_ = path;
            on_loaded(error);
        });
}

void ModelSwitch::on_loaded(std::optional<Error> error) {
    const std::string path = std::exchange(loading_, {});
    idle_limit_ = config_.idle_unload;
    if (error && error->code != ErrorCode::cancelled) {
        std::vector<Waiting> failed;
        for (auto it = waiting_.begin(); it != waiting_.end();) {
            if (it->path == path) {
                failed.push_back(std::move(*it));
                it = waiting_.erase(it);
            } else {
                ++it;
            }
        }
        for (Waiting& one : failed)
            one.done(tl::unexpected(load_failed(one.name, *error)));
    }
    idle_since_ = Clock::now();
    pump();
    watch_idle();
}

std::shared_ptr<ModelLease> ModelSwitch::make_lease(
    const std::string& name, std::shared_ptr<const engine::LoadedModel> model, std::chrono::microseconds load) {
    ++num_leases_;
    auto lease = std::make_shared<ModelLease>();
    lease->id = name;
    lease->text = engine_.text_model();
    lease->model = std::move(model);
    lease->load = load;
    lease->hold =
        std::shared_ptr<void>(nullptr, [this, post = hooks_.post](void*) { post([this] { on_released(); }); });
    return lease;
}

void ModelSwitch::on_released() {
    --num_leases_;
    idle_since_ = Clock::now();
    pump();
    watch_idle();
}

std::optional<std::chrono::system_clock::time_point> ModelSwitch::expiry() const {
    if (!loads_on_demand() || idle_limit_ < std::chrono::milliseconds(0))
        return std::nullopt;
    const auto left = idle_since_ + idle_limit_ - Clock::now();
    return std::chrono::system_clock::now() + std::chrono::duration_cast<std::chrono::system_clock::duration>(left);
}

void ModelSwitch::unload() {
    unloading_ = true;
    engine_.unload();
}

void ModelSwitch::watch_idle() {
    const bool can_go = loads_on_demand() && idle_limit_ >= std::chrono::milliseconds(0) && num_leases_ == 0 &&
        !unloading_ && waiting_.empty() && loading_.empty() && !stopped_ && engine_.snapshot()->model;
    if (!can_go)
        return;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(idle_since_ + idle_limit_ - Clock::now());
    if (left <= std::chrono::milliseconds(0))
        unload();
    else
        hooks_.after(left + std::chrono::milliseconds(1), [this] { watch_idle(); });
}

} // namespace vitrine::app
