// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/remote: what the metrics of vLLM, SGLang, llama.cpp, TensorRT-LLM and Vitrine mean, in one vocabulary.
#pragma once

#include <string_view>
#include <vector>

#include "app/remote/prometheus_text.h"
#include "ui/bridge/server_reading.h"

namespace vitrine::app {

/// By the names' prefix; unknown: none of those this program can read is there.
[[nodiscard]] ui::ServerKind serverKind(const std::vector<MetricSample>& samples);

/// What a page says about `model`.  Samples of other models are left out when the page knows this one; several engines
/// of one server (data parallel) are added up, shares of them averaged; of tensor- and pipeline-parallel ranks, which
/// report the same work again, the first counts.  A number that can be none (NaN, infinite, negative) is not told, nor is
/// a histogram whose counts fall.  `time`, `restarted` and `own` are the caller's.
[[nodiscard]] ui::ServerReading readMetrics(const std::vector<MetricSample>& samples, std::string_view model);

/// True if a counter or the total of a histogram of `now` is lower than in `before`: the server began anew.
[[nodiscard]] bool hasRestarted(const ui::ServerReading& before, const ui::ServerReading& now);

} // namespace vitrine::app
