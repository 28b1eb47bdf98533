// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/gguf: the key-value part of a header; errors name the file, the key, the type found and the type needed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/base/result.h"
#include "engine/gguf/byte_cursor.h"
#include "engine/gguf/file.h"

namespace vitrine::engine::gguf {

/// Keeps the order of the file.  Immutable once read; safe from every thread.
class Metadata {
public:
    explicit Metadata(std::string path) : path_(std::move(path)) {}
    /// `num_pairs` key-value pairs at the cursor; duplicate keys, nested arrays and numbers out of range are refused.
    [[nodiscard]] static Result<Metadata> read(ByteCursor& cursor, std::uint64_t num_pairs);

    /// False: the key is there already.
    [[nodiscard]] bool add(std::string key, Value value);

    [[nodiscard]] const std::vector<std::string>& keys() const noexcept { return keys_; }
    [[nodiscard]] const Value* find(std::string_view key) const noexcept;
    [[nodiscard]] Result<std::string> text(std::string_view key) const;
    [[nodiscard]] Result<std::int64_t> integer(std::string_view key) const;
    [[nodiscard]] Result<double> real(std::string_view key) const;
    [[nodiscard]] Result<bool> boolean(std::string_view key) const;

private:
    [[nodiscard]] tl::unexpected<Error> missing(std::string_view key, std::string_view needed) const;
    [[nodiscard]] tl::unexpected<Error> wrong_type(
        std::string_view key, const Value& found, std::string_view needed) const;

    std::string path_;
    std::vector<std::string> keys_;
    std::vector<Value> values_; // index as keys_
    std::unordered_map<std::string, std::size_t> index_; // key -> place in keys_
};

} // namespace vitrine::engine::gguf
