// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/api: the memory of this computer that a program can still have.
#pragma once

#include <cstdint>

#include "kernels/api/result.h"

namespace vitrine::kernels {

/// Bytes, with what the system would take back from its file cache: MemAvailable of /proc/meminfo.  What is unused alone
/// (sysconf's AVPHYS) is a few hundred MiB on every machine that has read files for a while.  Error io where there is no such
/// line.  Thread: any.
[[nodiscard]] Result<std::int64_t> available_memory_bytes();

} // namespace vitrine::kernels
