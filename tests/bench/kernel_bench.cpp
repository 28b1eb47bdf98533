// SPDX-License-Identifier: GPL-3.0-or-later
// Single kernels of the CPU backend in cache on one core: the fastest of many short runs, so that a busy machine hides little.
// kernel_bench [isa ...]: products of every format with 1, 4, 8 and 64 tokens in MAC per nanosecond and core, the exact mode
// beside it; then attention, norm, quantization and gate in nanoseconds.
// kernel_bench barrier: one barrier of all cores in nanoseconds.
// kernel_bench probe [threads]: as JSON the barrier, the read bandwidth in GB/s of that many threads (default: all cores) and
// the peak of 8-bit products per nanosecond and core of each ISA, with nothing but them running in registers.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "kernels/cpu/cpu_backend.h"
#include "kernels/cpu/isa_select.h"
#include "kernels/cpu/repack/band_layout.h"
#include "tests/bench/machine_probe.h"
#include "tests/kernels/cpu/random_model.h"

namespace {

using namespace vitrine::kernels;
using namespace vitrine::kernels::cpu;

/// Nanoseconds of the fastest of `runs` runs.
double fastest(int runs, const std::function<void()>& work) {
    double best = 1e30;
    for (int i = 0; i < runs; ++i) {
        const auto start = std::chrono::steady_clock::now();
        work();
        best =
            std::min(best, std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

double sink = 0; // results are read, or the work would vanish

void bench_product(const IsaTable& isa, WeightFormat format, std::int64_t in_dim) {
    constexpr int kBands = 4;
    const BandLayout layout{format, isa.lanes, isa.signed_codes};
    const std::int64_t rows = kBands * isa.lanes;
    const auto bytes = testing::random_matrix(format, rows, in_dim, 3);
    const std::int64_t band_bytes = layout.band_bytes(in_dim);
    std::vector<std::uint8_t> bands(static_cast<std::size_t>(kBands * band_bytes + 64));
    std::uint8_t* aligned = bands.data() + (64 - reinterpret_cast<std::uintptr_t>(bands.data()) % 64) % 64;
    for (int band = 0; band < kBands; ++band)
        pack_band(layout, bytes, rows, in_dim, band * isa.lanes, aligned + band * band_bytes);
    std::printf("  %-7s", std::string(format_info(format).name).c_str());
    for (const bool exact : {false, true}) {
        const PanelKind kind = is_dense(format) ? PanelKind::dense : exact ? PanelKind::int8x2 : PanelKind::int8;
        for (const int tokens : {1, 4, 8, 64}) {
            std::vector<float> x(static_cast<std::size_t>(in_dim));
            std::vector<std::uint8_t> panel(static_cast<std::size_t>(tokens * in_dim / 32 * 128));
            for (int t = 0; t < tokens; ++t) {
                for (std::size_t i = 0; i < x.size(); ++i)
                    x[i] = static_cast<float>((static_cast<int>(i) * 7919 + t * 31) % 255 - 127) / 127;
                const PanelTile tile = isa.tile_of(kind, t, tokens);
                isa.panel_row[static_cast<int>(kind)]({x.data(), in_dim,
                    panel.data() + tile.first * in_dim / 32 * panel_block_bytes(kind), tile.size, t - tile.first, 0});
            }
            std::vector<float> out(static_cast<std::size_t>(tokens * rows));
            const LinearArgs args{
                aligned, band_bytes, kBands, in_dim, panel.data(), tokens, out.data(), rows, isa.prefetch};
            const double ns = fastest(400, [&] { isa.linear[static_cast<int>(format)][exact ? 1 : 0](args); });
            sink += static_cast<double>(out[0]);
            std::printf(" %6.1f", static_cast<double>(rows * in_dim * tokens) / ns);
        }
        std::printf("  |");
    }
    std::printf("\n");
}

void bench_attention(const IsaTable& isa, int queries, int visible) {
    constexpr int kHeadDim = 64;
    constexpr int kGroup = 3;
    constexpr int kBlock = 16;
    const int blocks = (visible + queries + kBlock - 1) / kBlock + 1;
    const std::int64_t block_bytes = std::int64_t{2} * kHeadDim * kBlock * 2;
    std::vector<std::uint8_t> cache(static_cast<std::size_t>(blocks * block_bytes + 64));
    std::vector<std::int32_t> table;
    for (int b = 0; b < blocks; ++b)
        table.push_back(b);
    std::vector<float> q(static_cast<std::size_t>(queries * kGroup * kHeadDim), 0.01F);
    std::vector<float> out(q.size());
    std::vector<float> scratch(static_cast<std::size_t>(attention_scratch_floats(queries * kGroup, kHeadDim)));
    AttentionArgs args;
    args.query = q.data();
    args.query_stride = kGroup * kHeadDim;
    args.output = out.data();
    args.output_stride = kGroup * kHeadDim;
    args.num_queries = queries;
    args.group = kGroup;
    args.head_dim = kHeadDim;
    args.first_visible = visible;
    args.split_end = (visible + queries - 1 + kSplitTokens - 1) / kSplitTokens;
    args.scale = 0.125F;
    args.blocks = table.data();
    args.head = {cache.data(), cache.data() + block_bytes / 2, nullptr, nullptr};
    args.block_bytes = block_bytes;
    args.scratch = scratch.data();
    const double ns = fastest(300, [&] { isa.attention(args); });
    sink += static_cast<double>(out[0]);
    const double products = 2.0 * kHeadDim * kGroup * queries * (visible + (queries - 1) / 2.0);
    std::printf(
        "  attention %3d queries x 3 heads, %4d keys: %8.0f ns, %.1f MAC/ns\n", queries, visible, ns, products / ns);
}

void bench_rows(const IsaTable& isa) {
    constexpr int kDim = 576;
    std::vector<float> x(kDim, 0.5F);
    std::vector<float> y(kDim);
    std::vector<std::uint8_t> panel(kDim / 32 * 80);
    for (int i = 0; i < kDim; ++i)
        x[static_cast<std::size_t>(i)] = static_cast<float>(i % 37 - 18);
    const auto report = [&](const char* name, const std::function<void()>& work) {
        std::printf("  %-22s %6.0f ns\n", name, fastest(2000, [&] {
            for (int i = 0; i < 10; ++i)
                work();
        }) / 10);
    };
    report("norm of 576", [&] { isa.rms_norm({x.data(), x.data(), y.data(), kDim, 1e-5F}); });
    report("quantize 576", [&] { isa.panel_row[0]({x.data(), kDim, panel.data(), 1, 0, 0}); });
    report("quantize 576, 2 planes", [&] { isa.panel_row[1]({x.data(), kDim, panel.data(), 1, 0, 0}); });
    report("silu gate of 576", [&] { isa.gate(x.data(), x.data(), y.data(), kDim, GateKind::silu); });
    report("add 576", [&] { isa.add({y.data(), 0, x.data(), 0, 1, kDim, nullptr, 1, true}); });
    sink += static_cast<double>(y[0]);
}

void probe(int threads) {
    auto backend = make_cpu_backend({"", threads, false, true});
    if (!backend) {
        std::fprintf(stderr, "%s\n", backend.error().message.c_str());
        std::exit(2);
    }
    const int used = (*backend)->device().num_threads;
    std::printf("{\"threads\": %d, \"barrier_ns\": %.0f, \"read_gb_per_s\": %.1f, \"peak_products_per_ns\": {", used,
        measure_barrier_ns(**backend), vitrine::bench::read_gigabytes_per_second(used));
    const char* separator = "";
    for (const char* isa : {"avx2", "avxvnni", "avx512", "amx"}) {
        std::printf("%s\"%s\": %.1f", separator, isa, vitrine::bench::peak_products_per_ns(isa));
        separator = ", ";
    }
    std::printf("}}\n");
}

} // namespace

int main(int argc, char** argv) {
    std::vector<std::string> names(argv + 1, argv + argc);
    if (names.empty())
        names = {"amx", "avx512", "avxvnni", "avx2", "scalar"};
    if (names.front() == "probe") {
        probe(names.size() > 1 ? std::atoi(names[1].c_str()) : 0);
        return 0;
    }
    if (names.front() == "barrier") {
        auto backend = make_cpu_backend();
        std::printf("%.0f\n", backend ? measure_barrier_ns(**backend) : 0.0);
        return 0;
    }
    for (const std::string& name : names) {
        const auto isa = select_isa(name);
        if (!isa) {
            std::printf("%s\n", isa.error().message.c_str());
            continue;
        }
        std::printf("%s: MAC/ns for 1, 4, 8, 64 tokens | two planes\n", name.c_str());
        for (int format = 0; format < kNumWeightFormats; ++format)
            bench_product(*isa, static_cast<WeightFormat>(format), 768);
        bench_attention(*isa, 1, 128);
        bench_attention(*isa, 1, 256);
        bench_attention(*isa, 32, 1);
        bench_attention(*isa, 32, 224);
        bench_rows(*isa);
    }
    return sink == 12345.678 ? 1 : 0;
}
