// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cpu: the barrier between the phases of a step: spin first, sleep only when a worker lost its core.
#pragma once

#include <atomic>
#include <cstdint>

namespace vitrine::kernels::cpu {

/// Sleeps while `word` is `seen`, at most until a wake_all; may return early.
void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t seen) noexcept;
void futex_wake_all(std::atomic<std::uint32_t>& word) noexcept;
/// Spins until `word` differs from `seen` or some 50 us passed; false then.
[[nodiscard]] bool spin_until_changed(const std::atomic<std::uint32_t>& word, std::uint32_t seen) noexcept;

/// Central epoch barrier; the last to arrive opens it.  Everything written before wait() is visible after it to all.
class StepBarrier {
public:
    explicit StepBarrier(int num_threads) : num_threads_(static_cast<std::uint32_t>(num_threads)) {}
    void wait() noexcept;

private:
    const std::uint32_t num_threads_;
    alignas(64) std::atomic<std::uint32_t> arrived_{0};
    alignas(64) std::atomic<std::uint32_t> epoch_{0};
    alignas(64) std::atomic<std::uint32_t> num_sleeping_{0};
};

} // namespace vitrine::kernels::cpu
