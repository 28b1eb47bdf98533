// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/base: a regular file mapped read-only.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "engine/base/result.h"

namespace vitrine::engine {

/// Owns the mapping; move-only.  Thread: reading is safe from every thread.
class MappedFile {
public:
    /// Refuses directories, devices and pipes.  An empty file gives an empty span.
    [[nodiscard]] static Result<MappedFile> open(const std::string& path);
    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile();

    [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return {data_, size_}; }
    /// Tells the kernel that the whole pages inside `part` are not needed any more.  Requires: `part` lies in bytes().
    void drop_pages(std::span<const std::byte> part) const noexcept;
    /// Asks the kernel to read the pages of `part` ahead.  Requires: as drop_pages.
    void want_pages(std::span<const std::byte> part) const noexcept;
    /// Whether `part`, not empty, begins in bytes().
    [[nodiscard]] bool holds(std::span<const std::byte> part) const noexcept {
        return !part.empty() && part.data() >= data_ && part.data() < data_ + size_;
    }

private:
    MappedFile(const std::byte* data, std::size_t size) noexcept : data_(data), size_(size) {}

    const std::byte* data_ = nullptr;
    std::size_t size_ = 0;
};

} // namespace vitrine::engine
