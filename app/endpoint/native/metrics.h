// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: a snapshot in the Prometheus text format, under the names that vLLM's dashboards ask for.
#pragma once

#include <string>
#include <string_view>

#include "engine/api/snapshot.h"

namespace vitrine::app {

/// Text format 0.0.4.  Names: `vllm:` where vLLM has the same figure, `vitrine_` elsewhere.  Every figure is the one that
/// /stats shows; counters start again with every load.
[[nodiscard]] std::string metrics_text(const engine::Snapshot& snapshot, std::string_view model_name);

} // namespace vitrine::app
