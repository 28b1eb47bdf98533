// SPDX-License-Identifier: GPL-3.0-or-later
// Times decode, prompt and batch steps of the CPU backend on a SmolLM2-135M-shaped model with random weights.
// cpu_model_bench [case ...] [--isa NAME] [--threads N] [--format NAME] [--kv NAME] [--exact] [--rounds N]
// cases: tg128 pp512 b16 long.  Prints the best step, the fastest tenth and the
// median, CPU seconds per token, and the barrier before and after each.
// cpu_model_bench verify|verify-gemma [--isa NAME] [--threads N] [--rounds N]: the linear ops of a step (the model without its
// attention) of 1, 2, 4 and 8 rows of one sequence, all judged, with SmolLM2's or Gemma 3's shapes, int8 and int8x2.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "kernels/cpu/cpu_backend.h"
#include "tests/bench/machine_probe.h"
#include "tests/kernels/cpu/random_model.h"

namespace {

using namespace vitrine::kernels;
using vitrine::kernels::testing::ModelSession;
using Clock = std::chrono::steady_clock;

struct Options {
    std::vector<std::string> cases;
    CpuOptions cpu;
    WeightFormat format = WeightFormat::q4_1;
    KvType kv = KvType::f16;
    Numerics mode = Numerics::fast;
    int rounds = 5;
};

Options parse(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string name = argv[i];
        const auto value = [&]() -> std::string { return i + 1 < argc ? argv[++i] : ""; };
        if (name == "--isa")
            options.cpu.isa = value();
        else if (name == "--threads")
            options.cpu.num_threads = std::atoi(value().c_str());
        else if (name == "--format")
            options.format = format_from_name(value()).value_or(WeightFormat::q4_1);
        else if (name == "--kv")
            options.kv = kv_type_from_name(value()).value_or(KvType::f16);
        else if (name == "--exact")
            options.mode = Numerics::exact;
        else if (name == "--rounds")
            options.rounds = std::atoi(value().c_str());
        else
            options.cases.push_back(name);
    }
    if (options.cases.empty())
        options.cases = {"tg128", "pp512", "b16"};
    return options;
}

/// Seconds of each of `steps` steps of one token for `seqs` sequences, after `start` tokens of context.
void decode(ModelSession& session, int seqs, int start, int steps, std::vector<double>& seconds) {
    for (int i = 0; i < steps; ++i) {
        std::vector<ModelSession::Chunk> chunks;
        for (int s = 0; s < seqs; ++s)
            chunks.push_back({s, start + i, {7 + s + i}});
        const auto begin = Clock::now();
        session.step(chunks, false);
        seconds.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
    }
}

double prompt(ModelSession& session, int tokens) {
    ModelSession::Chunk chunk{0, 0, {}};
    for (int i = 0; i < tokens; ++i)
        chunk.tokens.push_back(i * 37 % 40000);
    const auto begin = Clock::now();
    session.step({chunk}, false);
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

void report(const std::string& name, std::vector<double> seconds, double tokens, double before, double after) {
    std::sort(seconds.begin(), seconds.end());
    std::printf("%-8s best step %8.1f t/s  tenth %8.1f  median %8.1f  (%.3f ms)  barrier %.0f / %.0f ns\n",
        name.c_str(), tokens / seconds.front(), tokens / seconds[seconds.size() / 10],
        tokens / seconds[seconds.size() / 2], seconds.front() * 1e3, before, after);
    std::fflush(stdout);
}

/// CPU seconds of this process: on a shared machine they tell more than the clock on the wall.
double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Seconds of verify steps of `rows` rows, one after the other so that a busy moment meets all sizes.
void verify_steps(const Options& options, ModelSession& session, const std::vector<int>& sizes,
    std::vector<std::vector<double>>& seconds) {
    for (int round = 0; round < 8 * options.rounds; ++round) {
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            ModelSession::Chunk chunk{0, 0, {}, true};
            for (int row = 0; row < sizes[i]; ++row)
                chunk.tokens.push_back(7 + round * 31 + row);
            const auto begin = Clock::now();
            session.step({chunk}, false);
            seconds[i].push_back(std::chrono::duration<double>(Clock::now() - begin).count());
        }
    }
}

void verify(const Options& options, const char* name, const vitrine::kernels::testing::ModelShape& shape) {
    auto model = make_random_model(shape);
    std::erase_if(model.program.ops, [](const Op& op) { return std::holds_alternative<AttentionOp>(op); });
    double products = 0;
    for (const Op& op : model.program.ops)
        if (const auto* linear = std::get_if<LinearOp>(&op))
            for (const WeightMember& member :
                model.program.weights[static_cast<std::size_t>(linear->weights.value)].members)
                products += static_cast<double>(member.out_dim * member.in_dim);
    const std::vector<int> sizes{1, 2, 4, 8};
    for (const Numerics mode : {Numerics::fast, Numerics::exact}) {
        auto backend = make_cpu_backend(options.cpu).value();
        const double threads = backend->device().num_threads;
        const std::string isa = backend->device().isa;
        const StepLimits limits{8, 1, 8, 64};
        const double bytes = static_cast<double>(
            backend->estimate(model.program, {KvType::f16, 16, model.program.kv_layers}, limits).weight_bytes);
        ModelSession session(std::move(backend), model, limits, mode);
        std::vector<std::vector<double>> seconds(sizes.size());
        verify_steps(options, session, sizes, seconds);
        const double bandwidth = vitrine::bench::read_gigabytes_per_second(static_cast<int>(threads));
        const double peak = threads * vitrine::bench::peak_products_per_ns(isa);
        std::printf("%s, %s, %s, read %.1f GB/s, peak %.0f products/ns\n", name, isa.c_str(),
            mode == Numerics::fast ? "int8" : "int8x2", bandwidth, peak);
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            for (auto& of_size : seconds)
                std::sort(of_size.begin(), of_size.end());
            const double tenth = seconds[i][seconds[i].size() / 10];
            const double planes = mode == Numerics::fast ? 1 : 2;
            std::printf("  M %d: best %7.3f ms  tenth %7.3f  median %7.3f  | of M 1 (tenth) %.2f  read %3.0f %%  "
                        "products %3.0f %%\n",
                sizes[i], seconds[i].front() * 1e3, tenth * 1e3, seconds[i][seconds[i].size() / 2] * 1e3,
                tenth / seconds[0][seconds[0].size() / 10], 100 * bytes / tenth / 1e9 / bandwidth,
                100 * products * sizes[i] * planes / tenth / 1e9 / peak);
        }
        std::fflush(stdout);
    }
}

} // namespace

int main(int argc, char** argv) {
    const Options options = parse(argc, argv);
    if (options.cases.front().starts_with("verify")) {
        if (options.cases.front() == "verify-gemma")
            verify(options, "Gemma 3 270M Q4_K_M", vitrine::kernels::testing::gemma3_270m());
        else
            verify(options, "SmolLM2-135M Q4_1", vitrine::kernels::testing::smollm2_135m());
        return 0;
    }
    auto shape = vitrine::kernels::testing::smollm2_135m();
    shape.format = options.format;
    if (format_info(options.format).block_weights == 256) {
        shape.dim = 768; // 256-weight blocks do not fit 576
        shape.num_heads = 12;
        shape.num_kv_heads = 4;
    }
    auto backend = make_cpu_backend(options.cpu);
    if (!backend) {
        std::fprintf(stderr, "%s\n%s\n", backend.error().message.c_str(), backend.error().remedy.c_str());
        return 2;
    }
    const DeviceInfo device = (*backend)->device();
    std::printf("%s, %s, %d threads, %s\n", device.name.c_str(), device.isa.c_str(), device.num_threads,
        std::string(format_info(options.format).name).c_str());
    const auto load_start = Clock::now();
    ModelSession session(
        std::move(*backend), make_random_model(shape), {512, 16, 16, 2048 + 64}, options.mode, options.kv);
    std::printf("made and loaded in %.2f s\n", std::chrono::duration<double>(Clock::now() - load_start).count());
    std::vector<double> warm_up; // touches the cache's pages
    prompt(session, 512);
    decode(session, 16, 128, 16, warm_up);
    for (const std::string& name : options.cases) {
        std::vector<double> seconds;
        double tokens = 1;
        const double before = measure_barrier_ns(session.backend());
        const double cpu_before = cpu_seconds();
        for (int round = 0; round < options.rounds; ++round) {
            if (name == "pp512") {
                tokens = 512;
                seconds.push_back(prompt(session, 512));
            } else if (name == "b16") {
                tokens = 16;
                decode(session, 16, 128, 16, seconds);
            } else if (name == "long") {
                decode(session, 1, 2048, 32, seconds);
            } else {
                decode(session, 1, 0, 128, seconds);
            }
        }
        const double cpu = cpu_seconds() - cpu_before;
        report(name, seconds, tokens, before, measure_barrier_ns(session.backend()));
        std::printf("         %.1f us of CPU per token\n", cpu * 1e6 / (tokens * static_cast<double>(seconds.size())));
    }
    return 0;
}
