// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: folders follow the environment.
#include "engine/base/data_dir.h"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <string>

namespace vitrine::engine {
namespace {

/// Sets variables (nullptr: unset) and puts the old ones back.
class Environment {
public:
    explicit Environment(const std::map<std::string, const char*>& values) {
        for (const auto& [name, value] : values) {
            const char* old = std::getenv(name.c_str());
            old_[name] = old == nullptr ? std::nullopt : std::optional<std::string>(old);
            set(name, value);
        }
    }
    ~Environment() {
        for (const auto& [name, value] : old_)
            set(name, value ? value->c_str() : nullptr);
    }

private:
    static void set(const std::string& name, const char* value) {
        value == nullptr ? unsetenv(name.c_str()) : setenv(name.c_str(), value, 1);
    }
    std::map<std::string, std::optional<std::string>> old_;
};

TEST(DataDir, OwnVariableWinsThenXdgThenHome) {
    {
        const Environment set({{"VITRINE_DATA_DIR", "/own"}, {"XDG_DATA_HOME", "/xdg"}, {"HOME", "/home/a"}});
        EXPECT_EQ(data_dir(), "/own");
        EXPECT_EQ(default_model_path(), "/own/models/SmolLM2-135M-Instruct.Q4_1.gguf");
    }
    {
        const Environment set({{"VITRINE_DATA_DIR", nullptr}, {"XDG_DATA_HOME", "/xdg"}, {"HOME", "/home/a"}});
        EXPECT_EQ(data_dir(), "/xdg/vitrine");
    }
    for (const char* ignored : {static_cast<const char*>(nullptr), "", "relative"}) {
        const Environment set({{"VITRINE_DATA_DIR", nullptr}, {"XDG_DATA_HOME", ignored}, {"HOME", "/home/a"}});
        EXPECT_EQ(data_dir(), "/home/a/.local/share/vitrine");
    }
}

TEST(DataDir, ModelFoldersStartWithOurOwnAndTakeTheList) {
    const Environment set({{"VITRINE_DATA_DIR", "/own"}, {"VITRINE_MODELS", "/a::/b"}, {"HOME", "/home/a"},
        {"OLLAMA_MODELS", nullptr}, {"HF_HUB_CACHE", nullptr}, {"HF_HOME", "/hf"}});
    const std::vector<std::filesystem::path> folders = model_folders();
    ASSERT_GE(folders.size(), 6U);
    EXPECT_EQ(folders[0], "/own/models");
    EXPECT_EQ(folders[1], "/a");
    EXPECT_EQ(folders[2], "/b");
    for (const char* expected : {"/home/a/.lmstudio/models", "/home/a/.ollama/models", "/hf/hub"})
        EXPECT_NE(std::ranges::find(folders, expected), folders.end()) << expected;
}

} // namespace
} // namespace vitrine::engine
