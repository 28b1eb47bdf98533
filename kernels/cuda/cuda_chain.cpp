// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/cuda_chain.h"

#include <variant>
#include <vector>

namespace vitrine::kernels {
namespace {

constexpr std::size_t kLayerOps = 5;

/// A layer as the chain knows it: its five ops, in order.
struct LayerOps {
    const LinearOp* qkv = nullptr;
    const AttentionOp* attention = nullptr;
    const LinearOp* out = nullptr;
    const LinearOp* gate_up = nullptr;
    const LinearOp* down = nullptr;

    [[nodiscard]] const RmsNormPrologue& attention_norm() const { return std::get<RmsNormPrologue>(qkv->prologue); }
    [[nodiscard]] const RmsNormPrologue& ff_norm() const { return std::get<RmsNormPrologue>(gate_up->prologue); }
    [[nodiscard]] const RopeKvEpilogue& heads() const { return std::get<RopeKvEpilogue>(qkv->epilogue); }
    [[nodiscard]] const AddResidualEpilogue& added(const LinearOp* op) const {
        return std::get<AddResidualEpilogue>(op->epilogue);
    }
    [[nodiscard]] const GatedEpilogue& gate() const { return std::get<GatedEpilogue>(gate_up->epilogue); }
};

template <class Prologue, class Epilogue>
const LinearOp* linear_of(const Op& op) {
    const auto* linear = std::get_if<LinearOp>(&op);
    const bool fits = linear != nullptr && linear->rows == RowSet::all &&
        std::holds_alternative<Prologue>(linear->prologue) && std::holds_alternative<Epilogue>(linear->epilogue);
    return fits ? linear : nullptr;
}

/// The layer that begins at op `first` and works on `x`.
std::optional<LayerOps> layer_at(const Program& program, std::size_t first, ActivationId x) {
    if (first + kLayerOps > program.ops.size())
        return {};
    LayerOps ops;
    ops.qkv = linear_of<RmsNormPrologue, RopeKvEpilogue>(program.ops[first]);
    ops.attention = std::get_if<AttentionOp>(&program.ops[first + 1]);
    ops.out = linear_of<NoPrologue, AddResidualEpilogue>(program.ops[first + 2]);
    ops.gate_up = linear_of<RmsNormPrologue, GatedEpilogue>(program.ops[first + 3]);
    ops.down = linear_of<NoPrologue, AddResidualEpilogue>(program.ops[first + 4]);
    if (ops.qkv == nullptr || ops.attention == nullptr || ops.out == nullptr || ops.gate_up == nullptr ||
        ops.down == nullptr)
        return {};
    const auto plain = [&](const LinearOp* op) {
        return ops.added(op).residual == x && !ops.added(op).bias.valid() && !ops.added(op).post_norm;
    };
    const RopeKvEpilogue& heads = ops.heads();
    const bool chained = ops.qkv->input == x && ops.attention->query == heads.query &&
        ops.out->input == ops.attention->output && ops.gate_up->input == x && ops.down->input == ops.gate().output &&
        plain(ops.out) && plain(ops.down);
    const bool known = !heads.q_bias.valid() && !heads.k_bias.valid() && !heads.v_bias.valid() && !heads.q_norm &&
        !heads.k_norm && !ops.attention->sinks.valid() && ops.attention->causal &&
        heads.layer == ops.attention->layer &&
        (!heads.rope.valid() ||
            program.ropes[static_cast<std::size_t>(heads.rope.value)].rotary_dim == heads.heads.head_dim);
    return chained && known ? std::optional(ops) : std::nullopt;
}

/// What must be the same in all layers.
bool alike(const LayerOps& a, const LayerOps& b) {
    const HeadLayout &x = a.attention->heads, &y = b.attention->heads;
    return x.num_heads == y.num_heads && x.num_kv_heads == y.num_kv_heads && x.head_dim == y.head_dim &&
        a.heads().rope == b.heads().rope && a.attention_norm().eps == b.attention_norm().eps &&
        a.ff_norm().eps == b.ff_norm().eps && a.added(a.out).scale == b.added(b.out).scale &&
        a.added(a.down).scale == b.added(b.down).scale && a.gate().kind == b.gate().kind &&
        a.attention->scale == b.attention->scale && a.attention->softcap == b.attention->softcap;
}

class LayerReader {
public:
    LayerReader(const CudaWeights& weights, const CudaKvPool& pool) : weights_(weights), pool_(pool) {}

    /// False: some weights are not as the chain wants them.
    bool read(const LayerOps& ops, ChainArgs& args, ChainLayer& layer) {
        const int query_dim = args.num_heads * args.head_dim;
        const int kv_dim = args.num_kv_heads * args.head_dim;
        const KvTarget& kv = pool_.layer(ops.attention->layer);
        layer.attention_gain = vector_of(ops.attention_norm().gain);
        layer.ff_gain = vector_of(ops.ff_norm().gain);
        layer.kv = kv.data;
        layer.window = ops.attention->window_tokens.value_or(0);
        const std::vector<const std::uint8_t*> qkv = tiles_of(ops.qkv->weights, {query_dim, kv_dim, kv_dim}, args);
        const std::vector<const std::uint8_t*> out = tiles_of(ops.out->weights, {args.dim}, args);
        const std::vector<const std::uint8_t*> gate_up = tiles_of(ops.gate_up->weights, {args.ff_dim}, args);
        const std::vector<const std::uint8_t*> down = tiles_of(ops.down->weights, {args.dim}, args);
        if (qkv.empty() || out.empty() || gate_up.empty() || down.empty())
            return false;
        layer.q = qkv[0];
        layer.k = qkv[1];
        layer.v = qkv[2];
        layer.o = out[0];
        layer.gate_up = gate_up[0];
        layer.down = down[0];
        return kv.type == KvType::f16 && kv.block_tokens == args.block_tokens &&
            pool_.group_of(ops.attention->layer) == 0 && layer.attention_gain != nullptr && layer.ff_gain != nullptr;
    }

private:
    const float* vector_of(WeightGroupId id) const {
        const CudaGroup* group = weights_.find(id);
        return group != nullptr ? group->vector : nullptr;
    }
    /// None if a member has another format or another number of rows.
    std::vector<const std::uint8_t*> tiles_of(
        WeightGroupId id, const std::vector<int>& out_dims, const ChainArgs& args) const {
        const CudaGroup* group = weights_.find(id);
        if (group == nullptr || group->matrices.size() != out_dims.size())
            return {};
        std::vector<const std::uint8_t*> tiles;
        for (std::size_t i = 0; i < out_dims.size(); ++i) {
            const TileMatrix& matrix = group->matrices[i];
            const int rows = matrix.order == RowOrder::gate_up ? kTileRows / 2 : kTileRows;
            if (matrix.format != args.format || matrix.out_dim != out_dims[i] || out_dims[i] % rows != 0)
                return {};
            tiles.push_back(matrix.tiles);
        }
        return tiles;
    }

    const CudaWeights& weights_;
    const CudaKvPool& pool_;
};

int dim_of(const Program& program, ActivationId id) {
    return static_cast<int>(program.activations[static_cast<std::size_t>(id.value)].dim);
}

/// The numbers that all layers share.
ChainArgs shared_args(const Program& program, const LayerOps& ops, ActivationId x, const CudaKvPool& pool) {
    ChainArgs args;
    const HeadLayout& heads = ops.attention->heads;
    args.dim = dim_of(program, x);
    args.ff_dim = dim_of(program, ops.gate().output);
    args.num_heads = heads.num_heads;
    args.num_kv_heads = heads.num_kv_heads;
    args.head_dim = heads.head_dim;
    const RopeId rope = ops.heads().rope;
    args.neox = rope.valid() && program.ropes[static_cast<std::size_t>(rope.value)].style == RopeStyle::neox;
    args.attention_eps = ops.attention_norm().eps;
    args.ff_eps = ops.ff_norm().eps;
    args.o_scale = ops.added(ops.out).scale;
    args.down_scale = ops.added(ops.down).scale;
    args.gate = ops.gate().kind;
    args.score_scale = ops.attention->scale;
    args.softcap = ops.attention->softcap;
    args.block_tokens = pool.layer(ops.attention->layer).block_tokens;
    return args;
}

} // namespace

Result<std::optional<CudaChain>> CudaChain::make(const Program& program, const CudaWeights& weights,
    const CudaKvPool& pool, const CudaStream& stream, const ChainMemory& memory) {
    constexpr std::size_t kFirst = 1; // behind the gather
    const auto* gather = program.ops.empty() ? nullptr : std::get_if<GatherOp>(&program.ops.front());
    if (gather == nullptr)
        return std::nullopt;
    const ActivationId x = gather->output;
    std::vector<LayerOps> layers;
    std::size_t end = kFirst;
    for (auto ops = layer_at(program, end, x); ops; ops = layer_at(program, end, x)) {
        layers.push_back(*ops);
        end += kLayerOps;
    }
    // What follows reads x through a norm.
    const auto* head = end < program.ops.size() ? std::get_if<LinearOp>(&program.ops[end]) : nullptr;
    const auto* norm = head != nullptr ? std::get_if<RmsNormPrologue>(&head->prologue) : nullptr;
    if (layers.empty() || norm == nullptr || head->input != x ||
        !std::holds_alternative<LogitsEpilogue>(head->epilogue))
        return std::nullopt;
    CudaChain chain;
    chain.first_op_ = kFirst;
    chain.end_op_ = end;
    ChainArgs& args = chain.args_;
    args = shared_args(program, layers.front(), x, pool);
    args.num_layers = static_cast<int>(layers.size());
    if (!chain_supports(args, stream.max_cluster(), stream.small_limits().block_bytes))
        return std::nullopt;
    LayerReader reader(weights, pool);
    std::vector<ChainLayer> places(layers.size());
    for (std::size_t i = 0; i < layers.size(); ++i) {
        if (!alike(layers[i], layers.front()) || !reader.read(layers[i], args, places[i]))
            return std::nullopt;
    }
    const auto reserve = [](DeviceBuffer& target, std::size_t bytes) -> Result<void> {
        auto buffer = DeviceBuffer::make(bytes, "The layers of a small model");
        VT_TRY(buffer);
        target = std::move(*buffer);
        return {};
    };
    VT_TRY(reserve(chain.layers_, places.size() * sizeof(ChainLayer)));
    VT_TRY(reserve(chain.image_, static_cast<std::size_t>(args.dim) * 2));
    VT_TRY(reserve(chain.squares_, static_cast<std::size_t>(args.dim) / kTileRows * sizeof(float)));
    VT_TRY(cuda_result(cudaMemcpy(chain.layers_.as<ChainLayer>(), places.data(), places.size() * sizeof(ChainLayer),
                           cudaMemcpyHostToDevice),
        "Copying where the layers are"));
    args.layers = chain.layers_.as<ChainLayer>();
    args.last_image = chain.image_.as<std::uint16_t>();
    args.last_squares = chain.squares_.as<float>();
    args.last_gain = weights.find(norm->gain)->vector;
    args.x = memory.x;
    args.rope = layers.front().heads().rope.valid() ? memory.rope : nullptr;
    return std::optional<CudaChain>(std::move(chain));
}

Result<void> CudaChain::run(const StepArrays& step, const CudaStream& stream) const {
    ChainArgs args = args_;
    args.positions = step.positions;
    args.slots = step.slots;
    args.context_lens = step.context_lens;
    args.blocks = step.block_tables;
    return cuda_result(
        launch_chain(args, stream.small_limits().block_bytes, stream.get()), "The layers of a small model");
}

} // namespace vitrine::kernels
