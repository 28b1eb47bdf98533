// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/remote: pages in Prometheus' text exposition format 0.0.4.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/api/result.h"

namespace vitrine::app {

/// One line: a name, labels in the order of the page, a value (NaN and infinities are values).  Timestamps are dropped.
struct MetricSample {
    std::string name;
    std::vector<std::pair<std::string, std::string>> labels;
    double value = 0;

    [[nodiscard]] const std::string* label(std::string_view name) const; // null: it has none of this name
};

inline constexpr std::size_t kMaxMetricSamples = 200'000;

/// Every sample of a page.  bad_file names the first line that does not follow the format and what is wrong in it;
/// nothing is guessed.  OpenMetrics' "# EOF" and exemplars behind " # " are taken, since servers send them.
[[nodiscard]] Result<std::vector<MetricSample>> parseMetrics(std::string_view page);

} // namespace vitrine::app
