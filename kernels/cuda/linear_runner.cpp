// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/linear_runner.h"

#include <algorithm>
#include <vector>

namespace vitrine::kernels {
namespace {

// Beyond kPanelRows cuBLAS is faster on f16 pieces.
constexpr int kPassRows = 64; // the same without the wide kernel: eight rows at a time
constexpr int kPieceTiles = 256; // 4096 rows: 32 MB at K 4096, which stays in L2 (gpu_measurements.md 6)
constexpr int kWidePieceTiles = 128; // beyond K 8192

int piece_tiles(int depth) {
    return depth > 8192 ? kWidePieceTiles : kPieceTiles;
}

std::int64_t piece_bytes(std::int64_t depth) {
    return std::int64_t{kTileRows} *
        std::max(kPieceTiles * std::min<std::int64_t>(depth, 8192), kWidePieceTiles * depth) * 2;
}

std::size_t size(std::int64_t value) {
    return static_cast<std::size_t>(value);
}

std::int64_t padded_rows(const LinearBounds& bounds) {
    return (std::int64_t{bounds.max_rows} + kPanelColumns - 1) / kPanelColumns * kPanelColumns;
}

std::int64_t image_bytes(const LinearBounds& bounds) {
    return padded_rows(bounds) / kPanelColumns * column_block_bytes(kPanelColumns, bounds.max_depth);
}

int squares_stride(int padded_dim) {
    return padded_dim / kTileRows;
}

/// Calls launch(args) once for the members whose formats one kernel takes, or for each member alone.
template <class Launch>
Result<void> launch_members(const LinearArgs& args, Launch&& launch) {
    const TileFormat first = args.segment[0].format;
    const TileFormat last = args.segment[args.num_segments - 1].format;
    bool together = small_linear_supports(first, last);
    for (int i = 1; i < args.num_segments; ++i) { // the first format, then the other
        const TileFormat before = args.segment[i - 1].format;
        const TileFormat format = args.segment[i].format;
        together = together && (format == before || (before == first && format == last));
    }
    if (together)
        return cuda_result(launch(args), "A product");
    for (int i = 0; i < args.num_segments; ++i) {
        LinearArgs one = args;
        one.segment[0] = args.segment[i];
        one.num_segments = 1;
        one.first_segment = args.first_segment + i;
        one.total_tiles = args.segment[i].num_tiles;
        VT_TRY(cuda_result(launch(one), "A product"));
    }
    return {};
}

} // namespace

std::int64_t LinearRunner::workspace_bytes(const LinearBounds& bounds) {
    const std::int64_t rows = padded_rows(bounds);
    return image_bytes(bounds) + int8_image_bytes(bounds.max_depth) + rows * 4 * (1 + kSlices) +
        kSmallRows * squares_stride(bounds.max_depth) * 4 + 2 * piece_bytes(bounds.max_depth) +
        rows * kPieceTiles * kTileRows * 4;
}

Result<std::unique_ptr<LinearRunner>> LinearRunner::make(
    std::shared_ptr<CudaStream> stream, const LinearBounds& bounds) {
    std::unique_ptr<LinearRunner> runner(new LinearRunner(stream));
    runner->bounds_ = bounds;
    const std::int64_t rows = padded_rows(bounds);
    const std::int64_t depth = bounds.max_depth;
    const bool dense = !bounds.exact && bounds.max_rows > (stream->is_hopper() ? kPanelRows : kPassRows);
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
    VT_TRY(reserve(runner->image_, image_bytes(bounds)));
    VT_TRY(reserve(runner->squares_, kSmallRows * squares_stride(bounds.max_depth) * 4));
    VT_TRY(reserve(runner->scales_, rows * 4 * (1 + kSlices)));
    if (bounds.int8)
        VT_TRY(reserve(runner->int8_image_, int8_image_bytes(bounds.max_depth)));
    if (dense) {
        for (std::size_t i = 0; i < runner->piece_.size(); ++i) {
            VT_TRY(reserve(runner->piece_[i], piece_bytes(depth)));
            VT_TRY(runner->written_[i].make());
            VT_TRY(runner->read_[i].make());
        }
        VT_TRY(reserve(runner->product_, rows * kPieceTiles * kTileRows * 4));
    }
    return runner;
}

bool LinearRunner::reads_fragments(int padded_dim, int num_rows) const noexcept {
    return small_linear_fits(padded_dim, num_rows, stream_->small_limits());
}

bool LinearRunner::reads_panels(int padded_dim, int num_rows) const noexcept {
    return stream_->is_hopper() && !bounds_.exact && num_rows <= kPanelRows && !reads_fragments(padded_dim, num_rows);
}

bool LinearRunner::reads_int8(LinearArgs args, int num_rows) const noexcept {
    args.num_columns = num_rows;
    return bounds_.int8 && stream_->is_hopper() && reads_fragments(args.padded_dim, num_rows) &&
        int8_linear_supports(args);
}

Result<void> LinearRunner::run(LinearArgs args, int num_rows) {
    args.num_columns = num_rows;
    args.max_places = static_cast<int>(padded_rows(bounds_));
    if (reads_fragments(args.padded_dim, num_rows))
        return run_fragments(args, num_rows);
    if (stream_->is_hopper() && bounds_.exact)
        return run_wide(args, num_rows);
    if (stream_->is_hopper() && num_rows <= kPanelRows)
        return run_panels(args, num_rows);
    if (bounds_.exact || num_rows <= kPassRows)
        return run_small_passes(args, num_rows);
    return run_dense(args, num_rows);
}

Result<void> LinearRunner::prepare(LinearArgs& args, int num_rows, PrepareArgs prepare) {
    prepare.input = args.input;
    prepare.rows = args.rows;
    prepare.gain = args.gain;
    prepare.eps = args.eps;
    prepare.in_dim = args.in_dim;
    prepare.padded_dim = args.padded_dim;
    prepare.unit = args.unit;
    prepare.first_place = args.first_place;
    prepare.num_rows = num_rows;
    prepare.image = image_.as<std::uint16_t>();
    if (prepare.squares == nullptr) {
        prepare.row_scales = scales_.as<float>();
        prepare.slice_scales = scales_.as<float>() + args.max_places;
        prepare.max_places = args.max_places;
    }
    args.image = prepare.image;
    args.row_scales = prepare.row_scales;
    args.slice_scales = prepare.slice_scales;
    return cuda_result(launch_prepare_rows(prepare, stream_->get()), "Preparing rows");
}

Result<void> LinearRunner::run_fragments(LinearArgs& args, int num_rows) {
    if (args.image == nullptr && args.bytes == nullptr) {
        PrepareArgs fragments;
        fragments.squares = squares_.as<float>();
        fragments.squares_stride = squares_stride(args.padded_dim);
        VT_TRY(prepare(args, num_rows, fragments));
        args.squares = args.gain != nullptr ? fragments.squares : nullptr;
        args.squares_stride = fragments.squares_stride;
    }
    return launch_members(args, [&](const LinearArgs& members) {
        if (reads_int8(members, num_rows))
            return launch_int8_linear(members, int8_image_.as<std::uint8_t>(), stream_->small_limits(), stream_->get());
        return launch_small_linear(members, stream_->small_limits(), stream_->get());
    });
}

/// Without the wide kernel: as many rows at a time as fit into shared memory.
Result<void> LinearRunner::run_small_passes(LinearArgs& args, int num_rows) {
    int step = kMaxColumns;
    while (step > 1 && !reads_fragments(args.padded_dim, step))
        step /= 2;
    for (int first = 0; first < num_rows; first += step) {
        LinearArgs pass = args;
        pass.first_place = first;
        pass.num_columns = std::min(step, num_rows - first);
        VT_TRY(run_fragments(pass, pass.num_columns));
    }
    return {};
}

/// Invariant mode: a row has the same bits alone and in any batch.
Result<void> LinearRunner::run_wide(LinearArgs& args, int num_rows) {
    const int left = (num_rows - 1) % kExactColumns + 1; // of the last block
    PrepareArgs columns;
    columns.order = ImageOrder::columns;
    columns.block_columns = kExactColumns;
    columns.last_columns = left > 32 ? kExactColumns : left > 16 ? 32 : 16;
    VT_TRY(prepare(args, num_rows, columns));
    const std::int64_t block_bytes = column_block_bytes(kExactColumns, args.padded_dim);
    for (int first = 0; first < num_rows; first += kExactColumns) {
        args.first_place = first;
        args.num_columns = std::min(kExactColumns, num_rows - first);
        args.image = image_.as<std::uint16_t>() + first / kExactColumns * block_bytes / 2;
        const int width = first + kExactColumns >= num_rows ? columns.last_columns : kExactColumns;
        VT_TRY(launch_members(args, [&](const LinearArgs& members) {
            return launch_wide_linear(members, width, stream_->num_sms(), stream_->get());
        }));
    }
    return {};
}

Result<void> LinearRunner::run_panels(LinearArgs& args, int num_rows) {
    const int width = panel_width(num_rows);
    if (args.fed.image != nullptr) {
        args.image = args.fed.image;
    } else {
        PrepareArgs columns;
        columns.order = ImageOrder::columns;
        columns.whole_rows = true;
        columns.block_columns = width;
        columns.last_columns = width;
        VT_TRY(prepare(args, num_rows, columns));
    }
    return launch_members(args, [&](const LinearArgs& members) {
        return launch_panel_linear(members, width, stream_->num_sms(), stream_->get());
    });
}

Result<void> LinearRunner::run_dense(LinearArgs& args, int num_rows) {
    PrepareArgs rows;
    rows.order = ImageOrder::rows;
    rows.whole_rows = true;
    VT_TRY(prepare(args, num_rows, rows));
    std::vector<Piece> pieces;
    const int step = piece_tiles(args.padded_dim);
    for (int i = 0; i < args.num_segments; ++i) {
        for (int tile = 0; tile < args.segment[i].num_tiles; tile += step)
            pieces.push_back({i, tile, std::min(step, args.segment[i].num_tiles - tile)});
    }
    VT_TRY(dequantize(args, pieces[0], 0));
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (i + 1 < pieces.size())
            VT_TRY(dequantize(args, pieces[i + 1], (i + 1) % 2));
        VT_TRY(multiply(args, pieces[i], i % 2, num_rows));
    }
    return {};
}

/// On the side stream: tiles of a piece to f16, once the product that last read the buffer has ended.
Result<void> LinearRunner::dequantize(const LinearArgs& args, const Piece& piece, std::size_t buffer) {
    VT_TRY(cuda_result(cudaStreamWaitEvent(stream_->side(), read_[buffer].get()), "Ordering two streams"));
    VT_TRY(cuda_result(launch_dequantize(args.segment[piece.segment], piece.tile, piece.count, args.padded_dim,
                           piece_[buffer].as<std::uint16_t>(), stream_->side()),
        "Dequantizing"));
    return cuda_result(cudaEventRecord(written_[buffer].get(), stream_->side()), "Ordering two streams");
}

Result<void> LinearRunner::multiply(const LinearArgs& args, const Piece& piece, std::size_t buffer, int num_rows) {
    LinearArgs one = args;
    one.segment[0] = args.segment[piece.segment];
    one.num_segments = 1;
    one.first_segment = args.first_segment + piece.segment;
    VT_TRY(cuda_result(cudaStreamWaitEvent(stream_->get(), written_[buffer].get()), "Ordering two streams"));
    VT_TRY(cublas_->multiply(image_.as<std::uint16_t>(), piece_[buffer].as<std::uint16_t>(), product_.as<float>(),
        num_rows, piece.count * kTileRows, args.padded_dim));
    VT_TRY(cuda_result(cudaEventRecord(read_[buffer].get(), stream_->get()), "Ordering two streams"));
    return cuda_result(
        launch_epilogue(one, piece.tile, piece.count, num_rows, product_.as<float>(), stream_->get()), "An epilogue");
}

} // namespace vitrine::kernels
