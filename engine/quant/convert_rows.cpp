// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/quant: matrix conversion.
#include "engine/quant/convert_rows.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <thread>

#include "engine/quant/row_quantizer.h"
#include "kernels/ref/dequantize.h"

namespace vitrine::engine {
namespace {

struct Conversion {
    kernels::WeightFormat from, to;
    std::span<const std::byte> source;
    std::byte* target = nullptr;
    std::int64_t in_dim = 0;
    std::span<const float> importance;
};

Result<void> convert_range(const Conversion& conversion, std::int64_t begin, std::int64_t end) {
    const std::int64_t from_bytes = kernels::row_bytes(conversion.from, conversion.in_dim);
    const std::int64_t to_bytes = kernels::row_bytes(conversion.to, conversion.in_dim);
    std::vector<float> row(static_cast<std::size_t>(conversion.in_dim));
    for (std::int64_t r = begin; r < end; ++r) {
        kernels::dequantize_row(
            conversion.from, conversion.source.data() + r * from_bytes, conversion.in_dim, row.data());
        VT_TRY(quantize_row(conversion.to, row, conversion.target + r * to_bytes, conversion.importance));
    }
    return {};
}

} // namespace

Result<std::vector<std::byte>> convert_rows(kernels::WeightFormat from, std::span<const std::byte> bytes,
    kernels::WeightFormat to, MatrixShape shape, int num_threads, std::span<const float> importance) {
    if (from == to)
        return std::vector<std::byte>(bytes.begin(), bytes.end());
    std::vector<std::byte> out(static_cast<std::size_t>(shape.num_rows * kernels::row_bytes(to, shape.in_dim)));
    const Conversion conversion{from, to, bytes, out.data(), shape.in_dim, importance};
    const std::int64_t num_slices = std::clamp<std::int64_t>(num_threads, 1, std::max<std::int64_t>(shape.num_rows, 1));
    std::mutex mutex;
    std::optional<Error> error;
    const auto run_slice = [&](std::int64_t slice) {
        auto done =
            convert_range(conversion, shape.num_rows * slice / num_slices, shape.num_rows * (slice + 1) / num_slices);
        if (!done) {
            const std::scoped_lock lock(mutex);
            error = done.error();
        }
    };
    {
        std::vector<std::jthread> threads;
        for (std::int64_t slice = 1; slice < num_slices; ++slice)
            threads.emplace_back(run_slice, slice);
        run_slice(0);
    }
    if (error)
        return tl::unexpected(*error);
    return out;
}

} // namespace vitrine::engine
