// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: folders of models.
#include "engine/model/checkpoint_folder.h"

#include <array>
#include <fstream>
#include <unistd.h>

#include <fmt/format.h>

#include "engine/text/hf_tokenizer_writer.h"
#include "engine/text/vocab.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::array kTokenizerFiles{"tokenizer.json", "tokenizer_config.json", "generation_config.json",
    "special_tokens_map.json", "added_tokens.json", "chat_template.jinja", "vocab.json", "merges.txt", "vocab.txt",
    "tokenizer.model"};

tl::unexpected<Error> failed(Sentence what, const fs::path& path, const std::error_code& error) {
    return fail(ErrorCode::io, say(what, path.string(), error.message()), say(Sentence::check_folder_and_room));
}

} // namespace

Result<CheckpointFolder> CheckpointFolder::create(const std::string& target) {
    fs::path path = fs::path(target).lexically_normal();
    if (!path.has_filename())
        path = path.parent_path();
    std::error_code error;
    if (fs::exists(path, error))
        return fail(
            ErrorCode::invalid_argument, say(Sentence::target_exists, path.string()), say(Sentence::name_new_folder));
    const fs::path temporary = path.string() + fmt::format(".part-{}", ::getpid());
    fs::remove_all(temporary, error); // what a crash left behind under the same number
    if (!fs::create_directory(temporary, error))
        return failed(Sentence::folder_not_created, temporary, error);
    return CheckpointFolder(path, temporary);
}

CheckpointFolder::CheckpointFolder(CheckpointFolder&& other) noexcept
    : target_(std::move(other.target_)), temporary_(std::exchange(other.temporary_, {})) {}

CheckpointFolder::~CheckpointFolder() {
    std::error_code error;
    if (!temporary_.empty())
        fs::remove_all(temporary_, error);
}

Result<void> CheckpointFolder::write_text(std::string_view name, const std::string& text) const {
    std::ofstream out(file(name), std::ios::binary);
    out << text;
    out.close();
    return out ? Result<void>{}
               : failed(Sentence::file_not_written, file(name), std::make_error_code(std::errc::io_error));
}

Result<void> CheckpointFolder::add_tokenizer(const gguf::File& source) const {
    std::error_code error;
    const fs::path folder(source.path());
    if (fs::is_directory(folder, error)) {
        for (const char* name : kTokenizerFiles)
            if (fs::is_regular_file(folder / name, error) && !fs::copy_file(folder / name, file(name), error))
                return failed(Sentence::file_not_copied, file(name), error);
        return {};
    }
    if (!has_vocabulary(source))
        return {};
    const auto files = write_hf_tokenizer(source);
    VT_TRY(files);
    VT_TRY(write_text("tokenizer.json", files->tokenizer));
    VT_TRY(write_text("tokenizer_config.json", files->config));
    return files->generation.empty() ? Result<void>{} : write_text("generation_config.json", files->generation);
}

Result<void> CheckpointFolder::finish() {
    std::error_code error;
    fs::rename(temporary_, target_, error);
    if (error)
        return failed(Sentence::folder_not_renamed, target_, error);
    temporary_.clear();
    return {};
}

} // namespace vitrine::engine
