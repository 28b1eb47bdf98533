// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/api: the English of every sentence, and how its places are filled.
#include "kernels/api/sentence.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>

namespace vitrine {
namespace {

struct Entry {
    Sentence sentence;
    std::string_view english;
};

constexpr Entry kTable[] = {
    {Sentence::none, ""},
    {Sentence::file_missing, "{0}: cannot be opened: No such file or directory"},
    {Sentence::file_forbidden, "{0}: cannot be opened: Permission denied"},
    {Sentence::file_not_opened, "{0}: cannot be opened: {1}"},
    {Sentence::file_not_read, "{0}: {1}"},
    {Sentence::file_is_folder, "{0}: found a folder, needed a regular file"},
    {Sentence::file_is_special, "{0}: found a special file, needed a regular file"},
    {Sentence::file_not_mapped, "{0}: {1} bytes cannot be mapped: {2}"},
    {Sentence::file_not_created, "{0}: creating the file failed: {1}"},
    {Sentence::file_not_reserved, "{0}: reserving the space failed: {1}"},
    {Sentence::file_not_written, "{0}: writing failed: {1}"},
    {Sentence::file_not_synced, "{0}: writing to the disk failed: {1}"},
    {Sentence::file_not_renamed, "{0}: renaming the finished file failed: {1}"},
    {Sentence::file_not_copied, "{0}: copying failed: {1}"},
    {Sentence::folder_not_created, "{0}: creating the folder failed: {1}"},
    {Sentence::folder_not_renamed, "{0}: renaming the finished folder failed: {1}"},
    {Sentence::file_ends_inside, "{0}: the file ends inside {1}: found {2} bytes at offset {3}, needed {4}"},
    {Sentence::file_data_end, "{0}: tensor {1}: the data section holds {2} bytes, needed {3} at offset {4}"},
    {Sentence::file_malformed, "{0}: {1}"},
    {Sentence::wrong_magic, "{0}: found the magic {1}, needed {2} (\"GGUF\")"},
    {Sentence::wrong_version, "{0}: found GGUF version {1}, needed 2 or 3"},
    {Sentence::big_endian, "{0}: found a big-endian file, needed little endian"},
    {Sentence::later_part, "{0}: found part {1} of {2}, needed the first part"},
    {Sentence::parts_disagree, "{0}: {1}"},
    {Sentence::name_twice, "{0}: \"{1}\" stands there twice"},
    {Sentence::key_missing, "{0}: metadata \"{1}\": not in the file, needed {2}"},
    {Sentence::key_of_wrong_type, "{0}: metadata \"{1}\": found {2}, needed {3}"},
    {Sentence::key_too_large, "{0}: metadata \"{1}\": found {2}, needed at most {3}"},
    {Sentence::part_missing, "{0} is missing"},
    {Sentence::part_found, "{0}: found {1}, needed {2}"},
    {Sentence::part_found_most, "{0}: found {1}, needed at most {2}"},
    {Sentence::part_found_range, "{0}: found {1}, needed {2} to {3}"},
    {Sentence::part_found_multiple, "{0}: found {1}, needed a multiple of {2}"},
    {Sentence::part_no_power_of_two, "{0}: found {1}, needed a power of two up to {2}"},
    {Sentence::part_twice, "{0}: found the key twice, needed it once"},
    {Sentence::part_empty_or_twice, "{0}: found an empty or repeated name, needed one of its own"},
    {Sentence::array_of_arrays, "{0}: found an array of arrays, needed an array of plain values"},
    {Sentence::offset_inside_other, "{0}: found offset {1} inside another tensor, needed at least {2}"},
    {Sentence::part_no_size, "{0} is missing or no size"},
    {Sentence::part_no_json, "{0} is no JSON object of at most {1} levels"},
    {Sentence::parts_do_not_fit, "{0} and {1} do not fit"},
    {Sentence::parts_overlap, "{0} and {1} overlap"},
    {Sentence::groups_do_not_fit, "{0} groups do not fit a matrix of {1} by {2}"},
    {Sentence::scales_do_not_fit, "{0} scales do not fit a matrix of {1} by {2}"},
    {Sentence::heads_not_multiple, "{0} attention heads are not a multiple of {1} key/value heads"},
    {Sentence::rope_dimension_odd, "rope dimension {0} must be even and at most the head dimension {1}"},
    {Sentence::scales_not_positive, "norm epsilon, rope base and rope factor must be above 0"},
    {Sentence::shape_too_large, "{0} layers up to {1} wide with {2} heads of {3} are beyond what this build accepts"},
    {Sentence::window_pattern_short, "the sliding window pattern names {0} of {1} layers"},
    {Sentence::latent_shape_wrong, "latent attention with keys of {0} (rotated {1}) and values of {2}"},
    {Sentence::file_too_large, "{0}: found {1} bytes, needed at most {2}"},
    {Sentence::no_json_object, "{0} is no JSON object of at most {1} levels"},
    {Sentence::index_names_outside, "{0}: the index names \"{1}\", needed a file of this directory"},
    {Sentence::architecture_unknown, "architecture \"{0}\" is not one this build can run"},
    {Sentence::projector_file, "this file holds the part of a model that sees pictures (mmproj), not the model"},
    {Sentence::vocabulary_only, "{0} holds a vocabulary and no weights"},
    {Sentence::folder_without_weights, "{0} holds no .safetensors file"},
    {Sentence::model_malformed, "{0}: {1}"},
    {Sentence::setting_not_finite, "{0}: {1} is not a finite number"},
    {Sentence::setting_differs, "{0}: {1} differs from layer to layer ({2} and {3})"},
    {Sentence::setting_out_of_range, "{0}: {1} is {2}, needed {3} to {4}"},
    {Sentence::rope_unknown, "{0}: rope scaling \"{1}\" is not known"},
    {Sentence::setting_unsupported, "{0}: {1} asks for something this build does not compute"},
    {Sentence::config_unsupported, "{0}: {1}"},
    {Sentence::model_of_pictures, "{0}: \"{1}\" is a model of pictures or sound beside text"},
    {Sentence::model_type_unknown, "{0}: model type \"{1}\" is not one this build reads from safetensors"},
    {Sentence::packing_unknown,
        "{0}: the weights are quantized with \"{1}\" ({2} bits), which this build does not read"},
    {Sentence::pooling_unknown, "{0}: 1_Pooling asks for {1}"},
    {Sentence::pooling_twice, "{0}: 1_Pooling asks for {1}, which is one mode more than is pooled by"},
    {Sentence::gating_unknown, "{0}: {1} is {2}"},
    {Sentence::experts_out_of_range,
        "{0}: {1} of {2} experts are used for a token, needed at most all of at most 1024"},
    {Sentence::value_heads_differ, "{0}: value heads of {1} beside key heads of {2}"},
    {Sentence::setting_zero, "{0}: {1} is 0"},
    {Sentence::positions_too_few, "position_embd.weight has {0} rows for a context of {1}"},
    {Sentence::latent_not_split,
        "this DeepSeek file has no attn_k_b and attn_v_b tensors: it was converted before May 2025"},
    {Sentence::tensor_missing, "{0}: tensor {1} is missing"},
    {Sentence::tensor_of_unknown_type, "{0}: tensor {1} has type number {2}, which this build cannot compute"},
    {Sentence::tensor_of_wrong_length, "{0}: tensor {1} has {2} values, needed {3}"},
    {Sentence::tensor_of_wrong_shape, "{0}: tensor {1} is {2} by {3}, needed {4} by {5}"},
    {Sentence::tensor_of_wrong_dims,
        "{0}: tensor \"{1}\" has {2} dimensions and {3} bytes, needed one or two and some"},
    {Sentence::tensor_needs_floats, "{0}: tensor {1} needed {2} by {3} floats"},
    {Sentence::tensor_rows_unpaired, "{0}: tensor \"{1}\" has {2} rows, needed pairs in {3} heads"},
    {Sentence::tensor_of_unknown_dtype, "{0}: tensor \"{1}\" has the type {2}, which this build does not know"},
    {Sentence::factors_of_wrong_type, "{0}: {1} has {2} bytes of type {3}, needed {4} f32 values"},
    {Sentence::factor_not_positive, "{0}: {1} holds a factor that is not above 0"},
    {Sentence::expert_missing, "{0}: expert {1} of {2} is missing or unlike the first"},
    {Sentence::experts_of_unknown_type, "{0}: the experts of {1} are of type {2}"},
    {Sentence::tensor_malformed, "{0}: {1}"},
    {Sentence::packed_matrix_malformed, "{0}: {1}"},
    {Sentence::tensor_without_place, "{0}: tensor {1} has no place in architecture {2} as this build knows it"},
    {Sentence::tensor_without_data, "{0}: tensor {1} has no data"},
    {Sentence::tensor_refused, "{0}: tensor {1}: {2}"},
    {Sentence::tokenizer_unknown, "{0}: found the tokenizer model \"{1}\", needed gpt2, llama, gemma4, bert or t5"},
    {Sentence::pre_tokenizer_unknown,
        "{0}: metadata \"tokenizer.ggml.pre\": found \"{1}\", which this build does not know"},
    {Sentence::vocabulary_malformed, "{0}: {1}"},
    {Sentence::tokenizer_part_unknown, "{0}: {1} is not known to this build"},
    {Sentence::text_too_long,
        "text to tokenize: found {0} bytes and {1} origins, needed at most {2} bytes and an origin for each"},
    {Sentence::text_not_cut, "text of {0} bytes: the pre-tokenizer stopped: {1}"},
    {Sentence::pattern_refused, "pre-tokenizer pattern {0}: {1} at byte {2}"},
    {Sentence::cutting_out_of_memory, "the pre-tokenizer found no memory for its work"},
    {Sentence::draft_vocabulary_differs,
        "the draft model has another vocabulary: token {0} is {1} in the model and {2} in the draft"},
    {Sentence::draft_vocabulary_size, "the draft model has {0} token ids and the model {1}"},
    {Sentence::draft_without_vocabulary,
        "the draft model has no vocabulary, so it cannot be compared with the other's"},
    {Sentence::model_without_vocabulary, "the model has no vocabulary, so it cannot be compared with the other's"},
    {Sentence::load_cancelled, "loading {0} was cancelled"},
    {Sentence::loading_other, "another model is being loaded"},
    {Sentence::blocks_over_memory,
        "{0} KV blocks need {1} ({2} bytes) and {3} ({4} bytes) are free beside the weights"},
    {Sentence::model_over_memory,
        "the model and the KV cache of one sequence of {0} tokens need {1} ({2} bytes) and {3} ({4} bytes, {5} % of "
        "what is free) may be used"},
    {Sentence::no_layer_fits, "not one of {0} layers fits the GPU: {1}"},
    {Sentence::layers_on_device, "{0} of the layers on {1}: {2}"},
    {Sentence::memory_refused, "the system gave no {0} bytes of memory"},
    {Sentence::free_memory_unknown, "/proc/meminfo has no MemAvailable line"},
    {Sentence::workspace_refused, "the workspace of a step needs {0} bytes, which the system did not give"},
    {Sentence::gpu_memory_refused, "{0} needs {1} MiB on the GPU, free are {2} MiB."},
    {Sentence::blocks_short, "{0} KV blocks are needed and {1} of {2} are free"},
    {Sentence::blocks_for_sequences, "{0} sequences of {1} tokens need {2} blocks, there are {3}"},
    {Sentence::no_driver, "no NVIDIA driver is installed: {0} is not there"},
    {Sentence::no_gpu, "no CUDA device is installed"},
    {Sentence::device_unknown, "there is no device \"{0}\""},
    {Sentence::device_unusable, "device {0} cannot be used: {1}"},
    {Sentence::device_index_too_high, "device {0} is not there: {1} CUDA device(s) found"},
    {Sentence::plugin_missing, "the plugin lib{0}.so is not installed"},
    {Sentence::plugin_cut_short, "{0} is cut short: it has {1} of at least {2} bytes"},
    {Sentence::plugin_of_other_interface, "{0} has interface version {1}, this build needs {2}"},
    {Sentence::plugin_of_other_build, "{0} is of build {1}, this is build {2}"},
    {Sentence::plugin_not_loaded, "{0} does not load: {1}"},
    {Sentence::plugin_of_other_program, "{0} is no Vitrine plugin: {1}"},
    {Sentence::plugin_without_entry, "{0} gave no entry"},
    {Sentence::cpu_threads_refused, "starting {0} CPU threads: {1}"},
    {Sentence::cpu_threads_out_of_range, "number of CPU threads is {0}, needed 0 (all cores) to {1}"},
    {Sentence::isa_lacking, "{0} is {1}, which this CPU ({2}) lacks"},
    {Sentence::isa_unknown, "{0} is \"{1}\"; known are scalar, avx2, avxvnni, avx512 and amx"},
    {Sentence::gpu_layers_without_gpu, "{0} layers are wanted on a GPU and the device is {1}"},
    {Sentence::gpu_layers_without_gpu_why, "{0} layers are wanted on a GPU and the device is {1}: {2}"},
    {Sentence::gpu_runs_not, "the GPU does not run this model: {0}"},
    {Sentence::gpu_failed_again, "the GPU failed ({0}) and had failed less than {1} s before"},
    {Sentence::gpu_not_restarted, "the GPU failed ({0}) and could not be started again ({1})"},
    {Sentence::layers_not_shared,
        "this architecture cannot be shared by two devices: between its layers {0} and {1} lie {2} activations, needed "
        "is one"},
    {Sentence::layers_not_cut, "a model of {0} layers cannot be cut behind layer {1}"},
    {Sentence::inputs_not_observed, "the inputs of matrices cannot be observed on device {0}"},
    {Sentence::op_not_run, "The backend {0} ({1}) cannot run \"{2}\": {3}."},
    {Sentence::driver_missing, "No NVIDIA driver is installed."},
    {Sentence::driver_too_old, "The NVIDIA driver supports CUDA {0}, this build needs {1}."},
    {Sentence::driver_without_gpu, "The NVIDIA driver finds no GPU."},
    {Sentence::driver_answer, "The NVIDIA driver answers: {0}."},
    {Sentence::gpu_too_old, "{0} has compute capability {1}, needed is {2}."},
    {Sentence::gpu_without_code, "{0} has compute capability {1}, for which this build has no code."},
    {Sentence::gpu_call_failed, "{0} failed: {1}."},
    {Sentence::gpu_not_there, "There is no usable GPU {0}."},
    {Sentence::cublas_not_started, "The cuBLAS library did not start."},
    {Sentence::no_model, "no model is loaded"},
    {Sentence::prompt_empty, "the prompt has no tokens"},
    {Sentence::prompt_over_context, "the prompt has {0} tokens and the context {1}"},
    {Sentence::prompt_fills_context,
        "the prompt has {0} tokens, the context is {1} tokens and one is needed for the answer"},
    {Sentence::request_over_pool, "prompt and answer need {0} KV blocks and the pool has {1}"},
    {Sentence::too_many_preparing, "too many requests are being prepared at once"},
    {Sentence::queue_full, "the engine's command queue is full"},
    {Sentence::engine_stopping, "the engine is stopping and takes no more commands"},
    {Sentence::device_reloading, "the device failed and the model is being loaded again"},
    {Sentence::encoder_only, "this model is an encoder: it gives embeddings and no text"},
    {Sentence::model_without_text, "this model file has no vocabulary, so it takes and gives token ids only"},
    {Sentence::model_without_grammar, "this model file has no vocabulary, so no grammar can be enforced"},
    {Sentence::model_without_fill_marks, "this model has no fill-in-the-middle tokens"},
    {Sentence::no_token_allowed, "no token is allowed at this position"},
    {Sentence::no_token_of_grammar, "the grammar and logit_bias together allow no token at this position"},
    {Sentence::template_failed, "chat template, line {0}, column {1}: {2}"},
    {Sentence::template_too_long, "the chat template has {0} bytes, at most {1} are read"},
    {Sentence::template_out_of_memory, "chat template: no memory left"},
    {Sentence::template_missing, "The file has no chat template: it completes text and does not chat."},
    {Sentence::template_unusable, "The file's chat template cannot be used: {0}"},
    {Sentence::vocabulary_missing, "The file has no vocabulary."},
    {Sentence::token_outside_vocabulary, "{0}: token id {1} is outside the vocabulary of {2}"},
    {Sentence::too_many_stops, "stop: {0} strings, at most {1} are taken"},
    {Sentence::stop_of_wrong_length, "stop: a string of {0} bytes, needed 1 to {1}"},
    {Sentence::limits_negative, "max_tokens {0} and min_tokens {1} must not be negative"},
    {Sentence::beams_out_of_range, "beam_width is {0}, needed n = {1} to {2}"},
    {Sentence::beams_alone, "beam search takes no penalties, logit_bias, min_tokens, best_of, echo or grammar"},
    {Sentence::choices_out_of_range, "n {0} and best_of {1} must be 1 to {2}"},
    {Sentence::too_many_logprobs, "logprobs {0}, at most {1} are given"},
    {Sentence::beams_ended, "the model gave no further beam"},
    {Sentence::no_hidden_states, "this device does not give the hidden states that embeddings are made of"},
    {Sentence::load_stopped, "the load was cancelled"},
    {Sentence::text_too_short, "the text has {0} tokens, one window needs {1}"},
    {Sentence::vocabularies_differ, "{0} has {1} tokens, {2} has {3}"},
    {Sentence::option_out_of_range, "{0} is {1}, needed {2} to {3}"},
    {Sentence::option_not_allowed, "{0} is {1}, allowed is {2} to {3}"},
    {Sentence::option_too_low, "{0} is {1}, allowed is {2} to no limit"},
    {Sentence::objectives_not_positive, "the objectives are {0} s to the first token and {1} s a token"},
    {Sentence::gamma_without_drafter, "gamma is {0} and there is no drafter to draft so many tokens"},
    {Sentence::block_size_unknown, "block size is {0} tokens"},
    {Sentence::memory_share_out_of_range, "memory fraction is {0}"},
    {Sentence::scheduler_values_too_small, "max_seqs {0}, gamma {1} and context {2} must be at least 1, 0 and 1"},
    {Sentence::chunk_below_block, "a prefill chunk of {0} tokens is smaller than one KV block of {1}"},
    {Sentence::prefix_cache_without_blocks,
        "the prefix cache needs a paged KV cache that is kept, and one of both is off"},
    {Sentence::step_budget_too_small, "max_batch_tokens is {0}, and {1} sequences with up to {2} drafts each need {3}"},
    {Sentence::step_budget_below_prompt,
        "max_batch_tokens is {0}, and {1} sequences with up to {2} drafts each need {3} (a whole prompt at once: "
        "chunked prefill is off)"},
    {Sentence::bias_of_unknown_token, "logit_bias names token {0}, the vocabulary has ids 0 to {1}"},
    {Sentence::bias_not_finite, "logit_bias of token {0} is not a number"},
    {Sentence::quantization_unknown, "\"{0}\" is not a quantization this build can write"},
    {Sentence::requantization_unknown, "weights cannot be re-quantized to \"{0}\" while loading"},
    {Sentence::quantization_without_writer, "weights cannot be quantized to {0}"},
    {Sentence::row_not_divisible, "a row of {0} weights is not a multiple of the {1} of {2}"},
    {Sentence::weight_beyond_type, "weight {0} of a row is {1}; {2} holds finite values up to {3}"},
    {Sentence::source_tensor_unreadable, "{0}: tensor {1} has type number {2}, which cannot be read"},
    {Sentence::importance_malformed, "{0}: {1}"},
    {Sentence::importance_of_other_length, "{0}: {1} values for {2}, needed {3}"},
    {Sentence::importance_of_other_model, "{0} names no tensor of {1}"},
    {Sentence::calibration_too_short, "the products of {0} calibration inputs are not positive definite"},
    {Sentence::tensor_without_calibration, "{0} had no input in the calibration text"},
    {Sentence::group_size_divides_not, "--group-size {0} does not divide every row of {1}"},
    {Sentence::awq_without_place, "{0}: AWQ's factors have no known place in {1}"},
    {Sentence::tensor_not_packed, "{0}: tensor {1} has no place in a packed folder"},
    {Sentence::tensor_not_written, "{0}: tensor \"{1}\": {2}"},
    {Sentence::config_lacks_place, "{0}: {1} has no place in a config.json"},
    {Sentence::factors_not_llama3, "{0}: rotation by factors that are not Llama 3's has no place in a config.json"},
    {Sentence::architecture_not_written,
        "{0}: a folder of safetensors is not written from GGUF for architecture \"{1}\""},
    {Sentence::experts_not_written,
        "{0}: a folder of safetensors is not written from GGUF for architecture \"{1}\" with experts"},
    {Sentence::tokenizer_not_written, "{0}: a tokenizer of the kind \"{1}\" is not written as tokenizer.json"},
    {Sentence::pre_tokenizer_not_written, "{0}: pre-tokenizer \"{1}\" is not known"},
    {Sentence::target_exists, "{0} is there already"},
    {Sentence::option_without_meaning, "{0} means nothing for {1} by {2}"},
    {Sentence::method_without_text, "the method {0} needs a text to see the model at work"},
    {Sentence::method_writes_not, "{0} is not written by the method \"{1}\""},
    {Sentence::comparison_stopped, "the comparison was stopped"},
    {Sentence::model_without_tokenizer, "{0} has no tokenizer to read the text with"},
    {Sentence::ablation_row_unknown, "{0} is no row of the ablation"},
    {Sentence::quantizing_cancelled, "quantizing {0} was cancelled"},
    {Sentence::port_in_use, "Port {0} on {1} is in use by another program."},
    {Sentence::cannot_listen, "Cannot listen on {0} port {1}: {2}."},
    {Sentence::server_running, "The endpoint is already running on port {0}."},
    {Sentence::no_address, "'{0}' is not an IP address."},
    {Sentence::key_needed, "{0} can be reached from other computers and no API key is set."},
    {Sentence::no_port, "{0} is not a port."},
    {Sentence::check_path, "Check the path and the permission to read it."},
    {Sentence::check_disk, "Check the disk."},
    {Sentence::give_file, "Give the path of the file itself."},
    {Sentence::copy_to_local_disk, "Copy the file to a local disk, or free address space."},
    {Sentence::free_bytes, "Free {0} bytes on this disk, or choose another folder."},
    {Sentence::check_folder, "Check that the folder exists and may be written."},
    {Sentence::check_folder_and_room, "Check that the folder exists and may be written, and that the disk has room."},
    {Sentence::download_again, "The file is incomplete or damaged: download it again."},
    {Sentence::convert_again, "The file is damaged or was written by a faulty program: download or convert it again."},
    {Sentence::choose_gguf, "Choose a GGUF file."},
    {Sentence::choose_gguf_of_model, "Choose a GGUF file of the model."},
    {Sentence::choose_model_folder, "Choose a .gguf file, or a directory with config.json and *.safetensors."},
    {Sentence::choose_gguf_known, "Choose a GGUF file of the model. {0}."},
    {Sentence::choose_gguf_of_language_model,
        "This build reads text-only directories; choose a GGUF file of the language model."},
    {Sentence::choose_gguf_or_fetch,
        "The checkpoint is damaged or of a kind this build does not read; choose a GGUF file."},
    {Sentence::choose_float_model, "Choose a model in F32, F16 or BF16, or a GGUF file."},
    {Sentence::convert_little_endian, "Convert the model for little-endian machines."},
    {Sentence::convert_currently, "Convert the model with a current program."},
    {Sentence::open_first_part, "Open the file whose name ends in \"-00001-of-{0}.gguf\"."},
    {Sentence::put_parts_together, "Put all parts of the model, from one download, into one folder."},
    {Sentence::fetch_model_again, "Fetch the model again."},
    {Sentence::fetch_newer_conversion, "Fetch a newer conversion of the model."},
    {Sentence::use_complete_conversion, "Use a file from a complete conversion of the model."},
    {Sentence::known_names, "Known: {0}."},
    {Sentence::nearest_and_known_names, "The nearest is \"{0}\". Known: {1}."},
    {Sentence::choose_models_own_file, "This build reads text only; choose the model's own file."},
    {Sentence::choose_whole_model, "Choose the whole model; this file only tokenizes."},
    {Sentence::choose_whole_draft, "Choose a whole model as --draft."},
    {Sentence::choose_whole_for_vocabulary, "The file holds a vocabulary only; choose the whole model."},
    {Sentence::fetch_damaged_again, "The file is damaged; fetch it again."},
    {Sentence::fetch_text_model_again, "The file is incomplete or not a text model; fetch it again."},
    {Sentence::damaged_or_unknown_kind, "The file is damaged or of a kind this build does not know."},
    {Sentence::layers_must_be_alike, "This build runs models whose layers are alike."},
    {Sentence::known_rope_kinds, "Known kinds: none, linear, yarn, longrope."},
    {Sentence::known_poolings, "This build pools by mean, first or last token."},
    {Sentence::known_gatings, "This build knows 1 (softmax) and 2 (sigmoid)."},
    {Sentence::heads_must_be_equal, "This build needs both equal."},
    {Sentence::choose_other_model, "Choose another model, or a newer version of this program."},
    {Sentence::choose_other_file, "Choose another file of the model, or a newer version of this program."},
    {Sentence::choose_common_type, "Choose a file of a common quantization such as Q4_K_M, Q8_0 or F16."},
    {Sentence::choose_known_tokenizer,
        "Choose a model with a byte-pair, SentencePiece, unigram or WordPiece tokenizer."},
    {Sentence::choose_related_draft,
        "Choose a draft model of the same family, or --draft ngram, which needs no model."},
    {Sentence::wait_or_cancel, "Wait for it, or cancel it."},
    {Sentence::take_less_memory, "Choose a shorter context, a smaller KV type (int8) or a smaller model."},
    {Sentence::give_memory, "Give the memory by --memory."},
    {Sentence::choose_auto_or_cpu, "Choose the device \"auto\" or \"cpu\", or a shorter context."},
    {Sentence::close_programs, "Close other programs, or choose a smaller model or context."},
    {Sentence::take_smaller_steps, "Lower the number of tokens per step or the context."},
    {Sentence::free_gpu_memory, "Take a smaller context or model, or close other programs on the GPU."},
    {Sentence::free_gpu_or_context, "Close other programs on the GPU, or take a smaller context."},
    {Sentence::load_again_or_cpu, "Load the model again; if it stays, run on the CPU."},
    {Sentence::wait_or_more_blocks, "wait for another request to end, or load the model with more blocks"},
    {Sentence::raise_num_blocks, "Raise --num-blocks."},
    {Sentence::install_driver, "Install the driver, or use the CPU."},
    {Sentence::use_cpu, "Use the CPU."},
    {Sentence::choose_cpu_as_device, "Use --device cpu."},
    {Sentence::known_devices, "Use auto, cpu, cuda or cuda:N."},
    {Sentence::use_index_up_to, "Use cuda:0 to cuda:{0}."},
    {Sentence::install_plugin, "Use the CPU, or build and install the plugin beside the program."},
    {Sentence::install_plugin_again, "Install the plugin again."},
    {Sentence::install_own_plugin, "Install the plugin that came with this version of Vitrine."},
    {Sentence::install_gpu_libraries, "Install the GPU driver and its libraries, or use the CPU."},
    {Sentence::remove_or_install_plugin, "Remove the file or install the plugin that came with this version."},
    {Sentence::take_fewer_threads, "Choose fewer threads."},
    {Sentence::use_every_core, "Choose 0 to use every physical core."},
    {Sentence::take_narrower_isa, "Choose a narrower one: avx2 or scalar; or leave the choice to the program."},
    {Sentence::use_known_isa, "Use one of these names, or none for the best."},
    {Sentence::leave_gpu_layers, "Leave the number of GPU layers to the program (auto), or choose a GPU as device."},
    {Sentence::run_on_one_device, "Run the whole model on one device."},
    {Sentence::choose_layers_up_to, "Choose 1 to {0} layers."},
    {Sentence::choose_other_device, "Choose another device, or a file in another weight format."},
    {Sentence::cpu_runs_this_model, "Choose the device \"auto\" or \"cpu\": the CPU runs this model."},
    {Sentence::install_driver_or_run_on_cpu, "Install the driver, or run on the CPU."},
    {Sentence::update_driver, "Update the driver, or run on the CPU."},
    {Sentence::show_gpu, "Check that the GPU is visible to this process (CUDA_VISIBLE_DEVICES), or run on the CPU."},
    {Sentence::restart_driver, "Restart the driver, or run on the CPU."},
    {Sentence::run_on_cpu, "Run on the CPU."},
    {Sentence::build_for_gpu, "Build with VITRINE_CUDA_ARCHITECTURES={0}, or run on the CPU."},
    {Sentence::choose_listed_device, "Choose one that the device list shows."},
    {Sentence::check_cublas, "Check that libcublasLt.so.13 is installed."},
    {Sentence::load_model_first, "Load a model first."},
    {Sentence::send_a_token, "send at least one token"},
    {Sentence::send_some_text, "Send at least one token of text."},
    {Sentence::shorten_conversation, "shorten the conversation, or load the model with a longer context"},
    {Sentence::shorten_prompt, "Shorten the prompt, or load the model with a longer context."},
    {Sentence::ask_for_less, "lower max_tokens, shorten the prompt, or load the model with more blocks"},
    {Sentence::try_again_soon, "try again in a moment"},
    {Sentence::send_again_soon, "Send the request again in a moment."},
    {Sentence::load_generating_model, "Ask /v1/embeddings, or load a model that generates."},
    {Sentence::choose_model_with_tokenizer, "Send ids, or choose a model with a tokenizer."},
    {Sentence::leave_suffix_out, "Leave the suffix out, or load a model made for code completion."},
    {Sentence::send_plain_text, "Send plain text, or choose a chat model."},
    {Sentence::use_models_ids, "Use ids of this model's tokenizer."},
    {Sentence::send_fewer, "Send fewer."},
    {Sentence::change_or_remove, "Change or remove it."},
    {Sentence::leave_limit_out, "Leave max_tokens out for no limit."},
    {Sentence::use_one_for_mean, "Use 1 for the mean."},
    {Sentence::leave_beams_out, "Leave them out, or leave beam_width out."},
    {Sentence::ask_for_fewer_choices, "Ask for fewer choices."},
    {Sentence::ask_for_fewer, "Ask for fewer."},
    {Sentence::load_on_cpu, "Load the model with --device cpu."},
    {Sentence::loosen_bias, "Loosen logit_bias or min_tokens."},
    {Sentence::loosen_grammar, "Loosen the grammar or logit_bias; a grammar must not nest without end."},
    {Sentence::choose_other_template_or_messages,
        "Change the messages to what this template takes, or choose another chat template."},
    {Sentence::choose_other_template, "Choose another chat template."},
    {Sentence::shorten_talk, "Shorten the conversation."},
    {Sentence::give_longer_text, "Give a longer text or a smaller --window."},
    {Sentence::use_shorter_text, "Use a shorter text."},
    {Sentence::report_model, "Report this with the name of the model."},
    {Sentence::close_other_programs, "Close other programs."},
    {Sentence::types_while_loading,
        "Use f32, f16, bf16, q8_0, q4_0, q4_1, q5_0, q5_1, q2_k, q3_k, q4_k, q5_k, q6_k, iq4_nl, iq4_xs or mxfp4."},
    {Sentence::choose_listed_type, "Choose a format of the list that quantize prints."},
    {Sentence::use_fallback_type, "Use the fallback format of the row."},
    {Sentence::damaged_or_bf16, "The file is damaged, or choose bf16."},
    {Sentence::choose_other_format, "Choose another format for this tensor."},
    {Sentence::start_from_common_type, "Start from a file of a common type such as F16 or Q8_0."},
    {Sentence::make_importance_again, "Make the importance matrix again."},
    {Sentence::choose_importance_of_model, "Choose an importance matrix of this model."},
    {Sentence::longer_calibration, "Use a longer calibration text, or --method rtn."},
    {Sentence::use_rounding, "Use --method rtn."},
    {Sentence::use_smaller_groups, "Use 64 or 32, or leave it out."},
    {Sentence::quantize_to_gguf, "Quantize to a GGUF type instead."},
    {Sentence::gguf_or_own_folder, "Quantize to a GGUF type, or start from the model's own folder."},
    {Sentence::gguf_or_own_folder_known, "Quantize to a GGUF type, or start from the model's own folder. {0}."},
    {Sentence::start_from_own_folder, "Start from the model's own folder."},
    {Sentence::name_new_folder, "Name a folder that does not exist yet."},
    {Sentence::leave_option_out, "Leave it out."},
    {Sentence::give_calibration, "Give one with --calibration FILE, a few pages of what the model will be asked."},
    {Sentence::use_methods, "Use --method {0}."},
    {Sentence::use_methods_or_types, "Use --method {0}, or a type that {1} writes: {2}."},
    {Sentence::models_are_untouched, "Both models are as they were."},
    {Sentence::compare_with_vocabularies, "Compare models with vocabularies."},
    {Sentence::known_ablation_rows,
        "Use full, no_kv_cache, dense_kv, static_batching, no_prefix_cache, no_chunked_prefill, no_weight_quant, "
        "no_kv_quant, no_speculation, no_cuda_graph or no_fused_kernels."},
    {Sentence::choose_other_value, "Choose another {0}."},
    {Sentence::choose_inside_range, "choose {0} inside the range"},
    {Sentence::use_times_above_zero, "Use times above 0."},
    {Sentence::add_drafter, "Add --draft ngram or --draft MODEL."},
    {Sentence::use_16_or_32, "Use 16 or 32."},
    {Sentence::use_share, "Use a number above 0 and at most 1."},
    {Sentence::raise_small_value, "raise the value that is too small"},
    {Sentence::use_chunk_from, "use a chunk of {0} or more"},
    {Sentence::switch_prefix_cache_off, "switch the prefix cache off"},
    {Sentence::raise_step_budget, "use --max-batch-tokens {0} or lower --max-seqs"},
    {Sentence::remove_entry, "remove the entry"},
    {Sentence::use_bias_range, "use a value from -100 to 100"},
    {Sentence::compare_with_source, "Compare a model with the file it was made from."},
    {Sentence::nothing_was_written, "Nothing was written."},
    {Sentence::choose_next_port, "Choose another port, for example {0}."},
    {Sentence::choose_other_address, "Choose another address or port."},
    {Sentence::stop_it_first, "Stop it first."},
    {Sentence::use_own_address, "Use 127.0.0.1 or an address of this computer."},
    {Sentence::set_key, "Set a key, or listen on 127.0.0.1."},
    {Sentence::use_valid_port, "Use a port from 1 to 65535."},
};

constexpr bool is_complete() {
    for (std::size_t i = 0; i < std::size(kTable); ++i)
        if (static_cast<std::size_t>(kTable[i].sentence) != i)
            return false;
    return std::size(kTable) == static_cast<std::size_t>(kLastSentence) + 1;
}
static_assert(is_complete(), "the table is in the order of the enumeration and has all of it");

/// Three significant digits, without a fraction of zeros; std::to_chars, because a window sets the decimal comma of printf.
std::string three_digits(double value) {
    const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    std::array<char, 32> buffer{};
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, decimals);
    std::string text(buffer.data(), end.ptr);
    const std::size_t point = text.find('.');
    if (point != std::string::npos && text.find_first_not_of('0', point + 1) == std::string::npos)
        text.erase(point);
    return text;
}

std::string worded(const PhraseValue& value) {
    struct Wording {
        std::string operator()(const std::string& text) const { return text; }
        std::string operator()(std::int64_t number) const { return std::to_string(number); }
        std::string operator()(ByteCount count) const { return vitrine::english(count); }
        std::string operator()(const Phrase& phrase) const { return without_stop(vitrine::english(phrase)); }
    };
    return std::visit(Wording{}, value.value());
}

} // namespace

std::string english(ByteCount count) {
    constexpr std::array<const char*, 4> kUnits = {" KiB", " MiB", " GiB", " TiB"};
    if (count.bytes < 1024)
        return std::to_string(count.bytes) + " B";
    double value = static_cast<double>(count.bytes) / 1024;
    std::size_t unit = 0;
    while (value >= 999.5 && unit + 1 < kUnits.size()) { // 1000 would need a fourth digit
        value /= 1024;
        ++unit;
    }
    return three_digits(value) + kUnits[unit];
}

std::string six_digits(double value) {
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, 6);
    return {buffer.data(), end.ptr};
}

std::string_view english_of(Sentence sentence) {
    const auto index = static_cast<std::size_t>(sentence);
    return index < std::size(kTable) ? kTable[index].english : std::string_view();
}

std::string english(const Phrase& phrase) {
    const std::string_view text = english_of(phrase.sentence);
    std::string filled;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool is_place = i + 2 < text.size() && text[i] == '{' && text[i + 2] == '}';
        const std::size_t place = is_place ? static_cast<std::size_t>(text[i + 1] - '0') : phrase.values.size();
        if (place >= phrase.values.size()) {
            filled += text[i];
            continue;
        }
        filled += worded(phrase.values[place]);
        i += 2;
    }
    return filled;
}

std::string without_stop(std::string text) {
    if (text.ends_with('.'))
        text.pop_back();
    return text;
}

PhraseValue cause_of(const Error& error) {
    return error.said.sentence == Sentence::none ? PhraseValue(without_stop(error.message)) : PhraseValue(error.said);
}

Error make_error(ErrorCode code, Phrase message, Phrase remedy) {
    std::string said = english(message);
    std::string advised = english(remedy);
    return Error{code, std::move(said), std::move(advised), std::move(message), std::move(remedy)};
}

Error wrapped(const Error& cause, Phrase message) {
    Error error = make_error(cause.code, std::move(message));
    error.remedy = cause.remedy;
    error.advised = cause.advised;
    return error;
}

} // namespace vitrine
