// SPDX-License-Identifier: GPL-3.0-or-later
// From ops to launches: what is accepted, and with which arguments each kernel runs.
#include <algorithm>
#include <variant>

#include "kernels/api/op_ids.h"
#include "kernels/cuda/cuda_executable.h"
#include "kernels/cuda/floor_launch.h"
#include "kernels/cuda/prompt_launch.h"
#include "kernels/cuda/split_launch.h"
#include "kernels/ref/kv_codec.h"

namespace vitrine::kernels {
namespace {

const WeightGroupSpec& group_of(const Program& program, WeightGroupId id) {
    return program.weights[static_cast<std::size_t>(id.value)];
}

constexpr int kMaxHeadDim = 256; // of the kernels on tensor cores

constexpr const char* kUnknownGate = "only SiLU and the tanh form of GELU gate here";

bool is_known_gate(GateKind kind) {
    return kind == GateKind::silu || kind == GateKind::gelu_tanh;
}

std::string why_declined_linear(const Program& program, const LinearOp& op) {
    if (const auto* residual = std::get_if<AddResidualEpilogue>(&op.epilogue))
        return residual->post_norm ? "a norm of the product needs whole rows" : "";
    if (const auto* rope_kv = std::get_if<RopeKvEpilogue>(&op.epilogue)) {
        if (rope_kv->q_norm || rope_kv->k_norm)
            return "a norm of q and k needs whole heads";
        return rope_kv->heads.head_dim % 8 != 0 ? "heads that are no multiple of 8 have no tiles of RoPE pairs" : "";
    }
    if (const auto* gated = std::get_if<GatedEpilogue>(&op.epilogue))
        return is_known_gate(gated->kind) ? why_not_paired_gate(group_of(program, op.weights)) : kUnknownGate;
    return {};
}

std::string why_declined_attention(const AttentionOp& op) {
    const HeadLayout& heads = op.heads;
    if (heads.head_dim > kMaxPlainHeadDim)
        return "heads of " + std::to_string(heads.head_dim) + ", supported are up to " +
            std::to_string(kMaxPlainHeadDim);
    return heads.num_kv_heads == 0 || heads.num_heads % heads.num_kv_heads != 0
        ? "query heads that do not share KV heads evenly"
        : "";
}

std::string format_names(const Program& program, WeightGroupId id) {
    std::string names;
    for (const WeightMember& member : group_of(program, id).members)
        names += "_" + std::string(format_info(member.format).name);
    return names;
}

} // namespace

bool needs_plain_attention(const AttentionOp& op) noexcept {
    return op.heads.head_dim % 8 != 0 || op.heads.head_dim > kMaxHeadDim || !op.causal;
}

std::string why_declined(const Program& program, const Op& op) {
    if (const auto* linear = std::get_if<LinearOp>(&op))
        return why_declined_linear(program, *linear);
    if (const auto* attention = std::get_if<AttentionOp>(&op))
        return program.hidden.valid() ? "hidden states of encoders do not leave the GPU"
                                      : why_declined_attention(*attention);
    if (const auto* experts = std::get_if<ExpertsOp>(&op))
        return why_declined_experts(program, *experts);
    if (const auto* gather = std::get_if<GatherOp>(&op))
        return gather->index == GatherIndex::token && !gather->adds ? "" : "only rows of tokens are gathered";
    return std::holds_alternative<LowRankOp>(op) ? "there are no kernels for LoRA adapters" : "";
}

std::string kernel_name(const Program& program, const Op& op) {
    if (const auto* linear = std::get_if<LinearOp>(&op))
        return "linear" + format_names(program, linear->weights);
    if (const auto* member = std::get_if<MemberLinearOp>(&op))
        return "linear_" +
            std::string(
                format_info(group_of(program, member->weights).members[static_cast<std::size_t>(member->member)].format)
                    .name);
    if (const auto* attention = std::get_if<AttentionOp>(&op);
        attention != nullptr && needs_plain_attention(*attention))
        return "attention_plain";
    constexpr const char* kNames[] = {"gather", "linear", "attention_mma", "sampling_by_row", "norm", "rope",
        "kv_write", "add", "gate", "linear", "experts_mma", "head_copy", "head_linear", "low_rank"};
    return kNames[op.index()];
}

namespace {

bool mentions(const Op& op, ActivationId id) {
    bool found = false;
    visit_activations(op, [&](ActivationId one, Access) { found = found || one == id; });
    return found;
}

/// What an op leaves that the next linear op may want prepared; none for most.
ActivationId feedable_output(const Op& op) {
    if (const auto* attention = std::get_if<AttentionOp>(&op))
        return needs_plain_attention(*attention) ? ActivationId{} : attention->output;
    const auto* linear = std::get_if<LinearOp>(&op);
    if (linear == nullptr || linear->rows != RowSet::all)
        return {};
    if (const auto* residual = std::get_if<AddResidualEpilogue>(&linear->epilogue))
        return residual->residual;
    if (const auto* gated = std::get_if<GatedEpilogue>(&linear->epilogue))
        return gated->output;
    return {};
}

} // namespace

const LinearOp* CudaExecutable::fed_by(std::size_t index) const {
    const ActivationId output = feedable_output(program_.ops[index]);
    if (!output.valid())
        return nullptr;
    for (std::size_t next = index + 1; next < program_.ops.size(); ++next) {
        if (!mentions(program_.ops[next], output))
            continue;
        const auto* linear = std::get_if<LinearOp>(&program_.ops[next]);
        const bool reads = linear != nullptr && linear->input == output && linear->rows == RowSet::all &&
            !std::holds_alternative<LogitsEpilogue>(linear->epilogue);
        if (!reads)
            return nullptr;
        // Only the residual's epilogue applies the gain of a norm and leaves the squares.
        const auto* producer = std::get_if<LinearOp>(&program_.ops[index]);
        const bool residual = producer != nullptr && std::holds_alternative<AddResidualEpilogue>(producer->epilogue);
        return residual || !std::holds_alternative<RmsNormPrologue>(linear->prologue) ? linear : nullptr;
    }
    return nullptr;
}

Result<void> CudaExecutable::make_feeds() {
    feeds_.resize(program_.activations.size());
    fed_.assign(program_.ops.size(), nullptr);
    feeder_.assign(program_.ops.size(), -1);
    for (std::size_t index = 0; index < program_.ops.size(); ++index) {
        const LinearOp* reader = fed_by(index);
        if (reader == nullptr)
            continue;
        int padded_dim = 0;
        for (const TileMatrix& matrix : weights_.find(reader->weights)->matrices)
            padded_dim = std::max(padded_dim, matrix.num_chunks * tile_info(matrix.format).chunk_weights);
        if (padded_dim != dim(reader->input)) // nobody writes the zeros behind the activations
            continue;
        feeds_[static_cast<std::size_t>(reader->input.value)].padded_dim = padded_dim;
        fed_[index] = reader;
        for (std::size_t next = index + 1; next < program_.ops.size(); ++next) {
            if (std::get_if<LinearOp>(&program_.ops[next]) == reader)
                feeder_[next] = static_cast<int>(index);
        }
    }
    const auto reserve = [](DeviceBuffer& target, std::int64_t bytes) -> Result<void> {
        auto buffer = DeviceBuffer::make(static_cast<std::size_t>(bytes), "Prepared rows");
        VT_TRY(buffer);
        target = std::move(*buffer);
        return {};
    };
    const bool panels = linear_->reads_panels(0, kSmallRows + 1);
    for (Feed& feed : feeds_) {
        if (feed.padded_dim == 0)
            continue;
        VT_TRY(reserve(feed.image,
            feed_image_bytes(feed.padded_dim, panels ? std::max(limits_.max_rows, kSmallRows + 1) : kSmallRows)));
        VT_TRY(reserve(feed.squares, std::int64_t{feed.padded_dim} * kSmallRows / kTileRows * 4));
        if (!panels)
            continue;
        VT_TRY(reserve(feed.parts, std::int64_t{feed.padded_dim / kTileRows} * kPanelRows * 4));
        VT_TRY(reserve(feed.num_parts, sizeof(int)));
    }
    if (panels)
        VT_TRY(reserve(largest_, static_cast<std::int64_t>(program_.ops.size() * kPanelRows * sizeof(int))));
    return {};
}

const float* CudaExecutable::vector_of(WeightGroupId id) const {
    const CudaGroup* group = weights_.find(id);
    return group != nullptr ? group->vector : nullptr;
}

LinearArgs CudaExecutable::matrix_args(ActivationId input, WeightGroupId weights, int member) const {
    const CudaGroup& group = *weights_.find(weights);
    LinearArgs args;
    args.in_dim = dim(input);
    args.num_segments = 0;
    int chunk = 0;
    for (std::size_t i = 0; i < group.matrices.size(); ++i) {
        if (member >= 0 && static_cast<int>(i) != member)
            continue;
        const TileMatrix& matrix = group.matrices[i];
        args.segment[args.num_segments++] = matrix;
        args.total_tiles += matrix.num_tiles;
        chunk = std::max(chunk, tile_info(matrix.format).chunk_weights);
    }
    args.unit = chunk;
    args.padded_dim = (args.in_dim + chunk - 1) / chunk * chunk;
    return args;
}

LinearArgs CudaExecutable::linear_args(ActivationId input, WeightGroupId weights, RowSet rows, int member) const {
    LinearArgs args = matrix_args(input, weights, member);
    args.input = values(input);
    args.rows = rows == RowSet::needs_logits ? step_.arrays().logit_rows : nullptr;
    args.epilogue.rows = args.rows;
    args.epilogue.positions = step_.arrays().positions;
    const Feed& feed = feeds_[static_cast<std::size_t>(input.value)];
    if (feeder_[running_] >= 0 && linear_->reads_fragments(feed.padded_dim, shape_.num_rows)) {
        args.place = int8_feed(static_cast<std::size_t>(feeder_[running_]));
        if (args.place.columns > 0)
            args.bytes = feed.image.as<std::uint8_t>();
        else
            args.image = feed.image.as<std::uint16_t>();
        args.squares = feed.squares.as<float>();
        args.squares_stride = feed.padded_dim / kTileRows;
    } else if (feeder_[running_] >= 0) {
        args.fed = panel_feed(static_cast<std::size_t>(feeder_[running_]));
    } else if (chains() && running_ == chain_->end_op() && args.padded_dim == args.in_dim &&
        linear_->reads_fragments(args.padded_dim, 1)) {
        args.image = chain_->image();
        args.squares = chain_->squares();
        args.squares_stride = args.padded_dim / kTileRows;
    }
    return args;
}

Int8Place CudaExecutable::int8_input(const LinearOp& op) const {
    LinearArgs args = matrix_args(op.input, op.weights, -1);
    args.num_columns = shape_.num_rows;
    return linear_->reads_int8(args, shape_.num_rows) ? int8_place(args) : Int8Place{};
}

Int8Place CudaExecutable::int8_feed(std::size_t index) const {
    // One row alone is sooner made int8 by each of its readers than by the epilogue before: measured.
    if (shape_.num_rows == 1)
        return {};
    const Int8Place place = int8_input(*fed_[index]);
    if (const auto* attention = std::get_if<AttentionOp>(&program_.ops[index])) {
        const bool able = shape_.num_prefill_tiles == 0 && decode_attention_feeds_int8(attention_args(*attention));
        return able ? place : Int8Place{};
    }
    // The int8 kernels alone have whole groups of a residual, and none of gated values.
    const auto& linear = std::get<LinearOp>(program_.ops[index]);
    const bool residual = std::holds_alternative<AddResidualEpilogue>(linear.epilogue);
    return residual && int8_input(linear).columns > 0 ? place : Int8Place{};
}

bool CudaExecutable::leaves_quads(const LinearOp& op) const {
    LinearArgs args = matrix_args(op.input, op.weights, -1);
    const auto* gated = std::get_if<GatedEpilogue>(&op.epilogue);
    args.epilogue.kind = gated != nullptr ? EpilogueKind::gated : EpilogueKind::add_residual;
    args.epilogue.output_stride =
        dim(gated != nullptr ? gated->output : std::get<AddResidualEpilogue>(op.epilogue).residual);
    return lies_in_quads(args.segment[0], args.epilogue);
}

PanelFeed CudaExecutable::panel_feed(std::size_t index) const {
    const LinearOp& reader = *fed_[index];
    const Feed& feed = feeds_[static_cast<std::size_t>(reader.input.value)];
    if (!linear_->reads_panels(feed.padded_dim, shape_.num_rows))
        return {};
    // Of the attentions one alone feeds; products of many rows all run in the panel kernel, which feeds from quads.
    if (const auto* attention = std::get_if<AttentionOp>(&program_.ops[index])) {
        if (shape_.num_prefill_tiles > 0 || shape_.cluster == 0 ||
            !stream_attention_supports(attention_args(*attention)))
            return {};
    } else if (panel_width(shape_.num_rows) > kFeedWidth || !leaves_quads(std::get<LinearOp>(program_.ops[index]))) {
        return {};
    }
    const bool norm = std::holds_alternative<RmsNormPrologue>(reader.prologue);
    return {feed.image.as<std::uint16_t>(), panel_width(shape_.num_rows), feed.padded_dim,
        largest_.as<int>() + index * kPanelRows, norm ? feed.parts.as<float>() : nullptr,
        norm ? feed.num_parts.as<int>() : nullptr};
}

FeedArgs CudaExecutable::feed_of(ActivationId output) const {
    const LinearOp* reader = fed_[running_];
    if (reader == nullptr)
        return {};
    const Feed& feed = feeds_[static_cast<std::size_t>(output.value)];
    FeedArgs args;
    if (!linear_->reads_fragments(feed.padded_dim, shape_.num_rows)) {
        args.panel = panel_feed(running_);
        if (const auto* norm = std::get_if<RmsNormPrologue>(&reader->prologue); norm != nullptr)
            args.gain = vector_of(norm->gain);
        return args;
    }
    args.place = int8_feed(running_);
    if (args.place.columns > 0)
        args.bytes = feed.image.as<std::uint8_t>();
    else
        args.image = feed.image.as<std::uint16_t>();
    args.lanes = 4 * shape_.num_rows;
    if (const auto* norm = std::get_if<RmsNormPrologue>(&reader->prologue)) {
        args.gain = vector_of(norm->gain);
        args.squares = feed.squares.as<float>();
        args.squares_stride = feed.padded_dim / kTileRows;
    }
    return args;
}

void CudaExecutable::store_to(LinearArgs& args, ActivationId output, RowSet rows) const {
    args.epilogue.output = values(output);
    args.epilogue.output_stride = dim(output);
    args.epilogue.output_by_place = output == logits_ && rows == RowSet::needs_logits;
}

void CudaExecutable::set_epilogue(LinearArgs& args, const LinearOp& op) const {
    EpilogueArgs& e = args.epilogue;
    if (const auto* store = std::get_if<StoreEpilogue>(&op.epilogue)) {
        e.kind = EpilogueKind::store;
        e.bias[0] = vector_of(store->bias);
        store_to(args, store->output, op.rows);
    } else if (const auto* residual = std::get_if<AddResidualEpilogue>(&op.epilogue)) {
        e.kind = EpilogueKind::add_residual;
        e.scale = residual->scale;
        e.bias[0] = vector_of(residual->bias);
        store_to(args, residual->residual, op.rows);
        e.feed = feed_of(residual->residual);
    } else if (const auto* gated = std::get_if<GatedEpilogue>(&op.epilogue)) {
        e.kind = EpilogueKind::gated;
        e.gate = gated->kind;
        store_to(args, gated->output, op.rows);
        e.feed = feed_of(gated->output);
    } else if (const auto* logits = std::get_if<LogitsEpilogue>(&op.epilogue)) {
        e.kind = EpilogueKind::logits;
        e.scale = logits->scale;
        e.softcap = logits->softcap;
        store_to(args, logits->logits, RowSet::needs_logits);
    } else {
        const auto& target = std::get<RopeKvEpilogue>(op.epilogue);
        e.kind = EpilogueKind::rope_kv;
        e.bias[0] = vector_of(target.q_bias);
        e.bias[1] = vector_of(target.k_bias);
        e.bias[2] = vector_of(target.v_bias);
        e.rope = target.rope.valid() ? ropes_[static_cast<std::size_t>(target.rope.value)].as<float2>() : nullptr;
        e.kv = pool_.layer(target.layer);
        e.slots = slots_of(target.layer);
        e.keys = keys_.as<float>(); // null for 16-bit types
        e.values = values_.as<float>();
        store_to(args, target.query, op.rows);
    }
}

Result<void> CudaExecutable::run_linear(const LinearArgs& args, RowSet rows) {
    const int count = rows == RowSet::needs_logits ? shape_.num_logit_rows : shape_.num_rows;
    return count == 0 ? Result<void>{} : linear_->run(args, count);
}

Result<void> CudaExecutable::run(const LinearOp& op) {
    const bool logits = std::holds_alternative<LogitsEpilogue>(op.epilogue);
    const RowSet rows = logits ? RowSet::needs_logits : op.rows;
    LinearArgs args = linear_args(op.input, op.weights, rows, -1);
    if (const auto* norm = std::get_if<RmsNormPrologue>(&op.prologue)) {
        args.gain = vector_of(norm->gain);
        args.eps = norm->eps;
    } else {
        args.squares = nullptr;
    }
    set_epilogue(args, op);
    VT_TRY(run_linear(args, rows));
    const auto* target = std::get_if<RopeKvEpilogue>(&op.epilogue);
    if (target == nullptr || keys_.as<float>() == nullptr)
        return {};
    return write_kv(target->layer, keys_.as<float>(), values_.as<float>());
}

Result<void> CudaExecutable::write_kv(LayerId layer, const float* keys, const float* values) {
    const KvTarget& target = pool_.layer(layer);
    if (rotates_heads(target.type)) { // keys alone: their products with rotated queries are the same
        const std::int64_t heads = std::int64_t{shape_.num_rows} * target.num_kv_heads;
        VT_TRY(cuda_result(
            launch_rotate_heads(keys, keys_.as<float>(), heads, target.head_dim, stream_->get()), "Rotating keys"));
        keys = keys_.as<float>();
    }
    return cuda_result(launch_kv_write(keys, values, slots_of(layer), shape_.num_rows, target, stream_->get()),
        "Writing keys and values");
}

Result<void> CudaExecutable::run(const MemberLinearOp& op) {
    LinearArgs args = linear_args(op.input, op.weights, op.rows, op.member);
    args.epilogue.kind = EpilogueKind::store;
    args.epilogue.bias[0] = vector_of(op.bias);
    store_to(args, op.output, op.rows);
    return run_linear(args, op.rows);
}

Result<void> CudaExecutable::run(const GatherOp& op) {
    const WeightMember& member = group_of(program_, op.embedding).members[0];
    const GatherArgs args{weights_.find(op.embedding)->rows, member.format, row_bytes(member.format, member.in_dim),
        step_.arrays().tokens, best_.as<int>(), values(op.output), op.scale, static_cast<int>(member.in_dim),
        shape_.num_rows};
    return cuda_result(launch_gather(args, stream_->get()), "Gathering embeddings");
}

AttentionArgs CudaExecutable::attention_args(const AttentionOp& op) const {
    const StepArrays& step = step_.arrays();
    AttentionArgs args;
    args.query = values(op.query);
    args.output = values(op.output);
    args.kv = pool_.layer(op.layer);
    args.num_heads = op.heads.num_heads;
    args.scale = op.scale;
    args.softcap = op.softcap;
    args.sinks = vector_of(op.sinks);
    args.window = op.window_tokens.value_or(0);
    args.query_starts = step.query_starts;
    args.context_lens = step.context_lens;
    args.block_tables = step.block_tables + pool_.group_of(op.layer) * step.group_stride;
    args.table_stride = step.table_stride;
    args.num_seqs = shape_.num_seqs;
    args.cluster = shape_.cluster;
    args.max_flat = shape_.max_decode_rows * (op.heads.num_heads / op.heads.num_kv_heads);
    args.decode_flat = step_.decode_flat();
    return args;
}

Result<void> CudaExecutable::run(const AttentionOp& op) {
    const StepArrays& step = step_.arrays();
    AttentionArgs args = attention_args(op);
    args.feed = feed_of(op.output);
    if (rotates_heads(args.kv.type)) // their only reader is this op
        VT_TRY(cuda_result(launch_rotate_heads(values(op.query), values(op.query),
                               std::int64_t{shape_.num_rows} * op.heads.num_heads, op.heads.head_dim, stream_->get()),
            "Rotating queries"));
    if (needs_plain_attention(op))
        return cuda_result(launch_plain_attention(args, shape_.num_rows, op.causal, stream_->get()), "Attention");
    if (shape_.cluster > 0) {
        const auto decode = stream_attention_supports(args) ? launch_stream_attention
            : split_attention_supports(args)                ? launch_split_attention
                                                            : launch_decode_attention;
        VT_TRY(cuda_result(decode(args, stream_->get()), "Attention"));
    }
    if (shape_.num_prefill_tiles == 0)
        return {};
    const int group = op.heads.num_heads / op.heads.num_kv_heads;
    const std::span<const int> groups = step_.groups();
    const auto index = static_cast<std::size_t>(std::find(groups.begin(), groups.end(), group) - groups.begin());
    const int begin = index == 0 ? 0 : step_.tile_ends()[index - 1];
    if (step_.tile_ends()[index] == begin)
        return {};
    args.tiles = step.tiles + begin;
    args.num_tiles = step_.tile_ends()[index] - begin;
    if (stream_->is_hopper() && prompt_attention_supports(args))
        return cuda_result(
            launch_prompt_attention(args, pool_.num_blocks(), stream_->num_sms(), stream_->get()), "Attention");
    return cuda_result(launch_prefill_attention(args, stream_->get()), "Attention");
}

Result<void> CudaExecutable::run(const SamplingOp& op) {
    if (!shape_.greedy || shape_.num_logit_rows == 0)
        return {};
    return cuda_result(launch_argmax(values(op.logits), dim(op.logits), shape_.num_logit_rows, best_.as<int>(),
                           best_parts_.as<float>(), stream_->get()),
        "Choosing tokens");
}

Result<void> CudaExecutable::run(const RopeOp& op) {
    const auto index = static_cast<std::size_t>(op.rope.value);
    const RopeSpec& rope = program_.ropes[index];
    return cuda_result(
        launch_rope(values(op.value), ropes_[index].as<float2>(), step_.arrays().positions, shape_.num_rows,
            op.num_heads, op.head_dim, rope.rotary_dim / 2, rope.style == RopeStyle::neox, stream_->get()),
        "Rotating positions");
}

Result<void> CudaExecutable::run(const KvWriteOp& op) {
    return write_kv(op.layer, values(op.keys), values(op.values));
}

Result<void> CudaExecutable::run(const AddOp& op) {
    if (op.row_gate.valid())
        return cuda_result(launch_add_gated(values(op.row_gate), values(op.source), values(op.target), op.scale,
                               rows_of(op.target), dim(op.target), stream_->get()),
            "An addition");
    const std::int64_t count = std::int64_t{rows_of(op.target)} * dim(op.target);
    return cuda_result(
        launch_add(values(op.target), values(op.source), op.scale, count, stream_->get()), "An addition");
}

} // namespace vitrine::kernels
