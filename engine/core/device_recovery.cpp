// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: the model again after a device error: on the same device, else on the CPU.

#include "engine/base/log.h"
#include "engine/core/engine_impl.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

constexpr std::chrono::seconds kTooSoon{60}; // a device that fails again within is not started once more

} // namespace

void EngineImpl::on_device_lost(const Error& error) {
    const std::scoped_lock lock(load_mutex_);
    if (stopped_)
        return; // every request is about to end
    if (loading_) {
        lost_ = error; // the load that runs looks after it
        return;
    }
    loading_ = true;
    load_thread_ = std::jthread([this, error](std::stop_token stop) { recover(error, std::move(stop)); });
}

/// Thread: load.
void EngineImpl::recover(const Error& error, std::stop_token stop) {
    LoadOrder order;
    {
        const std::scoped_lock lock(load_mutex_);
        order = *installed_; // a device fails in a step of an installed model
        order.generation = ++generation_;
    }
    auto session = load_again(order, error, std::move(stop));
    {
        const std::scoped_lock lock(load_mutex_);
        if (session)
            installed_ = order;
        last_recovery_ = steady_clock().now();
        loading_ = false;
    }
    (void)mail_.commands.push_always(RecoverCommand{std::move(session)}); // after stop() every request has ended
}

Result<std::unique_ptr<ModelSession>> EngineImpl::load_again(
    LoadOrder& order, const Error& error, std::stop_token stop) {
    const bool failed_before = last_recovery_ != TimePoint{} && steady_clock().now() - last_recovery_ < kTooSoon &&
        order.config.device != "cpu";
    Phrase why = say(Sentence::gpu_failed_again, cause_of(error), kTooSoon.count());
    if (!failed_before) {
        auto session = load_session(order, stop);
        if (session || session.error().code == ErrorCode::cancelled || order.config.device == "cpu")
            return session;
        why = say(Sentence::gpu_not_restarted, cause_of(error), cause_of(session.error()));
    }
    const Error reason = make_error(ErrorCode::device, std::move(why));
    log_warn("the CPU takes over: {}", reason.message);
    order.config.device = "cpu";
    return load_session(order, std::move(stop), reason);
}

} // namespace vitrine::engine
