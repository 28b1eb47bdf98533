// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/safetensors: writes one .safetensors file, tensors streamed one after another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/base/output_file.h"
#include "engine/base/result.h"

namespace vitrine::engine::safetensors {

/// Order of calls: declare() in any order, begin(), write() until every tensor's bytes are there in the order declared,
/// finish().  The file is not complete before finish(); a writer that is not finished removes it.  Thread: one.
class Writer {
public:
    explicit Writer(std::string path) : path_(std::move(path)) {}

    /// dtype: of the format ("F16", "I32").  shape: row-major; empty for one number.  Requires: a dtype the reader knows.
    void declare(std::string name, std::string dtype, std::vector<std::int64_t> shape);
    /// Writes the header and reserves the room.  Error io names the file (disk full too).
    [[nodiscard]] Result<void> begin();
    [[nodiscard]] Result<void> write(std::span<const std::byte> bytes);
    [[nodiscard]] Result<void> finish(); // fsync
    [[nodiscard]] std::int64_t data_bytes() const noexcept { return static_cast<std::int64_t>(data_bytes_); }

private:
    struct Declared {
        std::string name, dtype;
        std::vector<std::int64_t> shape;
        std::uint64_t begin, end; // of the data
    };
    std::string path_;
    OutputFile file_;
    std::vector<Declared> tensors_;
    std::uint64_t data_bytes_ = 0; // of all declared
    std::uint64_t written_ = 0; // of them
};

} // namespace vitrine::engine::safetensors
