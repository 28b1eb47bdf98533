// SPDX-License-Identifier: GPL-3.0-or-later
// Encoders, a Qwen 3 that embeds and WordPiece against make_tiny_encoders.py: `transformers` in float64, and `tokenizers`.
#include <algorithm>
#include <cmath>
#include <future>

#include "app/cli/open_model.h"
#include "engine/text/hf_tokenizer.h"
#include "engine/text/tokenizer.h"
#include "tests/golden/golden_data.h"

namespace vitrine::testing {
namespace {

using engine::TokenId;

std::string folder() {
    return std::string(VITRINE_TESTS_DIR) + "/golden/encoders/";
}

std::string read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

const nlohmann::json& record() {
    static const auto json = nlohmann::json::parse(read_file(folder() + "encoders.json"));
    return json;
}

void expect_ids(const engine::Tokenizer& tokenizer, const std::string& kind) {
    const auto texts = record()["texts"].get<std::vector<std::string>>();
    ASSERT_GT(texts.size(), 20U);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const auto ids = tokenizer.encode(texts[i], {.add_special = false, .parse_special = true});
        ASSERT_TRUE(ids);
        EXPECT_EQ(*ids, record()[kind][i].get<std::vector<TokenId>>()) << kind << ": \"" << texts[i] << '"';
    }
}

/// The one vector of a request, or its refusal.
class EmbeddingSink final : public engine::EventSink {
public:
    void on_events(std::span<const engine::Event> events) override {
        for (const engine::Event& event : events) {
            if (const auto* embedded = std::get_if<engine::Embedded>(&event.what))
                values_ = embedded->values;
            if (const auto* rejected = std::get_if<engine::Rejected>(&event.what))
                done_.set_value(tl::unexpected(rejected->error));
            if (std::holds_alternative<engine::Finished>(event.what))
                done_.set_value(values_);
        }
    }
    Result<std::vector<float>> wait() { return done_.get_future().get(); }

private:
    std::vector<float> values_;
    std::promise<Result<std::vector<float>>> done_;
};

Result<std::vector<float>> embed(engine::Engine& engine, std::vector<TokenId> ids, engine::Pooling pooling) {
    engine::Request request;
    request.prompt = engine::TokenPrompt{std::move(ids)};
    request.pooling = pooling;
    const auto sink = std::make_shared<EmbeddingSink>();
    if (auto id = engine.submit(std::move(request), sink); !id)
        return tl::unexpected(id.error());
    return sink->wait();
}

class Encoder : public ::testing::TestWithParam<std::string> {};

TEST_P(Encoder, HiddenStatesPoolAsThoseOfTransformers) {
    const std::string key = GetParam() == "directory" ? "bert" : GetParam();
    const auto ids = record()[key]["ids"].get<std::vector<TokenId>>();
    const auto hidden = record()[key]["hidden"].get<std::vector<std::vector<double>>>();
    std::vector<double> mean(hidden.front().size(), 0);
    for (const auto& row : hidden)
        for (std::size_t i = 0; i < row.size(); ++i)
            mean[i] += row[i] / static_cast<double>(hidden.size());
    for (const auto& [device, bound] : {std::pair("ref", 2e-5), std::pair("cpu", 0.02)}) {
        app::ModelOptions options;
        const bool is_folder = GetParam() == "directory" || GetParam() == "qwen3-embedding";
        options.model = folder() + GetParam() + (is_folder ? "" : ".gguf");
        options.config.device = device;
        auto engine = app::open_engine(options);
        ASSERT_TRUE(engine) << engine.error().message;
        EXPECT_EQ((*engine)->snapshot()->model->info.pooling_type, key == "bert" ? 2 : key == "nomic-bert" ? 1 : 3);
        for (const auto& [pooling, expected] : {std::pair(engine::Pooling::mean, mean),
                 std::pair(engine::Pooling::first, hidden.front()), std::pair(engine::Pooling::last, hidden.back())}) {
            const auto values = embed(**engine, ids, pooling);
            ASSERT_TRUE(values) << values.error().message;
            ASSERT_EQ(values->size(), expected.size());
            for (std::size_t i = 0; i < expected.size(); ++i)
                ASSERT_NEAR(static_cast<double>((*values)[i]), expected[i], bound) << device << ", value " << i;
        }
        if (key == "qwen3-embedding") // which also goes on writing
            continue;
        const auto text = embed(**engine, ids, engine::Pooling::none);
        ASSERT_FALSE(text);
        EXPECT_EQ(text.error().code, ErrorCode::unsupported);
    }
}

INSTANTIATE_TEST_SUITE_P(Architectures, Encoder,
    ::testing::Values("bert", "nomic-bert", "directory", "qwen3-embedding"), [](const auto& entry) {
        std::string name = entry.param;
        std::replace(name.begin(), name.end(), '-', '_');
        return name;
    });

TEST(Wordpiece, GgufVocabularyGivesTheIdsOfTokenizers) {
    const auto file = engine::gguf::File::open(folder() + "bert.gguf");
    ASSERT_TRUE(file);
    const auto tokenizer = engine::make_tokenizer(**file);
    ASSERT_TRUE(tokenizer) << tokenizer.error().message;
    expect_ids(**tokenizer, "uncased");
    const auto whole = (*tokenizer)->encode("hello", {});
    ASSERT_TRUE(whole);
    EXPECT_EQ(*whole, (std::vector<TokenId>{2, 116, 3}));
    EXPECT_EQ((*tokenizer)->decode(*whole), " hello");
}

TEST(Wordpiece, TokenizerJsonGivesTheSame) {
    for (const std::string kind : {"uncased", "cased"}) {
        engine::TokenizerFiles files;
        files.path = folder() + "wordpiece/" + kind + ".json";
        files.tokenizer = read_file(files.path);
        auto pairs = engine::read_hf_tokenizer(files);
        ASSERT_TRUE(pairs) << pairs.error().message;
        engine::gguf::Assembly assembly;
        assembly.path = files.path;
        assembly.metadata = *std::move(pairs);
        const auto file = engine::gguf::File::assemble(std::move(assembly));
        ASSERT_TRUE(file);
        const auto tokenizer = engine::make_tokenizer(**file);
        ASSERT_TRUE(tokenizer) << tokenizer.error().message;
        expect_ids(**tokenizer, kind);
    }
}

} // namespace
} // namespace vitrine::testing
