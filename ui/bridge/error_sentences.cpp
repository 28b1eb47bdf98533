// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: one line for each sentence of engine/api/sentence.h that says what failed, in its order.
#include "ui/bridge/error_sentences.h"

#include <QtGlobal>

#include "engine/api/sentence.h"

namespace vitrine::ui {
namespace {

struct Line {
    Sentence sentence;
    const char* text;
};

constexpr Line kLines[] = {
    {Sentence::none, ""},
    {Sentence::file_missing, QT_TRANSLATE_NOOP("ErrorText", "%1 is not there any more.")},
    {Sentence::file_forbidden, QT_TRANSLATE_NOOP("ErrorText", "%1 may not be read by this user.")},
    {Sentence::file_not_opened, QT_TRANSLATE_NOOP("ErrorText", "%1 cannot be opened: %2.")},
    {Sentence::file_not_read, QT_TRANSLATE_NOOP("ErrorText", "%1 cannot be read: %2.")},
    {Sentence::file_is_folder, QT_TRANSLATE_NOOP("ErrorText", "%1 is a folder; a file is needed.")},
    {Sentence::file_is_special, QT_TRANSLATE_NOOP("ErrorText", "%1 is a device or a pipe; a regular file is needed.")},
    {Sentence::file_not_mapped, QT_TRANSLATE_NOOP("ErrorText", "%1 cannot be read into memory: %2 bytes (%3).")},
    {Sentence::file_not_created, QT_TRANSLATE_NOOP("ErrorText", "%1 cannot be created: %2.")},
    {Sentence::file_not_reserved, QT_TRANSLATE_NOOP("ErrorText", "There is no space for %1: %2.")},
    {Sentence::file_not_written, QT_TRANSLATE_NOOP("ErrorText", "%1 cannot be written: %2.")},
    {Sentence::file_not_synced, QT_TRANSLATE_NOOP("ErrorText", "%1 cannot be written to the disk: %2.")},
    {Sentence::file_not_renamed, QT_TRANSLATE_NOOP("ErrorText", "%1 is complete and cannot be renamed: %2.")},
    {Sentence::file_ends_inside,
        QT_TRANSLATE_NOOP("ErrorText", "%1 ends too early: at byte %4 there are %3 bytes, and %5 are needed.")},
    {Sentence::file_data_end,
        QT_TRANSLATE_NOOP(
            "ErrorText", "%1 ends too early: tensor %2 needs %4 bytes from byte %5 on, and the data have %3.")},
    {Sentence::file_malformed, QT_TRANSLATE_NOOP("ErrorText", "%1 is damaged (%2).")},
    {Sentence::wrong_magic, QT_TRANSLATE_NOOP("ErrorText", "%1 is no GGUF file: it begins with %2 instead of %3.")},
    {Sentence::wrong_version, QT_TRANSLATE_NOOP("ErrorText", "%1 has GGUF version %2; versions 2 and 3 can be read.")},
    {Sentence::big_endian,
        QT_TRANSLATE_NOOP("ErrorText", "%1 was made for big-endian machines; a little-endian file is needed.")},
    {Sentence::later_part, QT_TRANSLATE_NOOP("ErrorText", "%1 is part %2 of %3; the first part is needed.")},
    {Sentence::parts_disagree, QT_TRANSLATE_NOOP("ErrorText", "The parts of %1 do not belong together (%2).")},
    {Sentence::name_twice, QT_TRANSLATE_NOOP("ErrorText", "%1 holds \"%2\" twice.")},
    {Sentence::key_missing, QT_TRANSLATE_NOOP("ErrorText", "%1 lacks the entry \"%2\".")},
    {Sentence::key_of_wrong_type, QT_TRANSLATE_NOOP("ErrorText", "The entry \"%2\" of %1 is of the wrong type: %3.")},
    {Sentence::key_too_large, QT_TRANSLATE_NOOP("ErrorText", "The entry \"%2\" of %1 is %3; at most %4 is possible.")},
    {Sentence::architecture_unknown,
        QT_TRANSLATE_NOOP("ErrorText", "The model's architecture, \"%1\", is none that this version runs.")},
    {Sentence::projector_file,
        QT_TRANSLATE_NOOP(
            "ErrorText", "This file holds the part of a model that sees pictures (mmproj), not the model.")},
    {Sentence::vocabulary_only, QT_TRANSLATE_NOOP("ErrorText", "%1 holds a vocabulary and no weights.")},
    {Sentence::folder_without_weights, QT_TRANSLATE_NOOP("ErrorText", "%1 holds no .safetensors file.")},
    {Sentence::model_malformed, QT_TRANSLATE_NOOP("ErrorText", "%1 describes no model that can be built (%2).")},
    {Sentence::setting_not_finite, QT_TRANSLATE_NOOP("ErrorText", "The entry \"%2\" of %1 is no finite number.")},
    {Sentence::setting_differs,
        QT_TRANSLATE_NOOP("ErrorText", "The entry \"%2\" of %1 differs from layer to layer (%3 and %4).")},
    {Sentence::setting_out_of_range,
        QT_TRANSLATE_NOOP("ErrorText", "The entry \"%2\" of %1 is %3; %4 to %5 is possible.")},
    {Sentence::rope_unknown, QT_TRANSLATE_NOOP("ErrorText", "%1 scales its positions by \"%2\", which is not known.")},
    {Sentence::setting_unsupported,
        QT_TRANSLATE_NOOP(
            "ErrorText", "The entry \"%2\" of %1 asks for something that this version does not compute.")},
    {Sentence::tensor_missing, QT_TRANSLATE_NOOP("ErrorText", "%1 lacks the tensor %2.")},
    {Sentence::tensor_of_unknown_type,
        QT_TRANSLATE_NOOP("ErrorText", "Tensor %2 of %1 has type number %3, which this version cannot compute.")},
    {Sentence::tensor_of_wrong_length, QT_TRANSLATE_NOOP("ErrorText", "Tensor %2 of %1 has %3 values; %4 are needed.")},
    {Sentence::tensor_of_wrong_shape,
        QT_TRANSLATE_NOOP("ErrorText", "Tensor %2 of %1 is %3 by %4; %5 by %6 is needed.")},
    {Sentence::tensor_without_place,
        QT_TRANSLATE_NOOP(
            "ErrorText", "Tensor %2 of %1 has no place in the architecture %3 as this version knows it.")},
    {Sentence::tensor_without_data, QT_TRANSLATE_NOOP("ErrorText", "Tensor %2 of %1 has no data.")},
    {Sentence::tensor_refused, QT_TRANSLATE_NOOP("ErrorText", "Tensor %2 of %1 cannot be used: %3.")},
    {Sentence::tokenizer_unknown,
        QT_TRANSLATE_NOOP("ErrorText", "%1 has the tokenizer \"%2\"; gpt2, llama, gemma4, bert and t5 can be read.")},
    {Sentence::pre_tokenizer_unknown,
        QT_TRANSLATE_NOOP("ErrorText", "%1 cuts its text by \"%2\", which this version does not know.")},
    {Sentence::vocabulary_malformed, QT_TRANSLATE_NOOP("ErrorText", "The vocabulary of %1 is incomplete (%2).")},
    {Sentence::draft_vocabulary_differs,
        QT_TRANSLATE_NOOP(
            "ErrorText", "The draft model has another vocabulary: token %1 is %2 in the model and %3 in the draft.")},
    {Sentence::draft_vocabulary_size,
        QT_TRANSLATE_NOOP("ErrorText", "The draft model has %1 tokens, and the model %2.")},
    {Sentence::draft_without_vocabulary,
        QT_TRANSLATE_NOOP("ErrorText", "The draft model has no vocabulary that could be compared with the model's.")},
    {Sentence::model_without_vocabulary,
        QT_TRANSLATE_NOOP("ErrorText", "The model has no vocabulary that could be compared with the draft model's.")},
    {Sentence::load_cancelled, QT_TRANSLATE_NOOP("ErrorText", "Loading %1 was cancelled.")},
    {Sentence::loading_other, QT_TRANSLATE_NOOP("ErrorText", "Another model is being loaded.")},
    {Sentence::blocks_over_memory,
        QT_TRANSLATE_NOOP(
            "ErrorText", "%1 KV blocks need %2 (%3 bytes), and %4 (%5 bytes) are free beside the weights.")},
    {Sentence::model_over_memory,
        QT_TRANSLATE_NOOP("ErrorText",
            "The model and the KV cache of one sequence of %1 tokens need %2 (%3 bytes); %4 (%5 bytes, %6 % of what is "
            "free) may be used.")},
    {Sentence::no_layer_fits, QT_TRANSLATE_NOOP("ErrorText", "Not one of %1 layers fits the GPU: %2.")},
    {Sentence::layers_on_device, QT_TRANSLATE_NOOP("ErrorText", "The %1 layers on %2 do not fit: %3.")},
    {Sentence::memory_refused, QT_TRANSLATE_NOOP("ErrorText", "The system gave no %1 bytes of memory.")},
    {Sentence::workspace_refused,
        QT_TRANSLATE_NOOP("ErrorText", "The workspace of a step needs %1 bytes, which the system did not give.")},
    {Sentence::gpu_memory_refused,
        QT_TRANSLATE_NOOP("ErrorText", "The GPU lacks memory: %2 MiB are needed at once, and %3 MiB are free.")},
    {Sentence::blocks_short, QT_TRANSLATE_NOOP("ErrorText", "%1 KV blocks are needed, and %2 of %3 are free.")},
    {Sentence::blocks_for_sequences,
        QT_TRANSLATE_NOOP("ErrorText", "%1 sequences of %2 tokens need %3 KV blocks, and there are %4.")},
    {Sentence::no_driver, QT_TRANSLATE_NOOP("ErrorText", "No NVIDIA driver is installed: %1 is not there.")},
    {Sentence::no_gpu, QT_TRANSLATE_NOOP("ErrorText", "No CUDA device is installed.")},
    {Sentence::device_unknown, QT_TRANSLATE_NOOP("ErrorText", "There is no device \"%1\".")},
    {Sentence::device_unusable, QT_TRANSLATE_NOOP("ErrorText", "Device %1 cannot be used: %2.")},
    {Sentence::device_index_too_high,
        QT_TRANSLATE_NOOP("ErrorText", "Device %1 is not there; CUDA devices found: %2.")},
    {Sentence::plugin_missing, QT_TRANSLATE_NOOP("ErrorText", "The plugin lib%1.so is not installed.")},
    {Sentence::plugin_cut_short, QT_TRANSLATE_NOOP("ErrorText", "%1 is cut short: it has %2 of at least %3 bytes.")},
    {Sentence::plugin_of_other_interface,
        QT_TRANSLATE_NOOP("ErrorText", "%1 has interface version %2; this version needs %3.")},
    {Sentence::plugin_of_other_build, QT_TRANSLATE_NOOP("ErrorText", "%1 is of build %2; this is build %3.")},
    {Sentence::plugin_not_loaded, QT_TRANSLATE_NOOP("ErrorText", "%1 does not load: %2.")},
    {Sentence::plugin_of_other_program, QT_TRANSLATE_NOOP("ErrorText", "%1 is no Vitrine plugin: %2.")},
    {Sentence::plugin_without_entry, QT_TRANSLATE_NOOP("ErrorText", "%1 gave no entry.")},
    {Sentence::cpu_threads_refused, QT_TRANSLATE_NOOP("ErrorText", "%1 CPU threads could not be started: %2.")},
    {Sentence::cpu_threads_out_of_range,
        QT_TRANSLATE_NOOP("ErrorText", "%1 CPU threads are wanted; 0 (all cores) to %2 is possible.")},
    {Sentence::isa_lacking,
        QT_TRANSLATE_NOOP("ErrorText", "The instruction set %2 is chosen, which this CPU (%3) lacks.")},
    {Sentence::isa_unknown,
        QT_TRANSLATE_NOOP(
            "ErrorText", "The instruction set \"%2\" is not known; scalar, avx2, avxvnni, avx512 and amx are.")},
    {Sentence::gpu_layers_without_gpu,
        QT_TRANSLATE_NOOP("ErrorText", "%1 layers are wanted on a GPU, and the device is %2.")},
    {Sentence::gpu_layers_without_gpu_why,
        QT_TRANSLATE_NOOP("ErrorText", "%1 layers are wanted on a GPU, and the device is %2: %3.")},
    {Sentence::gpu_runs_not, QT_TRANSLATE_NOOP("ErrorText", "The GPU does not run this model: %1.")},
    {Sentence::gpu_failed_again,
        QT_TRANSLATE_NOOP("ErrorText", "The GPU failed (%1), and less than %2 s before it had failed too.")},
    {Sentence::gpu_not_restarted,
        QT_TRANSLATE_NOOP("ErrorText", "The GPU failed (%1) and could not be started again (%2).")},
    {Sentence::layers_not_shared,
        QT_TRANSLATE_NOOP("ErrorText",
            "This architecture cannot be shared by two devices: between its layers %1 and %2 lie %3 activations, and "
            "one is needed.")},
    {Sentence::layers_not_cut, QT_TRANSLATE_NOOP("ErrorText", "A model of %1 layers cannot be cut behind layer %2.")},
    {Sentence::inputs_not_observed,
        QT_TRANSLATE_NOOP("ErrorText", "Device %1 does not show the inputs of its matrices.")},
    {Sentence::op_not_run, QT_TRANSLATE_NOOP("ErrorText", "The device %1 (%2) cannot run \"%3\": %4.")},
    {Sentence::driver_missing, QT_TRANSLATE_NOOP("ErrorText", "No NVIDIA driver is installed.")},
    {Sentence::driver_too_old,
        QT_TRANSLATE_NOOP("ErrorText", "The NVIDIA driver supports CUDA %1; this version needs %2.")},
    {Sentence::driver_without_gpu, QT_TRANSLATE_NOOP("ErrorText", "The NVIDIA driver finds no GPU.")},
    {Sentence::driver_answer, QT_TRANSLATE_NOOP("ErrorText", "The NVIDIA driver answers: %1.")},
    {Sentence::gpu_too_old, QT_TRANSLATE_NOOP("ErrorText", "%1 has compute capability %2; %3 is needed.")},
    {Sentence::gpu_without_code,
        QT_TRANSLATE_NOOP("ErrorText", "%1 has compute capability %2, for which this version has no code.")},
    {Sentence::gpu_call_failed, QT_TRANSLATE_NOOP("ErrorText", "The GPU failed (%1): %2.")},
    {Sentence::gpu_not_there, QT_TRANSLATE_NOOP("ErrorText", "There is no usable GPU %1.")},
    {Sentence::cublas_not_started, QT_TRANSLATE_NOOP("ErrorText", "The cuBLAS library did not start.")},
    {Sentence::no_model, QT_TRANSLATE_NOOP("ErrorText", "No model is loaded.")},
    {Sentence::prompt_empty, QT_TRANSLATE_NOOP("ErrorText", "The prompt has no tokens.")},
    {Sentence::prompt_over_context,
        QT_TRANSLATE_NOOP("ErrorText", "The prompt has %1 tokens, and the context holds %2.")},
    {Sentence::prompt_fills_context,
        QT_TRANSLATE_NOOP(
            "ErrorText", "The prompt has %1 tokens, the context holds %2, and one is needed for the answer.")},
    {Sentence::request_over_pool,
        QT_TRANSLATE_NOOP("ErrorText", "Prompt and answer need %1 KV blocks, and the pool has %2.")},
    {Sentence::too_many_preparing, QT_TRANSLATE_NOOP("ErrorText", "Too many requests are being prepared at once.")},
    {Sentence::queue_full, QT_TRANSLATE_NOOP("ErrorText", "The engine has no room for another request.")},
    {Sentence::engine_stopping, QT_TRANSLATE_NOOP("ErrorText", "The engine is stopping.")},
    {Sentence::device_reloading,
        QT_TRANSLATE_NOOP("ErrorText", "The device failed, and the model is being loaded again.")},
    {Sentence::encoder_only,
        QT_TRANSLATE_NOOP("ErrorText", "This model is an encoder: it gives embeddings and no text.")},
    {Sentence::model_without_text,
        QT_TRANSLATE_NOOP("ErrorText", "This model has no vocabulary, so it takes and gives token numbers only.")},
    {Sentence::model_without_grammar,
        QT_TRANSLATE_NOOP("ErrorText", "This model has no vocabulary, so no grammar can be enforced.")},
    {Sentence::model_without_fill_marks, QT_TRANSLATE_NOOP("ErrorText", "This model has no tokens for filling a gap.")},
    {Sentence::no_token_allowed, QT_TRANSLATE_NOOP("ErrorText", "No token is allowed at this position.")},
    {Sentence::no_token_of_grammar,
        QT_TRANSLATE_NOOP("ErrorText", "The grammar and the token biases together allow no token at this position.")},
    {Sentence::template_failed, QT_TRANSLATE_NOOP("ErrorText", "The chat template fails in line %1, column %2: %3.")},
    {Sentence::template_too_long,
        QT_TRANSLATE_NOOP("ErrorText", "The chat template has %1 bytes; at most %2 are read.")},
    {Sentence::template_out_of_memory,
        QT_TRANSLATE_NOOP("ErrorText", "The chat template found no memory for its work.")},
    {Sentence::load_stopped, QT_TRANSLATE_NOOP("ErrorText", "The run was stopped.")},
    {Sentence::text_too_short, QT_TRANSLATE_NOOP("ErrorText", "The text has %1 tokens; one window needs %2.")},
    {Sentence::vocabularies_differ, QT_TRANSLATE_NOOP("ErrorText", "%1 has %2 tokens, and %3 has %4.")},
    {Sentence::option_out_of_range, QT_TRANSLATE_NOOP("ErrorText", "The setting \"%1\" is %2; %3 to %4 is possible.")},
    {Sentence::option_not_allowed, QT_TRANSLATE_NOOP("ErrorText", "The setting \"%1\" is %2; %3 to %4 is possible.")},
    {Sentence::option_too_low, QT_TRANSLATE_NOOP("ErrorText", "The setting \"%1\" is %2; at least %3 is possible.")},
    {Sentence::objectives_not_positive,
        QT_TRANSLATE_NOOP(
            "ErrorText", "The objectives are %1 s to the first token and %2 s a token; both must be above 0.")},
    {Sentence::gamma_without_drafter,
        QT_TRANSLATE_NOOP("ErrorText", "%1 drafts a step are wanted, and nothing is chosen that drafts.")},
    {Sentence::block_size_unknown, QT_TRANSLATE_NOOP("ErrorText", "A KV block cannot hold %1 tokens.")},
    {Sentence::memory_share_out_of_range,
        QT_TRANSLATE_NOOP("ErrorText", "The share of memory is %1; above 0 and at most 1 is possible.")},
    {Sentence::scheduler_values_too_small,
        QT_TRANSLATE_NOOP(
            "ErrorText", "Requests at once (%1), drafts a step (%2) and context (%3) must be at least 1, 0 and 1.")},
    {Sentence::chunk_below_block,
        QT_TRANSLATE_NOOP("ErrorText", "Prompts are read %1 tokens at a time, less than the %2 of one KV block.")},
    {Sentence::prefix_cache_without_blocks,
        QT_TRANSLATE_NOOP(
            "ErrorText", "The prefix cache needs a KV cache that is kept, and kept in blocks; one of both is off.")},
    {Sentence::step_budget_too_small,
        QT_TRANSLATE_NOOP("ErrorText", "A step takes %1 tokens, and %2 sequences with up to %3 drafts each need %4.")},
    {Sentence::step_budget_below_prompt,
        QT_TRANSLATE_NOOP("ErrorText",
            "A step takes %1 tokens, and %2 sequences with up to %3 drafts each need %4, since prompts are read as a "
            "whole.")},
    {Sentence::bias_of_unknown_token,
        QT_TRANSLATE_NOOP("ErrorText", "A token bias names token %1; the vocabulary has the numbers 0 to %2.")},
    {Sentence::bias_not_finite, QT_TRANSLATE_NOOP("ErrorText", "The bias of token %1 is no number.")},
    {Sentence::quantization_unknown,
        QT_TRANSLATE_NOOP("ErrorText", "\"%1\" is no quantization that this version can write.")},
    {Sentence::quantizing_cancelled, QT_TRANSLATE_NOOP("ErrorText", "Quantizing %1 was cancelled.")},
    {Sentence::port_in_use, QT_TRANSLATE_NOOP("ErrorText", "Port %1 on %2 is in use by another program.")},
    {Sentence::cannot_listen, QT_TRANSLATE_NOOP("ErrorText", "Cannot listen on %1 port %2: %3.")},
    {Sentence::server_running, QT_TRANSLATE_NOOP("ErrorText", "The server is already running on port %1.")},
    {Sentence::no_address, QT_TRANSLATE_NOOP("ErrorText", "\"%1\" is no IP address.")},
    {Sentence::key_needed,
        QT_TRANSLATE_NOOP("ErrorText", "%1 can be reached from other computers, and no API key is set.")},
    {Sentence::no_port, QT_TRANSLATE_NOOP("ErrorText", "%1 is no port.")},
};

constexpr bool isComplete() {
    for (std::size_t i = 0; i < std::size(kLines); ++i)
        if (static_cast<std::size_t>(kLines[i].sentence) != i)
            return false;
    return std::size(kLines) == static_cast<std::size_t>(kFirstNextStep);
}
static_assert(isComplete(), "every sentence of the engine has its line, in the engine's order");

} // namespace

const char* windowText(Sentence sentence) {
    const auto index = static_cast<std::size_t>(sentence);
    return index < std::size(kLines) ? kLines[index].text : nextStepText(sentence);
}

} // namespace vitrine::ui
