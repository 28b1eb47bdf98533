// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/worker_pool.h"

#include <pthread.h>
#include <sched.h>
#include <utility>

namespace vitrine::kernels::cpu {
namespace {

void pin_this_thread(int core) noexcept {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    pthread_setaffinity_np(pthread_self(), sizeof set, &set); // a refusal costs speed only
}

} // namespace

WorkerPool::WorkerPool(int num_workers, std::vector<int> cores)
    : num_workers_(num_workers), cores_(std::move(cores)), barrier_(num_workers) {
    threads_.reserve(static_cast<std::size_t>(num_workers_ - 1));
    try {
        for (int worker = 1; worker < num_workers_; ++worker)
            threads_.emplace_back([this, worker] { worker_loop(worker); });
    } catch (...) {
        stop();
        throw;
    }
}

WorkerPool::~WorkerPool() {
    stop();
}

void WorkerPool::stop() noexcept {
    stopping_ = true;
    epoch_.fetch_add(1, std::memory_order_seq_cst);
    futex_wake_all(epoch_);
    for (std::thread& thread : threads_)
        thread.join();
}

void WorkerPool::run(Job job, void* context) noexcept {
    job_ = job;
    context_ = context;
    if (num_workers_ > 1) {
        epoch_.fetch_add(1, std::memory_order_seq_cst);
        if (num_sleeping_.load(std::memory_order_seq_cst) != 0)
            futex_wake_all(epoch_);
    }
    job(context, 0);
    barrier_.wait();
}

void WorkerPool::pin_caller() const noexcept {
    if (cores_.empty())
        return;
    thread_local int pinned_to = -1;
    if (pinned_to == cores_.front())
        return;
    pinned_to = cores_.front();
    pin_this_thread(pinned_to);
}

void WorkerPool::worker_loop(int worker) noexcept {
    if (!cores_.empty())
        pin_this_thread(cores_[static_cast<std::size_t>(worker)]);
    std::uint32_t seen = 0;
    for (;;) {
        if (!spin_until_changed(epoch_, seen)) {
            num_sleeping_.fetch_add(1, std::memory_order_seq_cst);
            while (epoch_.load(std::memory_order_seq_cst) == seen)
                futex_wait(epoch_, seen);
            num_sleeping_.fetch_sub(1, std::memory_order_seq_cst);
        }
        ++seen;
        if (stopping_)
            return;
        job_(context_, worker);
        barrier_.wait();
    }
}

} // namespace vitrine::kernels::cpu
