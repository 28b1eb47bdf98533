// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: step records as series for the plots.
#pragma once

#include "ui/bridge/step_feed.h"

#include <vector>

namespace vitrine::ui {

/// Values in bins of equal width, aligned to multiples of it so that they do not crawl.  NaN: nothing to say.
struct StepSeries {
    double bin = 1; // seconds
    std::vector<double> time; // end of each complete bin
    std::vector<double> decodeRate; // tokens per second
    std::vector<double> prefillRate;
    std::vector<double> active, cached, shared; // blocks at the end of the bin
    std::vector<double> hitRate; // 0..1, over the last 60 s
    std::vector<double> accepted; // drafts a decoding sequence and step
    std::vector<double> batch; // sequences a step
    double peakDecode = 0, peakActive = 0, peakBatch = 0;
    double drafted = 0; // drafts a decoding sequence and step, in the last bin that had any
};

[[nodiscard]] double binWidth(double spanSeconds);
/// Collects the window [start, end]; costs the steps in it (and one minute before).
[[nodiscard]] StepSeries collectSeries(const StepFeed& feed, double start, double end);

} // namespace vitrine::ui
