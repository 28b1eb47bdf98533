// SPDX-License-Identifier: GPL-3.0-or-later
// A model shared by two devices gives the ids of one: prefill in chunks, batches, warm prefixes, drafts and preemption.  The GPU
// here is the CPU backend, or the reference, under a GPU's name; tests/gpu/hybrid.sh does the same on a real one.
#include <future>

#include "engine/core/engine_impl.h"
#include "kernels/cpu/cpu_backend.h"
#include "kernels/ref/ref_backend.h"
#include "tests/golden/sixteen_requests.h"
#include "tests/support/named_backend.h"

namespace vitrine::testing {
namespace {

constexpr std::int64_t kPlenty = std::int64_t{64} << 30;

std::unique_ptr<kernels::Backend> cpu_backend() {
    auto backend = kernels::make_cpu_backend({});
    EXPECT_TRUE(backend) << backend.error().message;
    return backend ? *std::move(backend) : nullptr;
}

/// "auto" and "cuda" are the device that computes as `front` does, "cpu" is the CPU.
engine::BackendMaker two_devices(std::int64_t gpu_bytes, std::function<std::unique_ptr<kernels::Backend>()> front) {
    return [=](const engine::DeviceRequest& request) -> Result<engine::BackendCatalog::Made> {
        if (request.device == "cpu")
            return engine::BackendCatalog::Made{cpu_backend(), {}};
        const NamedDevice gpu{{"cuda:0", "Test GPU", "sm_0", gpu_bytes, gpu_bytes, 0}};
        return engine::BackendCatalog::Made{std::make_unique<NamedBackend>(gpu, front()), {}};
    };
}

struct Load {
    std::unique_ptr<engine::EngineImpl> engine;
    std::shared_ptr<const engine::LoadedModel> model;
};

class WaitForLoad final : public engine::LoadSink {
public:
    void on_load_progress(const engine::LoadProgress& progress) override {
        const bool ended = progress.phase == engine::LoadPhase::done || progress.phase == engine::LoadPhase::failed;
        if (ended)
            ended_.set_value(progress);
    }
    engine::LoadProgress wait() { return ended_.get_future().get(); }

private:
    std::promise<engine::LoadProgress> ended_;
};

Load load(const app::ModelOptions& options, engine::BackendMaker make_backend) {
    Load load;
    load.engine = std::make_unique<engine::EngineImpl>(std::move(make_backend));
    const auto sink = std::make_shared<WaitForLoad>();
    const auto started = load.engine->load(options.model, options.config, sink);
    EXPECT_TRUE(started) << started.error().message;
    const engine::LoadProgress progress = sink->wait();
    EXPECT_EQ(progress.phase, engine::LoadPhase::done) << (progress.error ? progress.error->message : "");
    load.model = progress.model;
    return load;
}

class Hybrid : public ::testing::TestWithParam<GoldenModel> {
protected:
    void SetUp() override {
        if (!is_there(GetParam()))
            GTEST_SKIP() << path_of(GetParam()) << " is not there";
    }
    static Load open(int gpu_layers, const std::function<void(engine::EngineConfig&)>& change = {},
        std::int64_t gpu_bytes = kPlenty) {
        auto options = sixteen_options(GetParam());
        options.config.device = "auto";
        options.config.gpu_layers = gpu_layers;
        if (change)
            change(options.config);
        return load(options, two_devices(gpu_bytes, cpu_backend));
    }
    static Ids on_one_device(int max_tokens = kMaxTokens) {
        const Load cpu = open(0);
        EXPECT_EQ(cpu.model->device.id, "cpu");
        EXPECT_EQ(cpu.model->config.gpu_layers, 0);
        return ids_of(app::run_requests(*cpu.engine, sixteen_requests(GetParam(), max_tokens)));
    }
};

TEST_P(Hybrid, GivesTheIdsOfOneDeviceWhereverTheCutIs) {
    const Ids expected = on_one_device();
    const int num_layers = open(-1).model->info.num_layers;
    for (const int layers : {1, num_layers / 2, num_layers - 1}) {
        const Load split = open(layers, [](engine::EngineConfig& config) { config.prefill_chunk = 16; });
        ASSERT_TRUE(split.model);
        EXPECT_EQ(split.model->device.id, "cuda:0+cpu");
        EXPECT_EQ(split.model->config.gpu_layers, layers);
        ASSERT_EQ(split.model->plan.devices.size(), 2U);
        EXPECT_EQ(split.model->plan.devices[0].num_layers, layers);
        EXPECT_EQ(split.model->plan.devices[1].num_layers, num_layers - layers);
        EXPECT_EQ(ids_of(app::run_requests(*split.engine, sixteen_requests(GetParam()))), expected) << layers;
        const auto hits = split.engine->snapshot()->counters.prefix_hits;
        EXPECT_EQ(ids_of(app::run_requests(*split.engine, sixteen_requests(GetParam()))), expected) << "warm prefix";
        EXPECT_GT(split.engine->snapshot()->counters.prefix_hits, hits + kLongPrompt / 2);
    }
}

TEST_P(Hybrid, PreemptionAndDraftsDoNotShow) {
    const Ids expected = on_one_device(24);
    const Load split = open(3, [](engine::EngineConfig& config) {
        config.draft = "ngram";
        config.gamma = 4;
        config.num_blocks = 16 * num_groups_of(GetParam());
    });
    ASSERT_TRUE(split.model);
    EXPECT_EQ(ids_of(app::run_requests(*split.engine, sixteen_requests(GetParam(), 24))), expected);
    EXPECT_GT(split.engine->snapshot()->counters.accepted_tokens, 0U);
    EXPECT_GT(split.engine->snapshot()->counters.preemptions, 0U);
}

TEST_P(Hybrid, TheReferenceMayRunTheFirstLayers) {
    const auto some = [] {
        std::vector<engine::Request> requests = sixteen_requests(GetParam(), 3);
        requests.resize(3);
        return requests;
    };
    auto options = sixteen_options(GetParam());
    options.config.device = "auto";
    options.config.gpu_layers = 2;
    options.config.max_batch_tokens = options.config.prefill_chunk = 64;
    options.config.num_blocks = 8 * num_groups_of(GetParam());
    options.config.context = 64;
    const Load split = load(options, two_devices(kPlenty, [] { return kernels::make_ref_backend(); }));
    ASSERT_TRUE(split.model);
    options.config.gpu_layers = 0;
    const Load cpu = load(options, two_devices(kPlenty, cpu_backend));
    EXPECT_EQ(ids_of(app::run_requests(*split.engine, some())), ids_of(app::run_requests(*cpu.engine, some())));
}

TEST_P(Hybrid, AutomaticTakesTheLayersThatFit) {
    const engine::LoadPlan whole = open(-1).model->plan;
    ASSERT_EQ(whole.devices.size(), 1U);
    const int num_layers = whole.devices[0].num_layers;
    const Load split = open(-1, {}, whole.total * 6 / 10);
    ASSERT_TRUE(split.model);
    const int layers = split.model->config.gpu_layers;
    EXPECT_GT(layers, 0);
    EXPECT_LT(layers, num_layers);
    const engine::LoadPlan& plan = split.model->plan;
    ASSERT_EQ(plan.devices.size(), 2U);
    EXPECT_TRUE(plan.devices[0].fits);
    EXPECT_LE(plan.devices[0].total, whole.total * 6 / 10);
    EXPECT_EQ(plan.total, plan.devices[0].total + plan.devices[1].total);
    EXPECT_EQ(ids_of(app::run_requests(*split.engine, sixteen_requests(GetParam()))), on_one_device());
}

INSTANTIATE_TEST_SUITE_P(
    Models, Hybrid, ::testing::Values(smollm2(), gemma3()), [](const auto& model) { return model.param.name; });

} // namespace
} // namespace vitrine::testing
