// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/ref/ref_attention.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/ref/ref_floor_ops.h"

namespace vitrine::kernels {
namespace {

/// Keys and values of one sequence and KV head: [context, head_dim] each.
struct HeadCache {
    std::vector<double> keys;
    std::vector<double> values;
};

HeadCache load_head(const AttentionOp& op, const StepArgs& step, const RefKvPool& pool, std::size_t seq, int kv_head) {
    const auto dim = static_cast<std::size_t>(op.heads.head_dim);
    const auto context = static_cast<std::size_t>(std::max(step.context_lens[seq], 0));
    const auto block_tokens = static_cast<std::size_t>(pool.spec().block_tokens);
    const std::span<const std::int32_t> tables = step.group_tables(pool.group_of(op.layer));
    HeadCache cache{std::vector<double>(context * dim), std::vector<double>(context * dim)};
    for (std::size_t token = 0; token < context; ++token) {
        const std::int32_t block = tables[seq * static_cast<std::size_t>(step.max_blocks) + token / block_tokens];
        const auto offset = static_cast<int>(token % block_tokens);
        pool.read(op.layer, KvPart::keys, kv_head, block, offset, cache.keys.data() + token * dim);
        pool.read(op.layer, KvPart::values, kv_head, block, offset, cache.values.data() + token * dim);
    }
    return cache;
}

/// out = softmax(q . K) V over the tokens [first, end).  sink: null or a score without a value.
void attend_row(const AttentionOp& op, const HeadCache& cache, std::size_t first, std::size_t end, const double* query,
    const float* sink, double* out) {
    const auto dim = static_cast<std::size_t>(op.heads.head_dim);
    std::vector<double> scores(end - first);
    for (std::size_t token = first; token < end; ++token) {
        double sum = 0;
        for (std::size_t i = 0; i < dim; ++i)
            sum += query[i] * cache.keys[token * dim + i];
        scores[token - first] = soft_capped(sum * static_cast<double>(op.scale), op.softcap);
    }
    double max = *std::max_element(scores.begin(), scores.end());
    if (sink != nullptr)
        max = std::max(max, static_cast<double>(*sink));
    double total = sink == nullptr ? 0 : std::exp(static_cast<double>(*sink) - max);
    for (double& score : scores) {
        score = std::exp(score - max);
        total += score;
    }
    for (std::size_t token = first; token < end; ++token) {
        const double weight = scores[token - first] / total;
        for (std::size_t i = 0; i < dim; ++i)
            out[i] += weight * cache.values[token * dim + i];
    }
}

} // namespace

void attend(const AttentionOp& op, const StepArgs& step, const RefKvPool& pool, std::span<const double> query,
    std::span<double> output, std::span<const float> sinks) {
    const auto dim = static_cast<std::size_t>(op.heads.head_dim);
    const int group = op.heads.num_heads / op.heads.num_kv_heads;
    std::fill(output.begin(), output.end(), 0.0);
    for (std::size_t seq = 0; seq < step.context_lens.size(); ++seq) {
        const std::int32_t begin = step.query_starts[seq];
        const std::int32_t end = step.query_starts[seq + 1];
        for (int kv_head = 0; kv_head < op.heads.num_kv_heads; ++kv_head) {
            const HeadCache cache = load_head(op, step, pool, seq, kv_head);
            for (std::int32_t row = begin; row < end; ++row) {
                const std::int32_t visible = step.context_lens[seq] - (op.causal ? end - 1 - row : 0);
                if (visible <= 0)
                    continue;
                const std::int32_t first = op.window_tokens ? std::max(0, visible - *op.window_tokens) : 0;
                for (int head = kv_head * group; head < (kv_head + 1) * group; ++head) {
                    const std::size_t start =
                        (static_cast<std::size_t>(row) * static_cast<std::size_t>(op.heads.num_heads) +
                            static_cast<std::size_t>(head)) *
                        dim;
                    attend_row(op, cache, static_cast<std::size_t>(first), static_cast<std::size_t>(visible),
                        query.data() + start, sinks.empty() ? nullptr : &sinks[static_cast<std::size_t>(head)],
                        output.data() + start);
                }
            }
        }
    }
}

} // namespace vitrine::kernels
