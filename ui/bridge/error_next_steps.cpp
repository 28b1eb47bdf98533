// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: one line for each next step of engine/api/sentence.h, in its order.
#include <QtGlobal>

#include "engine/api/sentence.h"
#include "ui/bridge/error_sentences.h"

namespace vitrine::ui {
namespace {

struct Line {
    Sentence sentence;
    const char* text;
};

constexpr auto kFirst = static_cast<std::size_t>(kFirstNextStep);
constexpr Line kLines[] = {
    {Sentence::check_path, QT_TRANSLATE_NOOP("ErrorText", "Check the path and the permission to read it.")},
    {Sentence::check_disk, QT_TRANSLATE_NOOP("ErrorText", "Check the disk.")},
    {Sentence::give_file, QT_TRANSLATE_NOOP("ErrorText", "Give the path of the file itself.")},
    {Sentence::copy_to_local_disk,
        QT_TRANSLATE_NOOP("ErrorText", "Copy the file to a local disk, or free address space.")},
    {Sentence::free_bytes, QT_TRANSLATE_NOOP("ErrorText", "Free %1 bytes on this disk, or choose another folder.")},
    {Sentence::check_folder, QT_TRANSLATE_NOOP("ErrorText", "Check that the folder exists and may be written.")},
    {Sentence::download_again, QT_TRANSLATE_NOOP("ErrorText", "The file is incomplete or damaged: download it again.")},
    {Sentence::convert_again,
        QT_TRANSLATE_NOOP(
            "ErrorText", "The file is damaged or was written by a faulty program: download or convert it again.")},
    {Sentence::choose_gguf, QT_TRANSLATE_NOOP("ErrorText", "Choose a GGUF file.")},
    {Sentence::choose_gguf_of_model, QT_TRANSLATE_NOOP("ErrorText", "Choose a GGUF file of the model.")},
    {Sentence::choose_model_folder,
        QT_TRANSLATE_NOOP("ErrorText", "Choose a .gguf file, or a folder with config.json and *.safetensors.")},
    {Sentence::convert_little_endian, QT_TRANSLATE_NOOP("ErrorText", "Convert the model for little-endian machines.")},
    {Sentence::convert_currently, QT_TRANSLATE_NOOP("ErrorText", "Convert the model with a current program.")},
    {Sentence::open_first_part,
        QT_TRANSLATE_NOOP("ErrorText", "Open the file whose name ends in \"-00001-of-%1.gguf\".")},
    {Sentence::put_parts_together,
        QT_TRANSLATE_NOOP("ErrorText", "Put all parts of the model, from one download, into one folder.")},
    {Sentence::fetch_model_again, QT_TRANSLATE_NOOP("ErrorText", "Fetch the model again.")},
    {Sentence::use_complete_conversion,
        QT_TRANSLATE_NOOP("ErrorText", "Use a file from a complete conversion of the model.")},
    {Sentence::known_names, QT_TRANSLATE_NOOP("ErrorText", "Known: %1.")},
    {Sentence::nearest_and_known_names, QT_TRANSLATE_NOOP("ErrorText", "The nearest is \"%1\". Known: %2.")},
    {Sentence::choose_models_own_file,
        QT_TRANSLATE_NOOP("ErrorText", "This version reads text only; choose the model's own file.")},
    {Sentence::choose_whole_model, QT_TRANSLATE_NOOP("ErrorText", "Choose the whole model; this file only tokenizes.")},
    {Sentence::choose_whole_draft, QT_TRANSLATE_NOOP("ErrorText", "Choose a whole model for drafting.")},
    {Sentence::choose_whole_for_vocabulary,
        QT_TRANSLATE_NOOP("ErrorText", "The file holds a vocabulary only; choose the whole model.")},
    {Sentence::fetch_damaged_again, QT_TRANSLATE_NOOP("ErrorText", "The file is damaged; download it again.")},
    {Sentence::fetch_text_model_again,
        QT_TRANSLATE_NOOP("ErrorText", "The file is incomplete or no text model; download it again.")},
    {Sentence::damaged_or_unknown_kind,
        QT_TRANSLATE_NOOP(
            "ErrorText", "The file is damaged or of a kind that this version does not know: choose another file.")},
    {Sentence::layers_must_be_alike, QT_TRANSLATE_NOOP("ErrorText", "Choose a model whose layers are alike.")},
    {Sentence::known_rope_kinds,
        QT_TRANSLATE_NOOP("ErrorText", "Choose a model that scales by none, linear, yarn or longrope.")},
    {Sentence::choose_other_model,
        QT_TRANSLATE_NOOP("ErrorText", "Choose another model, or a newer version of this program.")},
    {Sentence::choose_other_file,
        QT_TRANSLATE_NOOP("ErrorText", "Choose another file of the model, or a newer version of this program.")},
    {Sentence::choose_common_type,
        QT_TRANSLATE_NOOP("ErrorText", "Choose a file of a common quantization such as Q4_K_M, Q8_0 or F16.")},
    {Sentence::choose_known_tokenizer,
        QT_TRANSLATE_NOOP(
            "ErrorText", "Choose a model with a byte-pair, SentencePiece, unigram or WordPiece tokenizer.")},
    {Sentence::choose_related_draft,
        QT_TRANSLATE_NOOP("ErrorText", "Choose a draft model of the same family, or n-grams, which need no model.")},
    {Sentence::wait_or_cancel, QT_TRANSLATE_NOOP("ErrorText", "Wait for it, or cancel it.")},
    {Sentence::take_less_memory,
        QT_TRANSLATE_NOOP("ErrorText", "Choose a shorter context, a smaller KV type (int8) or a smaller model.")},
    {Sentence::choose_auto_or_cpu,
        QT_TRANSLATE_NOOP("ErrorText", "Choose the device \"automatic\" or \"CPU\", or a shorter context.")},
    {Sentence::close_programs,
        QT_TRANSLATE_NOOP("ErrorText", "Close other programs, or choose a smaller model or context.")},
    {Sentence::take_smaller_steps,
        QT_TRANSLATE_NOOP("ErrorText", "Lower the number of tokens per step, or the context.")},
    {Sentence::free_gpu_memory,
        QT_TRANSLATE_NOOP("ErrorText", "Take a smaller context or model, or close other programs on the GPU.")},
    {Sentence::free_gpu_or_context,
        QT_TRANSLATE_NOOP("ErrorText", "Close other programs on the GPU, or take a smaller context.")},
    {Sentence::load_again_or_cpu, QT_TRANSLATE_NOOP("ErrorText", "Load the model again; if it stays, run on the CPU.")},
    {Sentence::wait_or_more_blocks,
        QT_TRANSLATE_NOOP("ErrorText", "Wait for another request to end, or load the model with more blocks.")},
    {Sentence::raise_num_blocks, QT_TRANSLATE_NOOP("ErrorText", "Load the model with more blocks.")},
    {Sentence::install_driver, QT_TRANSLATE_NOOP("ErrorText", "Install the driver, or use the CPU.")},
    {Sentence::use_cpu, QT_TRANSLATE_NOOP("ErrorText", "Use the CPU.")},
    {Sentence::choose_cpu_as_device, QT_TRANSLATE_NOOP("ErrorText", "Choose the CPU as device.")},
    {Sentence::known_devices, QT_TRANSLATE_NOOP("ErrorText", "Choose auto, cpu, cuda or cuda:N.")},
    {Sentence::use_index_up_to, QT_TRANSLATE_NOOP("ErrorText", "Choose cuda:0 to cuda:%1.")},
    {Sentence::install_plugin,
        QT_TRANSLATE_NOOP("ErrorText", "Use the CPU, or install the plugin beside the program.")},
    {Sentence::install_plugin_again, QT_TRANSLATE_NOOP("ErrorText", "Install the plugin again.")},
    {Sentence::install_own_plugin,
        QT_TRANSLATE_NOOP("ErrorText", "Install the plugin that came with this version of Vitrine.")},
    {Sentence::install_gpu_libraries,
        QT_TRANSLATE_NOOP("ErrorText", "Install the GPU driver and its libraries, or use the CPU.")},
    {Sentence::remove_or_install_plugin,
        QT_TRANSLATE_NOOP("ErrorText", "Remove the file, or install the plugin that came with this version.")},
    {Sentence::take_fewer_threads, QT_TRANSLATE_NOOP("ErrorText", "Choose fewer threads.")},
    {Sentence::use_every_core, QT_TRANSLATE_NOOP("ErrorText", "Choose 0 to use every physical core.")},
    {Sentence::take_narrower_isa,
        QT_TRANSLATE_NOOP("ErrorText", "Choose a narrower one, avx2 or scalar, or leave the choice to the program.")},
    {Sentence::use_known_isa,
        QT_TRANSLATE_NOOP("ErrorText", "Choose one of these names, or leave the choice to the program.")},
    {Sentence::leave_gpu_layers,
        QT_TRANSLATE_NOOP("ErrorText", "Leave the number of GPU layers to the program, or choose a GPU as device.")},
    {Sentence::run_on_one_device, QT_TRANSLATE_NOOP("ErrorText", "Run the whole model on one device.")},
    {Sentence::choose_layers_up_to, QT_TRANSLATE_NOOP("ErrorText", "Choose 1 to %1 layers.")},
    {Sentence::choose_other_device,
        QT_TRANSLATE_NOOP("ErrorText", "Choose another device, or a file in another weight format.")},
    {Sentence::cpu_runs_this_model,
        QT_TRANSLATE_NOOP("ErrorText", "Choose the device \"automatic\" or \"CPU\": the CPU runs this model.")},
    {Sentence::install_driver_or_run_on_cpu, QT_TRANSLATE_NOOP("ErrorText", "Install the driver, or run on the CPU.")},
    {Sentence::update_driver, QT_TRANSLATE_NOOP("ErrorText", "Update the driver, or run on the CPU.")},
    {Sentence::show_gpu,
        QT_TRANSLATE_NOOP(
            "ErrorText", "Check that the GPU is visible to this process (CUDA_VISIBLE_DEVICES), or run on the CPU.")},
    {Sentence::restart_driver, QT_TRANSLATE_NOOP("ErrorText", "Restart the driver, or run on the CPU.")},
    {Sentence::run_on_cpu, QT_TRANSLATE_NOOP("ErrorText", "Run on the CPU.")},
    {Sentence::build_for_gpu,
        QT_TRANSLATE_NOOP("ErrorText", "Build with VITRINE_CUDA_ARCHITECTURES=%1, or run on the CPU.")},
    {Sentence::choose_listed_device, QT_TRANSLATE_NOOP("ErrorText", "Choose a device from the list.")},
    {Sentence::check_cublas, QT_TRANSLATE_NOOP("ErrorText", "Check that libcublasLt.so.13 is installed.")},
    {Sentence::load_model_first, QT_TRANSLATE_NOOP("ErrorText", "Load a model first.")},
    {Sentence::send_a_token, QT_TRANSLATE_NOOP("ErrorText", "Send at least one token.")},
    {Sentence::send_some_text, QT_TRANSLATE_NOOP("ErrorText", "Send at least one token of text.")},
    {Sentence::shorten_conversation,
        QT_TRANSLATE_NOOP("ErrorText", "Shorten the conversation, or load the model with a longer context.")},
    {Sentence::shorten_prompt,
        QT_TRANSLATE_NOOP("ErrorText", "Shorten the prompt, or load the model with a longer context.")},
    {Sentence::ask_for_less,
        QT_TRANSLATE_NOOP(
            "ErrorText", "Ask for a shorter answer, shorten the prompt, or load the model with more blocks.")},
    {Sentence::try_again_soon, QT_TRANSLATE_NOOP("ErrorText", "Try again in a moment.")},
    {Sentence::send_again_soon, QT_TRANSLATE_NOOP("ErrorText", "Send the request again in a moment.")},
    {Sentence::load_generating_model,
        QT_TRANSLATE_NOOP("ErrorText", "Ask /v1/embeddings, or load a model that generates.")},
    {Sentence::choose_model_with_tokenizer,
        QT_TRANSLATE_NOOP("ErrorText", "Send token numbers, or choose a model with a tokenizer.")},
    {Sentence::leave_suffix_out,
        QT_TRANSLATE_NOOP("ErrorText", "Leave the suffix out, or load a model made for code completion.")},
    {Sentence::loosen_bias, QT_TRANSLATE_NOOP("ErrorText", "Loosen the token biases or the least number of tokens.")},
    {Sentence::loosen_grammar,
        QT_TRANSLATE_NOOP("ErrorText", "Loosen the grammar or the token biases; a grammar must not nest without end.")},
    {Sentence::choose_other_template_or_messages,
        QT_TRANSLATE_NOOP(
            "ErrorText", "Change the messages to what this template takes, or choose another chat template.")},
    {Sentence::choose_other_template, QT_TRANSLATE_NOOP("ErrorText", "Choose another chat template.")},
    {Sentence::shorten_talk, QT_TRANSLATE_NOOP("ErrorText", "Shorten the conversation.")},
    {Sentence::give_longer_text, QT_TRANSLATE_NOOP("ErrorText", "Give a longer text.")},
    {Sentence::choose_other_value, QT_TRANSLATE_NOOP("ErrorText", "Choose another value.")},
    {Sentence::choose_inside_range, QT_TRANSLATE_NOOP("ErrorText", "Choose a value inside the range.")},
    {Sentence::use_times_above_zero, QT_TRANSLATE_NOOP("ErrorText", "Choose times above 0.")},
    {Sentence::add_drafter, QT_TRANSLATE_NOOP("ErrorText", "Choose n-grams or a draft model.")},
    {Sentence::use_16_or_32, QT_TRANSLATE_NOOP("ErrorText", "Choose 16 or 32.")},
    {Sentence::use_share, QT_TRANSLATE_NOOP("ErrorText", "Choose a number above 0 and at most 1.")},
    {Sentence::raise_small_value, QT_TRANSLATE_NOOP("ErrorText", "Raise the value that is too small.")},
    {Sentence::use_chunk_from, QT_TRANSLATE_NOOP("ErrorText", "Read at least %1 tokens at a time.")},
    {Sentence::switch_prefix_cache_off, QT_TRANSLATE_NOOP("ErrorText", "Switch the prefix cache off.")},
    {Sentence::raise_step_budget,
        QT_TRANSLATE_NOOP("ErrorText", "Take %1 tokens per step, or fewer requests at once.")},
    {Sentence::remove_entry, QT_TRANSLATE_NOOP("ErrorText", "Remove the entry.")},
    {Sentence::use_bias_range, QT_TRANSLATE_NOOP("ErrorText", "Choose a value from -100 to 100.")},
    {Sentence::compare_with_source, QT_TRANSLATE_NOOP("ErrorText", "Compare a model with the file it was made from.")},
    {Sentence::nothing_was_written, QT_TRANSLATE_NOOP("ErrorText", "Nothing was written.")},
    {Sentence::choose_next_port, QT_TRANSLATE_NOOP("ErrorText", "Choose another port, for example %1.")},
    {Sentence::choose_other_address, QT_TRANSLATE_NOOP("ErrorText", "Choose another address or port.")},
    {Sentence::stop_it_first, QT_TRANSLATE_NOOP("ErrorText", "Stop it first.")},
    {Sentence::use_own_address, QT_TRANSLATE_NOOP("ErrorText", "Use 127.0.0.1 or an address of this computer.")},
    {Sentence::set_key, QT_TRANSLATE_NOOP("ErrorText", "Set a key, or listen on 127.0.0.1.")},
    {Sentence::use_valid_port, QT_TRANSLATE_NOOP("ErrorText", "Use a port from 1 to 65535.")},
};

constexpr bool isComplete() {
    for (std::size_t i = 0; i < std::size(kLines); ++i)
        if (static_cast<std::size_t>(kLines[i].sentence) != kFirst + i)
            return false;
    return kFirst + std::size(kLines) == static_cast<std::size_t>(kLastSentence) + 1;
}
static_assert(isComplete(), "every next step of the engine has its line, in the engine's order");

} // namespace

const char* nextStepText(Sentence step) {
    const std::size_t index = static_cast<std::size_t>(step) - kFirst; // beyond the table for what is no next step
    return index < std::size(kLines) ? kLines[index].text : "";
}

} // namespace vitrine::ui
