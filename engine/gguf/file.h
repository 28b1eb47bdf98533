// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/gguf: a GGUF v2/v3 file, mapped and fully checked before anything is read from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/base/mapped_file.h"
#include "engine/base/result.h"
#include "kernels/api/weight_format.h"

namespace vitrine::engine::gguf {

/// One tensor of the table.  `type` is the number in the file; `format` is empty for a type this build cannot compute.
struct Tensor {
    std::string name;
    std::vector<std::int64_t> dims; // file order: dims[0] is in_dim (contiguous), dims[1] out_dim ...
    std::uint32_t type = 0;
    std::optional<kernels::WeightFormat> format;
    std::span<const std::byte> bytes; // inside the mapping; empty in a vocabulary-only file

    [[nodiscard]] std::int64_t in_dim() const { return dims.empty() ? 0 : dims[0]; }
    [[nodiscard]] std::int64_t out_dim() const; // product of the further dims
};

/// A metadata value.  Integers of every width arrive as int64 or uint64, floats as double; arrays keep one element type.
using Value = std::variant<bool, std::int64_t, std::uint64_t, double, std::string, std::vector<bool>,
    std::vector<std::int64_t>, std::vector<double>, std::vector<std::string>>;

/// What another format's reader puts together: a model as if it stood in a GGUF file.
struct Assembly {
    std::string path;
    std::vector<std::pair<std::string, Value>> metadata; // each key once
    std::vector<Tensor> tensors; // bytes lie in `files` or `owned`
    std::vector<MappedFile> files;
    std::vector<std::vector<std::byte>> owned; // tensors that had to be rearranged
};

/// Immutable after open(); safe from every thread.  Views stay valid while the File lives.
class File {
public:
    /// Maps and checks the file (split files: give the first part, the others are found beside it).  Every count, size
    /// and offset is checked before use; errors name the file, the field, what was found and what was needed.
    [[nodiscard]] static Result<std::shared_ptr<const File>> open(const std::string& path);
    /// Error bad_file: a tensor or key twice.
    [[nodiscard]] static Result<std::shared_ptr<const File>> assemble(Assembly assembly);
    ~File();
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    [[nodiscard]] const std::string& path() const noexcept;
    [[nodiscard]] std::int64_t file_bytes() const noexcept; // all parts
    [[nodiscard]] std::uint32_t version() const noexcept;
    [[nodiscard]] const std::vector<Tensor>& tensors() const noexcept;
    [[nodiscard]] const Tensor* find_tensor(std::string_view name) const noexcept; // null: not there

    [[nodiscard]] const Value* find(std::string_view key) const noexcept; // null: not there
    [[nodiscard]] std::vector<std::string> keys() const;

    /// Typed access; the error names the file, the key, the type found and the type needed.
    [[nodiscard]] Result<std::string> text(std::string_view key) const;
    [[nodiscard]] Result<std::int64_t> integer(std::string_view key) const; // any integer type that fits
    [[nodiscard]] Result<double> real(std::string_view key) const; // float or integer
    [[nodiscard]] Result<bool> boolean(std::string_view key) const;
    /// The same with a default when the key is absent; a wrong type is still an error.
    [[nodiscard]] Result<std::string> text_or(std::string_view key, std::string fallback) const;
    [[nodiscard]] Result<std::int64_t> integer_or(std::string_view key, std::int64_t fallback) const;
    [[nodiscard]] Result<double> real_or(std::string_view key, double fallback) const;
    [[nodiscard]] Result<bool> boolean_or(std::string_view key, bool fallback) const;
    /// Null when the key is absent or of another type.
    [[nodiscard]] const std::vector<std::string>* texts(std::string_view key) const noexcept;
    [[nodiscard]] const std::vector<std::int64_t>* integers(std::string_view key) const noexcept;
    [[nodiscard]] const std::vector<double>* reals(std::string_view key) const noexcept;

    /// Tells the kernel that the pages of this tensor are not needed any more (after repacking).
    void drop_pages(const Tensor& tensor) const noexcept;

    /// Tells the kernel that these bytes of a tensor will be read soon, so that it reads them ahead.
    void want_pages(std::span<const std::byte> bytes) const noexcept;

private:
    struct Parts;
    explicit File(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> parts_;
};

} // namespace vitrine::engine::gguf
