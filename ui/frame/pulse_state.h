// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/frame: what the Pulse strip says, as a value that can be compared.
#pragma once

#include "ui/bridge/endpoint_control.h"
#include "ui/bridge/engine_client.h"
#include "ui/bridge/values.h"

#include <QString>

#include <vector>

namespace vitrine::ui {

class SequenceIndex;

struct PulseState {
    enum class Mode : std::uint8_t { empty, loading, ready };
    Mode mode = Mode::empty;
    bool idle = true;
    QString model, quant, device;
    bool onGpu = false;
    qint64 bytesDone = 0, bytesTotal = 0; // loading
    int activeBlocks = 0, cachedBlocks = 0, totalBlocks = 0;
    int running = 0, waiting = 0;
    std::vector<int> squares; // letters of running sequences, at most five squares with the waiting ones
    QString rate;
    std::vector<double> rates; // of the last minute
    QString prefix;
    QString accepted, drafted; // empty: no drafts
    std::vector<int> acceptedBars; // percent of full height, one a draft position
    bool serverOn = false;
    int serverPort = 0;
    friend bool operator==(const PulseState&, const PulseState&) = default;

    [[nodiscard]] bool pressure() const { return totalBlocks > 0 && activeBlocks * 10 > totalBlocks * 9; }
};

/// Everything but `rates`, which the strip gathers over time.
[[nodiscard]] PulseState makePulseState(const EngineClient& client, const Snapshot& snapshot, bool idle,
    const EndpointControl& endpoint, SequenceIndex& sequences);

} // namespace vitrine::ui
