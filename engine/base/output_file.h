// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/base: a large file that is written once, from its beginning to its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace vitrine::engine {

/// Gone again if it is not finished.  Errors (io) name the file and what the disk lacks.  Thread: one.
class OutputFile {
public:
    OutputFile() = default;
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    /// Makes the file and reserves `num_bytes` now, so that a full disk is said before the work.  temporary: its name until
    /// finish(); empty: `path` from the start.
    Result<void> create(std::string path, std::uint64_t num_bytes, std::string temporary = {});
    /// Requires: create() succeeded.
    Result<void> put(const void* data, std::size_t num_bytes);
    /// Puts it on the disk under its name.
    Result<void> finish();
    [[nodiscard]] bool is_open() const noexcept { return fd_ >= 0; }

private:
    void start_writing(std::uint64_t num_bytes) noexcept;
    [[nodiscard]] tl::unexpected<Error> failed(Sentence what, int reason) const;

    std::string path_;
    std::string written_as_;
    std::uint64_t num_bytes_ = 0; // of the whole file
    std::uint64_t written_bytes_ = 0;
    std::uint64_t started_bytes_ = 0; // of them, that the disk was asked to take
    int fd_ = -1;
};

} // namespace vitrine::engine
