// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/safetensors: the header of one .safetensors file, every number checked before it is used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace vitrine::engine::safetensors {

struct Tensor {
    std::string name;
    std::string dtype; // "F32", "BF16", "I32", "F8_E4M3" ... as in the file
    std::vector<std::int64_t> shape; // row-major: the last is contiguous
    std::span<const std::byte> bytes;
};

/// bytes: the whole file, which must outlive the result.  Format: 8 bytes of length, a JSON object, the data.
/// Errors bad_file: sizes, offsets outside the file or overlapping, a name twice; the message names tensor and numbers.
[[nodiscard]] Result<std::vector<Tensor>> read_header(const std::string& path, std::span<const std::byte> bytes);

/// Bytes of one element; 0: not a type of the format that this build knows.
[[nodiscard]] int dtype_bytes(std::string_view dtype) noexcept;

} // namespace vitrine::engine::safetensors
