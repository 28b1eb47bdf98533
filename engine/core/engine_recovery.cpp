// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/core: a device that failed: what becomes of its requests until the model is loaded again.
#include <utility>

#include "engine/base/log.h"
#include "engine/core/engine_loop.h"

namespace vitrine::engine {

/// The device's memory cannot be trusted any more, so the session goes; the process and what was not in the step stay.
void EngineLoop::lose_device(const Error& error) {
    std::vector<RequestId> beams; // their rounds hang together
    for (const auto& [id, state] : requests_)
        if (state.beams)
            beams.push_back(id);
    for (const RequestId id : beams) {
        fail_beams(requests_.at(id), error);
        erase_if_done(id);
    }
    stranded_.emplace();
    stranded_->sequences = session_->scheduler->take_all();
    const std::size_t num_stranded = stranded_->sequences.size();
    outbox_.deliver();
    session_.reset(); // before the model is loaded again: there may be no room for both
    publish(steady_clock().now());
    log_warn("the device is started again; {} sequences wait for it", num_stranded);
    on_device_lost_(error);
}

void EngineLoop::handle(RecoverCommand command) {
    if (!stranded_)
        return; // another model was installed meanwhile, or all was unloaded
    if (!command.session) {
        fail_stranded(command.session.error());
        outbox_.deliver();
        return install(nullptr);
    }
    install(*std::move(command.session));
    resume_stranded();
}

void EngineLoop::resume_stranded() {
    Stranded stranded = *std::exchange(stranded_, std::nullopt);
    for (std::unique_ptr<Sequence>& sequence : stranded.sequences) {
        const Owner owner = owner_of(*sequence);
        auto added = session_->scheduler->add(std::move(sequence));
        if (added)
            continue;
        finish_choice(*owner.request, *owner.choice, FinishReason::error, added.error());
        erase_if_done(owner.request->id);
    }
    for (PreparedCommand& prepared : stranded.prepared)
        handle(std::move(prepared));
}

void EngineLoop::fail_stranded(const Error& error) {
    stranded_.reset();
    std::vector<RequestId> ids;
    for (const auto& [id, state] : requests_)
        ids.push_back(id);
    for (const RequestId id : ids) {
        RequestState& state = requests_.at(id);
        if (state.preparing) {
            reject(id, RequestRefusal{error, 0, 0, {}});
            continue;
        }
        for (ChoiceState& choice : state.choices)
            if (!choice.finished)
                finish_choice(state, choice, FinishReason::error, error);
        erase_if_done(id);
    }
}

} // namespace vitrine::engine
