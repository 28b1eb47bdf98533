// SPDX-License-Identifier: GPL-3.0-or-later
// Every shipped template with every conversation against Python's jinja2 (tests/golden/templates/make_golden.py).
#include "engine/chat/chat_template.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

namespace vitrine::engine {
namespace {

const std::filesystem::path kFolder = std::filesystem::path(VITRINE_TESTS_DIR) / "golden" / "templates";

std::string read_file(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

/// First 12 hex digits of SHA-256 (FIPS 180-4).
std::string sha256_prefix(std::string text) {
    static constexpr std::array<std::uint32_t, 64> kRound = {0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b,
        0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
        0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc,
        0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1,
        0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08,
        0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814,
        0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
    std::array<std::uint32_t, 8> state = {
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    const auto rotate = [](std::uint32_t x, int n) { return (x >> n) | (x << (32 - n)); };
    const std::uint64_t num_bits = text.size() * 8;
    text.push_back('\x80');
    while (text.size() % 64 != 56)
        text.push_back('\0');
    for (int shift = 56; shift >= 0; shift -= 8)
        text.push_back(static_cast<char>(num_bits >> shift));
    for (std::size_t block = 0; block < text.size(); block += 64) {
        std::array<std::uint32_t, 64> w{};
        for (std::size_t i = 0; i < 64; ++i)
            w[i / 4] |= i < 64
                ? static_cast<std::uint32_t>(static_cast<unsigned char>(text[block + i])) << (24 - 8 * (i % 4))
                : 0;
        for (std::size_t i = 16; i < 64; ++i)
            w[i] = w[i - 16] + (rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ (w[i - 15] >> 3)) + w[i - 7] +
                (rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ (w[i - 2] >> 10));
        auto s = state;
        for (std::size_t i = 0; i < 64; ++i) {
            const std::uint32_t t1 = s[7] + (rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25)) +
                ((s[4] & s[5]) ^ (~s[4] & s[6])) + kRound[i] + w[i];
            const std::uint32_t t2 = (rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22)) +
                ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
            s = {t1 + t2, s[0], s[1], s[2], s[3] + t1, s[4], s[5], s[6]};
        }
        for (std::size_t i = 0; i < 8; ++i)
            state[i] += s[i];
    }
    std::ostringstream hex;
    hex << std::hex;
    hex.fill('0');
    for (int i = 0; i < 2; ++i) {
        hex.width(8);
        hex << state[static_cast<std::size_t>(i)];
    }
    return hex.str().substr(0, 12);
}

std::int64_t count_code_points(const std::string& text) {
    std::int64_t count = 0;
    for (const char c : text)
        count += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
    return count;
}

class Golden {
public:
    Golden() : conversations_(nlohmann::json::parse(read_file(kFolder / "conversations.json"))) {}

    Result<RenderedText> render(const std::string& name, const std::string& conversation) {
        auto& compiled = templates_[name];
        if (!compiled) {
            auto result = ChatTemplate::compile(read_file(kFolder / (name + ".jinja")));
            if (!result)
                return tl::unexpected(result.error());
            compiled = std::move(*result);
        }
        const auto& entry = conversations_.at(conversation);
        RenderInput input;
        input.messages_json = entry.at("messages").get<std::string>();
        input.tools_json = entry.at("tools").get<std::string>();
        input.variables_json = entry.at("variables").get<std::string>();
        input.add_generation_prompt = entry.at("add_generation_prompt").get<bool>();
        input.bos_token = "<BOS>";
        input.eos_token = "<EOS>";
        input.now = {2026, 7, 26, 12, 0, 0};
        return compiled->render(input);
    }

private:
    nlohmann::json conversations_;
    std::map<std::string, std::unique_ptr<const ChatTemplate>> templates_;
};

TEST(TemplateGolden, EqualsPythonOnEveryTemplateAndConversation) {
    Golden golden;
    const auto rows = nlohmann::json::parse(read_file(kFolder / "expected.json"));
    std::size_t num_equal = 0;
    for (const auto& row : rows) {
        const auto name = row.at(0).get<std::string>();
        const auto conversation = row.at(1).get<std::string>();
        const auto length = row.at(2).get<std::int64_t>();
        const auto result = golden.render(name, conversation);
        const bool both_raise = !result && length < 0;
        const bool same_text = result && count_code_points(result->text) == length &&
            sha256_prefix(result->text) == row.at(3).get<std::string>();
        num_equal += both_raise || same_text ? 1 : 0;
        EXPECT_TRUE(both_raise || same_text)
            << name << " / " << conversation << ": Python: " << length << " " << row.at(3)
            << "; here: " << (result ? std::to_string(count_code_points(result->text)) : result.error().message);
        if (result) {
            EXPECT_EQ(result->user_bytes.size(), result->text.size());
        }
    }
    EXPECT_EQ(num_equal, rows.size());
    std::cout << "equal to Python: " << num_equal << " of " << rows.size() << "\n";
}

// Known answers of the design document (text.md section 6), made on another machine.
TEST(TemplateGolden, GivesTheKnownAnswers) {
    struct Known {
        const char* name;
        const char* conversation;
        std::int64_t length;
        const char* hash;
    };
    static constexpr std::array<Known, 24> kKnown = {{
        {"SmolLM2-135M-Instruct", "u", 164, "3c2025c24bdb"},
        {"google-gemma-2-2b-it", "uau", 145, "b7fc9438e3b5"},
        {"SmolLM2-135M-Instruct", "su", 91, "c1254af41d72"},
        {"Qwen-Qwen2.5-7B-Instruct", "su", 91, "c1254af41d72"},
        {"google-gemma-4-31B-it", "tools", 333, "693349ab068e"},
        {"Qwen-Qwen2.5-7B-Instruct", "tools", 706, "29ac7403b4f0"},
        {"openai-gpt-oss-120b", "reason", 393, "29222ecfba43"},
        {"Qwen-Qwen3-0.6B", "think", 119, "82179fff98c9"},
        {"microsoft-Phi-3.5-mini-instruct", "suau", 101, "9b0df3f86449"},
        {"Qwen-Qwen3-0.6B", "nothink", 71, "87b9f5b6243d"},
        {"ibm-granite-granite-4.0", "tcD", 1183, "84120e365b92"},
        {"Qwen3-Coder", "tcD", 1512, "f223a99cc306"},
        {"GLM-4.6", "nothink", 60, "917e757ae23f"},
        {"meta-llama-Llama-3.1-8B-Instruct", "u", 237, "ecc3e0500fb7"},
        {"HuggingFaceTB-SmolLM3-3B", "su", 187, "22de10da1f88"},
        {"meta-llama-Llama-3.1-8B-Instruct", "tools", 1021, "b16ab5bccda2"},
        {"LFM2.5-8B-A1B", "tcD", 490, "bbfe45022acb"},
        {"meta-llama-Llama-3.2-3B-Instruct", "tcS", 1211, "6650615f8745"},
        {"deepseek-ai-DeepSeek-R1-Distill-Qwen-32B", "think", 92, "be3735a7e023"},
        {"mistralai-Mistral-Nemo-Instruct-2407", "tcD", 478, "195a2d5d4663"},
        {"deepseek-ai-DeepSeek-R1-Distill-Llama-8B", "think", 84, "e34d79fc9b43"},
        {"Kimi-K2-Instruct", "tcD", 776, "ccf9b132f366"},
        {"deepseek-ai-DeepSeek-R1-Distill-Llama-8B", "tcSN", 246, "a981268704d4"},
        {"deepseek-ai-DeepSeek-V3.2", "tcS", 1626, "b16e22244cb6"},
    }};
    Golden golden;
    for (const Known& known : kKnown) {
        const auto result = golden.render(known.name, known.conversation);
        ASSERT_TRUE(result) << known.name << ": " << result.error().message;
        EXPECT_EQ(count_code_points(result->text), known.length) << known.name << " " << known.conversation << "\n"
                                                                 << result->text;
        EXPECT_EQ(sha256_prefix(result->text), known.hash) << known.name << " " << known.conversation << "\n"
                                                           << result->text;
    }
    const auto refused = golden.render("google-gemma-2-2b-it", "su");
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("System role not supported"), std::string::npos);
    EXPECT_EQ(refused.error().code, ErrorCode::template_error);
}

} // namespace
} // namespace vitrine::engine
