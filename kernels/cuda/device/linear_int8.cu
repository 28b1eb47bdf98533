// SPDX-License-Identifier: GPL-3.0-or-later
// Which formats the int8 kernel has, and their instances.
#include "kernels/cuda/device/linear_int8.cuh"
#ifdef VT_STAMPS
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>
#endif

namespace vitrine::kernels {

// One file each: linear_int8_*.cu.
extern template cudaError_t launch_int8<Int8Q4K, Int8Q4K>(const LinearArgs&, const SmallLimits&, cudaStream_t);
extern template cudaError_t launch_int8<Int8Q6K, Int8Q6K>(const LinearArgs&, const SmallLimits&, cudaStream_t);
extern template cudaError_t launch_int8<Int8Q4K, Int8Q6K>(const LinearArgs&, const SmallLimits&, cudaStream_t);

#ifdef VT_STAMPS
namespace {
struct StampSlot {
    std::string name;
    int tiles, in_dim;
};
std::vector<StampSlot> stamp_slots;
unsigned long long* stamp_memory = nullptr;
constexpr int kStampSlots = 4096, kStampBlocks = 264;
void print_stamps() {
    (void)cudaDeviceSynchronize();
    std::vector<unsigned long long> all(std::size_t{kStampSlots} * kStampBlocks * 8);
    (void)cudaMemcpy(all.data(), stamp_memory, all.size() * 8, cudaMemcpyDeviceToHost);
    struct Sum {
        int count = 0;
        double value[12] = {};
    };
    std::map<std::string, Sum> sums;
    unsigned long long before = 0;
    const int total = static_cast<int>(stamp_slots.size());
    for (int i = std::max(0, total - 129); i < total; ++i) {
        unsigned long long last[8] = {}, first[8];
        double mean[8] = {};
        int blocks = 0;
        for (int k = 0; k < 8; ++k)
            first[k] = ~0ULL;
        for (int b = 0; b < kStampBlocks; ++b) {
            const unsigned long long* s = &all[(std::size_t(i % kStampSlots) * kStampBlocks + b) * 8];
            if (s[0] == 0)
                continue;
            ++blocks;
            for (int k = 0; k < 6; ++k) {
                last[k] = std::max(last[k], s[k]);
                first[k] = std::min(first[k], s[k]);
                mean[k] += static_cast<double>(s[k]) - static_cast<double>(before);
            }
        }
        if (blocks == 0)
            continue;
        if (before != 0) {
            const StampSlot& slot = stamp_slots[std::size_t(i)];
            Sum& sum = sums[slot.name + " tiles " + std::to_string(slot.tiles) + " K " + std::to_string(slot.in_dim) + " blocks " + std::to_string(blocks)];
            ++sum.count;
            const auto since = [&](unsigned long long t) { return static_cast<double>(t) - static_cast<double>(before); };
            const double v[12] = {since(first[0]), mean[0] / blocks, since(last[0]), since(first[1]), mean[1] / blocks, since(last[1]),
                mean[2] / blocks, since(last[2]), mean[3] / blocks, mean[4] / blocks, since(last[4]), since(last[5])};
            for (int k = 0; k < 12; ++k)
                sum.value[k] += v[k];
        }
        before = last[5];
    }
    std::printf("ns since the end of the product before: entry first mean last | wait first mean last | staged mean last | round 0 mean | products mean last | end last\n");
    for (const auto& [name, sum] : sums) {
        std::printf("%-60s x%-3d", name.c_str(), sum.count);
        for (int k = 0; k < 12; ++k)
            std::printf(" %6.0f%s", sum.value[k] / sum.count, k == 2 || k == 5 || k == 7 || k == 8 || k == 10 ? " |" : "");
        std::printf("\n");
    }
}
} // namespace
unsigned long long* stamp_slot(const LinearArgs& args, int, const char* name) {
    if (stamp_memory == nullptr) {
        (void)cudaMalloc(&stamp_memory, std::size_t{kStampSlots} * kStampBlocks * 64);
        (void)cudaMemset(stamp_memory, 0, std::size_t{kStampSlots} * kStampBlocks * 64);
    }
    if (std::getenv("VT_PRINT") != nullptr && stamp_slots.size() == 1)
        std::atexit(print_stamps);
    stamp_slots.push_back({std::string(name) + " M" + std::to_string(args.num_columns) + " kind " + std::to_string(static_cast<int>(args.epilogue.kind)) + " format " + std::to_string(static_cast<int>(args.segment[args.num_segments - 1].format)), args.total_tiles, args.in_dim});
    return stamp_memory + std::size_t(stamp_slots.size() - 1) % kStampSlots * kStampBlocks * 8;
}
#endif

bool int8_linear_supports(const LinearArgs& args) noexcept {
    if (args.num_columns > kSmallRows || args.unit != 256)
        return false;
    for (int i = 0; i < args.num_segments; ++i) {
        const TileFormat format = args.segment[i].format;
        if (format != TileFormat::q4k && format != TileFormat::q6k)
            return false;
    }
    return true;
}

namespace {

/// A block: chunk blockIdx.x of all rows, 32 threads for each.
__global__ void __launch_bounds__(256)
    quantize_rows(const __grid_constant__ LinearArgs args, const __grid_constant__ Int8Place place, unsigned char* out) {
    pdl_trigger();
    const int chunk = static_cast<int>(blockIdx.x);
    const int item = static_cast<int>(threadIdx.x);
    const int columns = place.columns;
    const int local = item / 4 / columns; // group
    const int column = item / 4 - local * columns;
    const int t = item % 4;
    const uint16_t* from = args.image + static_cast<std::int64_t>(chunk) * columns * 256 + item * 8;
    pdl_wait();
    FastGroup fast = quantize_halves(*reinterpret_cast<const uint4*>(from));
    if (!__all_sync(0xFFFFFFFFU, fast.in_range)) {
        const FastGroup exact = quantize_floats(args, column, chunk * 8 + local);
        if (!fast.in_range)
            fast = exact;
    }
    const Int8Group group = summed(fast);
    const int at = chunk * 8 + local;
    put_word(out, place, at, column, t, 0, group.bytes.x);
    put_word(out, place, at, column, t, 1, group.bytes.y);
    if (t == 0)
        put_tables(out, place, at, column, group.scale, group.first, group.second);
}


} // namespace

Int8Place int8_place(const LinearArgs& args) noexcept {
    Int8Place place{args.num_columns, false, false};
    for (int i = 0; i < args.num_segments; ++i) {
        place.mins = place.mins || args.segment[i].format == TileFormat::q4k;
        place.halves = place.halves || args.segment[i].format == TileFormat::q6k;
    }
    return place;
}

cudaError_t launch_int8_linear(LinearArgs args, std::uint8_t* image, const SmallLimits& limits, cudaStream_t stream) {
    if (args.num_columns > 1 && args.bytes == nullptr) {
        args.place = int8_place(args);
        const cudaError_t status = launch(quantize_rows, dim3(args.padded_dim / 256), dim3(args.num_columns * 32), 0, stream,
            args, args.place, image);
        if (status != cudaSuccess)
            return status;
        args.bytes = image;
    }
    const TileFormat first = args.segment[0].format;
    if (first != args.segment[args.num_segments - 1].format)
        return launch_int8<Int8Q4K, Int8Q6K>(args, limits, stream);
    return first == TileFormat::q4k ? launch_int8<Int8Q4K, Int8Q4K>(args, limits, stream)
                                    : launch_int8<Int8Q6K, Int8Q6K>(args, limits, stream);
}

} // namespace vitrine::kernels
