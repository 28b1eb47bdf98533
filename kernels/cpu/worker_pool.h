// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cpu: the threads of one backend; the caller of run() is worker 0.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <type_traits>
#include <vector>

#include "kernels/cpu/step_barrier.h"

namespace vitrine::kernels::cpu {

/// Workers spin some 50 us for the next region, then sleep: an idle pool costs nothing.
/// Thread: one run() at a time, from any thread.  Jobs must not throw.
class WorkerPool {
public:
    using Job = void (*)(void* context, int worker);

    /// cores: one per worker to pin to, or empty.  Throws std::system_error when the system gives no thread.
    WorkerPool(int num_workers, std::vector<int> cores);
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    [[nodiscard]] int size() const noexcept { return num_workers_; }
    /// Runs job(context, w) for w in [0, size()) and returns when all are done.
    void run(Job job, void* context) noexcept;
    /// The same for a callable.
    template <class Function>
    void run_each(Function&& function) noexcept {
        run([](void* context, int worker) { (*static_cast<std::remove_reference_t<Function>*>(context))(worker); },
            &function);
    }
    /// Between the workers of the running job.
    void barrier() noexcept { barrier_.wait(); }
    /// Pins the calling thread to worker 0's core, once per thread; nothing without cores.
    void pin_caller() const noexcept;

private:
    void worker_loop(int worker) noexcept;
    void stop() noexcept;

    const int num_workers_;
    const std::vector<int> cores_;
    StepBarrier barrier_;
    Job job_ = nullptr;
    void* context_ = nullptr;
    bool stopping_ = false;
    alignas(64) std::atomic<std::uint32_t> epoch_{0}; // a new value: a new job
    alignas(64) std::atomic<std::uint32_t> num_sleeping_{0};
    std::vector<std::thread> threads_;
};

} // namespace vitrine::kernels::cpu
