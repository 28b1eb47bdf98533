// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/bench: what the machine can do, measured: the roofs that benchmarks state their figures against.
#pragma once

#include <string>
#include <vector>

namespace vitrine::bench {

/// Gigabytes per second that `num_threads` pinned threads read together from memory far larger than the caches; best of some
/// passes over 512 MiB on huge pages where the system gives them.
[[nodiscard]] double read_gigabytes_per_second(int num_threads);

/// Products of 8-bit numbers per nanosecond and core when nothing but them runs, in registers: maddubs with its 16-bit sum
/// on AVX2, vpdpbusd on AVX-VNNI and AVX-512.  0: this CPU lacks `isa`, or scalar.
[[nodiscard]] double peak_products_per_ns(const std::string& isa);

} // namespace vitrine::bench
