// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/api: the sentences of errors that a person meets, by number.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "kernels/api/phrase.h"
#include "kernels/api/result.h"

namespace vitrine {

/// Sentences of the files, memory, devices, requests and server that a user runs into, and the next steps.  The table in
/// sentence.cpp holds the English of each, which logs, command line and API say; a window words them by number.
enum class Sentence : std::uint16_t {
    none, // an error that was written by hand: its text is all there is
    // files
    file_missing,
    file_forbidden,
    file_not_opened,
    file_not_read,
    file_is_folder,
    file_is_special,
    file_not_mapped,
    file_not_created,
    file_not_reserved,
    file_not_written,
    file_not_synced,
    file_not_renamed,
    // GGUF
    file_ends_inside,
    file_data_end,
    file_malformed,
    wrong_magic,
    wrong_version,
    big_endian,
    later_part,
    parts_disagree,
    name_twice,
    key_missing,
    key_of_wrong_type,
    key_too_large,
    // models
    architecture_unknown,
    projector_file,
    vocabulary_only,
    folder_without_weights,
    model_malformed,
    setting_not_finite,
    setting_differs,
    setting_out_of_range,
    rope_unknown,
    setting_unsupported,
    tensor_missing,
    tensor_of_unknown_type,
    tensor_of_wrong_length,
    tensor_of_wrong_shape,
    tensor_without_place,
    tensor_without_data,
    tensor_refused,
    tokenizer_unknown,
    pre_tokenizer_unknown,
    vocabulary_malformed,
    draft_vocabulary_differs,
    draft_vocabulary_size,
    draft_without_vocabulary,
    model_without_vocabulary,
    load_cancelled,
    loading_other,
    // memory
    blocks_over_memory,
    model_over_memory,
    no_layer_fits,
    layers_on_device,
    memory_refused,
    workspace_refused,
    gpu_memory_refused,
    blocks_short,
    blocks_for_sequences,
    // devices
    no_driver,
    no_gpu,
    device_unknown,
    device_unusable,
    device_index_too_high,
    plugin_missing,
    plugin_cut_short,
    plugin_of_other_interface,
    plugin_of_other_build,
    plugin_not_loaded,
    plugin_of_other_program,
    plugin_without_entry,
    cpu_threads_refused,
    cpu_threads_out_of_range,
    isa_lacking,
    isa_unknown,
    gpu_layers_without_gpu,
    gpu_layers_without_gpu_why,
    gpu_runs_not,
    gpu_failed_again,
    gpu_not_restarted,
    layers_not_shared,
    layers_not_cut,
    inputs_not_observed,
    op_not_run,
    driver_missing,
    driver_too_old,
    driver_without_gpu,
    driver_answer,
    gpu_too_old,
    gpu_without_code,
    gpu_call_failed,
    gpu_not_there,
    cublas_not_started,
    // requests
    no_model,
    prompt_empty,
    prompt_over_context,
    prompt_fills_context,
    request_over_pool,
    too_many_preparing,
    queue_full,
    engine_stopping,
    device_reloading,
    encoder_only,
    model_without_text,
    model_without_grammar,
    model_without_fill_marks,
    no_token_allowed,
    no_token_of_grammar,
    template_failed,
    template_too_long,
    template_out_of_memory,
    load_stopped,
    text_too_short,
    vocabularies_differ,
    quantization_unknown,
    quantizing_cancelled,
    // the server
    port_in_use,
    cannot_listen,
    server_running,
    no_address,
    key_needed,
    no_port,
    // next steps
    check_path,
    check_disk,
    give_file,
    copy_to_local_disk,
    free_bytes,
    check_folder,
    download_again,
    convert_again,
    choose_gguf,
    choose_gguf_of_model,
    choose_model_folder,
    convert_little_endian,
    convert_currently,
    open_first_part,
    put_parts_together,
    fetch_model_again,
    use_complete_conversion,
    known_names,
    nearest_and_known_names,
    choose_models_own_file,
    choose_whole_model,
    choose_whole_draft,
    choose_whole_for_vocabulary,
    fetch_damaged_again,
    fetch_text_model_again,
    damaged_or_unknown_kind,
    layers_must_be_alike,
    known_rope_kinds,
    choose_other_model,
    choose_other_file,
    choose_common_type,
    choose_known_tokenizer,
    choose_related_draft,
    wait_or_cancel,
    take_less_memory,
    choose_auto_or_cpu,
    close_programs,
    take_smaller_steps,
    free_gpu_memory,
    free_gpu_or_context,
    load_again_or_cpu,
    wait_or_more_blocks,
    raise_num_blocks,
    install_driver,
    use_cpu,
    choose_cpu_as_device,
    known_devices,
    use_index_up_to,
    install_plugin,
    install_plugin_again,
    install_own_plugin,
    install_gpu_libraries,
    remove_or_install_plugin,
    take_fewer_threads,
    use_every_core,
    take_narrower_isa,
    use_known_isa,
    leave_gpu_layers,
    run_on_one_device,
    choose_layers_up_to,
    choose_other_device,
    cpu_runs_this_model,
    install_driver_or_run_on_cpu,
    update_driver,
    show_gpu,
    restart_driver,
    run_on_cpu,
    build_for_gpu,
    choose_listed_device,
    check_cublas,
    load_model_first,
    send_a_token,
    send_some_text,
    shorten_conversation,
    shorten_prompt,
    ask_for_less,
    try_again_soon,
    send_again_soon,
    load_generating_model,
    choose_model_with_tokenizer,
    leave_suffix_out,
    loosen_bias,
    loosen_grammar,
    choose_other_template_or_messages,
    choose_other_template,
    shorten_talk,
    give_longer_text,
    compare_with_source,
    nothing_was_written,
    choose_next_port,
    choose_other_address,
    stop_it_first,
    use_own_address,
    set_key,
    use_valid_port,
};

inline constexpr Sentence kFirstNextStep = Sentence::check_path; // they are behind all that failed
inline constexpr Sentence kLastSentence = Sentence::use_valid_port;

/// The English of one sentence, with places {0}, {1} ...; empty for `none`.
[[nodiscard]] std::string_view english_of(Sentence sentence);
[[nodiscard]] std::string english(
    const Phrase& phrase); // places filled, causes without their full stop; "" for no phrase
[[nodiscard]] std::string six_digits(double value); // as "%g" writes it, whatever the locale; a value of a sentence
[[nodiscard]] std::string english(ByteCount count); // "94 MiB", "8.38 GiB": three digits, powers of 1024

template <class... Values>
[[nodiscard]] Phrase say(Sentence sentence, Values&&... values) {
    return Phrase{sentence, std::vector<PhraseValue>{PhraseValue(std::forward<Values>(values))...}};
}

/// The message of an error as a value of another sentence, which goes on behind it.
[[nodiscard]] PhraseValue cause_of(const Error& error);
[[nodiscard]] std::string without_stop(std::string text); // without the full stop of a sentence of its own

[[nodiscard]] Error make_error(ErrorCode code, Phrase message, Phrase remedy = {});
/// `message` in place of the cause's own, with the cause's code and next step.
[[nodiscard]] Error wrapped(const Error& cause, Phrase message);

[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, Phrase message, Phrase remedy = {}) {
    return tl::unexpected<Error>(make_error(code, std::move(message), std::move(remedy)));
}

} // namespace vitrine
