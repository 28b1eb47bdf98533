// SPDX-License-Identifier: GPL-3.0-or-later
// Products of F32, F16 and BF16: a band is [in_dim][lanes], activations stay f32.
#include "kernels/cpu/body/entries.h"
#include "kernels/cpu/simd/lanes.h"

namespace vitrine::kernels::cpu::VITRINE_ISA {
namespace {

struct WeightsF32 {
    static constexpr int kBytes = 4 * kLanes;
    [[gnu::always_inline]] static F get(const std::uint8_t* p) { return load(reinterpret_cast<const float*>(p)); }
};
struct WeightsF16 {
    static constexpr int kBytes = 2 * kLanes;
    [[gnu::always_inline]] static F get(const std::uint8_t* p) {
        return load_f16(reinterpret_cast<const std::uint16_t*>(p));
    }
};
struct WeightsBf16 {
    static constexpr int kBytes = 2 * kLanes;
    [[gnu::always_inline]] static F get(const std::uint8_t* p) {
        return load_bf16(reinterpret_cast<const std::uint16_t*>(p));
    }
};

/// k of a slice: its weights stay in the first-level cache as floats while the tokens pass (8 KiB a band of 16 rows).
constexpr std::int64_t kSlice = 128;

/// Floats of k [0, count) of kBands bands: [count][kBands][lanes].
template <class Weights, int kBands>
inline void widen(const std::uint8_t* w, std::int64_t band_bytes, std::int64_t count, float* to) {
    for (int band = 0; band < kBands; ++band, w += band_bytes)
        for (std::int64_t k = 0; k < count; ++k)
            store(to + (k * kBands + band) * kLanes, Weights::get(w + k * Weights::kBytes));
}

/// out[token][band] (+)= w[count][kBands] * tile[count][kTokens].  Two bands share each activation that is loaded.
template <class Weights, int kTokens, int kBands>
inline void bands_times_tile(
    const std::uint8_t* w, std::int64_t count, const float* tile, float* out, std::int64_t out_stride, bool keep) {
    F sum[kTokens][kBands];
#pragma GCC unroll 8
    for (int t = 0; t < kTokens; ++t)
#pragma GCC unroll 2
        for (int b = 0; b < kBands; ++b)
            sum[t][b] = keep ? load(out + t * out_stride + b * kLanes) : zero();
    for (std::int64_t k = 0; k < count; ++k, w += kBands * Weights::kBytes, tile += kTokens) {
        F weights[kBands];
#pragma GCC unroll 2
        for (int b = 0; b < kBands; ++b)
            weights[b] = Weights::get(w + b * Weights::kBytes);
#pragma GCC unroll 8
        for (int t = 0; t < kTokens; ++t) {
            const F x = splat(tile[t]);
#pragma GCC unroll 2
            for (int b = 0; b < kBands; ++b)
                sum[t][b] = fma_lanes(weights[b], x, sum[t][b]);
        }
    }
#pragma GCC unroll 8
    for (int t = 0; t < kTokens; ++t)
#pragma GCC unroll 2
        for (int b = 0; b < kBands; ++b)
            store(out + t * out_stride + b * kLanes, sum[t][b]);
}

/// k [first, first + count) of kBands bands with every token; the sums of the k before stand in `out`.
template <class Weights, int kBands>
inline void bands_times_panel(
    const LinearArgs& args, const std::uint8_t* w, std::int64_t first, std::int64_t count, float* out) {
    const float* tile = reinterpret_cast<const float*>(args.panel);
    const bool keep = first > 0;
    int left = args.num_tokens;
    const auto pass = [&]<int kTokens>() {
        bands_times_tile<Weights, kTokens, kBands>(w, count, tile + first * kTokens, out, args.out_stride, keep);
        tile += kTokens * args.in_dim;
        out += kTokens * args.out_stride;
        left -= kTokens;
    };
    while (left >= 8)
        pass.template operator()<8>();
    if ((left & 4) != 0)
        pass.template operator()<4>();
    if ((left & 2) != 0)
        pass.template operator()<2>();
    if ((left & 1) != 0)
        pass.template operator()<1>();
}

template <class Weights, int kBands>
inline void bands_by_slices(const LinearArgs& args, const std::uint8_t* w, float* out) {
    alignas(64) float slice[kSlice * kBands * kLanes];
    for (std::int64_t first = 0; first < args.in_dim; first += kSlice) {
        const std::int64_t count = args.in_dim - first < kSlice ? args.in_dim - first : kSlice;
        widen<Weights, kBands>(w + first * Weights::kBytes, args.band_bytes, count, slice);
        bands_times_panel<WeightsF32, kBands>(args, reinterpret_cast<const std::uint8_t*>(slice), first, count, out);
    }
}

template <class Weights>
void linear(const LinearArgs& args) {
    int band = 0;
    const auto weights = [&] { return args.weights + band * args.band_bytes; };
    const auto out = [&] { return args.out + band * kLanes; };
    if (args.num_tokens > 8) {
        for (; band + kDenseBands <= args.num_bands; band += kDenseBands)
            bands_by_slices<Weights, kDenseBands>(args, weights(), out());
        for (; band < args.num_bands; ++band)
            bands_by_slices<Weights, 1>(args, weights(), out());
        return;
    }
    for (; band < args.num_bands; ++band) // read once, in one run
        bands_times_panel<Weights, 1>(args, weights(), 0, args.in_dim, out());
}

} // namespace

void add_linear_dense(IsaTable& table) {
    for (int exact = 0; exact < 2; ++exact) {
        table.linear[static_cast<int>(WeightFormat::f32)][exact] = linear<WeightsF32>;
        table.linear[static_cast<int>(WeightFormat::f16)][exact] = linear<WeightsF16>;
        table.linear[static_cast<int>(WeightFormat::bf16)][exact] = linear<WeightsBf16>;
    }
}

} // namespace vitrine::kernels::cpu::VITRINE_ISA
