// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: model directories.
#include "engine/model/model_file.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/json_depth.h"
#include "engine/base/log.h"
#include "engine/model/checkpoint_weights.h"
#include "engine/model/packed_experts.h"
#include "engine/quant/convert_rows.h"
#include "engine/safetensors/hf_config.h"
#include "engine/safetensors/safetensors_file.h"
#include "engine/text/hf_tokenizer.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

namespace fs = std::filesystem;
using kernels::WeightFormat;
using safetensors::HfModel;

constexpr std::uintmax_t kMaxJsonBytes = 512U << 20;
constexpr std::size_t kMaxShards = 1024;

Result<std::string> read_small_file(const fs::path& path) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(path, error);
    if (!error && size > kMaxJsonBytes)
        return fail(ErrorCode::bad_file, say(Sentence::file_too_large, path.string(), size, kMaxJsonBytes),
            say(Sentence::fetch_model_again));
    auto file = MappedFile::open(path.string());
    VT_TRY(file);
    return std::string(reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size());
}

/// Empty where there is no such file.
Result<std::string> read_if_there(const fs::path& path) {
    std::error_code error;
    return fs::is_regular_file(path, error) ? read_small_file(path) : Result<std::string>(std::string());
}

/// The shards an index names, else every *.safetensors file of the directory.
Result<std::vector<fs::path>> shard_paths(const fs::path& directory) {
    std::set<std::string> names;
    auto index = read_if_there(directory / "model.safetensors.index.json");
    VT_TRY(index);
    if (!index->empty()) {
        const auto json = nlohmann::json::parse(*index, nullptr, false);
        if (!json.is_object() || !json.contains("weight_map") || !json["weight_map"].is_object())
            return fail(ErrorCode::bad_file,
                say(Sentence::file_malformed, (directory / "model.safetensors.index.json").string(),
                    say(Sentence::part_missing, "weight_map")),
                say(Sentence::fetch_model_again));
        for (const auto& [tensor, file] : json["weight_map"].items())
            if (file.is_string())
                names.insert(file.get<std::string>());
    } else {
        std::error_code error;
        for (const auto& entry : fs::directory_iterator(directory, error))
            if (entry.path().extension() == ".safetensors")
                names.insert(entry.path().filename().string());
    }
    std::vector<fs::path> paths;
    for (const std::string& name : names) {
        if (name.find('/') != std::string::npos || name.starts_with("..") || paths.size() >= kMaxShards)
            return fail(ErrorCode::bad_file,
                say(Sentence::index_names_outside, directory.string(), name.substr(0, 200)),
                say(Sentence::fetch_model_again));
        paths.push_back(directory / name);
    }
    if (paths.empty())
        return fail(ErrorCode::not_found, say(Sentence::folder_without_weights, directory.string()),
            say(Sentence::choose_model_folder));
    return paths;
}

class DirectoryReader {
public:
    explicit DirectoryReader(const fs::path& directory) : directory_(directory) { assembly_.path = directory.string(); }

    Result<std::shared_ptr<const gguf::File>> read() {
        const fs::path config_path = directory_ / "config.json";
        auto config = read_small_file(config_path);
        VT_TRY(config);
        auto model = safetensors::read_config(config_path.string(), *config);
        VT_TRY(model);
        model_ = *std::move(model);
        assembly_.metadata = model_.metadata;
        assembly_.metadata.emplace_back("general.name", directory_.filename().string());
        auto shards = shard_paths(directory_);
        VT_TRY(shards);
        for (const fs::path& shard : *shards)
            VT_TRY(read_shard(shard));
        VT_TRY(add_tensors());
        VT_TRY(join_experts());
        add_factors("rope_freqs.weight", model_.rope_factors);
        add_factors("rope_factors_long.weight", model_.long_factors);
        add_factors("rope_factors_short.weight", model_.short_factors);
        VT_TRY(read_pooling());
        VT_TRY(read_tokenizer());
        return gguf::File::assemble(std::move(assembly_));
    }

private:
    Result<void> read_shard(const fs::path& path) {
        auto file = MappedFile::open(path.string());
        VT_TRY(file);
        auto tensors = safetensors::read_header(path.string(), file->bytes());
        VT_TRY(tensors);
        std::move(tensors->begin(), tensors->end(), std::back_inserter(tensors_));
        assembly_.files.push_back(*std::move(file));
        return {};
    }
    /// Packed matrices are unpacked to float32; their scales and zero points are parts of them, not tensors.
    Result<void> add_tensors() {
        TensorTable table;
        for (const safetensors::Tensor& tensor : tensors_)
            if (!table.emplace(tensor.name, &tensor).second)
                return fail(ErrorCode::bad_file, say(Sentence::name_twice, directory_.string(), tensor.name),
                    say(Sentence::fetch_model_again));
        std::set<std::string> modules;
        for (const safetensors::Tensor& tensor : tensors_)
            if (const std::string module = packed_module(model_.checkpoint, tensor.name, table); !module.empty())
                modules.insert(module);
        for (const std::string& module : modules) {
            auto matrix = unpack_matrix(model_.checkpoint, module, table);
            VT_TRY(matrix);
            const auto bytes = std::as_bytes(std::span(matrix->values));
            assembly_.owned.emplace_back(bytes.begin(), bytes.end());
            VT_TRY(add_tensor(directory_.string(),
                {module + ".weight", "F32", {matrix->out_dim, matrix->in_dim}, assembly_.owned.back()}));
        }
        const bool packs_experts = model_.checkpoint.method == safetensors::CheckpointMethod::mxfp4;
        for (const safetensors::Tensor& tensor : tensors_)
            if (!is_part_of(modules, tensor.name) && !(packs_experts && is_packed_expert(tensor.name)))
                VT_TRY(add_tensor(directory_.string(), tensor));
        if (packs_experts) {
            auto experts = unpack_experts(table);
            VT_TRY(experts);
            for (OwnedTensor& expert : *experts)
                add_owned(std::move(expert.tensor), std::move(expert.bytes));
        }
        if (!modules.empty())
            log_info("{}: {} quantized matrices were unpacked to float32", directory_.string(), modules.size());
        return {};
    }
    /// Everything of a packed module but its bias.
    static bool is_part_of(const std::set<std::string>& modules, const std::string& name) {
        if (name.ends_with(".bias"))
            return false;
        for (std::size_t dot = name.rfind('.'); dot != std::string::npos && dot > 0; dot = name.rfind('.', dot - 1))
            if (modules.contains(name.substr(0, dot)))
                return true;
        return false;
    }
    /// "model.layers.2.mlp.experts.7.up_proj.weight": one expert's matrix, joined later.
    bool keep_expert(const safetensors::Tensor& tensor) {
        static constexpr std::pair<std::string_view, std::string_view> kParts[] = {{"gate_proj", "gate"},
            {"up_proj", "up"}, {"down_proj", "down"}, {"w1", "gate"}, {"w3", "up"}, {"w2", "down"}};
        int layer = 0, expert = 0;
        char part[16] = {};
        if (std::sscanf(tensor.name.c_str(), "model.layers.%9d.mlp.experts.%9d.%15[a-z0-9_].weight", &layer, &expert,
                part) != 3 &&
            std::sscanf(tensor.name.c_str(), "model.layers.%9d.block_sparse_moe.experts.%9d.%15[a-z0-9_].weight",
                &layer, &expert, part) != 3)
            return false;
        for (const auto& [theirs, ours] : kParts)
            if (theirs == part) {
                experts_[fmt::format("blk.{}.ffn_{}_exps.weight", layer, ours)][expert] = tensor;
                return true;
            }
        return false;
    }
    Result<void> join_experts() {
        for (const auto& [name, by_number] : experts_) {
            const safetensors::Tensor& first = by_number.begin()->second;
            std::vector<std::byte> bytes;
            bytes.reserve(first.bytes.size() * by_number.size());
            int next = 0;
            for (const auto& [number, tensor] : by_number) {
                if (number != next++ || tensor.shape != first.shape || tensor.dtype != first.dtype)
                    return fail(ErrorCode::bad_file, say(Sentence::expert_missing, directory_.string(), next - 1, name),
                        say(Sentence::fetch_model_again));
                bytes.insert(bytes.end(), tensor.bytes.begin(), tensor.bytes.end());
            }
            const auto format = kernels::format_from_name(first.dtype);
            if (!format || first.shape.size() != 2)
                return fail(ErrorCode::unsupported,
                    say(Sentence::experts_of_unknown_type, directory_.string(), name, first.dtype),
                    say(Sentence::choose_gguf_of_model));
            add_owned({name, {first.shape[1], first.shape[0], std::ssize(by_number)},
                          static_cast<std::uint32_t>(kernels::format_info(*format).ggml_type), format, {}},
                std::move(bytes));
        }
        return {};
    }
    Result<void> add_tensor(const std::string& path, const safetensors::Tensor& tensor) {
        if (tensor.name.ends_with("rotary_emb.inv_freq") || (tensor.name == "lm_head.weight" && model_.tied_head))
            return {};
        if (keep_expert(tensor) || safetensors::is_left_out(model_, tensor.name))
            return {};
        if (model_.latent.rank > 0 && tensor.name.ends_with("self_attn.kv_b_proj.weight"))
            return split_latent(tensor, path);
        const auto name = safetensors::gguf_name(model_, tensor.name);
        const auto format = kernels::format_from_name(tensor.dtype);
        const bool is_float = tensor.dtype == "F32" || tensor.dtype == "F16" || tensor.dtype == "BF16";
        if (!name || !format || !is_float)
            return fail(ErrorCode::unsupported,
                say(Sentence::tensor_without_place, path, fmt::format("\"{}\" ({})", tensor.name, tensor.dtype),
                    model_.architecture),
                say(Sentence::choose_gguf_of_model));
        if (tensor.shape.empty() || tensor.shape.size() > 2 || tensor.bytes.empty())
            return fail(ErrorCode::bad_file,
                say(Sentence::tensor_of_wrong_dims, path, tensor.name, tensor.shape.size(), tensor.bytes.size()),
                say(Sentence::fetch_model_again));
        gguf::Tensor entry{*name, {tensor.shape.rbegin(), tensor.shape.rend()},
            static_cast<std::uint32_t>(kernels::format_info(*format).ggml_type), format, tensor.bytes};
        if (model_.norm_plus_one && name->ends_with("norm.weight"))
            return add_one(std::move(entry));
        if (model_.permute_heads &&
            (name->find(".attn_q.") != std::string::npos || name->find(".attn_k.") != std::string::npos))
            return pair_rows(std::move(entry), path);
        assembly_.tensors.push_back(std::move(entry));
        return {};
    }
    /// kv_b_proj [heads * (plain + value), rank] as GGUF has it: attn_k_b [heads, rank, plain], attn_v_b [heads, value, rank].
    Result<void> split_latent(const safetensors::Tensor& tensor, const std::string& path) {
        const auto [plain, value, rank] = model_.latent;
        const std::int64_t heads = model_.num_heads, rows = plain + value;
        const auto format = kernels::format_from_name(tensor.dtype);
        if (!format || tensor.shape != std::vector<std::int64_t>{heads * rows, rank} ||
            kernels::format_info(*format).block_weights != 1)
            return fail(ErrorCode::bad_file,
                say(Sentence::tensor_needs_floats, path, fmt::format("\"{}\" ({})", tensor.name, tensor.dtype),
                    heads * rows, rank),
                say(Sentence::fetch_model_again));
        const auto width = static_cast<std::int64_t>(kernels::format_info(*format).block_bytes);
        std::vector<std::byte> keys(static_cast<std::size_t>(heads * rank * plain * width));
        std::vector<std::byte> values(static_cast<std::size_t>(heads * value * rank * width));
        for (std::int64_t head = 0; head < heads; ++head) {
            const std::byte* source = tensor.bytes.data() + head * rows * rank * width;
            for (std::int64_t i = 0; i < plain; ++i)
                for (std::int64_t r = 0; r < rank; ++r)
                    std::memcpy(keys.data() + ((head * rank + r) * plain + i) * width, source + (i * rank + r) * width,
                        static_cast<std::size_t>(width));
            std::memcpy(values.data() + head * value * rank * width, source + plain * rank * width,
                static_cast<std::size_t>(value * rank * width));
        }
        const auto type = static_cast<std::uint32_t>(kernels::format_info(*format).ggml_type);
        const std::string layer = tensor.name.substr(13, tensor.name.find('.', 13) - 13); // behind "model.layers."
        add_owned(
            {fmt::format("blk.{}.attn_k_b.weight", layer), {plain, rank, heads}, type, format, {}}, std::move(keys));
        add_owned(
            {fmt::format("blk.{}.attn_v_b.weight", layer), {rank, value, heads}, type, format, {}}, std::move(values));
        return {};
    }
    void add_owned(gguf::Tensor tensor, std::vector<std::byte> bytes) {
        assembly_.owned.push_back(std::move(bytes));
        tensor.bytes = assembly_.owned.back();
        assembly_.tensors.push_back(std::move(tensor));
    }
    Result<void> add_one(gguf::Tensor tensor) {
        const std::int64_t count = tensor.in_dim() * tensor.out_dim();
        auto bytes = convert_rows(*tensor.format, tensor.bytes, WeightFormat::f32, {1, count}, 1);
        VT_TRY(bytes);
        for (std::int64_t i = 0; i < count; ++i) {
            float value = 0;
            std::memcpy(&value, bytes->data() + i * 4, sizeof value);
            value += 1;
            std::memcpy(bytes->data() + i * 4, &value, sizeof value);
        }
        tensor.format = WeightFormat::f32;
        tensor.type = static_cast<std::uint32_t>(kernels::format_info(WeightFormat::f32).ggml_type);
        add_owned(std::move(tensor), *std::move(bytes));
        return {};
    }
    /// Rows (or values of a bias) i and i + half of a head become neighbours.
    Result<void> pair_rows(gguf::Tensor tensor, const std::string& path) {
        const bool is_query = tensor.name.find(".attn_q.") != std::string::npos;
        const std::int64_t heads = is_query ? model_.num_heads : model_.num_kv_heads;
        const bool is_vector = tensor.dims.size() == 1;
        const std::int64_t rows = is_vector ? tensor.in_dim() : tensor.out_dim();
        if (rows % (2 * heads) != 0)
            return fail(ErrorCode::bad_file, say(Sentence::tensor_rows_unpaired, path, tensor.name, rows, heads),
                say(Sentence::fetch_model_again));
        const std::int64_t half = rows / heads / 2;
        const std::size_t row_bytes = tensor.bytes.size() / static_cast<std::size_t>(rows);
        std::vector<std::byte> bytes(tensor.bytes.size());
        for (std::int64_t row = 0; row < rows; ++row) {
            const std::int64_t in_head = row % (2 * half);
            const std::int64_t source = row - in_head + in_head / 2 + in_head % 2 * half;
            std::memcpy(bytes.data() + static_cast<std::size_t>(row) * row_bytes,
                tensor.bytes.data() + static_cast<std::size_t>(source) * row_bytes, row_bytes);
        }
        add_owned(std::move(tensor), std::move(bytes));
        return {};
    }
    void add_factors(const std::string& name, const std::vector<float>& factors) {
        if (factors.empty())
            return;
        const auto bytes = std::as_bytes(std::span(factors));
        add_owned({name, {std::ssize(factors)}, 0, WeightFormat::f32, {}}, {bytes.begin(), bytes.end()});
    }
    /// How sentence-transformers pools, in GGUF's numbers; nothing where the folder is no such model.
    Result<void> read_pooling() {
        auto text = read_if_there(directory_ / "1_Pooling" / "config.json");
        VT_TRY(text);
        const auto json =
            json_depth_is_bounded(*text) ? nlohmann::json::parse(*text, nullptr, false) : nlohmann::json();
        if (!json.is_object())
            return {};
        constexpr std::string_view kPrefix = "pooling_mode_";
        const std::pair<std::string_view, std::int64_t> modes[] = {
            {"mean_tokens", 1}, {"cls_token", 2}, {"lasttoken", 3}};
        std::int64_t chosen = 0;
        for (const auto& [name, value] : json.items()) {
            if (!name.starts_with(kPrefix) || value != true)
                continue;
            const auto* mode = std::find_if(std::begin(modes), std::end(modes),
                [&](const auto& entry) { return entry.first == std::string_view(name).substr(kPrefix.size()); });
            if (mode == std::end(modes) || chosen != 0)
                return fail(ErrorCode::unsupported,
                    say(chosen == 0 ? Sentence::pooling_unknown : Sentence::pooling_twice, directory_.string(),
                        name.substr(0, 64)),
                    say(Sentence::known_poolings));
            chosen = mode->second;
        }
        if (chosen != 0)
            assembly_.metadata.emplace_back(model_.architecture + ".pooling_type", chosen);
        return {};
    }
    /// A model without tokenizer.json still computes; what needs text says that it is missing.
    Result<void> read_tokenizer() {
        TokenizerFiles files;
        files.path = (directory_ / "tokenizer.json").string();
        const std::pair<const char*, std::string*> parts[] = {{"tokenizer.json", &files.tokenizer},
            {"tokenizer_config.json", &files.config}, {"generation_config.json", &files.generation},
            {"chat_template.jinja", &files.chat_template}};
        for (const auto& [name, into] : parts) {
            auto text = read_if_there(directory_ / name);
            VT_TRY(text);
            *into = *std::move(text);
        }
        if (files.tokenizer.empty())
            return {};
        for (const gguf::Tensor& tensor : assembly_.tensors)
            if (tensor.name == "token_embd.weight")
                files.vocab_size = tensor.out_dim();
        auto pairs = read_hf_tokenizer(files);
        VT_TRY(pairs);
        std::move(pairs->begin(), pairs->end(), std::back_inserter(assembly_.metadata));
        return {};
    }

    const fs::path directory_;
    HfModel model_;
    gguf::Assembly assembly_;
    std::vector<safetensors::Tensor> tensors_; // of all shards
    std::map<std::string, std::map<int, safetensors::Tensor>> experts_; // GGUF name -> number -> matrix
};

} // namespace

Result<std::shared_ptr<const gguf::File>> open_model_file(const std::string& path) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
        const fs::path directory = fs::path(path).lexically_normal();
        return DirectoryReader(directory.has_filename() ? directory : directory.parent_path()).read();
    }
    if (path.ends_with(".safetensors"))
        return DirectoryReader(fs::path(path).parent_path()).read();
    return gguf::File::open(path);
}

} // namespace vitrine::engine
