// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cpu: the only door to the CPU backend.
#pragma once

#include <memory>
#include <string>

#include "kernels/api/backend.h"
#include "kernels/api/input_observer.h"

namespace vitrine::kernels {

struct CpuOptions {
    std::string
        isa; // "scalar", "avx2", "avxvnni", "avx512", "amx"; empty, "auto": VITRINE_FORCE_ISA if set, else the best here
    int num_threads = 0; // workers, the caller included; 0: physical cores this process may run on
    bool pin_threads = true; // one core per worker, and the stepping thread too; off where threads outnumber the cores
    bool huge_pages = true; // MADV_HUGEPAGE for weights and KV
    InputObserver* observer =
        nullptr; // sees every row that a matrix of a layer is multiplied by, at the cost of speed; outlives the backend
};

/// A backend with its own worker threads, parked until a step runs.  `isa` unknown: `invalid_argument`; one that this CPU
/// lacks: `unsupported`.  Thread: see Backend.  One step at a time: submit() computes, wait() hands over.
[[nodiscard]] Result<std::unique_ptr<Backend>> make_cpu_backend(const CpuOptions& options = {});

/// What make_cpu_backend would give, without starting a thread.  Errors as above.
[[nodiscard]] Result<DeviceInfo> probe_cpu(const CpuOptions& options = {});

/// Mean cost of one barrier between the workers of `backend` in nanoseconds, over about a millisecond; 0 with one worker.
/// Benchmarks print it: it tells which of its two states a virtual machine is in.  Requires: made by make_cpu_backend, idle.
[[nodiscard]] double measure_barrier_ns(Backend& backend);

} // namespace vitrine::kernels
