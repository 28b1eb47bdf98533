// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

#include "app/cli/command_line.h"
#include "app/cli/commands.h"

namespace vitrine::app {
namespace {

struct Parsed {
    CommandLine line;
    std::string out, err;
};

Parsed parse(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "vitrine-cli");
    std::istringstream in;
    std::ostringstream out, err;
    Console console(in, out, err);
    Parsed parsed{parse_command_line(static_cast<int>(arguments.size()), arguments.data(), console), {}, {}};
    parsed.out = out.str();
    parsed.err = err.str();
    return parsed;
}

TEST(CommandLine, FillsTheSharedModelOptions) {
    const Parsed parsed = parse({"generate", "m.gguf", "-p", "Hello", "-n", "5", "--kv", "int8-head", "--block-size",
        "32", "--no-prefix-cache", "--draft", "ngram", "--gamma", "3", "--gpu-layers", "12", "--activations", "int8x2",
        "--seed", "42", "--stop", "a", "--stop", "b", "--top-logprobs", "2", "--json"});
    ASSERT_TRUE(parsed.line.options) << parsed.err;
    const auto& options = std::get<GenerateOptions>(*parsed.line.options);
    EXPECT_EQ(options.model.model, "m.gguf");
    EXPECT_EQ(options.prompt, "Hello");
    EXPECT_EQ(options.stop.max_tokens, 5);
    EXPECT_EQ(options.model.config.kv_type, kernels::KvType::int8_head);
    EXPECT_EQ(options.model.config.block_tokens, 32);
    EXPECT_FALSE(options.model.config.prefix_cache);
    EXPECT_EQ(options.model.config.gamma, 3);
    EXPECT_EQ(options.model.config.gpu_layers, 12);
    EXPECT_EQ(options.model.config.numerics, kernels::Numerics::exact);
    EXPECT_EQ(options.model.seed, 42U);
    EXPECT_EQ(options.stop.stop, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(options.top_logprobs, 2);
    EXPECT_TRUE(options.model.json);
    EXPECT_FLOAT_EQ(options.sampling.temperature, 0);
}

/// What the window runs and prints as "the same as" is what the command line makes of it.
TEST(CommandLine, AblatesAsTheWindowDoes) {
    engine::LoadedModel model;
    model.info.path = "m.gguf";
    model.context = 8192;
    model.config.device = "cpu";
    model.config.isa = "avx2";
    model.config.num_threads = 3;
    model.config.block_tokens = 32;
    model.config.quantize = "q8_0";
    model.config.adapters = {{"a:b.gguf", 0.5F}};
    model.config.max_batch_tokens = 640; // of the load, not of the ablation
    model.config.prefix_cache = false;
    engine::AblationOptions window = engine::ablation_of(model);
    window.num_requests = 8;
    window.num_pairs = 3;
    window.rows = {"full", "no_kv_cache"};
    const std::vector<std::string> words = engine::ablation_arguments(window);
    std::vector<const char*> arguments;
    for (const std::string& word : words)
        arguments.push_back(word.c_str());
    const Parsed parsed = parse(arguments);
    ASSERT_TRUE(parsed.line.options) << parsed.err;
    const engine::AblationOptions typed = ablation_options(std::get<AblateOptions>(*parsed.line.options));
    EXPECT_EQ(typed.model_path, window.model_path);
    EXPECT_EQ(typed.num_requests, window.num_requests);
    EXPECT_EQ(typed.num_pairs, window.num_pairs);
    EXPECT_EQ(typed.seed, window.seed);
    EXPECT_EQ(typed.rows, window.rows);
    EXPECT_EQ(typed.config.device, window.config.device);
    EXPECT_EQ(typed.config.isa, window.config.isa);
    EXPECT_EQ(typed.config.num_threads, window.config.num_threads);
    EXPECT_EQ(typed.config.gpu_layers, window.config.gpu_layers);
    EXPECT_EQ(typed.config.block_tokens, window.config.block_tokens);
    EXPECT_EQ(typed.config.quantize, window.config.quantize);
    EXPECT_EQ(typed.config.adapters, window.config.adapters);
    EXPECT_EQ(typed.config.context, window.config.context);
    EXPECT_EQ(typed.config.num_blocks, window.config.num_blocks);
    EXPECT_EQ(typed.config.max_batch_tokens, window.config.max_batch_tokens);
    EXPECT_EQ(typed.config.prefill_chunk, window.config.prefill_chunk);
    EXPECT_EQ(window.config.context, 1024);
    EXPECT_TRUE(window.config.prefix_cache) << "all on";
}

TEST(CommandLine, SplitsIdsAndBatchSizesAtCommas) {
    const Parsed ids = parse({"logits", "m.gguf", "--ids", "1,2,3", "--top", "4", "--raw", "out.f32"});
    ASSERT_TRUE(ids.line.options) << ids.err;
    EXPECT_EQ(std::get<LogitsOptions>(*ids.line.options).raw_file, "out.f32");
    EXPECT_EQ(std::get<LogitsOptions>(*ids.line.options).ids, (std::vector<std::int64_t>{1, 2, 3}));
    const Parsed bench = parse({"bench", "m.gguf", "--batch", "1,4,8", "--reps", "2"});
    ASSERT_TRUE(bench.line.options) << bench.err;
    EXPECT_EQ(std::get<BenchOptions>(*bench.line.options).batch, (std::vector<int>{1, 4, 8}));
    const Parsed several = parse({"detokenize", "m.gguf", "5", "6", "7"});
    ASSERT_TRUE(several.line.options) << several.err;
    EXPECT_EQ(std::get<DetokenizeOptions>(*several.line.options).ids, (std::vector<std::int64_t>{5, 6, 7}));
}

TEST(CommandLine, GivesUsageErrorsCode2AndOneLine) {
    for (const auto& arguments : std::vector<std::vector<const char*>>{{}, {"nothing"}, {"info", "--nothing"},
             {"generate"}, {"generate", "m", "--kv", "int3"}, {"generate", "m", "--block-size", "17"},
             {"generate", "m", "--gamma", "many"}, {"generate", "m", "--gpu-layers", "-1"},
             {"generate", "m", "--gpu-layers", "some"}, {"info", "m", "--log-level", "loud"}}) {
        const Parsed parsed = parse(arguments);
        EXPECT_FALSE(parsed.line.options);
        EXPECT_EQ(parsed.line.exit_code, kExitUsage);
        EXPECT_TRUE(parsed.out.empty());
        EXPECT_EQ(std::count(parsed.err.begin(), parsed.err.end(), '\n'), 1) << parsed.err;
    }
}

TEST(CommandLine, PrintsHelpToTheOutput) {
    const Parsed parsed = parse({"--help"});
    EXPECT_EQ(parsed.line.exit_code, kExitSuccess);
    for (const char* command : {"info", "tokenize", "detokenize", "render", "generate", "logits", "chat", "serve",
             "bench", "perplexity", "quantize", "synth", "plan", "policy"})
        EXPECT_NE(parsed.out.find(command), std::string::npos) << command;
}

int run(const Options& options, std::string& out, std::string& err) {
    std::istringstream in_stream;
    std::ostringstream out_stream, err_stream;
    Console console(in_stream, out_stream, err_stream);
    const int code = std::visit([&](const auto& o) { return run_command(o, console); }, options);
    out = out_stream.str();
    err = err_stream.str();
    return code;
}

TEST(Commands, GiveAMissingFileCode3AndItsName) {
    std::string out, err;
    InfoOptions info;
    info.model = "/nowhere/x.gguf";
    EXPECT_EQ(run(info, out, err), kExitBadFile);
    EXPECT_NE(err.find("/nowhere/x.gguf"), std::string::npos);
    EXPECT_TRUE(out.empty());
}

TEST(Commands, GiveAMissingDeviceCode5) {
    std::string out, err;
    GenerateOptions generate;
    generate.model.model = "/nowhere/x.gguf";
    generate.model.config.device = "cuda:7";
    generate.prompt = "x";
    EXPECT_EQ(run(generate, out, err), kExitNoDevice) << err;
}

TEST(CommandLine, NamesTheNearestOfWhatItDoesNotKnow) {
    const auto refused = [](std::vector<const char*> arguments) {
        arguments.insert(arguments.begin(), "vitrine-cli");
        std::istringstream in;
        std::ostringstream out, err;
        Console console(in, out, err);
        const CommandLine line = parse_command_line(static_cast<int>(arguments.size()), arguments.data(), console);
        EXPECT_FALSE(line.options);
        EXPECT_EQ(line.exit_code, kExitUsage);
        return err.str();
    };
    EXPECT_THAT(refused({"generat", "m.gguf"}), ::testing::HasSubstr("The nearest is \"generate\""));
    EXPECT_THAT(
        refused({"generate", "m.gguf", "--tempratur", "1"}), ::testing::HasSubstr("The nearest is --temperature"));
    EXPECT_THAT(
        refused({"quantize", "a", "b", "q4_0", "--metod=rtn"}), ::testing::HasSubstr("The nearest is --method"));
    EXPECT_THAT(
        refused({"generate", "m.gguf", "--kv", "int8_head"}), ::testing::HasSubstr("The nearest is \"int8-head\""));
}

// Options that a type would drop are refused before anything is read, with the option's name and the next step.
TEST(Commands, QuantizeRefusesWhatATypeDoesNotKnow) {
    QuantizeOptions base;
    base.in = "/nowhere/x.gguf";
    base.out = "/nowhere/out";
    struct Row {
        const char *type, *method, *named;
        void (*change)(QuantizeOptions& options);
    };
    const auto nothing = [](QuantizeOptions&) {};
    const Row rows[] = {{"int4", "gptq", "--calibration", nothing}, {"int4", "awq", "--calibration", nothing},
        {"int4", "guess", "rtn, gptq, awq", nothing}, {"nf4", "gptq", "rtn", nothing},
        {"q4_0", "gptq", "int4", nothing},
        {"int4", "rtn", "--act-order", [](QuantizeOptions& o) { o.act_order = true; }},
        {"fp8", "rtn", "--group-size", [](QuantizeOptions& o) { o.group_size = 64; }},
        {"nf4", "rtn", "--symmetric", [](QuantizeOptions& o) { o.symmetric = true; }},
        {"fp8", "rtn", "--imatrix", [](QuantizeOptions& o) { o.importance_file = "i.gguf"; }}};
    for (const Row& row : rows) {
        QuantizeOptions options = base;
        options.type = row.type;
        options.method = row.method;
        row.change(options);
        std::string out, err;
        EXPECT_EQ(run(options, out, err), kExitUsage) << row.type << ' ' << row.method;
        EXPECT_NE(err.find(row.named), std::string::npos) << err;
    }
}

// The toy trace of the design (engine.md 8): continuous batching ends after 0.60 s, static after 0.75, immediate 0.95.
TEST(Commands, RunTheToyTrace) {
    std::string out, err;
    EXPECT_EQ(run(PolicyOptions{}, out, err), kExitSuccess) << err;
    for (const char* text : {"0.95 s", "0.75 s", "0.60 s"})
        EXPECT_NE(out.find(text), std::string::npos) << text;
}

TEST(Commands, ListThePresetsWithKvBytes) {
    std::string out, err;
    InfoOptions info;
    info.presets = true;
    info.json = true;
    EXPECT_EQ(run(info, out, err), kExitSuccess);
    EXPECT_NE(out.find("\"llama-3.1-8b\""), std::string::npos);
    EXPECT_NE(out.find("131072"), std::string::npos); // KV bytes per token of the 8B shape in f16
}

TEST(ExitCodes, FollowTheCommandLineDocument) {
    EXPECT_EQ(exit_code_of(ErrorCode::invalid_argument), 2);
    EXPECT_EQ(exit_code_of(ErrorCode::bad_file), 3);
    EXPECT_EQ(exit_code_of(ErrorCode::out_of_memory), 4);
    EXPECT_EQ(exit_code_of(ErrorCode::device), 5);
    EXPECT_EQ(exit_code_of(ErrorCode::template_error), 6);
    EXPECT_EQ(exit_code_of(ErrorCode::internal), 1);
}

} // namespace
} // namespace vitrine::app
