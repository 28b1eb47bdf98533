// SPDX-License-Identifier: GPL-3.0-or-later
// Cuts the attention of a step into items of about equal size.  Sequences with few rows (decode, verify) are cut at splits of
// absolute tokens and combined in order; long chunks are cut into blocks of queries that fold their splits alone.
#include <algorithm>

#include "kernels/cpu/step_node.h"
#include "kernels/ref/kv_codec.h"

namespace vitrine::kernels::cpu {
namespace {

constexpr int kBlockRows = 96; // query rows (queries x group) that share widened keys and values
constexpr int kMaxSplitQueries = 8; // sequences with more rows have enough items without splitting keys

struct Item {
    int seq = 0;
    int kv_head = 0;
    int first_query = 0; // row of the step
    int num_queries = 0;
    int first_visible = 0;
    int split_begin = 0;
    int split_end = 0;
    std::int64_t partial = -1; // offset of its partial results
};

/// A sequence whose splits must be combined.
struct SplitSequence {
    int first_query = 0;
    int num_queries = 0;
    int num_splits = 0;
    std::int64_t partial = 0; // [num_splits][num_kv_heads][num_queries * group][head_dim + 2]
};

class AttentionNode final : public StepNode {
public:
    AttentionNode(const AttentionOp& op, KvType type)
        : op_(op), group_(op.heads.num_heads / op.heads.num_kv_heads), rotates_(kernels::rotates_heads(type)) {}

    void begin_step(StepContext& context) override {
        items_.clear();
        costs_.assign(1, 0);
        split_sequences_.clear();
        partial_floats_ = 0;
        for (int seq = 0; seq < static_cast<int>(context.step.context_lens.size()); ++seq)
            plan_sequence(context, seq);
        if (partial_floats_ > static_cast<std::int64_t>(context.partials.size()))
            context.partials.resize(static_cast<std::size_t>(partial_floats_));
    }

    void run(StepContext& context, int worker) override {
        if (rotates_)
            rotate_queries(context, worker);
        const std::int64_t total = costs_.back();
        const std::int64_t begin = total * worker / context.pool.size();
        const std::int64_t end = total * (worker + 1) / context.pool.size();
        for (std::size_t i = 0; i < items_.size(); ++i) {
            const std::int64_t middle = (costs_[i] + costs_[i + 1]) / 2;
            if (middle >= begin && middle < end)
                attend(context, worker, items_[i]);
        }
        context.pool.barrier();
        if (!split_sequences_.empty()) {
            for (const SplitSequence& sequence : split_sequences_)
                combine(context, worker, sequence);
            context.pool.barrier();
        }
    }

private:
    /// Keys that the last of `count` rows sees and the first does not.
    [[nodiscard]] int later_rows(int count) const noexcept { return op_.causal ? count - 1 : 0; }

    void plan_sequence(StepContext& context, int seq) {
        const auto s = static_cast<std::size_t>(seq);
        int first = context.step.query_starts[s];
        const int end = context.step.query_starts[s + 1];
        const int context_len = context.step.context_lens[s];
        for (; first < end && context_len - later_rows(end - first) <= 0; ++first) // a row that sees nothing
            std::fill_n(context.row(op_.output, first), context.dim(op_.output), 0.0F);
        if (first == end)
            return;
        const int num_queries = end - first;
        const int num_splits = (context_len + kSplitTokens - 1) / kSplitTokens;
        const int first_visible = context_len - later_rows(num_queries);
        const int oldest = op_.window_tokens ? std::max(0, first_visible - *op_.window_tokens) : 0;
        const int first_split = oldest / kSplitTokens;
        if (num_queries <= kMaxSplitQueries && num_splits - first_split > 1)
            plan_splits(seq, first, num_queries, first_visible, first_split, num_splits);
        else
            plan_blocks(seq, first, num_queries, first_visible);
    }

    void plan_splits(int seq, int first, int num_queries, int first_visible, int first_split, int num_splits) {
        const std::int64_t floats = std::int64_t{num_queries} * group_ * (op_.heads.head_dim + 2);
        split_sequences_.push_back({first, num_queries, num_splits - first_split, partial_floats_});
        for (int split = first_split; split < num_splits; ++split) {
            const int keys = std::min(kSplitTokens, first_visible + later_rows(num_queries) - split * kSplitTokens);
            for (int head = 0; head < op_.heads.num_kv_heads; ++head) {
                add({seq, head, first, num_queries, first_visible, split, split + 1, partial_floats_}, keys);
                partial_floats_ += floats;
            }
        }
    }

    void plan_blocks(int seq, int first, int num_queries, int first_visible) {
        const int block = attention_block_queries(group_);
        for (int head = 0; head < op_.heads.num_kv_heads; ++head) {
            for (int query = 0; query < num_queries; query += block) {
                const int count = std::min(block, num_queries - query);
                const int visible = first_visible + later_rows(query + 1);
                const int last_visible = first_visible + later_rows(query + count);
                const int oldest = op_.window_tokens ? std::max(0, visible - *op_.window_tokens) : 0;
                add({seq, head, first + query, count, visible, oldest / kSplitTokens,
                        (last_visible + kSplitTokens - 1) / kSplitTokens, -1},
                    last_visible - oldest);
            }
        }
    }

    void add(const Item& item, int num_keys) {
        items_.push_back(item);
        costs_.push_back(costs_.back() + (std::int64_t{num_keys} + 16) * (item.num_queries + 2));
    }

    void attend(StepContext& context, int worker, const Item& item) {
        const std::int64_t head_offset = std::int64_t{item.kv_head} * group_ * op_.heads.head_dim;
        AttentionArgs args;
        args.query = context.row(op_.query, item.first_query) + head_offset;
        args.query_stride = context.dim(op_.query);
        args.output = context.row(op_.output, item.first_query) + head_offset;
        args.output_stride = context.dim(op_.output);
        args.partial = item.partial < 0 ? nullptr : context.partials.data() + item.partial;
        args.num_queries = item.num_queries;
        args.group = group_;
        args.head_dim = op_.heads.head_dim;
        args.first_visible = item.first_visible;
        args.causal = op_.causal;
        args.window = op_.window_tokens.value_or(0);
        args.split_begin = item.split_begin;
        args.split_end = item.split_end;
        args.scale = op_.scale;
        args.softcap = op_.softcap;
        args.sinks = op_.sinks.valid() ? context.vector(op_.sinks) + std::ptrdiff_t{item.kv_head} * group_ : nullptr;
        args.type = context.kv.spec().type;
        args.blocks = context.step.group_tables(context.kv.group_of(op_.layer)).data() +
            std::int64_t{item.seq} * context.step.max_blocks;
        args.block_tokens = context.kv.spec().block_tokens;
        args.head = context.kv.head(op_.layer, 0, item.kv_head);
        args.block_bytes = context.kv.layer_block_bytes(op_.layer);
        args.scale_stride = context.kv.scale_stride(op_.layer);
        args.scratch = context.scratch[static_cast<std::size_t>(worker)].attention.data();
        context.isa.attention(args);
        for (int row = 0; rotates_ && item.partial < 0 && row < item.num_queries; ++row)
            rotate_heads(args.output + row * args.output_stride, group_);
    }

    /// The queries' only reader is this node.
    void rotate_queries(StepContext& context, int worker) const {
        const IndexRange mine = context.share(context.num_rows(), worker);
        for (std::int64_t row = mine.begin; row < mine.end; ++row)
            rotate_heads(context.row(op_.query, static_cast<int>(row)), op_.heads.num_heads);
        context.pool.barrier();
    }
    void rotate_heads(float* heads, int count) const noexcept {
        for (int head = 0; head < count; ++head)
            rotate_head(heads + std::ptrdiff_t{head} * op_.heads.head_dim, op_.heads.head_dim);
    }

    void combine(StepContext& context, int worker, const SplitSequence& sequence) {
        const std::int64_t rows = std::int64_t{sequence.num_queries} * group_;
        const std::int64_t floats = op_.heads.head_dim + 2;
        const IndexRange mine = context.share(rows * op_.heads.num_kv_heads, worker);
        for (std::int64_t i = mine.begin; i < mine.end; ++i) {
            const std::int64_t kv_head = i / rows;
            const std::int64_t query = i % rows / group_;
            CombineArgs args;
            args.partials = context.partials.data() + sequence.partial + i * floats;
            args.split_stride = rows * op_.heads.num_kv_heads * floats;
            args.num_splits = sequence.num_splits;
            args.head_dim = op_.heads.head_dim;
            args.output = context.row(op_.output, sequence.first_query + query) +
                (kv_head * group_ + i % group_) * op_.heads.head_dim;
            args.sink = op_.sinks.valid() ? context.vector(op_.sinks) + kv_head * group_ + i % group_ : nullptr;
            args.scratch = context.scratch[static_cast<std::size_t>(worker)].attention.data();
            context.isa.combine(args);
            if (rotates_)
                rotate_heads(args.output, 1);
        }
    }

    const AttentionOp op_;
    const int group_;
    const bool rotates_; // keys and values lie rotated in the cache
    std::vector<Item> items_;
    std::vector<std::int64_t> costs_; // [items + 1] running sum
    std::vector<SplitSequence> split_sequences_;
    std::int64_t partial_floats_ = 0;
};

} // namespace

int attention_block_queries(int group) noexcept {
    return std::max(1, kBlockRows / group);
}

std::unique_ptr<StepNode> make_attention_node(const AttentionOp& op, KvType type) {
    return std::make_unique<AttentionNode>(op, type);
}

} // namespace vitrine::kernels::cpu
