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

template <class Weights, int kTokens>
inline void band_times_tile(
    const std::uint8_t* w, std::int64_t in_dim, const float* tile, float* out, std::int64_t out_stride) {
    F sum[kTokens];
#pragma GCC unroll 8
    for (F& token : sum)
        token = zero();
    for (std::int64_t k = 0; k < in_dim; ++k, w += Weights::kBytes, tile += kTokens) {
        const F weights = Weights::get(w);
#pragma GCC unroll 8
        for (int t = 0; t < kTokens; ++t)
            sum[t] = fma_lanes(weights, splat(tile[t]), sum[t]);
    }
#pragma GCC unroll 8
    for (int t = 0; t < kTokens; ++t)
        store(out + t * out_stride, sum[t]);
}

template <class Weights>
void linear(const LinearArgs& args) {
    const std::uint8_t* w = args.weights;
    for (int band = 0; band < args.num_bands; ++band, w += args.band_bytes) {
        float* out = args.out + band * kLanes;
        const float* tile = reinterpret_cast<const float*>(args.panel);
        int left = args.num_tokens;
        for (; left >= 8; left -= 8, tile += 8 * args.in_dim, out += 8 * args.out_stride)
            band_times_tile<Weights, 8>(w, args.in_dim, tile, out, args.out_stride);
        if ((left & 4) != 0) {
            band_times_tile<Weights, 4>(w, args.in_dim, tile, out, args.out_stride);
            tile += 4 * args.in_dim;
            out += 4 * args.out_stride;
        }
        if ((left & 2) != 0) {
            band_times_tile<Weights, 2>(w, args.in_dim, tile, out, args.out_stride);
            tile += 2 * args.in_dim;
            out += 2 * args.out_stride;
        }
        if ((left & 1) != 0)
            band_times_tile<Weights, 1>(w, args.in_dim, tile, out, args.out_stride);
    }
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
