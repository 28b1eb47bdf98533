// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/gguf: the header of one GGUF file, every number checked before it is used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/gguf/file.h"
#include "engine/gguf/metadata.h"

namespace vitrine::engine::gguf {

struct Header {
    std::uint32_t version = 0;
    Metadata metadata;
    std::vector<Tensor> tensors; // Tensor::bytes point into the file's bytes
};

/// `bytes`: the whole file, which must outlive the result.  `path` is for the errors.  A tensor of a type whose size is
/// unknown gets no bytes; its offset lies in the file all the same.
[[nodiscard]] Result<Header> read_header(const std::string& path, std::span<const std::byte> bytes);

} // namespace vitrine::engine::gguf
