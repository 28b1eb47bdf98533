// SPDX-License-Identifier: GPL-3.0-or-later
// What the backend refuses, reports and estimates.
#include <cstdlib>
#include <gtest/gtest.h>
#include <optional>
#include <pthread.h>
#include <sched.h>
#include <thread>

#include "kernels/api/cpu_isa.h"
#include "kernels/api/host_memory.h"
#include "kernels/cpu/cpu_backend.h"
#include "kernels/cpu/isa_select.h"
#include "kernels/cpu/isa_table.h"
#include "kernels/cpu/physical_cores.h"
#include "tests/kernels/cpu/random_model.h"

namespace vitrine::kernels::cpu {
namespace {

/// VITRINE_FORCE_ISA for one test.
class ForcedIsa {
public:
    explicit ForcedIsa(const char* value) {
        if (const char* old = std::getenv("VITRINE_FORCE_ISA"))
            old_ = old;
        setenv("VITRINE_FORCE_ISA", value, 1);
    }
    ~ForcedIsa() {
        if (old_)
            setenv("VITRINE_FORCE_ISA", old_->c_str(), 1);
        else
            unsetenv("VITRINE_FORCE_ISA");
    }

private:
    std::optional<std::string> old_;
};

CpuOptions small() {
    CpuOptions options;
    options.isa = "scalar";
    options.num_threads = 2;
    options.pin_threads = false;
    return options;
}

TEST(IsaSelect, ObeysTheEnvironmentAndTheOption) {
    const ForcedIsa forced("scalar");
    EXPECT_STREQ(select_isa("").value().name, "scalar");
    EXPECT_EQ(select_isa("").value().lanes, 8);
    if (cpu_features().avx2) { // the option is the closer wish
        EXPECT_STREQ(select_isa("avx2").value().name, "avx2");
    }
}

TEST(PhysicalCores, AThreadThatIsPinnedSeesAllOfThem) {
    const std::vector<int> cores = physical_cores();
    std::vector<int> seen;
    std::thread([&] {
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(cores.back(), &one);
        ASSERT_EQ(pthread_setaffinity_np(pthread_self(), sizeof one, &one), 0);
        seen = physical_cores();
    }).join();
    EXPECT_EQ(seen, cores);
}

/// Unused memory alone was offered: little on a machine whose file cache is full, and models were refused that fit.
TEST(ProbeCpu, OffersWhatTheSystemWouldTakeBackFromItsCache) {
    const auto available = available_memory_bytes();
    ASSERT_TRUE(available) << available.error().message;
    const auto info = probe_cpu();
    ASSERT_TRUE(info);
    EXPECT_NEAR(static_cast<double>(info->memory_free_bytes), static_cast<double>(*available),
        static_cast<double>(*available) / 10); // other programs run
    EXPECT_LE(*available, info->memory_total_bytes);
}

TEST(IsaSelect, NamesAnUnknownInstructionSet) {
    const auto table = select_isa("neon");
    ASSERT_FALSE(table);
    EXPECT_EQ(table.error().code, ErrorCode::invalid_argument);
    EXPECT_NE(table.error().message.find("neon"), std::string::npos);
}

TEST(IsaSelect, RefusesWhatTheCpuLacks) {
    if (cpu_features().amx)
        GTEST_SKIP() << "this CPU has everything";
    const auto table = select_isa("amx");
    ASSERT_FALSE(table);
    EXPECT_EQ(table.error().code, ErrorCode::unsupported);
}

TEST(IsaSelect, FillsEveryEntryOfEveryTable) {
    for (const char* isa : {"scalar", "avx2", "avxvnni", "avx512", "amx"}) {
        const auto table = select_isa(isa);
        if (!table)
            continue;
        for (const auto& format : table->linear) {
            EXPECT_NE(format[0], nullptr);
            EXPECT_NE(format[1], nullptr);
        }
        EXPECT_NE(table->attention, nullptr);
        EXPECT_NE(table->argmax, nullptr);
    }
}

// 13 tokens: one tile of eight, then four, then one.
TEST(PanelTile, CutsTokensIntoTheWidestThenPowersOfTwo) {
    EXPECT_EQ(panel_tile(7, 13, 8).first, 0);
    EXPECT_EQ(panel_tile(8, 13, 8).first, 8);
    EXPECT_EQ(panel_tile(11, 13, 8).size, 4);
    EXPECT_EQ(panel_tile(12, 13, 8).first, 12);
    EXPECT_EQ(panel_tile(12, 13, 8).size, 1);
    EXPECT_EQ(panel_tile(2, 3, 8).size, 1);
    EXPECT_EQ(panel_tile(31, 45, 16).first, 16);
    EXPECT_EQ(panel_tile(39, 45, 16).first, 32);
    EXPECT_EQ(panel_tile(39, 45, 16).size, 8);
    EXPECT_EQ(panel_tile(44, 45, 16).first, 44);
}

TEST(CpuBackend, RefusesAnImpossibleNumberOfThreads) {
    CpuOptions options = small();
    options.num_threads = -3;
    const auto backend = make_cpu_backend(options);
    ASSERT_FALSE(backend);
    EXPECT_EQ(backend.error().code, ErrorCode::invalid_argument);
    EXPECT_NE(backend.error().message.find("-3"), std::string::npos);
}

TEST(CpuBackend, TakesAThreadPerPhysicalCoreUnlessTold) {
    CpuOptions options = small();
    options.num_threads = 0;
    EXPECT_EQ(probe_cpu(options).value().num_threads, static_cast<int>(physical_cores().size()));
    EXPECT_EQ(make_cpu_backend(options).value()->device().num_threads, static_cast<int>(physical_cores().size()));
}

TEST(CpuBackend, ReportsDeviceAndThreads) {
    const DeviceInfo device = make_cpu_backend(small()).value()->device();
    EXPECT_EQ(device.id, "cpu");
    EXPECT_EQ(device.isa, "scalar");
    EXPECT_EQ(device.num_threads, 2);
    EXPECT_GT(device.memory_total_bytes, device.memory_free_bytes);
}

TEST(CpuBackend, NamesTheTensorWhoseBytesDoNotFit) {
    const auto model = testing::make_random_model({});
    auto backend = make_cpu_backend(small()).value();
    std::vector<std::span<const std::byte>> members(model.bytes[0].begin(), model.bytes[0].end());
    members[0] = members[0].first(members[0].size() - 1);
    const auto result = backend->upload(model.program, WeightGroupId{0}, members);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::invalid_argument);
    EXPECT_NE(result.error().message.find(model.program.weights[0].members[0].name), std::string::npos);
}

TEST(CpuBackend, RefusesToCompileBeforeEverythingIsUploaded) {
    const auto model = testing::make_random_model({});
    auto backend = make_cpu_backend(small()).value();
    auto pool = backend->make_kv_pool({KvType::f16, 16, model.program.kv_layers}, 4).value();
    EXPECT_FALSE(backend->compile(model.program, *pool, {8, 1, 1, 32}, Numerics::fast));
}

TEST(CpuBackend, RefusesStepsThatContradictThemselves) {
    const auto model = testing::make_random_model({});
    testing::ModelSession session(make_cpu_backend(small()).value(), model, {8, 2, 2, 64}, Numerics::fast);
    const std::int32_t token = 5;
    const std::int32_t slot = 1000000;
    const std::int32_t starts[] = {0, 1};
    const std::int32_t one = 1;
    StepArgs args;
    args.tokens = {&token, 1};
    args.positions = {&token, 1};
    args.slots = {&slot, 1};
    args.query_starts = starts;
    args.context_lens = {&one, 1};
    args.block_tables = {&one, 1};
    args.max_blocks = 1;
    const auto ticket = session.executable().submit(args);
    ASSERT_FALSE(ticket);
    EXPECT_NE(ticket.error().message.find("1000000"), std::string::npos);
}

// SmolLM2-135M in Q4_1 with a tied Q8_0 head: 106.2 M weights of 20/32 bytes and 28.3 M of 34/32, plus norms: 96.5 MB.
TEST(CpuBackend, EstimatesWeightsNearTheFileAndTheCacheExactly) {
    auto shape = testing::smollm2_135m();
    shape.vocab = 512; // the bytes are not needed, only the shapes
    Program program = testing::make_random_model(shape).program;
    program.weights[0].members[0].out_dim = 49152;
    const auto backend = make_cpu_backend(small()).value();
    const KvSpec kv{KvType::int8, 16, program.kv_layers};
    const Footprint footprint = backend->estimate(program, kv, {512, 16, 16, 4096});
    EXPECT_GT(footprint.weight_bytes, 96'300'000);
    EXPECT_LT(footprint.weight_bytes, 97'000'000);
    EXPECT_EQ(footprint.kv_block_bytes, kv_bytes_per_token(kv) * 16);
    EXPECT_GT(footprint.workspace_bytes, 512 * 576 * 4);
}

TEST(CpuKvPool, CopiesWholeBlocksWithTheirScales) {
    for (int type = 0; type < kNumKvTypes; ++type) {
        const auto model = testing::make_random_model({});
        testing::ModelSession session(
            make_cpu_backend(small()).value(), model, {32, 2, 2, 64}, Numerics::fast, static_cast<KvType>(type));
        session.step({{0, 0, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18}}});
        const BlockCopy copy{1, 4};
        ASSERT_TRUE(session.pool().copy_blocks({&copy, 1}));
        for (int layer = 0; layer < 2; ++layer)
            EXPECT_EQ(session.pool().read_block(LayerId{layer}, 4).value(),
                session.pool().read_block(LayerId{layer}, 1).value());
        EXPECT_NE(session.pool().read_block(LayerId{0}, 1).value(), session.pool().read_block(LayerId{0}, 3).value());
        const BlockCopy outside{1, 4000};
        EXPECT_FALSE(session.pool().copy_blocks({&outside, 1}));
    }
}

} // namespace
} // namespace vitrine::kernels::cpu
