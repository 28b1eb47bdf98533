// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: the folder of a model to be: a temporary name until it is whole, and the files beside the weights.
#pragma once

#include <filesystem>
#include <string>

#include "engine/base/result.h"
#include "engine/gguf/file.h"

namespace vitrine::engine {

/// Removed with all it holds unless finish() renamed it.  Thread: one.
class CheckpointFolder {
public:
    /// Error invalid_argument: `target` is there already; io.
    [[nodiscard]] static Result<CheckpointFolder> create(const std::string& target);
    CheckpointFolder(CheckpointFolder&& other) noexcept;
    CheckpointFolder& operator=(CheckpointFolder&&) = delete;
    ~CheckpointFolder();

    [[nodiscard]] std::string file(std::string_view name) const { return (temporary_ / name).string(); }
    [[nodiscard]] Result<void> write_text(std::string_view name, const std::string& text) const;
    /// Tokenizer files: copied from a folder, made for a GGUF file; a model without vocabulary has none.
    [[nodiscard]] Result<void> add_tokenizer(const gguf::File& source) const;
    [[nodiscard]] Result<void> finish();

private:
    CheckpointFolder(std::filesystem::path target, std::filesystem::path temporary)
        : target_(std::move(target)), temporary_(std::move(temporary)) {}

    std::filesystem::path target_, temporary_; // temporary_ empty: nothing to remove
};

} // namespace vitrine::engine
