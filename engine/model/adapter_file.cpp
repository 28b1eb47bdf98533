// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: LoRA adapters.
#include "engine/model/adapter_file.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/json_depth.h"
#include "engine/base/mapped_file.h"
#include "engine/gguf/file.h"
#include "engine/quant/convert_rows.h"
#include "engine/safetensors/hf_config.h"
#include "engine/safetensors/safetensors_file.h"

namespace vitrine::engine {
namespace {

namespace fs = std::filesystem;
using kernels::WeightFormat;
using nlohmann::json;

/// One factor as floats, row-major [rows, columns].
struct Factor {
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::vector<float> values;
};

Result<Factor> make_factor(
    WeightFormat format, std::span<const std::byte> bytes, std::int64_t rows, std::int64_t columns) {
    auto converted = convert_rows(format, bytes, WeightFormat::f32, {rows, columns}, 1);
    VT_TRY(converted);
    Factor factor{rows, columns, std::vector<float>(converted->size() / sizeof(float))};
    std::memcpy(factor.values.data(), converted->data(), converted->size());
    for (const float value : factor.values)
        if (!std::isfinite(value))
            return fail(ErrorCode::bad_file, "a value is not finite", "Fetch the adapter again.");
    return factor;
}

/// Collects the two factors of each tensor, whichever comes first.
class AdapterBuilder {
public:
    AdapterBuilder(Adapter& adapter) : adapter_(adapter) {}

    void add(const std::string& tensor, bool is_down, Factor factor) {
        (is_down ? parts_[tensor].down : parts_[tensor].up) = std::move(factor);
    }
    /// `scale_of`: what multiplies up * down of a tensor of this rank.
    template <class ScaleOf>
    Result<void> finish(const ScaleOf& scale_of) {
        if (parts_.empty())
            return fail(ErrorCode::bad_file, fmt::format("{} holds no LoRA factors", adapter_.path),
                "Choose a LoRA adapter, not a model.");
        for (auto& [tensor, pair] : parts_) {
            const std::int64_t rank = pair.down.rows;
            if (rank <= 0 || rank != pair.up.columns)
                return fail(ErrorCode::bad_file,
                    fmt::format("{}: the factors of {} have {} and {} for a rank, needed the same number",
                        adapter_.path, tensor, rank, pair.up.columns),
                    "The adapter is damaged; fetch it again.");
            const float scale = scale_of(tensor, rank);
            for (float& value : pair.up.values)
                value *= scale;
            adapter_.rank = std::max(adapter_.rank, static_cast<int>(rank));
            adapter_.tensors.emplace(tensor,
                AdapterFactors{
                    rank, pair.down.columns, pair.up.rows, std::move(pair.down.values), std::move(pair.up.values)});
        }
        return {};
    }

private:
    struct Pair {
        Factor down, up;
    };
    Adapter& adapter_;
    std::map<std::string, Pair> parts_;
};

// ---- GGUF ----------------------------------------------------------------------------------------------------------

Result<void> check_gguf(const gguf::File& file, const ModelConfig& model) {
    const auto kind = file.text_or("general.type", "");
    VT_TRY(kind);
    const auto type = file.text_or("adapter.type", "");
    VT_TRY(type);
    if (*kind != "adapter" || *type != "lora")
        return fail(ErrorCode::bad_file,
            fmt::format("{}: general.type is \"{}\" and adapter.type \"{}\", needed adapter and lora", file.path(),
                kind->substr(0, 64), type->substr(0, 64)),
            "Choose a LoRA adapter, not a model.");
    if (file.find("adapter.alora.invocation_tokens") != nullptr)
        return fail(ErrorCode::unsupported,
            fmt::format("{} is an activated LoRA, which works from certain tokens on only", file.path()),
            "Choose a plain LoRA adapter.");
    const auto architecture = file.text_or("general.architecture", "");
    VT_TRY(architecture);
    if (*architecture != model.architecture)
        return fail(ErrorCode::unsupported,
            fmt::format("{} was trained for the architecture \"{}\", the model is of {}", file.path(),
                architecture->substr(0, 64), model.architecture),
            "Choose an adapter of this model.");
    return {};
}

Result<Adapter> read_gguf(const std::string& path, const ModelConfig& model) {
    auto file = gguf::File::open(path);
    VT_TRY(file);
    VT_TRY(check_gguf(**file, model));
    Adapter adapter;
    adapter.path = path;
    adapter.name = fs::path(path).stem().string();
    const auto alpha = (*file)->real_or("adapter.lora.alpha", 0);
    VT_TRY(alpha);
    adapter.alpha = static_cast<float>(*alpha);
    AdapterBuilder builder(adapter);
    for (const gguf::Tensor& tensor : (*file)->tensors()) {
        const bool is_down = tensor.name.ends_with(".lora_a");
        if (!is_down && !tensor.name.ends_with(".lora_b"))
            return fail(ErrorCode::unsupported,
                fmt::format("{}: tensor {} is neither factor of a LoRA pair", path, tensor.name),
                "Adapters with trained norms or whole modules are not applied; merge it into the model instead.");
        if (!tensor.format || tensor.dims.size() != 2)
            return fail(ErrorCode::unsupported,
                fmt::format("{}: tensor {} has {} dimensions and type number {}", path, tensor.name, tensor.dims.size(),
                    tensor.type),
                "Choose an adapter with factors of two dimensions in F32, F16 or BF16.");
        auto factor = make_factor(*tensor.format, tensor.bytes, tensor.out_dim(), tensor.in_dim());
        if (!factor)
            return fail(ErrorCode::bad_file,
                fmt::format("{}: tensor {}: {}", path, tensor.name, factor.error().message), factor.error().remedy);
        builder.add(tensor.name.substr(0, tensor.name.size() - 7), is_down, *std::move(factor));
    }
    VT_TRY(builder.finish([&](const std::string&, std::int64_t rank) {
        return adapter.alpha == 0 ? 1.0F : adapter.alpha / static_cast<float>(rank);
    }));
    return adapter;
}

// ---- PEFT ----------------------------------------------------------------------------------------------------------

/// adapter_config.json.
class PeftConfig {
public:
    static Result<PeftConfig> read(const fs::path& path) {
        auto file = MappedFile::open(path.string());
        VT_TRY(file);
        const std::string_view text(reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size());
        PeftConfig config;
        if (json_depth_is_bounded(text))
            config.json_ = json::parse(text, nullptr, false);
        if (!config.json_.is_object())
            return fail(ErrorCode::bad_file, fmt::format("{} is no JSON object", path.string()),
                "The adapter is damaged; fetch it again.");
        VT_TRY(config.refuse_unsupported(path.string()));
        return config;
    }
    [[nodiscard]] float alpha() const { return static_cast<float>(number("lora_alpha", rank())); }
    [[nodiscard]] bool transposed() const { return flag("fan_in_fan_out"); }
    /// module: "model.layers.0.self_attn.q_proj".
    [[nodiscard]] float scale(const std::string& module, std::int64_t file_rank) const {
        const double alpha = by_pattern("alpha_pattern", module, number("lora_alpha", rank()));
        const auto divisor = static_cast<double>(file_rank);
        return static_cast<float>(alpha / (flag("use_rslora") ? std::sqrt(divisor) : divisor));
    }

private:
    [[nodiscard]] bool flag(const char* name) const {
        const auto found = json_.find(name);
        return found != json_.end() && found->is_boolean() && found->get<bool>();
    }
    [[nodiscard]] double number(const char* name, double fallback) const {
        const auto found = json_.find(name);
        return found != json_.end() && found->is_number() ? found->get<double>() : fallback;
    }
    [[nodiscard]] double rank() const { return number("r", 8); }
    /// Keys are module names or their ends, as PEFT matches them; a regular expression too.
    [[nodiscard]] double by_pattern(const char* name, const std::string& module, double fallback) const {
        const auto found = json_.find(name);
        if (found == json_.end() || !found->is_object())
            return fallback;
        for (const auto& [key, value] : found->items())
            if (value.is_number() && (module == key || module.ends_with("." + key)))
                return value.get<double>();
        return fallback;
    }
    [[nodiscard]] Result<void> refuse_unsupported(const std::string& path) const {
        const auto refuse = [&](const std::string& what) {
            return fail(ErrorCode::unsupported, fmt::format("{}: {}", path, what),
                "Merge the adapter into the model with the tool that trained it.");
        };
        const std::string kind = json_.value("peft_type", json("LORA")).is_string()
            ? json_.value("peft_type", json("LORA")).get<std::string>()
            : std::string();
        if (kind != "LORA")
            return refuse(fmt::format("peft_type is \"{}\", needed LORA", kind.substr(0, 64)));
        for (const char* name : {"use_dora", "use_qalora"})
            if (flag(name))
                return refuse(fmt::format("{} is true; only plain LoRA is applied", name));
        for (const char* name : {"alpha_pattern", "rank_pattern"})
            if (const auto found = json_.find(name); found != json_.end() && found->is_object())
                for (const auto& [key, value] : found->items())
                    if (key.find_first_of("^$*+?()[]{}|\\") != std::string::npos)
                        return refuse(fmt::format("{} \"{}\" is a regular expression", name, key.substr(0, 64)));
        return {};
    }

    json json_;
};

/// "base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight" -> module and which factor.
struct PeftName {
    std::string module;
    bool is_down = false;
};
std::optional<PeftName> parse_peft_name(std::string_view name) {
    constexpr std::string_view kPrefix = "base_model.model.";
    if (name.starts_with(kPrefix))
        name.remove_prefix(kPrefix.size());
    for (const auto& [part, is_down] : {std::pair<std::string_view, bool>{".lora_A", true}, {".lora_B", false}}) {
        const std::size_t at = name.rfind(part);
        if (at == std::string_view::npos)
            continue;
        const std::string_view tail = name.substr(at + part.size()); // ".weight", or an adapter's name before it
        if (tail == ".weight" || tail == ".default.weight")
            return PeftName{std::string(name.substr(0, at)), is_down};
    }
    return std::nullopt;
}

/// Rows i and i + half of a head become neighbours, as GGUF stores q and k of these architectures.
Result<void> pair_rows(Factor& up, int num_heads, const std::string& name) {
    if (num_heads <= 0 || up.rows % (2 * num_heads) != 0)
        return fail(ErrorCode::bad_file,
            fmt::format("{} has {} rows, needed pairs in {} heads", name, up.rows, num_heads),
            "Choose an adapter of this model.");
    const std::int64_t head_dim = up.rows / num_heads;
    std::vector<float> paired(up.values.size());
    for (std::int64_t row = 0; row < up.rows; ++row) {
        const std::int64_t in_head = row % head_dim;
        const std::int64_t source = row - in_head + in_head / 2 + in_head % 2 * (head_dim / 2);
        std::copy_n(up.values.begin() + source * up.columns, up.columns, paired.begin() + row * up.columns);
    }
    up.values = std::move(paired);
    return {};
}

class PeftReader {
public:
    PeftReader(const fs::path& directory, const ModelConfig& model)
        : directory_(directory), model_(model), names_(safetensors::naming_of(model.architecture)) {}

    Result<Adapter> read() {
        auto config = PeftConfig::read(directory_ / "adapter_config.json");
        VT_TRY(config);
        const fs::path path = directory_ / "adapter_model.safetensors";
        auto file = MappedFile::open(path.string());
        VT_TRY(file);
        auto tensors = safetensors::read_header(path.string(), file->bytes());
        VT_TRY(tensors);
        Adapter adapter;
        adapter.path = directory_.string();
        adapter.name = directory_.filename().string();
        adapter.alpha = config->alpha();
        AdapterBuilder builder(adapter);
        for (const safetensors::Tensor& tensor : *tensors)
            VT_TRY(add(tensor, path.string(), builder));
        VT_TRY(builder.finish(
            [&](const std::string& name, std::int64_t rank) { return config->scale(modules_.at(name), rank); }));
        return adapter;
    }

private:
    Result<void> add(const safetensors::Tensor& tensor, const std::string& path, AdapterBuilder& builder) {
        const auto parsed = parse_peft_name(tensor.name);
        const auto name = parsed ? safetensors::gguf_name(names_, parsed->module + ".weight") : std::nullopt;
        if (!name)
            return fail(ErrorCode::unsupported,
                fmt::format("{}: tensor \"{}\" is no LoRA factor of a matrix of {}", path, tensor.name.substr(0, 200),
                    model_.architecture),
                "Adapters with trained biases, norms, embeddings or whole modules are not applied; merge it instead.");
        const auto format = kernels::format_from_name(tensor.dtype);
        const bool is_float = tensor.dtype == "F32" || tensor.dtype == "F16" || tensor.dtype == "BF16";
        if (!format || !is_float || tensor.shape.size() != 2 || tensor.bytes.empty())
            return fail(ErrorCode::bad_file,
                fmt::format("{}: tensor \"{}\" is of type {} with {} dimensions, needed two of F32, F16 or BF16", path,
                    tensor.name, tensor.dtype, tensor.shape.size()),
                "Fetch the adapter again.");
        auto factor = make_factor(*format, tensor.bytes, tensor.shape[0], tensor.shape[1]);
        if (!factor)
            return fail(ErrorCode::bad_file,
                fmt::format("{}: tensor \"{}\": {}", path, tensor.name, factor.error().message), factor.error().remedy);
        if (!parsed->is_down && names_.permute_heads) {
            const bool is_query = name->find(".attn_q.") != std::string::npos;
            if (is_query || name->find(".attn_k.") != std::string::npos)
                VT_TRY(pair_rows(*factor, is_query ? model_.num_heads : model_.num_kv_heads, tensor.name));
        }
        modules_[*name] = parsed->module;
        builder.add(*name, parsed->is_down, *std::move(factor));
        return {};
    }

    const fs::path directory_;
    const ModelConfig& model_;
    const safetensors::HfModel names_;
    std::map<std::string, std::string> modules_; // GGUF name -> module
};

} // namespace

Result<Adapter> read_adapter(const std::string& path, const ModelConfig& model) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
        const fs::path directory = fs::path(path).lexically_normal();
        return PeftReader(directory.has_filename() ? directory : directory.parent_path(), model).read();
    }
    if (path.ends_with(".safetensors"))
        return PeftReader(fs::absolute(path).parent_path(), model).read();
    return read_gguf(path, model);
}

} // namespace vitrine::engine
