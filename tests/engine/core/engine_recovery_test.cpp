// SPDX-License-Identifier: GPL-3.0-or-later
// A device that fails in a step: who ends, who goes on, and what computes from then on.
#include <atomic>
#include <functional>
#include <thread>

#include <gmock/gmock.h>

#include "tests/engine/core/engine_fixture.h"

namespace vitrine::testing {
namespace {

using engine::FinishReason;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

/// What the n-th load asks for and gets, n from 1.
using Script = std::function<Result<std::unique_ptr<kernels::Backend>>(int load, const engine::DeviceRequest& request)>;

std::unique_ptr<engine::EngineImpl> make_scripted_engine(Script script) {
    auto load = std::make_shared<int>(0);
    return std::make_unique<engine::EngineImpl>(
        [script = std::move(script), load](
            const engine::DeviceRequest& request) -> Result<engine::BackendCatalog::Made> {
            auto backend = script(++*load, request);
            if (!backend)
                return tl::unexpected(backend.error());
            return engine::BackendCatalog::Made{*std::move(backend), {}};
        });
}

HashBackendOptions gpu(int fail_at_step = 0) {
    HashBackendOptions options;
    options.device = "cuda:0";
    options.fail_at_step = fail_at_step;
    return options;
}

std::unique_ptr<kernels::Backend> backend_for(const engine::DeviceRequest& request, int fail_at_step) {
    return std::make_unique<HashBackend>(request.device == "cpu" ? HashBackendOptions{} : gpu(fail_at_step));
}

engine::EngineConfig gpu_config() {
    engine::EngineConfig config = small_config();
    config.device = "cuda:0";
    return config;
}

std::shared_ptr<const engine::LoadedModel> wait_for_model(engine::Engine& engine, std::uint64_t not_generation) {
    for (int i = 0; i < 6000; ++i) {
        if (const auto model = engine.snapshot()->model; model && model->generation != not_generation)
            return model;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ADD_FAILURE() << "the model did not come back";
    return nullptr;
}

} // namespace

TEST(EngineRecovery, TheStepsSequencesEndWithASentenceAndTheDeviceIsStartedAgain) {
    const auto engine = make_scripted_engine(
        [](int load, const engine::DeviceRequest& request) -> Result<std::unique_ptr<kernels::Backend>> {
            return backend_for(request, load == 1 ? 6 : 0); // the first step warms up
        });
    const std::uint64_t before = load(*engine, gpu_config()).model->generation;
    const Submitted run = submit(*engine, request_of(prompt_of(1, 20), 50));
    run.log->wait();
    const auto finished = run.log->finished();
    EXPECT_EQ(finished.reason, FinishReason::error);
    ASSERT_TRUE(finished.error);
    EXPECT_EQ(finished.error->code, ErrorCode::device);
    EXPECT_THAT(finished.error->message, HasSubstr("the device failed in step"));
    EXPECT_THAT(finished.error->remedy, HasSubstr("being loaded again"));
    EXPECT_EQ(run.log->ids().size(), 4U) << "what came before the error is kept";
    const auto model = wait_for_model(*engine, before);
    EXPECT_EQ(model->device.id, "cuda:0");
    EXPECT_FALSE(model->device_reason);
    const Submitted again = submit(*engine, request_of(prompt_of(1, 20), 3));
    again.log->wait();
    EXPECT_EQ(again.log->ids(), solo(prompt_of(1, 20), 3));
}

// One place: one sequence is in the failed step, the others wait for it and then for the device.
TEST(EngineRecovery, SequencesThatWereNotInTheStepGoOnAfterwards) {
    const auto engine =
        make_scripted_engine([](int load, const engine::DeviceRequest&) -> Result<std::unique_ptr<kernels::Backend>> {
            HashBackendOptions options = gpu(load == 1 ? 40 : 0);
            options.step_time = std::chrono::milliseconds(2);
            return std::make_unique<HashBackend>(options);
        });
    auto config = gpu_config();
    config.max_seqs = 1;
    load(*engine, config);
    std::vector<Submitted> runs;
    for (int i = 0; i < 4; ++i)
        runs.push_back(submit(*engine, request_of(prompt_of(i, 20), 60)));
    int num_failed = 0;
    for (int i = 0; i < 4; ++i) {
        runs[static_cast<std::size_t>(i)].log->wait();
        const auto finished = runs[static_cast<std::size_t>(i)].log->finished();
        num_failed += finished.reason == FinishReason::error ? 1 : 0;
        if (finished.reason == FinishReason::length) {
            EXPECT_EQ(runs[static_cast<std::size_t>(i)].log->ids(), solo(prompt_of(i, 20), 60));
        }
    }
    EXPECT_EQ(num_failed, 1);
}

// A prompt that is read in pieces beside a stream: the step that fails holds the stream alone, or both; what is half read
// and was not in the step is read again.  Either way each text is whole or ended with an error.
TEST(EngineRecovery, HalfReadAndHalfWrittenTextsAreComputedAgain) {
    for (int fail_at = 3; fail_at < 30; fail_at += 4) {
        const auto engine = make_scripted_engine(
            [&](int load, const engine::DeviceRequest& request) -> Result<std::unique_ptr<kernels::Backend>> {
                return backend_for(request, load == 1 ? fail_at : 0);
            });
        auto config = gpu_config();
        config.num_blocks = 20; // preemptions
        config.context = 200;
        load(*engine, config);
        std::vector<Submitted> runs;
        for (int i = 0; i < 6; ++i)
            runs.push_back(submit(*engine, request_of(prompt_of(i, 60), 40)));
        for (int i = 0; i < 6; ++i) {
            const auto& log = runs[static_cast<std::size_t>(i)].log;
            log->wait();
            const auto expected = solo(prompt_of(i, 60), 40);
            const auto ids = log->ids();
            if (log->rejected()) {
                EXPECT_EQ(log->rejected()->error.code, ErrorCode::busy);
                continue;
            }
            if (log->finished().reason == FinishReason::length) {
                EXPECT_EQ(ids, expected) << "sequence " << i << ", error at step " << fail_at;
                continue;
            }
            EXPECT_EQ(log->finished().reason, FinishReason::error);
            EXPECT_TRUE(std::equal(ids.begin(), ids.end(), expected.begin())) << "what was given before is right";
        }
    }
}

TEST(EngineRecovery, TheCpuTakesOverWhereTheDeviceDoesNotStartAgain) {
    const auto engine = make_scripted_engine(
        [](int load, const engine::DeviceRequest& request) -> Result<std::unique_ptr<kernels::Backend>> {
            if (load > 1 && request.device != "cpu")
                return fail(ErrorCode::device, "The driver is gone.");
            return backend_for(request, 6);
        });
    const std::uint64_t before = load(*engine, gpu_config()).model->generation;
    const Submitted run = submit(*engine, request_of(prompt_of(1, 20), 50));
    run.log->wait();
    EXPECT_EQ(run.log->finished().reason, FinishReason::error);
    const auto model = wait_for_model(*engine, before);
    EXPECT_EQ(model->device.id, "cpu");
    ASSERT_TRUE(model->device_reason);
    EXPECT_THAT(model->device_reason->message,
        MatchesRegex("the GPU failed \\(the device failed in step [67]\\) and could not be started again "
                     "\\(The driver is gone\\)"));
    EXPECT_EQ(model->config.device, "cpu");
    const Submitted again = submit(*engine, request_of(prompt_of(2, 20), 30));
    again.log->wait();
    EXPECT_EQ(again.log->ids(), solo(prompt_of(2, 20), 30));
}

TEST(EngineRecovery, ADeviceThatFailsAgainAtOnceIsGivenUp) {
    const auto engine = make_scripted_engine(
        [](int, const engine::DeviceRequest& request) -> Result<std::unique_ptr<kernels::Backend>> {
            return backend_for(request, 6);
        });
    std::uint64_t generation = load(*engine, gpu_config()).model->generation;
    for (const char* device : {"cuda:0", "cpu"}) {
        const Submitted run = submit(*engine, request_of(prompt_of(1, 20), 50));
        run.log->wait();
        EXPECT_EQ(run.log->finished().reason, FinishReason::error);
        const auto model = wait_for_model(*engine, generation);
        EXPECT_EQ(model->device.id, device);
        generation = model->generation;
    }
    const auto model = engine->snapshot()->model;
    ASSERT_TRUE(model->device_reason);
    EXPECT_THAT(model->device_reason->message, HasSubstr("less than 60 s before"));
}

TEST(EngineRecovery, WithoutAnyDeviceLeftWhatWaitsEndsWithAnError) {
    const auto engine = make_scripted_engine(
        [](int load, const engine::DeviceRequest& request) -> Result<std::unique_ptr<kernels::Backend>> {
            if (load > 1)
                return fail(ErrorCode::device, "Nothing is left.");
            return backend_for(request, 20);
        });
    auto config = gpu_config();
    config.max_seqs = 1;
    load(*engine, config);
    std::vector<Submitted> runs;
    for (int i = 0; i < 3; ++i)
        runs.push_back(submit(*engine, request_of(prompt_of(i, 20), 60)));
    for (const Submitted& run : runs) {
        run.log->wait();
        ASSERT_TRUE(run.log->rejected() || run.log->finished().error);
    }
    EXPECT_EQ(engine->snapshot()->model, nullptr);
    const Submitted late = submit(*engine, request_of(prompt_of(1, 20), 3));
    late.log->wait();
    ASSERT_TRUE(late.log->rejected());
    EXPECT_EQ(late.log->rejected()->error.message, "no model is loaded");
}

TEST(EngineRecovery, WaitingRequestsCanBeCancelledAndTheEngineStoppedMeanwhile) {
    std::atomic<bool> may_load{false};
    auto engine =
        make_scripted_engine([&](int load, const engine::DeviceRequest&) -> Result<std::unique_ptr<kernels::Backend>> {
            while (load > 1 && !may_load)
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            HashBackendOptions options = gpu(load == 1 ? 20 : 0);
            options.step_time = std::chrono::milliseconds(load == 1 ? 20 : 0); // time to submit the others
            return std::make_unique<HashBackend>(options);
        });
    auto config = gpu_config();
    config.max_seqs = 1;
    load(*engine, config);
    std::vector<Submitted> runs;
    for (int i = 0; i < 3; ++i) {
        runs.push_back(submit(*engine, request_of(prompt_of(i, 20), 60)));
        if (i == 0) // the one in the steps: requests that are submitted together may change places
            runs[0].log->wait_for_tokens(1);
    }
    runs[0].log->wait();
    engine->cancel(runs[1].id);
    runs[1].log->wait();
    EXPECT_EQ(runs[1].log->finished().reason, FinishReason::cancelled);
    const Submitted late = submit(*engine, request_of(prompt_of(5, 20), 3));
    late.log->wait();
    ASSERT_TRUE(late.log->rejected());
    EXPECT_EQ(late.log->rejected()->error.code, ErrorCode::busy);
    may_load = true;
    runs[2].log->wait();
    EXPECT_EQ(runs[2].log->ids(), solo(prompt_of(2, 20), 60));
    engine->stop();
}

} // namespace vitrine::testing
