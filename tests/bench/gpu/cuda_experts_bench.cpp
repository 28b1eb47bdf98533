// SPDX-License-Identifier: GPL-3.0-or-later
// What a mixture of experts of Qwen3-30B-A3B's shape takes on the GPU: 128 experts, 8 a row, 2048 x 768, Q4_0.
// usage: VITRINE_CUDA_PLUGIN=libvitrine_cuda.so cuda_experts_bench
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>

#include "tests/kernels/cuda/plugin_loader.h"

namespace vitrine::testing {
namespace {

using namespace kernels;

constexpr int kExperts = 128;
constexpr int kUsed = 8;
constexpr std::int64_t kDim = 2048;
constexpr std::int64_t kFeedForward = 768;
constexpr int kLayers = 4; // so that the experts of one row do not stay in L2
constexpr std::int64_t kTokens = 512; // rows of the tables
constexpr int kMaxRows = 2048;

std::vector<std::byte> random_q4_0(std::int64_t rows, std::int64_t depth, std::mt19937_64& random) {
    constexpr std::size_t kBlock = 18;
    std::vector<std::byte> bytes(static_cast<std::size_t>(row_bytes(WeightFormat::q4_0, depth) * rows));
    for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
        const std::uint64_t word = random();
        std::memcpy(bytes.data() + at, &word, 8);
    }
    const std::uint16_t scale = 0x1C00; // f16 2^-8
    for (std::size_t at = 0; at < bytes.size(); at += kBlock)
        std::memcpy(bytes.data() + at, &scale, 2);
    return bytes;
}

std::vector<std::byte> random_f32(std::int64_t count, std::mt19937_64& random) {
    std::normal_distribution<float> normal(0, 1);
    std::vector<float> values(static_cast<std::size_t>(count));
    for (float& value : values)
        value = normal(random);
    std::vector<std::byte> bytes(values.size() * sizeof(float));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

Result<void> run() {
    const PluginEntry* entry = load_cuda_plugin();
    if (entry == nullptr)
        return fail(ErrorCode::invalid_argument, "VITRINE_CUDA_PLUGIN names no plugin.");
    auto backend = entry->create(0);
    VT_TRY(backend);
    std::mt19937_64 random(1);
    Program program;
    program.vocab_size = kTokens;
    program.max_positions = kMaxRows;
    program.activations = {{"input", kDim}, {"router", kExperts}, {"residual", kDim}, {"logits", kDim}};
    std::vector<std::vector<std::vector<std::byte>>> bytes;
    const auto add = [&](WeightRole role, const std::vector<WeightMember>& members,
                         std::vector<std::vector<std::byte>> data) {
        program.weights.push_back({role, members});
        bytes.push_back(std::move(data));
        return WeightGroupId{static_cast<std::int32_t>(program.weights.size()) - 1};
    };
    for (const std::int32_t target : {0, 1, 2}) {
        const std::int64_t dim = program.activations[static_cast<std::size_t>(target)].dim;
        const WeightGroupId table = add(
            WeightRole::embedding, {{"table", kTokens, dim, WeightFormat::f32}}, {random_f32(kTokens * dim, random)});
        program.ops.emplace_back(GatherOp{table, ActivationId{target}, 1, {}});
    }
    const std::int64_t ff_rows = kExperts * kFeedForward;
    const std::int64_t rows = kExperts * kDim;
    for (int layer = 0; layer < kLayers; ++layer) {
        ExpertsOp op;
        op.input = {0};
        op.router = {1};
        op.residual = {2};
        op.gate_up = add(WeightRole::experts,
            {{"gate", ff_rows, kDim, WeightFormat::q4_0}, {"up", ff_rows, kDim, WeightFormat::q4_0}},
            {random_q4_0(ff_rows, kDim, random), random_q4_0(ff_rows, kDim, random)});
        op.down = add(WeightRole::experts, {{"down", rows, kFeedForward, WeightFormat::q4_0}},
            {random_q4_0(rows, kFeedForward, random)});
        op.num_experts = kExperts;
        op.num_used = kUsed;
        op.normalize = true;
        program.ops.emplace_back(op);
    }
    for (std::size_t group = 0; group < bytes.size(); ++group) {
        const std::vector<std::span<const std::byte>> members(bytes[group].begin(), bytes[group].end());
        VT_TRY((*backend)->upload(program, {static_cast<std::int32_t>(group)}, members));
    }
    auto pool = (*backend)->make_kv_pool(KvSpec{KvType::f16, 16, {}}, 2);
    VT_TRY(pool);
    auto executable = (*backend)->compile(program, **pool, StepLimits{kMaxRows, 1, 1, kMaxRows, true}, Numerics::fast);
    VT_TRY(executable);
    const std::vector<std::int32_t> table(kMaxRows / 16, 0); // nothing is written
    constexpr double kExpertBytes = 3.0 * kDim * kFeedForward * 18 / 32;
    for (const int count : {1, 2, 8, 32, 128, 512, 2048}) {
        std::vector<std::int32_t> tokens;
        for (int i = 0; i < count; ++i)
            tokens.push_back(i % static_cast<int>(kTokens));
        const std::vector<std::int32_t> zeros(static_cast<std::size_t>(count), 0);
        const std::int32_t starts[] = {0, count};
        const std::int32_t context = count;
        StepArgs args;
        args.tokens = tokens;
        args.positions = args.slots = zeros;
        args.query_starts = starts;
        args.context_lens = std::span(&context, 1);
        args.block_tables = table;
        args.max_blocks = kMaxRows / 16;
        double best = 1e30;
        for (int step = 0; step < 6; ++step) {
            auto ticket = (*executable)->submit(args);
            VT_TRY(ticket);
            auto result = (*executable)->wait(*ticket);
            VT_TRY(result);
            best = std::min(best, static_cast<double>(result->forward_time.count()) / 1e3 / kLayers);
        }
        const double touched = std::min(count * kUsed, kExperts); // at most
        std::printf("%5d rows: %9.1f us a layer, at most %5.1f %% of 4.3 TB/s, %6.1f TFLOP/s\n", count, best,
            touched * kExpertBytes / best / 4.3e6 * 100, 2.0 * 3 * kDim * kFeedForward * kUsed * count / best / 1e6);
    }
    return {};
}

} // namespace
} // namespace vitrine::testing

int main() {
    const auto done = vitrine::testing::run();
    if (!done)
        std::fprintf(stderr, "%s\n", done.error().message.c_str());
    return done ? 0 : 1;
}
