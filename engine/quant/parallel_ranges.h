// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/quant: a range of rows shared out to threads that live as long as the call.
#pragma once

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

namespace vitrine::engine {

/// work(begin, end) over [0, count), at most num_threads parts at once; the caller's thread takes the first.  work must not throw.
template <class Work>
void parallel_ranges(std::int64_t count, int num_threads, const Work& work) {
    const std::int64_t parts = std::clamp<std::int64_t>(num_threads, 1, std::max<std::int64_t>(count, 1));
    std::vector<std::jthread> threads;
    for (std::int64_t part = 1; part < parts; ++part)
        threads.emplace_back([&, part] { work(count * part / parts, count * (part + 1) / parts); });
    work(std::int64_t{0}, count / parts);
}

} // namespace vitrine::engine
