// SPDX-License-Identifier: GPL-3.0-or-later
// Times decode and prompt steps of the CUDA plugin on a model of Llama-3.1-8B's shape (or SmolLM2-135M's) with random weights.
// cuda_model_bench PLUGIN [--format q4_k_m|q4_1|q8_0|f16|...] [--layers N] [--kv NAME] [--decode 1,8] [--prompt 512]
// [--context 544,8192] [--drafts 4] (verified by each decode step beside its token)
// [--shape llama-8b|smollm2-135m] [--numerics fast|exact|invariant] [--steps N] (of one sequence)
// [--ops qaogd] (what each layer has: q, k, v products, attention, output, gate and up, down: a part alone says what it costs)
// Prints per case: median step, tokens per second, bytes read, share of 4.3 TB/s (decode) or of 790 TFLOP/s (prompt).
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <random>
#include <string>
#include <vector>

#include "kernels/api/plugin.h"
#include "kernels/api/resolve.h"

namespace {

using namespace vitrine::kernels;
using Clock = std::chrono::steady_clock;

constexpr int kBlockTokens = 32;
constexpr int kMaxRows = 2048; // of a step: longer prompts come in pieces
constexpr double kBandwidth = 4.3e12;
constexpr double kFlops = 790e12;

struct Shape {
    int dim, ff, vocab, num_layers;
    HeadLayout heads;
};
constexpr Shape kLlama8b{4096, 14336, 128256, 32, {32, 8, 128}};
constexpr Shape kSmolLm2{576, 1536, 49152, 30, {9, 3, 64}};

struct Options {
    std::string plugin;
    std::string format = "q4_k_m";
    Shape shape = kLlama8b;
    int num_layers = 0; // 0: the shape's
    Numerics numerics = Numerics::fast;
    int steps = 30;
    KvType kv = KvType::f16;
    std::vector<int> batches{1, 8, 32, 64, 128, 256}; // decode
    std::vector<int> prompts{512, 2048};
    std::vector<int> contexts{544};
    std::vector<int> drafts{0};
    std::string ops = "qaogd";
    [[nodiscard]] bool has(char op) const { return ops.find(op) != std::string::npos; }
};

[[noreturn]] void stop(const std::string& message) {
    std::fprintf(stderr, "%s\n", message.c_str());
    std::exit(1);
}

template <class T>
T take(vitrine::Result<T> result) {
    if (!result)
        stop(result.error().message);
    return std::move(*result);
}

/// Random blocks with small scales, so that activations stay finite.
std::vector<std::byte> random_rows(WeightFormat format, std::int64_t rows, std::int64_t dim, unsigned seed) {
    const FormatInfo& info = format_info(format);
    std::mt19937 random(seed);
    std::vector<std::byte> bytes(static_cast<std::size_t>(rows * row_bytes(format, dim)));
    auto* words = reinterpret_cast<std::uint32_t*>(bytes.data());
    for (std::size_t i = 0; i < bytes.size() / 4; ++i)
        words[i] = static_cast<std::uint32_t>(random());
    // f16 scales that make weights of mean zero and deviation 0.01 to 0.02.
    const auto put = [&](std::size_t at, std::uint16_t value) { std::memcpy(bytes.data() + at, &value, 2); };
    const auto step = static_cast<std::size_t>(info.block_bytes);
    for (std::size_t block = 0; block < bytes.size(); block += step) {
        switch (format) {
        case WeightFormat::q6_k:
            put(block + 208, 0x0100); // 2^-16
            break;
        case WeightFormat::q4_k:
            put(block, 0x0400); // 2^-14
            put(block + 2, 0x0F80); // 7.5 times that
            break;
        case WeightFormat::q5_k:
            put(block, 0x0200);
            put(block + 2, 0x0FC0);
            break;
        case WeightFormat::q4_1:
            put(block, 0x1800); // 2^-9
            put(block + 2, 0xA380); // -7.5 times that
            break;
        case WeightFormat::q5_1:
            put(block, 0x1400);
            put(block + 2, 0xA3C0);
            break;
        case WeightFormat::f16:
        case WeightFormat::bf16: {
            std::uint16_t value = 0;
            std::memcpy(&value, bytes.data() + block, 2);
            value = static_cast<std::uint16_t>((value & 0x83FF) | (format == WeightFormat::f16 ? 0x2000 : 0x3C00));
            std::memcpy(bytes.data() + block, &value, 2);
            break;
        }
        default:
            put(block, 0x0C00); // 2^-12
        }
    }
    return bytes;
}

class Model {
public:
    explicit Model(const Options& options) : options_(options), shape_(options.shape) {
        const bool mixed = options.format == "q4_k_m";
        base_ = mixed ? WeightFormat::q4_k : format_from_name(options.format).value_or(WeightFormat::q4_k);
        more_ = mixed ? WeightFormat::q6_k : base_;
        build();
    }
    const Program& program() const { return program_; }
    /// Bytes that one decode step reads of the weights.
    double weight_bytes() const { return weight_bytes_; }
    double flops_per_token() const { return flops_; }

    void upload(Backend& backend, const Program& resolved) const {
        std::vector<std::vector<std::byte>> cache;
        std::vector<WeightMember> shapes;
        for (std::size_t id = 0; id < program_.weights.size(); ++id) {
            std::vector<std::span<const std::byte>> members;
            cache.reserve(64); // spans point into it
            for (const WeightMember& member : program_.weights[id].members) {
                const auto same = [&](const WeightMember& other) {
                    return other.format == member.format && other.in_dim == member.in_dim &&
                        other.out_dim == member.out_dim;
                };
                const auto found = std::find_if(shapes.begin(), shapes.end(), same);
                if (found != shapes.end()) {
                    members.push_back(cache[static_cast<std::size_t>(found - shapes.begin())]);
                    continue;
                }
                if (program_.weights[id].role == WeightRole::vector) {
                    const std::vector<float> ones(static_cast<std::size_t>(member.in_dim), 1.0F);
                    cache.emplace_back(ones.size() * 4);
                    std::memcpy(cache.back().data(), ones.data(), ones.size() * 4);
                } else {
                    cache.push_back(
                        random_rows(member.format, member.out_dim, member.in_dim, static_cast<unsigned>(cache.size())));
                }
                shapes.push_back(member);
                members.push_back(cache.back());
            }
            if (auto done = backend.upload(resolved, {static_cast<std::int32_t>(id)}, members); !done)
                stop(done.error().message);
        }
    }

private:
    ActivationId activation(const char* name, int dim) {
        program_.activations.push_back({name, dim});
        return {static_cast<std::int32_t>(program_.activations.size()) - 1};
    }
    WeightGroupId group(WeightRole role, std::vector<WeightMember> members) {
        for (const WeightMember& member : members) {
            if (role == WeightRole::vector || role == WeightRole::embedding)
                continue;
            weight_bytes_ += static_cast<double>(row_bytes(member.format, member.in_dim) * member.out_dim);
            if (role != WeightRole::head)
                flops_ += 2.0 * static_cast<double>(member.in_dim * member.out_dim);
        }
        program_.weights.push_back({role, std::move(members)});
        return {static_cast<std::int32_t>(program_.weights.size()) - 1};
    }
    RmsNormPrologue norm() { return {group(WeightRole::vector, {{"norm", 1, shape_.dim, WeightFormat::f32}}), 1e-5F}; }
    void build() {
        const auto [dim, ff_dim, vocab, shape_layers, heads] = shape_;
        const int num_layers = options_.num_layers > 0 ? options_.num_layers : shape_layers;
        const int kv_dim = heads.num_kv_heads * heads.head_dim;
        RopeSpec rope{RopeStyle::interleaved, heads.head_dim, {}, 1};
        for (int i = 0; i < heads.head_dim / 2; ++i)
            rope.inv_freq.push_back(std::pow(500000.0, -2.0 * i / heads.head_dim));
        program_.ropes.push_back(rope);
        const ActivationId x = activation("x", dim);
        const ActivationId query = activation("query", dim);
        const ActivationId mixed = activation("mixed", dim);
        const ActivationId ff = activation("ff", ff_dim);
        const ActivationId logits = activation("logits", vocab);
        program_.ops.push_back(GatherOp{group(WeightRole::embedding, {{"token_embd", vocab, dim, base_}}), x, 1, {}});
        for (int i = 0; i < num_layers; ++i) {
            const bool better = i < num_layers / 8 || i >= num_layers * 7 / 8 || i % 3 == 2;
            const WeightFormat wide = better ? more_ : base_;
            program_.kv_layers.push_back({heads.num_kv_heads, heads.head_dim});
            const LayerId layer{i};
            if (options_.has('q')) {
                const WeightGroupId qkv = group(
                    WeightRole::qkv, {{"q", dim, dim, base_}, {"k", kv_dim, dim, base_}, {"v", kv_dim, dim, wide}});
                program_.ops.push_back(LinearOp{
                    x, norm(), qkv, RopeKvEpilogue{query, layer, heads, {0}, {}, {}, {}, {}, {}}, RowSet::all});
            }
            if (options_.has('a'))
                program_.ops.push_back(
                    AttentionOp{query, mixed, layer, heads, 1 / std::sqrt(static_cast<float>(heads.head_dim)), 0, {}});
            if (options_.has('o'))
                program_.ops.push_back(LinearOp{mixed, NoPrologue{}, group(WeightRole::plain, {{"o", dim, dim, base_}}),
                    AddResidualEpilogue{x, {}, {}, {}, 1}, RowSet::all});
            if (options_.has('g')) {
                const WeightGroupId gate_up =
                    group(WeightRole::gate_up, {{"gate", ff_dim, dim, base_}, {"up", ff_dim, dim, base_}});
                program_.ops.push_back(LinearOp{x, norm(), gate_up, GatedEpilogue{ff, GateKind::silu}, RowSet::all});
            }
            if (options_.has('d'))
                program_.ops.push_back(
                    LinearOp{ff, NoPrologue{}, group(WeightRole::plain, {{"down", dim, ff_dim, wide}}),
                        AddResidualEpilogue{x, {}, {}, {}, 1}, RowSet::all});
        }
        program_.ops.push_back(LinearOp{x, norm(), group(WeightRole::head, {{"output", vocab, dim, more_}}),
            LogitsEpilogue{logits, 1, 0}, RowSet::needs_logits});
        program_.ops.push_back(SamplingOp{logits});
        program_.vocab_size = vocab;
        program_.max_positions = 16384;
    }

    Options options_;
    Shape shape_;
    WeightFormat base_;
    WeightFormat more_;
    Program program_;
    double weight_bytes_ = 0;
    double flops_ = 0;
};

/// Sequences whose tables are fixed: sequence s owns blocks s * width + 1 and up.
class Runner {
public:
    Runner(Executable& executable, int vocab, int width) : executable_(executable), vocab_(vocab), width_(width) {}

    /// One step: `count` tokens of each of `seqs` sequences from position `start`, the last `drafts` of them drafts; greedy.
    /// Seconds.
    double step(int seqs, int start, int count, int drafts) {
        const std::vector<std::int32_t> drafted(static_cast<std::size_t>(drafts), 1);
        std::vector<std::int32_t> tokens, positions, slots, starts{0}, lens, tables, rows;
        std::vector<SamplingSequence> sampling;
        for (int s = 0; s < seqs; ++s) {
            for (int i = 0; i < count; ++i) {
                const int position = start + i;
                tokens.push_back((position * 7919 + s * 31) % vocab_);
                positions.push_back(position);
                slots.push_back((1 + s * width_ + position / kBlockTokens) * kBlockTokens + position % kBlockTokens);
            }
            starts.push_back(static_cast<std::int32_t>(tokens.size()));
            lens.push_back(start + count);
            for (int i = drafts; i >= 0; --i)
                rows.push_back(static_cast<std::int32_t>(tokens.size()) - 1 - i);
            for (int i = 0; i < width_; ++i)
                tables.push_back(1 + s * width_ + i);
            SamplingSequence greedy;
            greedy.logit_row = s * (drafts + 1);
            greedy.drafts = drafted;
            greedy.temperature = 0;
            sampling.push_back(greedy);
        }
        const StepArgs args{tokens, positions, slots, starts, lens, tables, width_, rows, sampling, false};
        const auto begin = Clock::now();
        const Ticket ticket = take(executable_.submit(args));
        const StepResult result = take(executable_.wait(ticket));
        const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        forward_ = std::chrono::duration<double>(result.forward_time).count();
        return seconds;
    }
    double forward() const { return forward_; }

private:
    Executable& executable_;
    int vocab_, width_;
    double forward_ = 0;
};

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

void decode_case(
    Executable& executable, const Model& model, const Options& options, int seqs, int context, int drafts) {
    const int steps = seqs == 1 ? options.steps : 12;
    Runner runner(executable, options.shape.vocab, (context + steps + drafts + 8) / kBlockTokens + 1);
    std::vector<double> seconds, device;
    for (int i = 0; i < steps + 5; ++i) {
        const double wall = runner.step(seqs, context + i, 1 + drafts, drafts);
        if (i < 5)
            continue;
        seconds.push_back(wall);
        device.push_back(runner.forward());
    }
    const KvSpec kv{options.kv, kBlockTokens, model.program().kv_layers};
    const double bytes = model.weight_bytes() + static_cast<double>(kv_bytes_per_token(kv)) * seqs * context;
    const double wall = median(seconds);
    std::printf(
        "decode B=%-3d ctx %-5d drafts %d %9.1f us wall %9.1f us device %9.1f steps/s x B  %5.1f %% of 4.3 TB/s\n",
        seqs, context, drafts, wall * 1e6, median(device) * 1e6, seqs / wall, bytes / kBandwidth / wall * 100);
    std::fflush(stdout);
}

void prompt_case(Executable& executable, const Model& model, const Options& options, int tokens) {
    Runner runner(executable, options.shape.vocab, tokens / kBlockTokens + 1);
    std::vector<double> seconds;
    for (int i = 0; i < 5; ++i) {
        double whole = 0;
        for (int first = 0; first < tokens; first += kMaxRows)
            whole += runner.step(1, first, std::min(kMaxRows, tokens - first), 0);
        seconds.push_back(whole);
    }
    const double wall = median(seconds);
    std::printf("prompt %-5d %29.1f us wall %29.1f tok/s  %5.1f %% of 790 TFLOP/s\n", tokens, wall * 1e6, tokens / wall,
        model.flops_per_token() * tokens / kFlops / wall * 100);
    std::fflush(stdout);
}

/// "1,8,32"
std::vector<int> numbers(const std::string& text) {
    std::vector<int> values;
    for (std::size_t at = 0; at < text.size();
         at = text.find(',', at) == std::string::npos ? text.size() : text.find(',', at) + 1)
        values.push_back(std::atoi(text.c_str() + at));
    return values;
}

Numerics numerics_of(const std::string& name) {
    return name == "exact" ? Numerics::exact : name == "invariant" ? Numerics::invariant : Numerics::fast;
}

Options parse(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string name = argv[i];
        const auto value = [&]() -> std::string { return i + 1 < argc ? argv[++i] : ""; };
        if (name == "--format")
            options.format = value();
        else if (name == "--layers")
            options.num_layers = std::atoi(value().c_str());
        else if (name == "--shape")
            options.shape = value() == "smollm2-135m" ? kSmolLm2 : kLlama8b;
        else if (name == "--numerics")
            options.numerics = numerics_of(value());
        else if (name == "--steps")
            options.steps = std::atoi(value().c_str());
        else if (name == "--decode")
            options.batches = numbers(value());
        else if (name == "--prompt")
            options.prompts = numbers(value());
        else if (name == "--context")
            options.contexts = numbers(value());
        else if (name == "--drafts")
            options.drafts = numbers(value());
        else if (name == "--ops")
            options.ops = value();
        else if (name == "--kv")
            options.kv = kv_type_from_name(value()).value_or(KvType::f16);
        else
            options.plugin = name;
    }
    return options;
}

} // namespace

int main(int argc, char** argv) {
    const Options options = parse(argc, argv);
    void* library = dlopen(options.plugin.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* symbol = library == nullptr ? nullptr : dlsym(library, kVitrineBackendPluginSymbol);
    if (symbol == nullptr)
        stop(std::string("cuda_model_bench PLUGIN: ") + dlerror());
    const PluginEntry* entry = reinterpret_cast<VitrineBackendPluginFunction>(symbol)();
    const std::unique_ptr<Backend> backend = take(entry->create(0));
    const Model model(options);
    const ResolvedProgram resolved = take(resolve(model.program(), *backend, options.numerics));
    const auto begin = Clock::now();
    model.upload(*backend, resolved.program);
    std::printf("%s, %s, %zu layers, %.3f GB of weights, uploaded in %.1f s\n", backend->device().name.c_str(),
        options.format.c_str(), model.program().kv_layers.size(), model.weight_bytes() / 1e9,
        std::chrono::duration<double>(Clock::now() - begin).count());
    constexpr int kBlocks = 16384; // 64 GB of f16 keys and values at 32 layers
    const KvSpec kv{options.kv, kBlockTokens, model.program().kv_layers};
    const std::unique_ptr<KvPool> pool = take(backend->make_kv_pool(kv, kBlocks));
    const std::unique_ptr<Executable> executable =
        take(backend->compile(resolved.program, *pool, {kMaxRows, 256, 2048, 8448}, options.numerics));
    for (const int tokens : options.prompts)
        prompt_case(*executable, model, options, tokens);
    for (const int context : options.contexts) {
        for (const int seqs : options.batches) {
            for (const int drafts : options.drafts) {
                if (seqs * (context / kBlockTokens + 3) < kBlocks && seqs * (1 + drafts) <= kMaxRows)
                    decode_case(*executable, model, options, seqs, context, drafts);
            }
        }
    }
    return 0;
}
