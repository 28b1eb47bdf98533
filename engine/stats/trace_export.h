// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/stats: step records as Chrome trace-event JSON, which Perfetto opens.
#pragma once

#include <span>
#include <string>

#include "engine/api/step_record.h"

namespace vitrine::engine {

/// {"traceEvents": [...]}: per step its phases and counters; per sequence a lane of what it is doing (queued, prefill, decode,
/// preempted), and one of its rows in each step.  Slices of a lane never overlap, as Perfetto asks.  Times in microseconds.
/// Records and lines in order.
[[nodiscard]] std::string export_trace(std::span<const StepRecord> steps, std::span<const SequenceLine> lines);

} // namespace vitrine::engine
