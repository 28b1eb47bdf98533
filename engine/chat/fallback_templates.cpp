// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: the fallback templates of resources/templates as text; a test compares both.
#include "engine/chat/fallback_templates.h"

#include <algorithm>
#include <array>

namespace vitrine::engine {
namespace {

// clang-format off
constexpr std::array<FallbackTemplate, 8> kTemplates = {{
    {"chatml", "SmolLM2, Qwen, Yi, Hermes and many others",
     R"jinja({% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %})jinja"},
    {"llama3", "Llama 3 and 3.1 instruct",
     R"jinja({{ bos_token }}{% for message in messages %}{{ '<|start_header_id|>' + message['role'] + '<|end_header_id|>\n\n' + message['content'] | trim + '<|eot_id|>' }}{% endfor %}{% if add_generation_prompt %}{{ '<|start_header_id|>assistant<|end_header_id|>\n\n' }}{% endif %})jinja"},
    {"llama2", "Llama 2 chat",
     R"jinja({% if messages[0]['role'] == 'system' %}{% set system = '<<SYS>>\n' + messages[0]['content'] + '\n<</SYS>>\n\n' %}{% set turns = messages[1:] %}{% else %}{% set system = '' %}{% set turns = messages %}{% endif %}{% for message in turns %}{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{% endif %}{% set content = (system if loop.first else '') + message['content'] %}{% if message['role'] == 'user' %}{{ bos_token + '[INST] ' + content.strip() + ' [/INST]' }}{% else %}{{ ' ' + content.strip() + ' ' + eos_token }}{% endif %}{% endfor %})jinja"},
    {"mistral", "Mistral 7B and Mixtral instruct",
     R"jinja({{ bos_token }}{% for message in messages %}{% if message['role'] == 'user' %}{{ '[INST] ' + message['content'] + ' [/INST]' }}{% elif message['role'] == 'assistant' %}{{ ' ' + message['content'] + eos_token }}{% else %}{{ raise_exception('Only user and assistant roles are supported') }}{% endif %}{% endfor %})jinja"},
    {"gemma", "Gemma 1 to 3 instruct",
     R"jinja({{ bos_token }}{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}{% for message in messages %}{{ '<start_of_turn>' + ('model' if message['role'] == 'assistant' else message['role']) + '\n' + message['content'] | trim + '<end_of_turn>\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<start_of_turn>model\n' }}{% endif %})jinja"},
    {"zephyr", "Zephyr, TinyLlama chat, StableLM Zephyr",
     R"jinja({% for message in messages %}{{ '<|' + message['role'] + '|>\n' + message['content'] + eos_token + '\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>\n' }}{% endif %})jinja"},
    {"vicuna", "Vicuna 1.x",
     R"jinja({{ bos_token }}{% for message in messages %}{% if message['role'] == 'system' %}{{ message['content'] + '\n\n' }}{% elif message['role'] == 'user' %}{{ 'USER: ' + message['content'] + '\n' }}{% else %}{{ 'ASSISTANT: ' + message['content'] + eos_token + '\n' }}{% endif %}{% endfor %}{% if add_generation_prompt %}{{ 'ASSISTANT:' }}{% endif %})jinja"},
    {"alpaca", "Alpaca and its descendants",
     R"jinja({{ bos_token }}{% for message in messages %}{% if message['role'] == 'system' %}{{ message['content'] + '\n\n' }}{% elif message['role'] == 'user' %}{{ '### Instruction:\n' + message['content'] + '\n\n' }}{% else %}{{ '### Response:\n' + message['content'] + eos_token + '\n\n' }}{% endif %}{% endfor %}{% if add_generation_prompt %}{{ '### Response:\n' }}{% endif %})jinja"},
}};
// clang-format on

} // namespace

std::span<const FallbackTemplate> fallback_templates() {
    return kTemplates;
}

const FallbackTemplate* find_fallback_template(std::string_view name) {
    const auto* const found = std::find_if(
        kTemplates.begin(), kTemplates.end(), [&](const FallbackTemplate& preset) { return preset.name == name; });
    return found == kTemplates.end() ? nullptr : found;
}

} // namespace vitrine::engine
