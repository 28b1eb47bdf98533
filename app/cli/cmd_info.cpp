// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: info.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/open_model.h"
#include "engine/base/format.h"
#include "engine/kv/kv_groups.h"
#include "engine/model/architecture_registry.h"
#include "engine/model/model_config.h"
#include "engine/model/model_inspection.h"
#include "engine/model/shape_presets.h"

namespace vitrine::app {
namespace {

using nlohmann::ordered_json;

ordered_json to_json(const engine::ModelInfo& info) {
    ordered_json json;
    json["name"] = info.name;
    json["architecture"] = info.architecture;
    json["parameters"] = info.parameters;
    json["weight_bytes"] = info.weight_bytes;
    json["quantization"] = info.quantization;
    json["types"] = info.bytes_by_type;
    json["context_length"] = info.context_length;
    json["layers"] = info.num_layers;
    json["heads"] = info.num_heads;
    json["kv_heads"] = info.num_kv_heads;
    json["head_dim"] = info.head_dim;
    json["embedding_dim"] = info.embedding_dim;
    json["feed_forward_dim"] = info.feed_forward_dim;
    json["sliding_window"] = info.sliding_window;
    json["kv_bytes_per_token"] = info.kv_bytes_per_token;
    json["kv_bytes_per_far_token"] = info.kv_bytes_per_far_token;
    json["tokenizer"] = {{"model", info.tokenizer_model}, {"pre", info.tokenizer_pre}, {"vocab_size", info.vocab_size}};
    json["has_chat_template"] = info.has_chat_template;
    json["vocabulary_only"] = info.vocabulary_only;
    json["license"] = info.license;
    json["file_bytes"] = info.file_bytes;
    json["path"] = info.path;
    return json;
}

/// Which layers see a window is known once the layers are laid out; a file that cannot be run keeps one number.
void add_windows(engine::ModelInfo& info, const engine::gguf::File& file) {
    const auto config = engine::read_model_config(file);
    if (info.sliding_window == 0 || !config)
        return;
    const auto program = engine::build_program(file, *config, {});
    if (program)
        info.kv_bytes_per_far_token =
            engine::far_kv_bytes_by_type(engine::kv_layout(*program, kernels::KvType::f16, 16, true));
}

std::string kv_text(const std::map<std::string, std::int64_t>& bytes_by_type) {
    std::string text;
    for (const auto& [type, bytes] : bytes_by_type)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", type, engine::format_count(bytes));
    return text;
}

void print(const engine::ModelInfo& info, Console& console) {
    console.line(fmt::format("{} ({})", info.name, info.path));
    console.line(fmt::format("  architecture   {}", info.architecture));
    console.line(fmt::format("  parameters     {}", engine::format_count(info.parameters)));
    std::string types;
    for (const auto& [type, bytes] : info.bytes_by_type)
        types += fmt::format("{}{} {}", types.empty() ? "" : ", ", type, engine::format_bytes(bytes));
    console.line(
        fmt::format("  weights        {} {} ({})", info.quantization, engine::format_bytes(info.weight_bytes), types));
    console.line(fmt::format("  shape          {} layers, {} heads, {} KV heads of {}, width {}, feed-forward {}",
        info.num_layers, info.num_heads, info.num_kv_heads, info.head_dim, info.embedding_dim, info.feed_forward_dim));
    console.line(fmt::format("  context        {} tokens", engine::format_count(info.context_length)));
    console.line(fmt::format("  KV per token   {} bytes", kv_text(info.kv_bytes_per_token)));
    if (!info.kv_bytes_per_far_token.empty())
        console.line(fmt::format("    beyond the window of {} tokens: {} bytes",
            engine::format_count(info.sliding_window), kv_text(info.kv_bytes_per_far_token)));
    console.line(fmt::format("  tokenizer      {}{}{}, {} tokens", info.tokenizer_model,
        info.tokenizer_pre.empty() ? "" : "/", info.tokenizer_pre, engine::format_count(info.vocab_size)));
    console.line(fmt::format("  chat template  {}", info.has_chat_template ? "yes" : "no"));
}

int show_presets(const InfoOptions& options, Console& console) {
    ordered_json list = ordered_json::array();
    for (const engine::ShapePreset& preset : engine::shape_presets()) {
        const engine::ModelInfo info = engine::describe_preset(preset);
        if (options.json) {
            list.push_back(to_json(info));
            continue;
        }
        console.line(fmt::format("{:<16} {:<9} {:>15} parameters  {:>10} in BF16  KV per token: {}", info.name,
            info.architecture, engine::format_count(info.parameters), engine::format_bytes(info.weight_bytes),
            kv_text(info.kv_bytes_per_token)));
    }
    if (options.json)
        console.json(ordered_json{{"presets", list}});
    return kExitSuccess;
}

} // namespace

int run_command(const InfoOptions& options, Console& console) {
    if (options.presets)
        return show_presets(options, console);
    if (options.model.empty())
        return console.fail(Error{ErrorCode::invalid_argument, "info needs a MODEL", "Give a file, or --presets."});
    auto file = open_model_file(options.model);
    if (!file)
        return console.fail(file.error());
    engine::ModelInfo info = engine::inspect_file(**file);
    add_windows(info, **file);
    if (options.json)
        console.json(to_json(info));
    else
        print(info, console);
    return kExitSuccess;
}

} // namespace vitrine::app
