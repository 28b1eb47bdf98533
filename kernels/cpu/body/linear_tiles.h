// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cpu/body: products of a band with a tile of 8 or 16 tokens on AMX, for any codec (Intel 64 and IA-32 manual,
// volume 1, chapter 18; how tiles pipeline: Intel's optimization manual, chapter 20).
// The dots are exact integers and are scaled in the order of band_times_tile: every bit equals the vector path, which takes
// the tokens left over.
#pragma once

#include <immintrin.h>

#include "kernels/cpu/body/linear_kernel.h"

namespace vitrine::kernels::cpu::VITRINE_ISA {
namespace {

/// The shapes of the eight tile registers as LDTILECFG reads them: 0..3 dots [tokens][16 rows] i32, 4 and 5 activations
/// [tokens][k], 6 and 7 codes [k / 4][16 rows][4].
struct alignas(64) TileShapes {
    std::uint8_t palette = 1;
    std::uint8_t start_row = 0;
    std::uint8_t reserved[14] = {};
    std::uint16_t row_bytes[16] = {};
    std::uint8_t rows[16] = {};
};

/// Tile registers of one call: unconfigured again at its end, so that the kernel saves none of them between steps.
class TileSession {
public:
    /// Tiles of activations [tokens_of(num_tokens)][k].
    TileSession(int k, int num_tokens) : tokens_(tokens_of(num_tokens)) {
        if (tokens_ == 0)
            return;
        TileShapes shapes;
        for (int i = 0; i < 8; ++i) {
            shapes.rows[i] = static_cast<std::uint8_t>(i < 6 ? tokens_ : k / 4);
            shapes.row_bytes[i] = static_cast<std::uint16_t>(i == 4 || i == 5 ? k : 64);
        }
        // GCC's intrinsic tells the compiler of the first 8 bytes alone.
        __asm__ volatile("ldtilecfg %0" ::"m"(shapes));
    }
    ~TileSession() {
        if (tokens_ != 0)
            __asm__ volatile("tilerelease");
    }
    /// What a tile holds; what is left over is the vector path's.
    static constexpr int tokens_of(int num_tokens) noexcept { return num_tokens >= 16 ? 16 : num_tokens >= 8 ? 8 : 0; }
    TileSession(const TileSession&) = delete;
    TileSession& operator=(const TileSession&) = delete;
    TileSession(TileSession&&) = delete;
    TileSession& operator=(TileSession&&) = delete;

private:
    const int tokens_;
};

/// What the intrinsics of tiles read and write is unknown to the compiler.
[[gnu::always_inline]] inline void tiles_see_memory() {
    __asm__ volatile("" ::: "memory");
}

/// How the blocks of a band pass: block b + 1 is unpacked, b multiplied, the dots of b - kLag stored and those of
/// b - kLag - 1 scaled, all at once.  A product's dots stay in one of four registers until the fourth next wants it: reading
/// a tile takes as long as making one, and a register is not free before that ends (measured on Granite Rapids: 4.8 ns a
/// tile this way, 7.5 ns when each is stored at once).  Tile loads take nothing from the store buffer, hence the step
/// between writing and reading.
template <class C, int kTokens, bool kExact>
struct TilePipe {
    static constexpr int kParts = C::Scale::kHalves ? 2 : 1;
    static constexpr int kPlanes = kExact ? 2 : 1;
    static constexpr int kDots = kParts * kPlanes; // tiles of dots of a block: 1, 2 or 4
    static constexpr int kUnroll = 4 / kDots; // blocks after which registers repeat
    static constexpr int kLag = kUnroll;
    using ScalesT = decltype(C::Scale::scales(nullptr, Header{}));

    alignas(64) std::uint8_t codes[2][8 * kVector];
    alignas(64) std::uint8_t dots[4][kDots][kTokens * 64];
    ScalesT scales[8];

    [[gnu::always_inline]] I dot(std::int64_t block, int plane, int part, int token) const {
        return *reinterpret_cast<const I*>(dots[block % 4][plane * kParts + part] + token * 64);
    }
    /// As dot_block() gives them.
    [[gnu::always_inline]] auto dots_of(std::int64_t block, int token) const {
        const auto whole = [&](int part) {
            if constexpr (kExact)
                return (dot(block, 0, part, token) << 8) + dot(block, 1, part, token);
            else
                return dot(block, 0, part, token);
        };
        if constexpr (kParts == 2)
            return HalfDots{whole(0), whole(1)};
        else
            return whole(0);
    }
};

/// Signed where the codec's zero is in the middle: subtracted once for all tokens.
template <class C>
constexpr bool kSubtractsZero = C::kZeroShift >= 0;

template <class C>
[[gnu::always_inline]] inline void store_codes(const B (&q)[8], std::uint8_t* to) {
#pragma GCC unroll 8
    for (int g = 0; g < 8; ++g) {
        if constexpr (kSubtractsZero<C>)
            *reinterpret_cast<B*>(to + g * kVector) = q[g] - splat_byte(128 >> C::kZeroShift);
        else
            *reinterpret_cast<B*>(to + g * kVector) = q[g];
    }
}

/// Register kRegister (0..3) = activations times the codes in tile 6 + kPart; what it held goes to `before`, unless null.
template <class C, int kRegister, int kPart>
[[gnu::always_inline]] inline void multiply_tile(const std::int8_t* activations, std::uint8_t* before) {
#define VITRINE_TILE_PRODUCT(DOTS, ACTIVATIONS, CODES)                                                                 \
    do {                                                                                                               \
        if (before != nullptr)                                                                                         \
            _tile_stored(DOTS, before, 64);                                                                            \
        if (activations == nullptr)                                                                                    \
            return;                                                                                                    \
        _tile_zero(DOTS);                                                                                              \
        _tile_loadd(ACTIVATIONS, activations, 32);                                                                     \
        if constexpr (kSubtractsZero<C>)                                                                               \
            _tile_dpbssd(DOTS, ACTIVATIONS, CODES);                                                                    \
        else                                                                                                           \
            _tile_dpbsud(DOTS, ACTIVATIONS, CODES);                                                                    \
    } while (false)
#define VITRINE_TILE_PARTS(DOTS, ACTIVATIONS)                                                                          \
    if constexpr (kPart == 0)                                                                                          \
        VITRINE_TILE_PRODUCT(DOTS, ACTIVATIONS, 6);                                                                    \
    else                                                                                                               \
        VITRINE_TILE_PRODUCT(DOTS, ACTIVATIONS, 7)
    if constexpr (kRegister == 0) {
        VITRINE_TILE_PARTS(0, 4);
    } else if constexpr (kRegister == 1) {
        VITRINE_TILE_PARTS(1, 5);
    } else if constexpr (kRegister == 2) {
        VITRINE_TILE_PARTS(2, 4);
    } else {
        VITRINE_TILE_PARTS(3, 5);
    }
#undef VITRINE_TILE_PARTS
#undef VITRINE_TILE_PRODUCT
}

/// A band times a tile of kTokens tokens of the panel.
template <class C, int kTokens, bool kExact>
class BandTimesTile {
public:
    BandTimesTile(const std::uint8_t* band, std::int64_t num_blocks, const std::uint8_t* tile, int prefetch)
        : at_(band), num_blocks_(num_blocks), tile_(tile), prefetch_(prefetch) {}

    [[gnu::always_inline]] void run(float* out, std::int64_t out_stride) {
        F sum[kTokens];
#pragma GCC unroll 16
        for (F& token : sum)
            token = zero();
        unpack(0);
        for (std::int64_t block = 0; block < num_blocks_ + Pipe::kLag + 1; block += Pipe::kUnroll)
            steps<0>(block, sum);
#pragma GCC unroll 16
        for (int t = 0; t < kTokens; ++t)
            store(out + t * out_stride, sum[t]);
    }

private:
    using Pipe = TilePipe<C, kTokens, kExact>;
    using Block = TileBlock<kTokens, kExact>;

    template <int kStep>
    [[gnu::always_inline]] void steps(std::int64_t first, F (&sum)[kTokens]) {
        if constexpr (kStep < Pipe::kUnroll) {
            const std::int64_t block = first + kStep;
            if (block + 1 < num_blocks_)
                unpack(block + 1);
            tiles_see_memory();
            multiply<kStep, 0>(block);
            tiles_see_memory();
            const std::int64_t done = block - Pipe::kLag - 1;
            if (done >= 0 && done < num_blocks_)
                scale(done, sum);
            steps<kStep + 1>(first, sum);
        }
    }
    [[gnu::always_inline]] Block activations(std::int64_t block) const {
        return Block{tile_ + block * Block::kBytes};
    }
    [[gnu::always_inline]] void unpack(std::int64_t block) {
        using Plane = typename C::Plane;
        using Scale = typename C::Scale;
        if (block % Scale::kBlocks == 0) {
            header_ = Scale::header(at_);
            at_ += Scale::kHeaderBytes;
        }
        B q[8];
        Plane::unpack(at_, q);
        store_codes<C>(q, pipe_.codes[block % 2]);
        pipe_.scales[block % 8] = Scale::scales(at_ + Plane::kBytes, header_);
        if (prefetch_ > 0) {
            for (int line = 0; line < Plane::kBytes + Scale::kBytes; line += 64)
                __builtin_prefetch(at_ + prefetch_ + line);
        }
        at_ += Plane::kBytes + Scale::kBytes;
    }
    /// Products kDot.. of a block; a product's register holds that of the block kLag before.
    template <int kStep, int kDot>
    [[gnu::always_inline]] void multiply(std::int64_t block) {
        if constexpr (kDot < Pipe::kDots) {
            const bool multiplies = block < num_blocks_;
            if constexpr (kDot == 0) {
                if (multiplies) {
                    const std::uint8_t* codes = pipe_.codes[block % 2];
                    _tile_loadd(6, codes, kVector);
                    if constexpr (Pipe::kParts == 2)
                        _tile_loadd(7, codes + 4 * kVector, kVector);
                }
            }
            const std::int64_t before = block - Pipe::kLag;
            multiply_tile<C, kStep * Pipe::kDots + kDot, kDot % Pipe::kParts>(
                multiplies ? activations(block).codes(0, kDot / Pipe::kParts) + 16 * (kDot % Pipe::kParts) : nullptr,
                before >= 0 && before < num_blocks_ ? pipe_.dots[before % 4][kDot] : nullptr);
            multiply<kStep, kDot + 1>(block);
        }
    }
    [[gnu::always_inline]] void scale(std::int64_t block, F (&sum)[kTokens]) {
        const auto scales = pipe_.scales[block % 8];
#pragma GCC unroll 16
        for (int t = 0; t < kTokens; ++t)
            sum[t] = add_scaled<C>(sum[t], pipe_.dots_of(block, t), scales, activations(block), t);
    }

    Pipe pipe_;
    const std::uint8_t* at_;
    Header header_{};
    const std::int64_t num_blocks_;
    const std::uint8_t* tile_;
    const int prefetch_;
};

} // namespace
} // namespace vitrine::kernels::cpu::VITRINE_ISA
