// SPDX-License-Identifier: GPL-3.0-or-later
// Products on AMX tiles equal those in AVX-512 vectors bit for bit, for every format and any number of tokens.
#include <gtest/gtest.h>

#include "kernels/cpu/isa_select.h"
#include "kernels/cpu/repack/band_layout.h"
#include "tests/kernels/cpu/random_model.h"

namespace vitrine::kernels::cpu {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// Bands of random weights, aligned as an arena aligns them.
struct Bands {
    Bands(const IsaTable& isa, WeightFormat format, int count, std::int64_t in_dim)
        : layout{format, isa.lanes, isa.signed_codes}, bytes(layout.band_bytes(in_dim)),
          storage(static_cast<std::size_t>(count * bytes + 64)) {
        const std::int64_t rows = std::int64_t{count} * isa.lanes;
        const auto matrix = testing::random_matrix(format, rows, in_dim, 11);
        for (int band = 0; band < count; ++band)
            pack_band(layout, matrix, rows, in_dim, band * isa.lanes, data() + band * bytes);
    }
    [[nodiscard]] std::uint8_t* data() {
        return storage.data() + (-reinterpret_cast<std::uintptr_t>(storage.data()) & 63);
    }

    BandLayout layout;
    std::int64_t bytes;
    Bytes storage;
};

Bytes make_panel(const IsaTable& isa, PanelKind kind, int num_tokens, std::int64_t in_dim) {
    const std::int64_t token_bytes = in_dim / kQuantBlock * panel_block_bytes(kind);
    Bytes panel(static_cast<std::size_t>(num_tokens * token_bytes));
    std::vector<float> x(static_cast<std::size_t>(in_dim));
    for (int t = 0; t < num_tokens; ++t) {
        for (std::int64_t i = 0; i < in_dim; ++i)
            x[static_cast<std::size_t>(i)] = static_cast<float>((i * 7919 + t * 104729) % 2047 - 1023) / 512;
        const PanelTile tile = isa.tile_of(kind, t, num_tokens);
        isa.panel_row[static_cast<int>(kind)](
            {x.data(), in_dim, panel.data() + tile.first * token_bytes, tile.size, t - tile.first, 0});
    }
    return panel;
}

std::vector<float> multiply(const IsaTable& isa, WeightFormat format, bool exact, int num_tokens, std::int64_t in_dim) {
    constexpr int kBands = 3;
    Bands bands(isa, format, kBands, in_dim);
    const PanelKind kind = is_dense(format) ? PanelKind::dense : exact ? PanelKind::int8x2 : PanelKind::int8;
    const Bytes panel = make_panel(isa, kind, num_tokens, in_dim);
    std::vector<float> out(static_cast<std::size_t>(num_tokens * kBands * isa.lanes), -1e30F);
    isa.linear[static_cast<int>(format)][exact ? 1 : 0]({bands.data(), bands.bytes, kBands, in_dim, panel.data(),
        num_tokens, out.data(), std::int64_t{kBands} * isa.lanes, isa.prefetch});
    return out;
}

TEST(Tiles, GiveTheBitsOfVectorsForAnyNumberOfTokens) {
    const auto tiles = select_isa("amx");
    const auto vectors = select_isa("avx512");
    if (!tiles || !vectors)
        GTEST_SKIP() << "this CPU has no AMX";
    for (int f = 0; f < kNumWeightFormats; ++f) {
        const auto format = static_cast<WeightFormat>(f);
        // 1, 5 and 18 blocks: fewer than the pipeline's stages, and no multiple of them.
        const std::vector<std::int64_t> dims = format_info(format).block_weights == 256
            ? std::vector<std::int64_t>{256, 1280}
            : std::vector<std::int64_t>{32, 160, 576};
        for (const std::int64_t in_dim : dims)
            for (const int tokens : {1, 7, 8, 9, 15, 16, 17, 24, 31, 32, 57})
                for (const bool exact : {false, true})
                    EXPECT_EQ(multiply(*tiles, format, exact, tokens, in_dim),
                        multiply(*vectors, format, exact, tokens, in_dim))
                        << format_info(format).name << (exact ? ", two planes, " : ", ") << tokens << " tokens of "
                        << in_dim;
    }
}

} // namespace
} // namespace vitrine::kernels::cpu
