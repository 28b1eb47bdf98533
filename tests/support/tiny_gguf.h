// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: GGUF files of a few hundred bytes, valid or broken in one chosen place.
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

namespace vitrine::test {

/// Little-endian bytes, one field after another.
class Bytes {
public:
    template <class T>
    Bytes& number(T value) {
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof(T));
        return *this;
    }
    Bytes& u32(std::uint32_t value) { return number(value); }
    Bytes& u64(std::uint64_t value) { return number(value); }
    Bytes& text(std::string_view value) {
        u64(value.size());
        bytes_ += value;
        return *this;
    }
    Bytes& raw(std::string_view value) {
        bytes_ += value;
        return *this;
    }
    [[nodiscard]] const std::string& str() const { return bytes_; }

private:
    std::string bytes_;
};

/// The fields of a header; each can be set to what no sane program would write.
struct TinyGguf {
    struct Pair {
        std::string key;
        std::uint32_t type = 0; // 4 u32, 5 i32, 6 f32, 7 bool, 8 text, 9 array
        std::string value; // as it stands in the file
    };
    struct TensorRow {
        std::string name;
        std::vector<std::uint64_t> dims;
        std::uint32_t type = 0;
        std::uint64_t offset = 0;
        std::optional<std::uint32_t> num_dims = {}; // as claimed
    };
    std::string magic = "GGUF";
    std::uint32_t version = 3;
    std::optional<std::uint64_t> num_tensors = {}; // as claimed
    std::optional<std::uint64_t> num_pairs = {};
    std::vector<Pair> pairs;
    std::vector<TensorRow> tensors;
    std::size_t alignment = 32;
    std::string data; // after the padding

    TinyGguf& u32(std::string key, std::uint32_t value) { return pair(std::move(key), 4, Bytes().u32(value).str()); }
    TinyGguf& flag(std::string key, bool value) { return pair(std::move(key), 7, std::string(1, value ? '\1' : '\0')); }
    TinyGguf& text(std::string key, std::string_view value) {
        return pair(std::move(key), 8, Bytes().text(value).str());
    }
    TinyGguf& texts(std::string key, const std::vector<std::string>& items) {
        Bytes bytes;
        bytes.u32(8).u64(items.size());
        for (const std::string& item : items)
            bytes.text(item);
        return pair(std::move(key), 9, bytes.str());
    }
    TinyGguf& i32s(std::string key, const std::vector<std::int32_t>& items) {
        Bytes bytes;
        bytes.u32(5).u64(items.size());
        for (const std::int32_t item : items)
            bytes.number(item);
        return pair(std::move(key), 9, bytes.str());
    }
    TinyGguf& f32s(std::string key, const std::vector<float>& items) {
        Bytes bytes;
        bytes.u32(6).u64(items.size());
        for (const float item : items)
            bytes.number(item);
        return pair(std::move(key), 9, bytes.str());
    }
    TinyGguf& pair(std::string key, std::uint32_t type, std::string value) {
        pairs.push_back({std::move(key), type, std::move(value)});
        return *this;
    }
    TinyGguf& tensor(TensorRow row) {
        tensors.push_back(std::move(row));
        return *this;
    }

    [[nodiscard]] std::string header() const {
        Bytes bytes;
        bytes.raw(magic).u32(version).u64(num_tensors.value_or(tensors.size())).u64(num_pairs.value_or(pairs.size()));
        for (const Pair& pair : pairs)
            bytes.text(pair.key).u32(pair.type).raw(pair.value);
        for (const TensorRow& row : tensors) {
            bytes.text(row.name).u32(row.num_dims.value_or(static_cast<std::uint32_t>(row.dims.size())));
            for (const std::uint64_t dim : row.dims)
                bytes.u64(dim);
            bytes.u32(row.type).u64(row.offset);
        }
        return bytes.str();
    }
    [[nodiscard]] std::string bytes() const {
        std::string result = header();
        if (!tensors.empty())
            result.resize((result.size() + alignment - 1) / alignment * alignment, '\0');
        return result + data;
    }
};

/// A folder of its own under the system's temporary one, gone with the object.
class TempFolder {
public:
    TempFolder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "vitrine-test-XXXXXX").string();
        path_ = ::mkdtemp(pattern.data());
    }
    ~TempFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;

    [[nodiscard]] std::string path(std::string_view name) const { return (path_ / name).string(); }
    /// The path of the file written.
    std::string write(std::string_view name, std::string_view bytes) const {
        std::ofstream(path(name), std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        return path(name);
    }

private:
    std::filesystem::path path_;
};

} // namespace vitrine::test
