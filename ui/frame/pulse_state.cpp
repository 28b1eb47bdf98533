// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/frame: snapshot to strip.
#include "ui/frame/pulse_state.h"

#include "ui/bridge/qt_convert.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/sequence_index.h"

#include <QFileInfo>

#include <algorithm>
#include <cmath>

namespace vitrine::ui {
namespace {

constexpr std::size_t kMaxSquares = 5;

void addModel(PulseState& state, const LoadedModel& model) {
    state.mode = PulseState::Mode::ready;
    state.model = toQString(model.info.name);
    state.quant =
        model.config.quantize.empty() ? toQString(model.info.quantization) : toQString(model.config.quantize).toUpper();
    state.device = toQString(model.device.name);
    state.onGpu = model.device.id.starts_with("cuda");
}

void addDrafts(PulseState& state, const Counters& counters, const LoadedModel& model, const Rates& rates) {
    if (model.config.draft.empty() || counters.drafts == 0)
        return;
    const double perDraft = static_cast<double>(counters.draft_tokens) / static_cast<double>(counters.drafts);
    state.accepted = fixedText(rates.accepted_per_step, 1);
    state.drafted = QString::number(std::lround(perDraft));
    for (int i = 0; i < std::lround(perDraft) && i < 16; ++i) {
        const auto hits = static_cast<double>(counters.accepted_per_position[static_cast<std::size_t>(i)]);
        state.acceptedBars.push_back(static_cast<int>(std::lround(100 * hits / static_cast<double>(counters.drafts))));
    }
}

} // namespace

PulseState makePulseState(const EngineClient& client, const Snapshot& snapshot, bool idle,
    const EndpointControl& endpoint, SequenceIndex& sequences) {
    PulseState state;
    state.idle = idle;
    state.serverOn = endpoint.state() == EndpointControl::State::running;
    state.serverPort = state.serverOn ? endpoint.port() : 0;
    if (const auto model = client.model())
        addModel(state, *model);
    if (client.isLoading()) {
        const LoadState& load = client.loadState();
        state.mode = PulseState::Mode::loading;
        state.model = QFileInfo(load.path).completeBaseName();
        state.bytesDone = load.bytesDone;
        state.bytesTotal = load.bytesTotal;
        return state;
    }
    if (state.mode != PulseState::Mode::ready)
        return state;
    state.activeBlocks = snapshot.blocks.active;
    state.cachedBlocks = snapshot.blocks.cached;
    state.totalBlocks = snapshot.blocks.total;
    state.running = snapshot.running;
    state.waiting = snapshot.waiting + snapshot.preparing;
    for (const SequenceStatus& sequence : snapshot.sequences) {
        const bool runs = sequence.state == SequenceState::prefill || sequence.state == SequenceState::decode;
        if (runs && state.squares.size() < kMaxSquares)
            state.squares.push_back(sequences.indexOf(sequence.sequence));
    }
    state.rate = rateText(idle ? 0 : snapshot.rates.decode_tokens_per_s);
    state.prefix = percentText(
        snapshot.rates.prefix_hit_rate_60s > 0 ? snapshot.rates.prefix_hit_rate_60s : snapshot.rates.prefix_hit_rate);
    if (snapshot.model && snapshot.model->device.id == "remote" && snapshot.counters.prefix_queries == 0 &&
        snapshot.rates.prefix_hit_rate == 0)
        state.prefix = kNone; // not told
    if (snapshot.model)
        addDrafts(state, snapshot.counters, *snapshot.model, snapshot.rates);
    return state;
}

} // namespace vitrine::ui
