// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/remote: the engine in use.
#include "app/remote/engine_switch.h"

#include <utility>

namespace vitrine::app {

EngineSwitch::InUse EngineSwitch::inUse() const {
    const std::lock_guard lock(m_mutex);
    return {m_remote, m_remote ? *m_remote : m_local};
}

void EngineSwitch::use(std::shared_ptr<engine::Engine> remote) {
    const std::lock_guard lock(m_mutex);
    m_remote = std::move(remote);
}

bool EngineSwitch::isRemote() const {
    const std::lock_guard lock(m_mutex);
    return m_remote != nullptr;
}

Result<engine::RequestId> EngineSwitch::submit(engine::Request request, std::shared_ptr<engine::EventSink> sink) {
    return inUse().engine.submit(std::move(request), std::move(sink));
}

void EngineSwitch::cancel(engine::RequestId request) {
    const InUse now = inUse();
    if (now.remote)
        now.remote->cancel(request);
    m_local.cancel(request); // an answer of this computer may still run
}

void EngineSwitch::reset_prefix_cache() {
    inUse().engine.reset_prefix_cache();
}

std::shared_ptr<const engine::Snapshot> EngineSwitch::snapshot() const {
    return inUse().engine.snapshot();
}

std::shared_ptr<const engine::TextModel> EngineSwitch::text_model() const {
    return inUse().engine.text_model();
}

std::size_t EngineSwitch::read_steps(std::uint64_t from_step, std::span<engine::StepRecord> out) const {
    return inUse().engine.read_steps(from_step, out);
}

std::size_t EngineSwitch::read_lines(
    std::uint64_t from_line, std::span<engine::SequenceLine> out, std::uint64_t& next_line) const {
    return inUse().engine.read_lines(from_line, out, next_line);
}

std::string EngineSwitch::block_text(int block) const {
    return inUse().engine.block_text(block);
}

void EngineSwitch::stop() {
    const InUse now = inUse();
    if (now.remote)
        now.remote->stop();
    m_local.stop();
}

} // namespace vitrine::app
