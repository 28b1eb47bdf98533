// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/quant: matrix conversion.
#include "engine/quant/convert_rows.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <optional>

#include "engine/base/check.h"
#include "engine/quant/fit_loops.h"
#include "engine/quant/parallel_ranges.h"
#include "engine/quant/row_quantizer.h"
#include "kernels/ref/dequantize.h"

namespace vitrine::engine {
namespace {

constexpr std::int64_t kPieceWeights = std::int64_t{1} << 16; // handed out at once: threads seldom run equally fast

void read_row(kernels::WeightFormat format, const std::byte* row, std::span<float> values) {
    if (format == kernels::WeightFormat::f16)
        fit_loops().halves(row, values.size(), values.data());
    else if (format == kernels::WeightFormat::f32)
        std::memcpy(values.data(), row, values.size_bytes());
    else
        kernels::dequantize_row(format, row, std::ssize(values), values.data());
}

/// Rows of one thread.
class RowConverter {
public:
    RowConverter(const RowConversion& job, std::span<std::byte> target, std::span<RowError> errors)
        : job_(job), target_(target), errors_(errors), before_(static_cast<std::size_t>(job.shape.in_dim)),
          after_(errors.empty() ? 0 : before_.size()) {}

    Result<void> convert(std::int64_t begin, std::int64_t end) {
        const std::int64_t from_bytes = kernels::row_bytes(job_.from, job_.shape.in_dim);
        const std::int64_t to_bytes = kernels::row_bytes(job_.to, job_.shape.in_dim);
        for (std::int64_t row = begin; row < end; ++row) {
            const std::byte* source = job_.source.data() + row * from_bytes;
            std::byte* target = target_.data() + row * to_bytes;
            if (job_.from == job_.to) {
                std::memcpy(target, source, static_cast<std::size_t>(to_bytes));
                if (errors_.empty())
                    continue;
            }
            read_row(job_.from, source, before_);
            if (job_.from != job_.to)
                VT_TRY(quantize_row(job_.to, before_, target, job_.importance));
            if (errors_.empty())
                continue;
            read_row(job_.to, target, after_);
            errors_[static_cast<std::size_t>(row)] =
                fit_loops().row_error(before_.data(), after_.data(), before_.size());
        }
        return {};
    }

private:
    const RowConversion& job_;
    const std::span<std::byte> target_;
    const std::span<RowError> errors_;
    std::vector<float> before_, after_;
};

} // namespace

Result<void> convert_rows_into(const RowConversion& job, std::span<std::byte> target, std::span<RowError> errors) {
    VT_CHECK(std::ssize(target) == job.shape.num_rows * kernels::row_bytes(job.to, job.shape.in_dim));
    const std::int64_t piece = std::max<std::int64_t>(1, kPieceWeights / std::max<std::int64_t>(1, job.shape.in_dim));
    const std::int64_t num_pieces = (job.shape.num_rows + piece - 1) / piece;
    std::atomic<std::int64_t> next{0};
    std::mutex mutex;
    std::optional<Error> error;
    parallel_ranges(std::min<std::int64_t>(job.num_threads, num_pieces), job.num_threads, [&](auto, auto) {
        RowConverter converter(job, target, errors);
        for (std::int64_t i = next.fetch_add(1); i < num_pieces; i = next.fetch_add(1)) {
            const std::int64_t begin = i * piece;
            if (auto done = converter.convert(begin, std::min(begin + piece, job.shape.num_rows)); !done) {
                const std::scoped_lock lock(mutex);
                error = done.error();
                return;
            }
        }
    });
    if (error)
        return tl::unexpected(*error);
    return {};
}

Result<std::vector<std::byte>> convert_rows(kernels::WeightFormat from, std::span<const std::byte> bytes,
    kernels::WeightFormat to, MatrixShape shape, int num_threads, std::span<const float> importance) {
    if (from == to)
        return std::vector<std::byte>(bytes.begin(), bytes.end());
    std::vector<std::byte> out(static_cast<std::size_t>(shape.num_rows * kernels::row_bytes(to, shape.in_dim)));
    VT_TRY(convert_rows_into({from, to, bytes, shape, importance, num_threads}, out, {}));
    return out;
}

} // namespace vitrine::engine
