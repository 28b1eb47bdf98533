// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/text: the pre-tokenizers as data, after the Hugging Face originals (tokenizer.json of each model).
// The patterns stand here as published; pre_tokenizer.cpp adapts their classes to PCRE2.
#include "engine/text/pre_tokenizer_table.h"

#include <algorithm>

namespace vitrine::engine {
namespace {

constexpr auto kQwen2Names = std::to_array<std::string_view>(
    {"qwen2", "deepseek-r1-qwen", "megrez", "kormo", "f2llmv2", "stablelm2", "hunyuan", "grok-2", "solar-open"});
constexpr auto kLlamaBpeNames = std::to_array<std::string_view>(
    {"llama-bpe", "llama3", "llama-v3", "falcon3", "falcon-h1", "pixtral", "lfm2", "midm-2.0", "jina-v5-nano"});
constexpr auto kDbrxNames = std::to_array<std::string_view>({"dbrx", "smaug-bpe"});
constexpr auto kGlm4Names = std::to_array<std::string_view>({"glm4", "glm5", "chatglm-bpe"});
constexpr auto kQwen35Names = std::to_array<std::string_view>({"qwen35"});
constexpr auto kTekkenNames = std::to_array<std::string_view>({"tekken"});
constexpr auto kGpt4oNames = std::to_array<std::string_view>({"gpt-4o", "llama4", "kanana2", "talkie", "minimax-m2"});
constexpr auto kGpt2Names = std::to_array<std::string_view>(
    {"gpt-2", "gpt2", "phi-2", "mpt", "olmo", "jais", "exaone4", "modern-bert", "gigachat", "a.x-4.0", "mellum",
        "trillion", "roberta-bpe", "jina-es", "jina-de", "jina-v1-en", "jina-v2-es", "jina-v2-de", "jina-v2-code"});
constexpr auto kSmollmNames = std::to_array<std::string_view>(
    {"smollm", "starcoder", "refact", "command-r", "codeshell", "exaone", "minerva-7b", "mellum2"});
constexpr auto kDeepseekV3Names =
    std::to_array<std::string_view>({"deepseek-v3", "hunyuan-dense", "joyai-llm", "hy_v4"});
constexpr auto kDeepseekLlmNames = std::to_array<std::string_view>({"deepseek-llm"});
constexpr auto kDeepseekCoderNames = std::to_array<std::string_view>({"deepseek-coder"});
constexpr auto kDefaultNames = std::to_array<std::string_view>({"default", ""});
constexpr auto kFalconNames = std::to_array<std::string_view>({"falcon"});
constexpr auto kBloomNames = std::to_array<std::string_view>({"bloom", "gpt3-finnish", "poro-chat"});
constexpr auto kVikingNames = std::to_array<std::string_view>({"viking"});
constexpr auto kGemma4Names = std::to_array<std::string_view>({"gemma4"});

constexpr auto kTable = std::to_array<PreTokenizerRow>({
    {"qwen2", kQwen2Names,
        {R"~((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}|)~"
         R"~( ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)~"},
        false},
    {"llama-bpe", kLlamaBpeNames,
        {R"~((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|)~"
         R"~( ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)~"},
        true},
    {"dbrx", kDbrxNames,
        {R"~((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|)~"
         R"~( ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)~"},
        false},
    {"glm4", kGlm4Names,
        {R"~((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|)~"
         R"~( ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)~"},
        true},
    {"qwen35", kQwen35Names,
        {R"~((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|)~"
         R"~(\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)~"},
        false},
    {"tekken", kTekkenNames,
        {R"~([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|)~"
         R"~([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|)~"
         R"~(\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)~"},
        true},
    {"gpt-4o", kGpt4oNames,
        {R"~([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|)~"
         R"~('t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i)~"
         R"~(:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|)~"
         R"~(\s*[\r\n]+|\s+(?!\S)|\s+)~"},
        false},
    {"gpt-2", kGpt2Names,
        {R"~('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|)~"
         R"~(\s+(?!\S)|\s+)~"},
        false},
    {"smollm", kSmollmNames,
        {R"~(\p{N})~",
            R"~('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|)~"
            R"~(\s+(?!\S)|\s+)~"},
        false},
    {"deepseek-v3", kDeepseekV3Names,
        {R"~(\p{N}{1,3})~", R"~([一-龥\x{3040}-ゟ゠-ヿ]+)~",
            R"~([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+|)~"
            R"~( ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)~"},
        false},
    {"deepseek-llm", kDeepseekLlmNames,
        {R"~([\r\n])~",
            R"~(\s?[A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿǄ-ʓʕ-ʯͰ-ͳͶͷͻ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ)~"
            R"~(-ԯԱ-ՖႠ-ჅᎠ-Ᏽᏸ-ᏽᲐ-ᲺᲽ-Ჿᴀ-ᴫᵫ-ᵷᵹ-ᶚḀ-ἕἘ-Ἕἠ-ὅ)~"
            R"~(Ὀ-Ὅὐ-ὗὙὛὝὟ-\x{1F7D}ᾀ-ᾴᾶ-ᾼ\x{1FBE}ῂ-ῄῆ-ῌῐ-\x{1FD3}ῖ-)~"
            R"~(\x{1FDB}ῠ-Ῥῲ-ῴῶ-ῼℂℇℊ-ℓℕℙ-ℝℤ\x{2126}ℨ\x{212A}-ℭℯ-ℴ)~"
            R"~(ℹℼ-ℿⅅ-ⅉⅎↃↄⰀ-ⱻⱾ-ⳤⳫ-ⳮⳲⳳꙀ-ꙭꚀ-ꚛꜢ-ꝯꝱ-ꞇꞋ)~"
            R"~(-ꞎꭰ-ꮿﬀ-ﬆﬓ-ﬗＡ-Ｚａ-ｚ𐐀-𐑏𐒰-𐓓𐓘-𐓻𐲀-𐲲𐳀-𐳲)~"
            R"~(𑢠-𑣟𞤀-𞥃]+)~",
            R"~(\s?[!-/:-~！-／：-～‘-‟\x{3000}-。]+)~", R"~(\s+$)~", R"~([一-龥ࠀ-一가-\x{D7FF}]+)~", R"~(\p{N}+)~"},
        false},
    {"deepseek-coder", kDeepseekCoderNames,
        {R"~([\r\n])~", R"~(\s?\p{L}+)~", R"~(\s?\p{P}+)~", R"~([一-龥ࠀ-一가-\x{D7FF}]+)~", R"~(\p{N})~"}, false},
    {"default", kDefaultNames,
        {R"~([\p{P}\$\+<=>\^~\|]+)~",
            R"~('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|)~"
            R"~(\s+(?!\S))~",
            R"~(\p{N}+)~", R"~([0-9][0-9][0-9])~"},
        false},
    {"falcon", kFalconNames,
        {R"~([\p{P}\$\+<=>\^~\|`]+)~",
            R"~('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|)~"
            R"~(\s+(?!\S))~",
            R"~([0-9][0-9][0-9])~"},
        false},
    {"bloom", kBloomNames, {R"~( ?[^(\s|.,!?…。，、।۔،)]+)~"}, false},
    {"viking", kVikingNames, {R"~( ?[^(\s|.,!?…。，、।۔،)]+)~", R"~(\p{N})~"}, false},
    {"gemma4", kGemma4Names, {R"~([^\n]+|[\n]+)~"}, false},
});

} // namespace

std::span<const PreTokenizerRow> pre_tokenizer_table() noexcept {
    return kTable;
}

const PreTokenizerRow* find_pre_tokenizer(std::string_view name) noexcept {
    for (const PreTokenizerRow& row : kTable) {
        if (std::find(row.names.begin(), row.names.end(), name) != row.names.end())
            return &row;
    }
    return nullptr;
}

} // namespace vitrine::engine
