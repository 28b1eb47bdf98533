// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cuda device: where the slices' sums meet in the int8 kernels.  The two teams of a block have neighbouring
// tiles, so that a finishing warp has whole groups of 32 outputs and can leave them as int8 for the next product.
#pragma once

#include "kernels/cuda/device/int8_columns.cuh"
#include "kernels/cuda/device/small_layout.cuh"

namespace vitrine::kernels {

inline constexpr int kTeams = 2;

/// Which tiles and slices a warp works on: a cluster of blocks shares groups of kTeams times as many tiles; a block has
/// `slices` of the eight slices of K for each of its team's tiles, and finishes one tile of each team.
struct TeamPlace {
    int warp, lane, team; // warp: in the team
    int cluster, rank; // blocks of the cluster, this one's place
    int slice; // of this warp
    int sub; // of the team's tiles in a group, this warp's: the block that finishes it
    int first_tile; // of this cluster's first group; tile s of team i: first_tile + kTeams * s + i
    int step; // from group to group

    __device__ __forceinline__ int tile(int round, int s, int of_team) const {
        return first_tile + round * step + kTeams * s + of_team;
    }
};
__device__ __forceinline__ TeamPlace team_place(int cluster_log2) {
    const int warp = __shfl_sync(0xFFFFFFFFU, static_cast<int>(threadIdx.x) / 32, 0);
    const int block = static_cast<int>(blockIdx.x);
    TeamPlace at;
    at.lane = static_cast<int>(threadIdx.x) % 32;
    at.warp = warp % kSmallWarps;
    at.team = warp / kSmallWarps;
    at.cluster = 1 << cluster_log2;
    at.rank = block & (at.cluster - 1);
    const int slices = kSlices >> cluster_log2;
    at.slice = at.rank * slices + (at.warp & (slices - 1));
    at.sub = at.warp >> (3 - cluster_log2);
    at.first_tile = (block - at.rank) * kTeams;
    at.step = static_cast<int>(gridDim.x) * kTeams;
    return at;
}

/// What the products of a tile in `format` must be multiplied by is in the products already.
template <int kCols, EpilogueKind kKind>
class TeamSums {
public:
    using S = SmallShape<kCols>;
    static constexpr int kKindOf = static_cast<int>(kKind);
    static constexpr uint32_t kSumBytes = kSlices * S::kSliceFloats * 4; // of one tile

    /// `memory`: of the first team, `team_bytes` from one to the next; `reduce`: offset of the sums, behind the barriers.
    __device__ __forceinline__ TeamSums(
        const LinearArgs& args, const TeamPlace& at, unsigned char* memory, int team_bytes, int reduce)
        : args_(args), at_(at), memory_(memory), team_bytes_(team_bytes), reduce_(reduce) {
        finishers_ = (args.num_columns + 1) / 2;
    }
    /// One thread of each team.
    __device__ __forceinline__ void init() const {
        for (int i = 0; i < S::kSlots; ++i) {
            barrier_init(done(at_.team) + i, clustered() ? 1 : kSlices);
            barrier_init(free(at_.team) + i, static_cast<uint32_t>(finishers_ * at_.cluster));
        }
        barrier_init_fence();
        for (int i = 0; clustered() && i < S::kSlots; ++i)
            barrier_expect(done(at_.team) + i, kSumBytes);
    }
    /// Step arguments of the first epilogue, which are no kernel's output.
    __device__ __forceinline__ void fetch_step() {
        const Item item = item_of(0);
        if (kKind != EpilogueKind::rope_kv || !item.live)
            return;
        const int row = args_.first_place + item.column;
        first_.slot = args_.epilogue.slots[row];
        if (args_.epilogue.rope != nullptr)
            position_ = args_.epilogue.positions[row];
    }
    /// What else the first epilogue reads.  kEarly: before the wait, which of all kinds the rope table alone allows.
    template <bool kEarly>
    __device__ __forceinline__ void fetch_first() {
        if constexpr (kEarly != (kKind == EpilogueKind::rope_kv))
            return;
        const Item item = item_of(0);
        if (!item.live)
            return;
        if constexpr (kEarly) {
            const TilePlace place = place_of(args_, item.tile);
            const TileMatrix& matrix = args_.segment[place.segment];
            const int pair = tile_row(matrix, place.tile, item.g, false).pair;
            if (args_.first_segment + place.segment < 2 && args_.epilogue.rope != nullptr && pair < matrix.half_rotary)
                first_.turn = args_.epilogue.rope[static_cast<std::int64_t>(position_) * matrix.half_rotary + pair];
        } else {
            first_ = load(item);
        }
    }
    /// The sums of this warp's slice in round `round`: acc of the mma; one column: [0] and [2], in all lanes.
    __device__ __forceinline__ void put(const float (&acc)[4], int round) const {
        const int slot = round % S::kSlots;
        if (round >= S::kSlots)
            barrier_wait(free(at_.team) + slot, static_cast<uint32_t>((round / S::kSlots - 1) & 1));
        float* mine = sums(at_.team) + (slot * kSlices + at_.slice) * S::kSliceFloats + at_.lane / 4 * kCols;
        if constexpr (S::kSingle) {
            if (at_.lane % 4 == 0) {
                mine[0] = acc[0];
                mine[8] = acc[2];
            }
        } else {
            mine += at_.lane % 4 * 2;
            if (clustered()) {
                const auto rank = static_cast<uint32_t>(at_.sub);
                const uint32_t target = cluster_address(mine, rank);
                const uint32_t barrier = cluster_address(done(at_.team) + slot, rank);
                store_counted(target, float2{acc[0], acc[1]}, barrier);
                store_counted(target + 8 * kCols * 4, float2{acc[2], acc[3]}, barrier);
                return;
            }
            *reinterpret_cast<float2*>(mine) = {acc[0], acc[1]};
            *reinterpret_cast<float2*>(mine + 8 * kCols) = {acc[2], acc[3]};
        }
        __syncwarp();
        if (at_.lane == 0)
            barrier_arrive(done(at_.team) + slot);
    }
    /// The epilogue of round `round`, by the warps whose turn it is.
    __device__ __forceinline__ void finish(int round, const float* row_scales) const {
        const int turn = turn_of(round);
        if (turn >= finishers_)
            return;
        const int slot = round % S::kSlots;
        const auto parity = static_cast<uint32_t>((round / S::kSlots) & 1);
        for (int team = 0; team < kTeams; ++team) {
            if (at_.tile(round, at_.rank, team) < args_.total_tiles)
                barrier_wait(done(team) + slot, parity);
        }
        finish_items(round, slot, row_scales);
        __syncwarp();
        for (int team = 0; team < kTeams; ++team) {
            // Nobody waits for a slot that is not used again, and may have ended.
            if (at_.tile(round + S::kSlots, 0, team) >= args_.total_tiles)
                continue;
            if (!clustered()) {
                if (at_.lane == 0)
                    barrier_arrive(free(team) + slot);
                continue;
            }
            if (turn == 0 && at_.lane == 0)
                barrier_expect(done(team) + slot, kSumBytes);
            __syncwarp();
            if (at_.lane < at_.cluster)
                barrier_arrive_cluster(cluster_address(free(team) + slot, static_cast<uint32_t>(at_.lane)));
        }
    }

private:
    /// A pair of rows of one of the two tiles, for one column: lanes (column % 2, team, g).
    struct Item {
        int column, team, g, tile;
        bool live;
    };
    __device__ __forceinline__ bool clustered() const { return !S::kSingle && at_.cluster > 1; }
    __device__ __forceinline__ unsigned char* memory_of(int team) const { return memory_ + team * team_bytes_; }
    __device__ __forceinline__ uint64_t* done(int team) const { return reinterpret_cast<uint64_t*>(memory_of(team)); }
    __device__ __forceinline__ uint64_t* free(int team) const { return done(team) + S::kSlots; }
    __device__ __forceinline__ float* sums(int team) const {
        return reinterpret_cast<float*>(memory_of(team) + reduce_);
    }
    /// Below finishers_: this warp's part of the round's epilogue.
    __device__ __forceinline__ int turn_of(int round) const {
        constexpr int kWarps = kTeams * kSmallWarps;
        return (at_.team * kSmallWarps + at_.warp - round * finishers_) & (kWarps - 1);
    }
    __device__ __forceinline__ Item item_of(int round) const {
        const int turn = turn_of(round);
        Item item;
        item.column = turn * 2 + at_.lane / 16;
        item.team = at_.lane / 8 % 2;
        item.g = at_.lane % 8;
        item.tile = at_.tile(round, at_.rank, item.team);
        item.live = turn < finishers_ && item.column < args_.num_columns && item.tile < args_.total_tiles;
        return item;
    }
    __device__ __forceinline__ PairInput load(const Item& item) const {
        const TilePlace place = place_of(args_, item.tile);
        return load_pair<kKindOf>(args_.epilogue, args_.segment[place.segment], args_.first_segment + place.segment,
            place.tile, item.g, args_.first_place + item.column);
    }
    /// Inlined: a call would read its arguments from memory, not from the constant bank, each of them a round trip.
    __device__ __forceinline__ void finish_items(int round, int slot, const float* row_scales) const {
        const Item item = item_of(round);
        float2 fed{};
        if (item.live) {
            const PairInput input = round == 0 ? first_ : load(item);
            const float* at = sums(item.team) + slot * kSlices * S::kSliceFloats + item.g * kCols + item.column;
            float low = 0;
            float high = 0;
#pragma unroll
            for (int w = 0; w < kSlices; ++w) {
                low += at[w * S::kSliceFloats];
                high += at[w * S::kSliceFloats + 8 * kCols];
            }
            const TilePlace place = place_of(args_, item.tile);
            const float scale = row_scales[item.column];
            fed =
                finish_pair<kKindOf>(args_.epilogue, args_.segment[place.segment], args_.first_segment + place.segment,
                    place.tile, item.g, args_.first_place + item.column, input, low * scale, high * scale);
        }
        if constexpr (kKind == EpilogueKind::add_residual) {
            const FeedArgs& feed = args_.epilogue.feed;
            const float values[2] = {fed.x, fed.y};
            if (feed.bytes != nullptr)
                feed_group<2>(feed.bytes, feed.place, at_.tile(round, at_.rank, 0) / 2, item.column, at_.lane % 16,
                    values, item.live);
        }
    }

    const LinearArgs& args_;
    const TeamPlace& at_;
    unsigned char* memory_;
    int team_bytes_, reduce_, finishers_;
    PairInput first_;
    int position_ = 0;
};

} // namespace vitrine::kernels
