// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: quantiles of what a server counted.
#include "ui/bridge/server_reading.h"

#include <algorithm>
#include <cmath>

namespace vitrine::ui {

QString serverKindName(ServerKind kind) {
    constexpr const char* kNames[] = {"", "Vitrine", "vLLM", "SGLang", "llama.cpp", "TensorRT-LLM"};
    return QLatin1String(kNames[static_cast<std::size_t>(kind)]);
}

double quantileBetween(const ServerHistogram& before, const ServerHistogram& now, double q) {
    const bool isFirst = before.empty(); // then everything since the server's start counts
    if (now.empty() || (!isFirst && before.bounds != now.bounds))
        return ServerReading::kUntold;
    const auto count = [&](std::size_t i) { return now.counts[i] - (isFirst ? 0 : before.counts[i]); };
    const std::size_t last = now.bounds.size() - 1;
    const double total = count(last);
    if (!(total > 0))
        return ServerReading::kUntold;
    const double rank = std::clamp(q, 0.0, 1.0) * total;
    std::size_t bucket = 0;
    while (bucket < last && count(bucket) < rank)
        ++bucket;
    const double low = bucket == 0 ? 0 : now.bounds[bucket - 1];
    if (std::isinf(now.bounds[bucket]))
        return low;
    const double below = bucket == 0 ? 0 : count(bucket - 1);
    const double inside = count(bucket) - below;
    return inside > 0 ? low + (now.bounds[bucket] - low) * (rank - below) / inside : now.bounds[bucket];
}

} // namespace vitrine::ui
