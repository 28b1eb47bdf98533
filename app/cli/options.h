// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: one plain struct a subcommand, filled by command_line and read by cmd_*.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/api/engine_config.h"
#include "engine/api/request.h"

namespace vitrine::app {

/// MODEL and the options shared by every subcommand that runs one.
struct ModelOptions {
    std::string model;
    engine::EngineConfig config;
    std::optional<std::uint64_t> seed;
    bool json = false;
};

struct InfoOptions {
    std::string model;
    bool presets = false;
    bool json = false;
};
struct TokenizeOptions {
    std::string model;
    bool parse_special = true;
    bool add_bos = false;
    bool json = false;
};
struct DetokenizeOptions {
    std::string model;
    std::vector<std::int64_t> ids;
};
struct RenderOptions {
    std::string model;
    std::string file;
    std::string template_file;
    std::optional<std::string> bos, eos;
    std::string now;
    bool adapt = false;
    bool json = false;
};
struct GenerateOptions {
    ModelOptions model;
    std::optional<std::string> prompt;
    std::vector<std::int64_t> ids;
    std::string prompts_file;
    engine::SamplingParams sampling;
    engine::StopParams stop;
    int num_choices = 1;
    int best_of = 0; // 0: as many as choices
    int beam_width = 0; // 0: no beam search
    float length_penalty = 1;
    int top_logprobs = -1;
    std::string grammar_file; // GBNF the output must follow
    std::string schema_file; // JSON schema the output must follow
    bool raw_ids = false;
};
struct LogitsOptions {
    ModelOptions model;
    std::vector<std::int64_t> ids;
    int top = 20;
    std::string raw_file; // logits of every position; empty: none
};
struct ChatOptions {
    ModelOptions model;
    std::string system;
    engine::SamplingParams sampling;
    int max_tokens = -1;
};
struct ServeOptions {
    ModelOptions model;
    std::string host = "127.0.0.1";
    int port = 8080;
    std::vector<std::string> api_keys;
    std::vector<std::string> cors;
    std::vector<std::string> allowed_hosts;
    std::vector<std::string> models_dirs; // empty: the usual model folders
    std::vector<std::string> aliases; // NAME or NAME=MODEL
    bool only = false; // no other model is loaded by name
    std::int64_t idle_unload_s = -1; // negative: never
    int max_queue = 64;
    int max_connections = 512;
};
struct BenchOptions {
    ModelOptions model;
    std::vector<int> pp, tg, batch;
    int depth = 0;
    int reps = 5;
};
struct PerplexityOptions {
    ModelOptions model;
    std::string file;
    int window = 512;
    bool reference = false; // score with kernels/ref
    bool kl = false; // compare with kernels/ref
    int max_windows = 0; // 0: all whole windows
};
struct PlanOptions {
    ModelOptions model;
    int parallel = 1;
    std::int64_t memory_bytes = 0; // 0: what is free
};
struct SynthOptions {
    std::string preset;
    std::string type;
    std::string out;
    std::uint64_t seed = 1;
};
struct PolicyOptions {
    std::string trace_file; // empty: the toy trace
    bool toy = false; // said so
    bool json = false;
};
struct AblateOptions {
    ModelOptions model;
    int num_requests = 16;
    int num_pairs = 5;
    std::vector<std::string> rows; // empty: all
};
struct TraceOptions {
    ModelOptions model;
    std::string workload; // JSONL; -: stdin
    std::string out;
};
struct QuantizeOptions {
    std::string in, out, type;
    std::string method = "rtn";
    std::string importance_file; // imatrix
    std::string
        calibration_file; // text whose inputs gptq and awq see; where no text_file is given, rtn's report scores it
    std::string text_file; // that the report scores; empty: a text of this program
    int calibration_windows = 32; // of 512 tokens; 0: all whole windows
    int group_size = 0; // inputs that share a scale; 0: the largest of 128, 64 and 32 that divides every row
    bool act_order = false; // gptq
    bool symmetric = false; // gptq
    double outlier_threshold = 6; // int8
    std::string markdown_file; // the report, besides
    bool report = false;
    bool json = false;
    int num_threads = 0;
};
/// Both models on the same text: what a quantized file lost.
struct QualityOptions {
    ModelOptions model;
    std::string reference;
    std::string text_file; // empty: a text of this program
    std::string markdown_file;
    int window = 256;
    int max_windows = 0; // 0: all whole windows
};
struct ImatrixOptions {
    ModelOptions model;
    std::string text_file;
    std::string out;
    int window = 512;
    int max_windows = 0;
};

using Options = std::variant<InfoOptions, TokenizeOptions, DetokenizeOptions, RenderOptions, GenerateOptions,
    LogitsOptions, ChatOptions, ServeOptions, BenchOptions, PerplexityOptions, PlanOptions, SynthOptions, PolicyOptions,
    QuantizeOptions, QualityOptions, ImatrixOptions, AblateOptions, TraceOptions>;

} // namespace vitrine::app
