// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/linear_runner.h"

#include <algorithm>

namespace vitrine::kernels {
namespace {

constexpr int kSharedBytes = 113 * 1024; // of one block, two on an SM
constexpr int kPieceTiles = 256; // 4096 rows: 32 MB at K 4096, which stays in L2 (gpu_measurements.md 6)
constexpr int kWidePieceTiles = 128; // beyond K 8192

int piece_tiles(int depth) {
    return depth > 8192 ? kWidePieceTiles : kPieceTiles;
}

int padded_rows(int rows) {
    return (rows + kMaxColumns - 1) / kMaxColumns * kMaxColumns;
}

std::size_t size(std::int64_t value) {
    return static_cast<std::size_t>(value);
}

} // namespace

std::int64_t LinearRunner::workspace_bytes(const LinearBounds& bounds) {
    const std::int64_t rows = padded_rows(bounds.max_rows);
    const std::int64_t depth = bounds.max_depth;
    return rows * depth * 2 + rows * depth * 3 / 8 + rows * 4 + kPieceTiles * kTileRows * depth * 2 +
        rows * kPieceTiles * kTileRows * 4;
}

Result<std::unique_ptr<LinearRunner>> LinearRunner::make(
    std::shared_ptr<CudaStream> stream, const LinearBounds& bounds) {
    std::unique_ptr<LinearRunner> runner(new LinearRunner(stream));
    runner->bounds_ = bounds;
    const std::int64_t rows = padded_rows(bounds.max_rows);
    const std::int64_t depth = bounds.max_depth;
    const bool dense = !bounds.always_small && bounds.max_rows > kSmallRows;
    if (dense) {
        auto cublas = CublasLinear::make(stream);
        VT_TRY(cublas);
        runner->cublas_ = std::move(*cublas);
    }
    const auto reserve = [](DeviceBuffer& target, std::int64_t bytes) -> Result<void> {
        auto buffer = DeviceBuffer::make(size(bytes), "The workspace of products");
        VT_TRY(buffer);
        target = std::move(*buffer);
        return {};
    };
    VT_TRY(reserve(runner->rows16_, rows * depth * 2));
    VT_TRY(reserve(runner->sums_, rows / kMaxColumns * sums_size(bounds.max_depth) * 4));
    VT_TRY(reserve(runner->row_scales_, rows * 4));
    if (dense) {
        VT_TRY(reserve(runner->piece_,
            std::int64_t{kTileRows} *
                std::max(kPieceTiles * std::min<std::int64_t>(depth, 8192), kWidePieceTiles * depth) * 2));
        VT_TRY(reserve(runner->product_, rows * kPieceTiles * kTileRows * 4));
    }
    return runner;
}

Result<void> LinearRunner::run(LinearArgs args, int num_rows) {
    if (bounds_.always_small || num_rows <= kSmallRows)
        return run_small(args, num_rows);
    return run_dense(args, num_rows);
}

Result<void> LinearRunner::run_small(LinearArgs& args, int num_rows) {
    if (num_rows > 1) {
        PrepareArgs prepare{args.input, args.rows, args.gain, args.eps, args.in_dim, args.padded_dim, num_rows,
            rows16_.as<std::uint16_t>(), sums_.as<float>(), nullptr, row_scales_.as<float>()};
        VT_TRY(cuda_result(launch_prepare_rows(prepare, stream_->get()), "Preparing rows"));
        args.fragments = rows16_.as<std::uint16_t>();
        args.sums = sums_.as<float>();
        args.row_scales = row_scales_.as<float>();
    }
    int first = 0;
    while (first < num_rows) {
        const int left = num_rows - first;
        const SmallMode mode = num_rows == 1 ? SmallMode::single
            : left <= kMaxColumns && small_linear_shared_bytes(args.padded_dim, SmallMode::staged, 1) <= kSharedBytes
            ? SmallMode::staged
            : SmallMode::direct;
        const int tiles = left > 2 * kMaxColumns ? 4 : left > kMaxColumns ? 2 : 1;
        args.first_place = first;
        args.num_columns = std::min(tiles * kMaxColumns, left);
        VT_TRY(launch_small(args, mode, tiles));
        first += args.num_columns;
    }
    return {};
}

Result<void> LinearRunner::launch_small(const LinearArgs& args, SmallMode mode, int column_tiles) {
    bool together = true;
    TileFormat second = args.segment[0].format;
    for (int i = 1; i < args.num_segments; ++i) {
        const TileFormat format = args.segment[i].format;
        together = together && small_linear_supports(args.segment[0].format, format) &&
            (second == args.segment[0].format || format == args.segment[0].format || format == second);
        if (format != args.segment[0].format)
            second = format;
    }
    if (together)
        return cuda_result(
            launch_small_linear(args, mode, column_tiles, stream_->num_sms(), stream_->get()), "A product");
    for (int i = 0; i < args.num_segments; ++i) {
        LinearArgs one = args;
        one.segment[0] = args.segment[i];
        one.num_segments = 1;
        one.first_segment = args.first_segment + i;
        one.total_tiles = args.segment[i].num_tiles;
        VT_TRY(
            cuda_result(launch_small_linear(one, mode, column_tiles, stream_->num_sms(), stream_->get()), "A product"));
    }
    return {};
}

Result<void> LinearRunner::run_dense(LinearArgs& args, int num_rows) {
    PrepareArgs prepare{args.input, args.rows, args.gain, args.eps, args.in_dim, args.padded_dim, num_rows, nullptr,
        nullptr, rows16_.as<std::uint16_t>(), row_scales_.as<float>()};
    VT_TRY(cuda_result(launch_prepare_rows(prepare, stream_->get()), "Preparing rows"));
    args.row_scales = row_scales_.as<float>();
    for (int i = 0; i < args.num_segments; ++i) {
        LinearArgs one = args;
        one.segment[0] = args.segment[i];
        one.num_segments = 1;
        one.first_segment = args.first_segment + i;
        VT_TRY(run_pieces(one, num_rows));
    }
    return {};
}

Result<void> LinearRunner::run_pieces(const LinearArgs& args, int num_rows) {
    const TileMatrix& matrix = args.segment[0];
    const int step = piece_tiles(args.padded_dim);
    for (int tile = 0; tile < matrix.num_tiles; tile += step) {
        const int count = std::min(step, matrix.num_tiles - tile);
        VT_TRY(cuda_result(
            launch_dequantize(matrix, tile, count, args.padded_dim, piece_.as<std::uint16_t>(), stream_->get()),
            "Dequantizing"));
        VT_TRY(cublas_->multiply(rows16_.as<std::uint16_t>(), piece_.as<std::uint16_t>(), product_.as<float>(),
            num_rows, count * kTileRows, args.padded_dim));
        VT_TRY(cuda_result(
            launch_epilogue(args, tile, count, num_rows, product_.as<float>(), stream_->get()), "An epilogue"));
    }
    return {};
}

} // namespace vitrine::kernels
