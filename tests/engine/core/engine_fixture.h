// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/engine/core: an engine on the hash backend with a tiny model file, and a sink that keeps its events.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <gtest/gtest.h>
#include <mutex>
#include <unistd.h>

#include "engine/core/engine_impl.h"
#include "engine/model/synthetic_model.h"
#include "tests/support/hash_backend.h"

namespace vitrine::testing {

inline constexpr int kVocab = 64;

/// A file whose weights nobody reads: the hash backend looks at the vocabulary's size alone.
inline std::string tiny_model_path() {
    static const std::string path = [] {
        const auto file =
            std::filesystem::temp_directory_path() / ("vitrine_tiny_" + std::to_string(getpid()) + ".gguf");
        engine::ShapePreset preset{"tiny", "llama", 1, 1, 1, 32, 32, 32, kVocab, 4096, 10000, true, 0};
        const auto mix = engine::quant_mix_from_name("f32");
        const auto written = engine::write_synthetic_model(preset, *mix, 1, file.string());
        EXPECT_TRUE(written) << written.error().message;
        return file.string();
    }();
    return path;
}

class EventLog final : public engine::EventSink {
public:
    void on_events(std::span<const engine::Event> events) override {
        const std::scoped_lock lock(mutex_);
        for (const engine::Event& event : events) {
            events_.push_back(event);
            if (const auto* delta = std::get_if<engine::Delta>(&event.what)) {
                auto& ids = ids_[delta->choice];
                ids.insert(ids.end(), delta->ids.begin(), delta->ids.end());
            } else if (const auto* finished = std::get_if<engine::Finished>(&event.what)) {
                finished_[finished->choice] = *finished;
                done_ = done_ || finished->last;
            } else if (const auto* rejected = std::get_if<engine::Rejected>(&event.what)) {
                rejected_ = *rejected;
                done_ = true;
            }
        }
        changed_.notify_all();
    }
    void wait() {
        std::unique_lock lock(mutex_);
        EXPECT_TRUE(changed_.wait_for(lock, std::chrono::seconds(60), [this] { return done_; })) << "no last event";
    }
    void wait_for_tokens(std::size_t count) {
        std::unique_lock lock(mutex_);
        EXPECT_TRUE(
            changed_.wait_for(lock, std::chrono::seconds(60), [&] { return ids_[0].size() >= count || done_; }));
    }
    std::vector<engine::TokenId> ids(int choice = 0) {
        const std::scoped_lock lock(mutex_);
        return ids_[choice];
    }
    engine::Finished finished(int choice = 0) {
        const std::scoped_lock lock(mutex_);
        return finished_[choice];
    }
    std::optional<engine::Rejected> rejected() {
        const std::scoped_lock lock(mutex_);
        return rejected_;
    }
    std::vector<engine::Event> events() {
        const std::scoped_lock lock(mutex_);
        return events_;
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<engine::Event> events_;
    std::map<int, std::vector<engine::TokenId>> ids_;
    std::map<int, engine::Finished> finished_;
    std::optional<engine::Rejected> rejected_;
    bool done_ = false;
};

class LoadLog final : public engine::LoadSink {
public:
    void on_load_progress(const engine::LoadProgress& progress) override {
        const std::scoped_lock lock(mutex_);
        last_ = progress;
        phases_.push_back(progress.phase);
        changed_.notify_all();
    }
    engine::LoadProgress wait() {
        std::unique_lock lock(mutex_);
        EXPECT_TRUE(changed_.wait_for(lock, std::chrono::seconds(60), [this] {
            return last_.phase == engine::LoadPhase::done || last_.phase == engine::LoadPhase::failed ||
                last_.phase == engine::LoadPhase::cancelled;
        }));
        return last_;
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    engine::LoadProgress last_;
    std::vector<engine::LoadPhase> phases_;
};

/// make(): one backend a load.
inline std::unique_ptr<engine::EngineImpl> make_hash_engine(HashBackendOptions options = {}) {
    return std::make_unique<engine::EngineImpl>(
        [options](const engine::DeviceRequest&) -> Result<engine::BackendCatalog::Made> {
            return engine::BackendCatalog::Made{std::make_unique<HashBackend>(options), {}};
        });
}

inline engine::EngineConfig small_config(int num_blocks = 0) {
    engine::EngineConfig config;
    config.max_seqs = 16;
    config.context = 512;
    config.num_blocks = num_blocks;
    config.fixed_hash_seed = true;
    config.check_invariants = true;
    return config;
}

inline engine::LoadProgress load(engine::Engine& engine, const engine::EngineConfig& config) {
    const auto sink = std::make_shared<LoadLog>();
    const auto started = engine.load(tiny_model_path(), config, sink);
    EXPECT_TRUE(started) << started.error().message;
    return sink->wait();
}

inline std::vector<engine::TokenId> prompt_of(int seed, int length) {
    std::vector<engine::TokenId> ids;
    for (int i = 0; i < length; ++i)
        ids.push_back((seed * 31 + i * 7 + i * i) % kVocab);
    return ids;
}

inline engine::Request request_of(std::vector<engine::TokenId> prompt, int max_tokens) {
    engine::Request request;
    request.prompt = engine::TokenPrompt{std::move(prompt)};
    request.sampling.temperature = 0;
    request.stop.max_tokens = max_tokens;
    return request;
}

/// A request on its way.
struct Submitted {
    std::shared_ptr<EventLog> log = std::make_shared<EventLog>();
    engine::RequestId id{};
};

inline Submitted submit(engine::Engine& engine, engine::Request request) {
    Submitted run;
    const auto id = engine.submit(std::move(request), run.log);
    EXPECT_TRUE(id) << id.error().message;
    run.id = id.value_or(engine::RequestId{});
    return run;
}

/// What the hash model says without any cache or batch.
inline std::vector<engine::TokenId> solo(const std::vector<engine::TokenId>& prompt, int count) {
    return HashModel(kVocab, {}).greedy(prompt, count);
}

} // namespace vitrine::testing
