// SPDX-License-Identifier: GPL-3.0-or-later
// Which model answers: order, fairness, failures, idle time; on the scripted engine and a queue of our own for the IO thread.
#include "app/endpoint/model_switch.h"

#include <condition_variable>
#include <gtest/gtest.h>

#include "tests/support/scripted_engine.h"

namespace vitrine::app {
namespace {

class ModelSwitchTest : public ::testing::Test {
protected:
    ModelSwitchTest() {
        config_.catalog = {"/m/alpha.gguf", "/m/beta.gguf", "/m/broken.gguf"};
        config_.aliases = {{"any", ""}, {"second", "/m/beta.gguf"}};
    }
    ModelSwitch& models() {
        if (!switch_)
            switch_ = std::make_unique<ModelSwitch>(engine_, config_,
                ModelSwitch::Hooks{[this](std::function<void()> task) {
                                       const std::lock_guard lock(mutex_);
                                       tasks_.push_back(std::move(task));
                                       changed_.notify_all();
                                   },
                    [this](std::chrono::milliseconds delay, std::function<void()> task) {
                        delay_ = delay;
                        timer_ = std::move(task);
                    }});
        return *switch_;
    }
    std::uint64_t ask(const std::string& name) {
        const std::uint64_t ticket = models().next_ticket();
        models().acquire(ticket, name, [this, name](auto lease) {
            log_.push_back(lease ? name : name + "!" + lease.error().code);
            if (lease)
                leases_.push_back(*lease);
        });
        return ticket;
    }
    /// Runs what was posted until `log_` has `size` entries.
    void run_until(std::size_t size) {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
        while (log_.size() < size && std::chrono::steady_clock::now() < deadline)
            run_one();
        ASSERT_EQ(log_.size(), size);
    }
    void run_one() {
        std::function<void()> task;
        {
            std::unique_lock lock(mutex_);
            if (!changed_.wait_for(lock, std::chrono::milliseconds(50), [this] { return !tasks_.empty(); })) {
                lock.unlock();
                if (timer_)
                    std::exchange(timer_, nullptr)();
                return;
            }
            task = std::move(tasks_.front());
            tasks_.pop_front();
        }
        task();
    }
    void release() {
        leases_.erase(leases_.begin());
        run_one();
    }

    testing::ScriptedEngine engine_;
    EndpointConfig config_;
    std::unique_ptr<ModelSwitch> switch_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> tasks_;
    std::function<void()> timer_;
    std::chrono::milliseconds delay_{0};
    std::vector<std::string> log_;
    std::vector<std::shared_ptr<ModelLease>> leases_;
};

} // namespace

TEST_F(ModelSwitchTest, GrantsInTheOrderOfAskingAndNeverReplacesAModelInUse) {
    ask("alpha");
    run_until(1);
    ask("alpha");
    ask("beta");
    ask("alpha"); // behind beta, so that beta does not starve
    EXPECT_EQ(log_.size(), 2U);
    release();
    EXPECT_EQ(engine_.snapshot()->model->info.path, "/m/alpha.gguf");
    release();
    run_until(3);
    EXPECT_EQ(engine_.snapshot()->model->info.path, "/m/beta.gguf");
    release();
    run_until(4);
    EXPECT_EQ(log_, (std::vector<std::string>{"alpha", "alpha", "beta", "alpha"}));
}

TEST_F(ModelSwitchTest, FindsNamesWithoutCaseExtensionAndTag) {
    EXPECT_EQ(models().find("ALPHA.gguf:latest")->path, "/m/alpha.gguf");
    EXPECT_EQ(models().find("second")->path, "/m/beta.gguf");
    EXPECT_TRUE(models().find("any")->loaded);
    EXPECT_FALSE(models().find("alph"));
    ask("gamma");
    EXPECT_EQ(log_.front(), "gamma!model_not_found");
    EXPECT_NE(models().not_found("gamma").message.find("beta"), std::string::npos);
}

TEST_F(ModelSwitchTest, TellsEveryoneWhoWaitedThatAModelCannotBeLoaded) {
    ask("broken");
    ask("broken");
    ask("alpha");
    run_until(3);
    EXPECT_EQ(log_, (std::vector<std::string>{"broken!model_load_failed", "broken!model_load_failed", "alpha"}));
}

TEST_F(ModelSwitchTest, GivesUpALoadThatNobodyWaitsFor) {
    engine_.hold_load(true);
    const std::uint64_t ticket = ask("beta");
    models().cancel(ticket);
    run_one(); // the load's end
    engine_.hold_load(false);
    ask("alpha");
    run_until(1);
    EXPECT_EQ(log_.front(), "alpha");
}

TEST_F(ModelSwitchTest, UnloadsAfterIdleTimeOnlyAndKeepAliveChangesIt) {
    config_.idle_unload = std::chrono::milliseconds(40);
    ask("alpha");
    run_until(1);
    models().keep_alive(std::chrono::milliseconds(0)); // in use: stays
    EXPECT_TRUE(engine_.snapshot()->model);
    release();
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    while (engine_.snapshot()->model && std::chrono::steady_clock::now() < deadline)
        run_one();
    EXPECT_FALSE(engine_.snapshot()->model);
    ask("alpha");
    run_until(2);
    EXPECT_EQ(log_.back(), "alpha");
}

TEST_F(ModelSwitchTest, WithoutACatalogGivesTheLoadedModelAlone) {
    config_.catalog.clear();
    config_.aliases.clear();
    ask("");
    ask("beta");
    EXPECT_EQ(log_, (std::vector<std::string>{"", "beta!model_not_found"}));
    models().keep_alive(std::chrono::milliseconds(0));
    EXPECT_TRUE(engine_.snapshot()->model);
}

} // namespace vitrine::app
