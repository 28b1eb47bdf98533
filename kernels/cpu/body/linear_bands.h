// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cpu/body: bands of weights times all tokens of a panel, for any codec.
#pragma once

#include "kernels/cpu/body/linear_kernel.h"
#if VITRINE_TILES
#include "kernels/cpu/body/linear_tiles.h"
#endif

namespace vitrine::kernels::cpu::VITRINE_ISA {
namespace {

constexpr int kInt8Tokens = VITRINE_TILES ? 16 : 8; // of the widest tile

/// Walks over the tiles of a panel in their order.
struct PanelWalk {
    const std::uint8_t* tile;
    std::int64_t token_bytes;
    float* out;
    std::int64_t out_stride;
    int left;
    bool cold = true; // the band has not been read yet

    /// The next tile holds kTokens.
    template <int kTokens>
    [[gnu::always_inline]] bool has() const {
        return kTokens == kInt8Tokens ? left >= kTokens : (left & kTokens) != 0;
    }
    void pass(int tokens) {
        tile += tokens * token_bytes;
        out += tokens * out_stride;
        left -= tokens;
        cold = false;
    }
};

template <class C, int kTokens, bool kExact>
[[gnu::always_inline]] inline void pass_tiles(const std::uint8_t* w, const LinearArgs& args, PanelWalk& walk) {
    const std::int64_t num_blocks = args.in_dim / kQuantBlock;
    while (walk.has<kTokens>()) {
        const int ahead = !walk.cold ? 0 : kTokens > 2 ? args.prefetch.many : args.prefetch.few;
#if VITRINE_TILES
        if (kTokens >= 8 && kTokens == TileSession::tokens_of(args.num_tokens)) {
            if constexpr (kTokens >= 8)
                BandTimesTile<C, kTokens, kExact>(w, num_blocks, walk.tile, ahead).run(walk.out, walk.out_stride);
            walk.pass(kTokens);
            continue;
        }
#endif
        if constexpr (kTokens <= 8)
            band_times_tile<C, kTokens, kExact>(w, num_blocks, walk.tile, walk.out, walk.out_stride, ahead);
        walk.pass(kTokens);
    }
}

/// Bands outside, tiles inside: a band stays in the first-level cache while the tokens pass.
template <class C, bool kExact>
void linear(const LinearArgs& args) {
    const std::int64_t token_bytes =
        args.in_dim / kQuantBlock * panel_block_bytes(kExact ? PanelKind::int8x2 : PanelKind::int8);
    const std::uint8_t* w = args.weights;
#if VITRINE_TILES
    const TileSession session(C::Scale::kHalves ? 16 : 32, args.num_tokens);
#endif
    for (int band = 0; band < args.num_bands; ++band, w += args.band_bytes) {
        PanelWalk walk{args.panel, token_bytes, args.out + band * kLanes, args.out_stride, args.num_tokens};
#if VITRINE_TILES
        pass_tiles<C, 16, kExact>(w, args, walk);
#endif
        pass_tiles<C, 8, kExact>(w, args, walk);
        pass_tiles<C, 4, kExact>(w, args, walk);
        pass_tiles<C, 2, kExact>(w, args, walk);
        pass_tiles<C, 1, kExact>(w, args, walk);
    }
}

} // namespace
} // namespace vitrine::kernels::cpu::VITRINE_ISA
