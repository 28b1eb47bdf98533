// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: the command line.
#include "app/cli/command_line.h"

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/log.h"
#include "engine/base/nearest_name.h"
#include "kernels/api/sentence.h"

namespace vitrine::app {
namespace {

/// Collects the parsers of all subcommands; `chosen` gives the options of the one that was used.
struct Parser {
    CLI::App app{"Vitrine: local language models, run fast and shown live.", "vitrine-cli"};
    std::string log_level = "off";
    std::vector<std::function<std::optional<Options>()>> chosen;
};

/// A subcommand whose options live as long as the parser.
template <class T>
T& add_command(Parser& parser, CLI::App*& command, const char* name, const char* description) {
    auto options = std::make_shared<T>();
    command = parser.app.add_subcommand(name, description);
    command->add_option(
        "--log-level", parser.log_level, "trace, debug, info, warn, error or off (errors are printed anyway)");
    parser.chosen.emplace_back([options, command]() -> std::optional<Options> {
        return command->parsed() ? std::optional<Options>(*options) : std::nullopt;
    });
    return *options;
}

void add_model(CLI::App& command, std::string& model) {
    command.add_option("MODEL", model, "a .gguf file, or default")->required();
}

std::vector<std::string_view> kv_type_names() {
    std::vector<std::string_view> names;
    for (int i = 0; i < kernels::kNumKvTypes; ++i)
        names.push_back(kernels::kv_type_name(static_cast<kernels::KvType>(i)));
    return names;
}

void add_precision_options(CLI::App& command, engine::EngineConfig& config) {
    command.add_option_function<std::string>(
        "--kv",
        [&config](const std::string& name) {
            const auto type = kernels::kv_type_from_name(name);
            if (!type)
                throw CLI::ValidationError(
                    "--kv", name + " is no KV type. " + english(engine::known_names(name, kv_type_names())));
            config.kv_type = *type;
        },
        fmt::format("KV cache type: {}", fmt::join(kv_type_names(), ", ")));
    command.add_option("--quant", config.quantize, "re-quantize weights while loading");
    command.add_option_function<std::string>(
        "--activations",
        [&config](const std::string& name) {
            if (name != "int8" && name != "int8x2")
                throw CLI::ValidationError("--activations", name + " is neither int8 nor int8x2");
            config.auto_numerics = false;
            config.numerics = name == "int8x2" ? kernels::Numerics::exact : kernels::Numerics::fast;
        },
        "int8 or int8x2 (CUDA: f16); default: int8x2 for weights up to 512 MiB, else int8; bench: int8");
    command.add_flag_callback(
        "--invariant",
        [&config] {
            config.auto_numerics = false;
            config.numerics = kernels::Numerics::invariant;
        },
        "batch-invariant numerics");
}

void add_scheduling_options(CLI::App& command, engine::EngineConfig& config) {
    command.add_option("--block-size", config.block_tokens, "tokens of a KV block: 16 or 32")
        ->check(CLI::IsMember({16, 32}));
    command.add_option("--num-blocks", config.num_blocks, "KV blocks; default: from free memory")
        ->check(CLI::PositiveNumber);
    command.add_option("--ctx", config.context, "tokens of one sequence")->check(CLI::PositiveNumber);
    command.add_option("--max-seqs", config.max_seqs, "sequences in one step")->check(CLI::PositiveNumber);
    command.add_option("--max-batch-tokens", config.max_batch_tokens, "tokens in one step")->check(CLI::PositiveNumber);
    command.add_option("--prefill-chunk", config.prefill_chunk, "prompt tokens of one sequence in one step")
        ->check(CLI::PositiveNumber);
    command.add_flag_callback(
        "--no-prefix-cache", [&config] { config.prefix_cache = false; }, "no look-up of computed prompts");
    command.add_flag_callback(
        "--no-chunked-prefill", [&config] { config.chunked_prefill = false; }, "a prompt in one piece");
    command.add_flag_callback(
        "--no-graphs", [&config] { config.cuda_graphs = false; }, "no CUDA graphs");
    command.add_flag_callback(
        "--no-step-ahead", [&config] { config.step_ahead = false; }, "a GPU waits for each step's tokens");
    command.add_option_function<std::string>(
        "--policy",
        [&config](const std::string& name) {
            const std::map<std::string, engine::BatchPolicy> policies{{"immediate", engine::BatchPolicy::immediate},
                {"static", engine::BatchPolicy::fixed}, {"continuous", engine::BatchPolicy::continuous}};
            const auto policy = policies.find(name);
            if (policy == policies.end())
                throw CLI::ValidationError("--policy", name + " is none of immediate, static, continuous");
            config.policy = policy->second;
        },
        "batching: immediate, static, continuous");
    command.add_option("--draft", config.draft, "speculation: ngram, or a small model with the same vocabulary");
    command.add_option_function<std::string>(
        "--gamma",
        [&config](const std::string& text) {
            config.gamma = -1;
            if (text != "auto" && (!CLI::detail::lexical_cast(text, config.gamma) || config.gamma < 0))
                throw CLI::ValidationError("--gamma", text + " is neither a number from 0 on nor auto");
        },
        "drafted tokens a step, or auto: as many as pay");
}

/// FILE:WEIGHT; the last colon counts, so that paths may hold some.
engine::AdapterFile scaled_adapter(const std::string& text) {
    const std::size_t colon = text.rfind(':');
    float weight = 0;
    if (colon == std::string::npos || colon == 0 || !CLI::detail::lexical_cast(text.substr(colon + 1), weight))
        throw CLI::ValidationError("--lora-scaled", text + " is not FILE:WEIGHT");
    return {text.substr(0, colon), weight};
}

void add_adapter_options(CLI::App& command, engine::EngineConfig& config) {
    command
        .add_option_function<std::vector<std::string>>(
            "--lora",
            [&config](const std::vector<std::string>& files) {
                for (const std::string& file : files)
                    config.adapters.push_back({file, 1});
            },
            "LoRA adapter: a GGUF file or a PEFT directory; may be repeated (serve then loads no other model)")
        ->expected(1)
        ->take_all();
    command
        .add_option_function<std::vector<std::string>>(
            "--lora-scaled",
            [&config](const std::vector<std::string>& files) {
                for (const std::string& file : files)
                    config.adapters.push_back(scaled_adapter(file));
            },
            "FILE:WEIGHT, a LoRA adapter of which requests use so much by default; may be repeated")
        ->expected(1)
        ->take_all();
}

void add_gpu_layers_option(CLI::App& command, engine::EngineConfig& config) {
    command.add_option_function<std::string>(
        "--gpu-layers",
        [&config](const std::string& text) {
            config.gpu_layers = -1;
            if (text != "auto" && (!CLI::detail::lexical_cast(text, config.gpu_layers) || config.gpu_layers < 0))
                throw CLI::ValidationError("--gpu-layers", text + " is neither a number from 0 on nor auto");
        },
        "layers on the GPU, from the first, the others on the CPU; auto: as many as fit");
}

void add_model_options(CLI::App& command, ModelOptions& options) {
    engine::EngineConfig& config = options.config;
    add_model(command, options.model);
    command.add_option("--device", config.device, "auto, cpu, cuda or cuda:N");
    add_gpu_layers_option(command, config);
    command.add_option("--isa", config.isa, "auto, scalar, avx2, avxvnni, avx512 or amx");
    command.add_option("--threads", config.num_threads, "CPU threads; default: physical cores")
        ->check(CLI::PositiveNumber);
    command.add_option("--seed", options.seed, "of sampling and random ids");
    command.add_flag("--json", options.json, "one JSON document on stdout");
    add_precision_options(command, config);
    add_adapter_options(command, config);
    add_scheduling_options(command, config);
}

void add_sampling_options(CLI::App& command, engine::SamplingParams& sampling) {
    command.add_option("--temperature", sampling.temperature, "0: greedy");
    command.add_option("--top-k", sampling.top_k, "0: off");
    command.add_option("--top-p", sampling.top_p, "1: off");
    command.add_option("--min-p", sampling.min_p, "0: off");
    command.add_option("--typical-p", sampling.typical_p, "1: off");
    command.add_option("--repetition-penalty", sampling.repetition_penalty, "1: off");
    command.add_option("--repeat-last-n", sampling.repeat_last_n, "window of the repetition penalty; -1: all");
    command.add_option("--frequency-penalty", sampling.frequency_penalty, "0: off");
    command.add_option("--presence-penalty", sampling.presence_penalty, "0: off");
}

void add_text_commands(Parser& parser) {
    CLI::App* command = nullptr;
    auto& info = add_command<InfoOptions>(parser, command, "info", "what a file is, before loading it");
    command->add_option("MODEL", info.model, "a .gguf file, or default");
    command->add_flag("--presets", info.presets, "the table of built-in shapes");
    command->add_flag("--json", info.json);

    auto& tokenize = add_command<TokenizeOptions>(parser, command, "tokenize", "text on stdin to ids");
    add_model(*command, tokenize.model);
    command->add_flag_callback(
        "--no-special", [&tokenize] { tokenize.parse_special = false; }, "control tokens in the text stay text");
    command->add_flag("--add-bos", tokenize.add_bos, "BOS and EOS as the file says");
    command->add_flag("--json", tokenize.json);

    auto& detokenize = add_command<DetokenizeOptions>(parser, command, "detokenize", "ids to bytes on stdout");
    add_model(*command, detokenize.model);
    command->add_option("ID", detokenize.ids, "token ids")->delimiter(',');

    auto& render = add_command<RenderOptions>(parser, command, "render", "messages to the exact prompt text");
    add_model(*command, render.model);
    command->add_option("FILE", render.file, "OpenAI request JSON; -: stdin")->required();
    command->add_option("--template", render.template_file, "a Jinja file instead of the model's template");
    command->add_option("--bos", render.bos, "bos_token");
    command->add_option("--eos", render.eos, "eos_token");
    command->add_option("--now", render.now, "the time templates see: 2026-07-26T09:00:00");
    command->add_flag("--adapt", render.adapt, "fold what the template does not take, as the endpoint does");
    command->add_flag("--json", render.json);
}

void add_run_commands(Parser& parser) {
    CLI::App* command = nullptr;
    auto& generate = add_command<GenerateOptions>(parser, command, "generate", "prompts through the engine");
    generate.sampling.temperature = 0;
    add_model_options(*command, generate.model);
    command->add_option("-p,--prompt", generate.prompt, "text; BOS as the file says");
    command->add_option("--ids", generate.ids, "token ids: 1,2,3")->delimiter(',');
    command->add_option(
        "--prompts", generate.prompts_file, "JSONL: a string, ids, or {prompt|ids|messages, ...} a line");
    command->add_option("-n,--max-tokens", generate.stop.max_tokens, "tokens of each answer");
    command->add_option("--choices", generate.num_choices, "answers of each prompt");
    command->add_option("--best-of", generate.best_of, "candidates; the --choices best by mean logprob are printed")
        ->check(CLI::PositiveNumber);
    command->add_option("--beam-width", generate.beam_width, "beam search with so many beams; no sampling")
        ->check(CLI::PositiveNumber);
    command->add_option("--length-penalty", generate.length_penalty, "of beam search: score = logprob / length^P");
    command->add_option("--stop", generate.stop.stop, "stop string; may be repeated")->expected(1)->take_all();
    command->add_flag("--ignore-eos", generate.stop.ignore_eos, "go on after the end token");
    command->add_option("--top-logprobs", generate.top_logprobs, "log probabilities: chosen token and the K best");
    command->add_flag("--raw-ids", generate.raw_ids, "ids in, ids out");
    auto* grammar = command->add_option("--grammar", generate.grammar_file, "GBNF file that the output must follow");
    command->add_option("--json-schema", generate.schema_file, "JSON schema file that the output must follow")
        ->excludes(grammar);
    add_sampling_options(*command, generate.sampling);

    auto& logits = add_command<LogitsOptions>(parser, command, "logits", "logits of the last position");
    add_model_options(*command, logits.model);
    command->add_option("--ids", logits.ids, "token ids: 1,2,3")->delimiter(',')->required();
    command->add_option("--top", logits.top, "how many");
    command->add_option("--raw", logits.raw_file, "file for the logits of every position: f32 [ids][vocabulary]");

    auto& chat = add_command<ChatOptions>(parser, command, "chat", "interactive chat; /help");
    chat.sampling.temperature = 0.7F;
    add_model_options(*command, chat.model);
    command->add_option("--system", chat.system, "system message");
    command->add_option("-n,--max-tokens", chat.max_tokens, "tokens of each answer");
    add_sampling_options(*command, chat.sampling);

    auto& serve = add_command<ServeOptions>(parser, command, "serve", "the endpoint, headless");
    add_model_options(*command, serve.model);
    command->add_option("--host", serve.host, "address to listen on");
    command->add_option("--port", serve.port, "0: any free port")->check(CLI::Range(0, 65535));
    command->add_option("--api-key", serve.api_keys, "may be repeated")->expected(1)->take_all();
    command->add_option("--cors", serve.cors, "allowed origin; may be repeated")->expected(1)->take_all();
    command->add_option("--allow-host", serve.allowed_hosts, "further name in the Host header; may be repeated")
        ->expected(1)
        ->take_all();
    command->add_option("--models-dir", serve.models_dirs, "folder of models to load by name; may be repeated")
        ->expected(1)
        ->take_all();
    command->add_option("--alias", serve.aliases, "NAME or NAME=MODEL; may be repeated")->expected(1)->take_all();
    command->add_flag("--only", serve.only, "load no other model by name");
    command->add_option("--idle-unload", serve.idle_unload_s, "unload after so many seconds without a request")
        ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 31));
    command->add_option("--max-queue", serve.max_queue, "requests that may wait")->check(CLI::Range(0, 100'000));
    command->add_option("--max-connections", serve.max_connections)->check(CLI::Range(1, 100'000));
}

void add_measure_commands(Parser& parser) {
    CLI::App* command = nullptr;
    auto& bench = add_command<BenchOptions>(parser, command, "bench", "prefill and decode speed");
    add_model_options(*command, bench.model);
    command->add_option("--pp", bench.pp, "prompt lengths")->delimiter(',');
    command->add_option("--tg", bench.tg, "generated lengths")->delimiter(',');
    command->add_option("--batch", bench.batch, "parallel sequences of a decode step")->delimiter(',');
    command->add_option("--depth", bench.depth, "tokens in the context before the measurement");
    command->add_option("--reps", bench.reps, "repetitions")->check(CLI::PositiveNumber);

    auto& perplexity = add_command<PerplexityOptions>(parser, command, "perplexity", "mean negative log-likelihood");
    add_model_options(*command, perplexity.model);
    command->add_option("-f,--file", perplexity.file, "text; -: stdin")->required();
    command->add_option("--window", perplexity.window, "tokens")->check(CLI::Range(2, 1 << 20));
    command->add_option("--max-windows", perplexity.max_windows, "0: all whole windows");
    command->add_flag("--reference", perplexity.reference, "score with kernels/ref in double precision");
    command->add_flag("--kl", perplexity.kl, "compare with kernels/ref");

    auto& plan = add_command<PlanOptions>(parser, command, "plan", "will it fit");
    add_model_options(*command, plan.model);
    command->add_option("--parallel", plan.parallel, "sequences of --ctx tokens")->check(CLI::PositiveNumber);
    command->add_option("--memory", plan.memory_bytes, "bytes; default: what is free");
}

void add_quantize_command(Parser& parser) {
    CLI::App* command = nullptr;
    auto& quantize = add_command<QuantizeOptions>(
        parser, command, "quantize", "writes a model in another type: a GGUF file, or a folder of safetensors");
    command->add_option("IN", quantize.in)->required();
    command->add_option("OUT", quantize.out, "a file, or for int4, int8, nf4 and fp8 a folder that is not there yet")
        ->required();
    command->add_option("TYPE", quantize.type, "q8_0, q4_k_m, ... or int4, int8, nf4, fp8")->required();
    command->add_option("--method", quantize.method, "rtn; gptq (int4, int8) and awq (int4) need --calibration");
    command->add_option(
        "--calibration", quantize.calibration_file, "text for gptq and awq; with rtn the report scores it");
    command->add_option("--calibration-windows", quantize.calibration_windows, "of 512 tokens; 0: the whole text")
        ->check(CLI::NonNegativeNumber);
    command
        ->add_option("--group-size", quantize.group_size,
            "inputs that share a scale (int4, gptq, awq); default: the largest of 128, 64, 32 that divides every row")
        ->check(CLI::Range(8, 1 << 20));
    command->add_flag("--act-order", quantize.act_order, "gptq: largest inputs first");
    command->add_flag(
        "--symmetric", quantize.symmetric, "int4, gptq: zero points in the middle, as Marlin kernels want");
    command
        ->add_option("--outlier-threshold", quantize.outlier_threshold,
            "int8: inputs beyond it are multiplied in 16 bits (LLM.int8); 0: none")
        ->check(CLI::NonNegativeNumber);
    command->add_option("--imatrix", quantize.importance_file, "importance matrix: weighs the errors (GGUF or .dat)");
    command->add_option("--threads", quantize.num_threads, "default: all cores");
    command->add_flag(
        "--report", quantize.report, "error of each tensor, perplexity, KL and answers against the input");
    command->add_option("--text", quantize.text_file, "text that the report scores; default: a built-in text");
    command->add_option("--markdown", quantize.markdown_file, "file for the report as Markdown");
    command->add_flag("--json", quantize.json);
}

void add_file_commands(Parser& parser) {
    CLI::App* command = nullptr;
    auto& synth = add_command<SynthOptions>(parser, command, "synth", "a file of real shapes with random weights");
    command->add_option("PRESET", synth.preset)->required();
    command->add_option("TYPE", synth.type)->required();
    command->add_option("OUT", synth.out)->required();
    command->add_option("--seed", synth.seed);

    auto& policy = add_command<PolicyOptions>(parser, command, "policy", "batching policies over one arrival trace");
    auto* trace = command->add_option("TRACE", policy.trace_file, "a trace file; default: the toy trace");
    command->add_flag("--toy", policy.toy, "the toy trace")->excludes(trace);
    command->add_flag("--json", policy.json);

    add_quantize_command(parser);

    auto& quality = add_command<QualityOptions>(parser, command, "quality", "what a quantized file lost");
    add_model_options(*command, quality.model);
    command->add_option("REFERENCE", quality.reference, "the file it was made from")->required();
    command->add_option("-f,--file", quality.text_file, "text; default: a built-in text");
    command->add_option("--window", quality.window, "tokens")->check(CLI::Range(2, 1 << 20));
    command->add_option("--max-windows", quality.max_windows, "0: all whole windows");
    command->add_option("--markdown", quality.markdown_file, "file for the report as Markdown");

    auto& imatrix = add_command<ImatrixOptions>(parser, command, "imatrix", "makes an importance matrix (on the CPU)");
    add_model_options(*command, imatrix.model);
    command->add_option("-f,--file", imatrix.text_file, "text; -: stdin")->required();
    command->add_option("-o,--out", imatrix.out, "GGUF file to write")->required();
    command->add_option("--window", imatrix.window, "tokens")->check(CLI::Range(2, 1 << 20));
    command->add_option("--max-windows", imatrix.max_windows, "0: all whole windows");
}

void add_lab_commands(Parser& parser) {
    CLI::App* command = nullptr;
    auto& ablate = add_command<AblateOptions>(parser, command, "ablate", "every optimisation switched off in turn");
    add_model_options(*command, ablate.model);
    command->add_option("--requests", ablate.num_requests, "requests of a workload")->check(CLI::Range(1, 1024));
    command->add_option("--pairs", ablate.num_pairs, "runs with all on, and as many with one thing off")
        ->check(CLI::Range(2, 1000));
    command->add_option("--rows", ablate.rows, "only these: full,no_kv_cache,...")->delimiter(',');

    auto& trace = add_command<TraceOptions>(parser, command, "trace", "runs a workload and writes what the engine did");
    add_model_options(*command, trace.model);
    command
        ->add_option("WORKLOAD", trace.workload, "JSONL: {prompt|ids|messages, arrival_s, max_tokens, ...}; -: stdin")
        ->required();
    command->add_option("--out", trace.out, "trace-event JSON for Perfetto")->required();
}

std::vector<std::string_view> views_of(const std::vector<std::string>& names) {
    return {names.begin(), names.end()};
}

/// What was meant by a subcommand or an option that does not exist; empty: all of them exist.
std::string nearest_hint(const CLI::App& app, std::span<const char* const> arguments) {
    const auto all = app.get_subcommands([](const CLI::App*) { return true; });
    const CLI::App* command = nullptr;
    std::vector<std::string> names; // owns what `known` looks at
    for (const std::string argument : arguments) {
        if (command == nullptr && !argument.starts_with('-')) {
            for (const CLI::App* candidate : all) {
                names.push_back(candidate->get_name());
                if (candidate->get_name() == argument)
                    command = candidate;
            }
            if (command == nullptr)
                return " " + english(engine::known_names(argument, views_of(names)));
            names.clear();
        } else if (command != nullptr && argument.starts_with("--")) {
            const std::string name = argument.substr(0, argument.find('='));
            if (command->get_option_no_throw(name) != nullptr || app.get_option_no_throw(name) != nullptr)
                continue;
            for (const CLI::Option* option : command->get_options())
                for (const std::string& long_name : option->get_lnames())
                    names.push_back("--" + long_name);
            const std::string_view nearest = engine::nearest_name(name, views_of(names));
            return nearest.empty() ? std::string() : fmt::format(" The nearest is {}.", nearest);
        }
    }
    return {};
}

} // namespace

CommandLine parse_command_line(int argc, const char* const* argv, Console& console) {
    Parser parser;
    parser.app.require_subcommand(1);
    parser.app.set_version_flag("--version", "vitrine-cli 0.1.0");
    add_text_commands(parser);
    add_run_commands(parser);
    add_measure_commands(parser);
    add_file_commands(parser);
    add_lab_commands(parser);
    try {
        parser.app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) { // --help, --version
            console.write(dynamic_cast<const CLI::CallForVersion*>(&error) ? std::string(error.what()) + "\n"
                                                                           : parser.app.help());
            return {std::nullopt, kExitSuccess};
        }
        const std::span arguments(argv, static_cast<std::size_t>(argc));
        std::string_view what = error.what(); // ours end with a stop, CLI11's do not
        what.remove_suffix(what.ends_with('.') ? 1 : 0);
        console.note(fmt::format(
            "vitrine-cli: {}.{} See vitrine-cli --help.", what, nearest_hint(parser.app, arguments.subspan(1))));
        return {std::nullopt, kExitUsage};
    }
    const auto level = engine::log_level_from_name(parser.log_level);
    if (!level)
        return {std::nullopt, console.fail(level.error())};
    engine::set_log_level(*level);
    for (const auto& options_of : parser.chosen)
        if (auto options = options_of())
            return {std::move(options), kExitSuccess};
    return {std::nullopt, kExitUsage};
}

} // namespace vitrine::app
