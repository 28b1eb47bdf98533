// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/machine_probe.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <latch>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <thread>

#include "kernels/api/cpu_isa.h"
#include "kernels/cpu/physical_cores.h"

namespace vitrine::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

void pin_to(int core) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

/// 512 MiB of written memory; unmapped at the end.
class Memory {
public:
    static constexpr std::size_t kBytes = std::size_t{512} << 20;
    Memory() {
        void* mapped = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (mapped == MAP_FAILED)
            return;
        madvise(mapped, kBytes, MADV_HUGEPAGE);
        std::memset(mapped, 1, kBytes);
        words_ = static_cast<const std::uint64_t*>(mapped);
    }
    ~Memory() {
        if (words_ != nullptr)
            munmap(const_cast<std::uint64_t*>(words_), kBytes);
    }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    [[nodiscard]] const std::uint64_t* words() const noexcept { return words_; }

private:
    const std::uint64_t* words_ = nullptr;
};

/// One word of every cache line: the memory delivers all of it.
std::uint64_t read_lines(const std::uint64_t* words, std::size_t count) {
    std::uint64_t sum[4] = {};
    for (std::size_t i = 0; i + 32 <= count; i += 32)
        for (std::size_t k = 0; k < 4; ++k)
            sum[k] += words[i + 8 * k];
    return sum[0] + sum[1] + sum[2] + sum[3];
}

std::atomic<std::uint64_t> sink{0}; // results are read, or the work would vanish

/// Nanoseconds of the fastest of several runs.
double fastest_ns(void (*work)()) {
    double best = 1e30;
    for (int run = 0; run < 200; ++run) {
        const auto start = Clock::now();
        work();
        best = std::min(best, 1e9 * seconds_since(start));
    }
    return best;
}

// Whole loops in assembly: eight chains of sums, each in its register, which a compiler would not promise.  Registers 0 and
// 1 hold whatever they hold; speed does not depend on it.
constexpr long kRounds = 2000;
constexpr int kChains = 8;

void maddubs_chains() {
    long left = kRounds;
    asm volatile(
        "1:\n"
        "vpmaddubsw %%ymm1, %%ymm0, %%ymm10\n vpaddw %%ymm10, %%ymm2, %%ymm2\n"
        "vpmaddubsw %%ymm1, %%ymm0, %%ymm11\n vpaddw %%ymm11, %%ymm3, %%ymm3\n"
        "vpmaddubsw %%ymm1, %%ymm0, %%ymm12\n vpaddw %%ymm12, %%ymm4, %%ymm4\n"
        "vpmaddubsw %%ymm1, %%ymm0, %%ymm13\n vpaddw %%ymm13, %%ymm5, %%ymm5\n"
        "vpmaddubsw %%ymm1, %%ymm0, %%ymm10\n vpaddw %%ymm10, %%ymm6, %%ymm6\n"
        "vpmaddubsw %%ymm1, %%ymm0, %%ymm11\n vpaddw %%ymm11, %%ymm7, %%ymm7\n"
        "vpmaddubsw %%ymm1, %%ymm0, %%ymm12\n vpaddw %%ymm12, %%ymm8, %%ymm8\n"
        "vpmaddubsw %%ymm1, %%ymm0, %%ymm13\n vpaddw %%ymm13, %%ymm9, %%ymm9\n"
        "dec %0\n jnz 1b\n vzeroupper"
        : "+r"(left)
        :
        : "cc", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13");
}

void dpbusd_chains() {
    long left = kRounds;
    asm volatile("1:\n"
                 "%{vex%} vpdpbusd %%ymm1, %%ymm0, %%ymm2\n %{vex%} vpdpbusd %%ymm1, %%ymm0, %%ymm3\n"
                 "%{vex%} vpdpbusd %%ymm1, %%ymm0, %%ymm4\n %{vex%} vpdpbusd %%ymm1, %%ymm0, %%ymm5\n"
                 "%{vex%} vpdpbusd %%ymm1, %%ymm0, %%ymm6\n %{vex%} vpdpbusd %%ymm1, %%ymm0, %%ymm7\n"
                 "%{vex%} vpdpbusd %%ymm1, %%ymm0, %%ymm8\n %{vex%} vpdpbusd %%ymm1, %%ymm0, %%ymm9\n"
                 "dec %0\n jnz 1b\n vzeroupper"
                 : "+r"(left)
                 :
                 : "cc", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9");
}

void dpbusd512_chains() {
    long left = kRounds;
    asm volatile("1:\n"
                 "vpdpbusd %%zmm1, %%zmm0, %%zmm2\n vpdpbusd %%zmm1, %%zmm0, %%zmm3\n"
                 "vpdpbusd %%zmm1, %%zmm0, %%zmm4\n vpdpbusd %%zmm1, %%zmm0, %%zmm5\n"
                 "vpdpbusd %%zmm1, %%zmm0, %%zmm6\n vpdpbusd %%zmm1, %%zmm0, %%zmm7\n"
                 "vpdpbusd %%zmm1, %%zmm0, %%zmm8\n vpdpbusd %%zmm1, %%zmm0, %%zmm9\n"
                 "dec %0\n jnz 1b\n vzeroupper"
                 : "+r"(left)
                 :
                 : "cc", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9");
}

/// What LDTILECFG reads.
struct alignas(64) TileShapes {
    std::uint8_t palette = 1;
    std::uint8_t rest[15] = {};
    std::uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
    std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};

void tile_chains() {
    const TileShapes shapes;
    long left = kRounds;
    asm volatile("ldtilecfg %1\n"
                 "1:\n"
                 "tdpbsud %%tmm5, %%tmm4, %%tmm0\n tdpbsud %%tmm5, %%tmm4, %%tmm1\n"
                 "tdpbsud %%tmm5, %%tmm4, %%tmm2\n tdpbsud %%tmm5, %%tmm4, %%tmm3\n"
                 "dec %0\n jnz 1b\n tilerelease"
                 : "+r"(left)
                 : "m"(shapes)
                 : "cc");
}

} // namespace

double read_gigabytes_per_second(int num_threads) {
    const Memory memory;
    if (memory.words() == nullptr)
        return 0;
    const std::size_t share = Memory::kBytes / sizeof(std::uint64_t) / static_cast<std::size_t>(num_threads);
    const std::vector<int> cores = kernels::cpu::physical_cores();
    double best = 0;
    for (int pass = 0; pass < 5; ++pass) {
        std::latch all_run(num_threads);
        std::vector<std::thread> threads;
        std::vector<Clock::time_point> starts(static_cast<std::size_t>(num_threads)), ends(starts);
        for (std::size_t t = 0; t < starts.size(); ++t)
            threads.emplace_back([&, t] {
                pin_to(cores[t % cores.size()]);
                all_run.arrive_and_wait();
                starts[t] = Clock::now();
                sink += read_lines(memory.words() + t * share, share);
                ends[t] = Clock::now();
            });
        for (std::thread& thread : threads)
            thread.join();
        const auto wall = *std::max_element(ends.begin(), ends.end()) - *std::min_element(starts.begin(), starts.end());
        best = std::max(best, static_cast<double>(Memory::kBytes) / 1e9 / std::chrono::duration<double>(wall).count());
    }
    return best;
}

double peak_products_per_ns(const std::string& isa) {
    const kernels::CpuFeatures features = kernels::cpu_features();
    constexpr double kProducts256 = 32.0 * kChains * static_cast<double>(kRounds);
    if (isa == "avx2" && features.avx2)
        return kProducts256 / fastest_ns(maddubs_chains);
    if (isa == "avxvnni" && features.avxvnni)
        return kProducts256 / fastest_ns(dpbusd_chains);
    if (isa == "avx512" && features.avx512)
        return 2 * kProducts256 / fastest_ns(dpbusd512_chains);
    if (isa == "amx" && features.amx)
        return 4 * 16.0 * 16 * 64 * static_cast<double>(kRounds) / fastest_ns(tile_chains);
    return 0;
}

} // namespace vitrine::bench
