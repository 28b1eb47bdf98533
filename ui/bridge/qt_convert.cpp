// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: between Qt's and the engine's types.
#include "ui/bridge/qt_convert.h"

#include <array>

namespace vitrine::ui {

namespace {

constexpr std::array kPolicies = {"immediate", "static", "continuous"}; // index == BatchPolicy
constexpr std::array kNumerics = {"fast", "exact", "invariant"}; // index == Numerics

template <class T>
void writeIfChanged(QJsonObject& object, const char* key, const T& value, const T& fallback) {
    if (value == fallback)
        return;
    if constexpr (std::is_same_v<T, std::string>)
        object.insert(QLatin1String(key), toQString(value));
    else
        object.insert(QLatin1String(key), value);
}

void read(const QJsonObject& object, const char* key, std::string& value) {
    const QJsonValue found = object.value(QLatin1String(key));
    if (found.isString())
        value = toStdString(found.toString());
}
void read(const QJsonObject& object, const char* key, bool& value) {
    value = object.value(QLatin1String(key)).toBool(value);
}
void read(const QJsonObject& object, const char* key, int& value, int minimum) {
    const int found = object.value(QLatin1String(key)).toInt(value);
    if (found >= minimum)
        value = found;
}
/// Position of the string under `key` in `names`, or `fallback`.
template <class Names>
int readName(const QJsonObject& object, const char* key, const Names& names, int fallback) {
    const QString found = object.value(QLatin1String(key)).toString();
    for (std::size_t i = 0; i < names.size(); ++i)
        if (found == QLatin1String(names[i]))
            return static_cast<int>(i);
    return fallback;
}

} // namespace

QJsonObject toJson(const EngineConfig& config) {
    const EngineConfig none;
    QJsonObject object;
    writeIfChanged(object, "device", config.device, none.device);
    writeIfChanged(object, "isa", config.isa, none.isa);
    writeIfChanged(object, "threads", config.num_threads, none.num_threads);
    writeIfChanged(object, "gpu_layers", config.gpu_layers, none.gpu_layers);
    if (config.kv_type != none.kv_type)
        object.insert(QStringLiteral("kv"), toQString(kernels::kv_type_name(config.kv_type)));
    writeIfChanged(object, "block_size", config.block_tokens, none.block_tokens);
    writeIfChanged(object, "num_blocks", config.num_blocks, none.num_blocks);
    writeIfChanged(object, "memory_fraction", config.memory_fraction, none.memory_fraction);
    writeIfChanged(object, "ctx", config.context, none.context);
    writeIfChanged(object, "max_seqs", config.max_seqs, none.max_seqs);
    writeIfChanged(object, "max_batch_tokens", config.max_batch_tokens, none.max_batch_tokens);
    writeIfChanged(object, "prefill_chunk", config.prefill_chunk, none.prefill_chunk);
    writeIfChanged(object, "prefix_cache", config.prefix_cache, none.prefix_cache);
    writeIfChanged(object, "chunked_prefill", config.chunked_prefill, none.chunked_prefill);
    writeIfChanged(object, "graphs", config.cuda_graphs, none.cuda_graphs);
    if (!config.auto_numerics)
        object.insert(QStringLiteral("numerics"), QLatin1String(kNumerics[static_cast<std::size_t>(config.numerics)]));
    if (config.policy != none.policy)
        object.insert(QStringLiteral("policy"), QLatin1String(kPolicies[static_cast<std::size_t>(config.policy)]));
    writeIfChanged(object, "quantize", config.quantize, none.quantize);
    writeIfChanged(object, "draft", config.draft, none.draft);
    writeIfChanged(object, "gamma", config.gamma, none.gamma);
    return object;
}

EngineConfig engineConfigFromJson(const QJsonObject& object) {
    EngineConfig config;
    read(object, "device", config.device);
    read(object, "isa", config.isa);
    read(object, "threads", config.num_threads, 0);
    read(object, "gpu_layers", config.gpu_layers, -1);
    if (const auto type = kernels::kv_type_from_name(toStdString(object.value(QStringLiteral("kv")).toString())))
        config.kv_type = *type;
    read(object, "block_size", config.block_tokens, 0);
    read(object, "num_blocks", config.num_blocks, 0);
    const double fraction = object.value(QStringLiteral("memory_fraction")).toDouble(config.memory_fraction);
    if (fraction > 0 && fraction <= 1)
        config.memory_fraction = fraction;
    read(object, "ctx", config.context, 0);
    read(object, "max_seqs", config.max_seqs, 1);
    read(object, "max_batch_tokens", config.max_batch_tokens, 0);
    read(object, "prefill_chunk", config.prefill_chunk, 0);
    read(object, "prefix_cache", config.prefix_cache);
    read(object, "chunked_prefill", config.chunked_prefill);
    read(object, "graphs", config.cuda_graphs);
    config.auto_numerics = !object.contains(QStringLiteral("numerics"));
    config.numerics =
        static_cast<kernels::Numerics>(readName(object, "numerics", kNumerics, static_cast<int>(config.numerics)));
    config.policy = static_cast<BatchPolicy>(readName(object, "policy", kPolicies, static_cast<int>(config.policy)));
    read(object, "quantize", config.quantize);
    read(object, "draft", config.draft);
    read(object, "gamma", config.gamma, -1);
    return config;
}

} // namespace vitrine::ui
