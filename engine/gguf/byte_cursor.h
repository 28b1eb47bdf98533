// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/gguf: reads little-endian numbers and strings out of a header, never past its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace vitrine::engine::gguf {

/// A name out of a foreign file, fit for an error message: quoted, control bytes escaped, at most 64 bytes of it.
[[nodiscard]] std::string quoted(std::string_view foreign);

/// `path` is for the errors.  Thread: one.
class ByteCursor {
public:
    ByteCursor(std::string path, std::span<const std::byte> bytes) : path_(std::move(path)), bytes_(bytes) {}

    [[nodiscard]] std::size_t at() const noexcept { return at_; }
    [[nodiscard]] std::size_t left() const noexcept { return bytes_.size() - at_; }
    [[nodiscard]] const std::string& path() const noexcept { return path_; }

    template <class T>
    [[nodiscard]] Result<T> number(std::string_view field) {
        VT_TRY(need(sizeof(T), field));
        T value;
        std::memcpy(&value, bytes_.data() + at_, sizeof(T));
        at_ += sizeof(T);
        return value;
    }
    /// A u64 length, then that many bytes.
    [[nodiscard]] Result<std::string> text(std::string_view field, std::uint64_t max_bytes);
    /// A u64 count of items which take at least `item_bytes` each: refused when the file cannot hold them.
    [[nodiscard]] Result<std::uint64_t> count(
        std::string_view field, std::uint64_t item_bytes, std::uint64_t max_items);
    [[nodiscard]] Result<void> need(std::uint64_t num_bytes, std::string_view field) const;

    /// "<path>: <what>", with the remedy for a file that is damaged.
    [[nodiscard]] tl::unexpected<Error> bad(PhraseValue what) const;

private:
    std::string path_;
    std::span<const std::byte> bytes_;
    std::size_t at_ = 0;
};

} // namespace vitrine::engine::gguf
