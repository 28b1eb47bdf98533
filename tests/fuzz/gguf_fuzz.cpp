// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a GGUF header: an error or a table whose every tensor can be read.
#include "engine/gguf/reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto header = vitrine::engine::gguf::read_header("fuzz", std::as_bytes(std::span(data, size)));
    unsigned sum = 0;
    if (header)
        for (const auto& tensor : header->tensors)
            for (const std::byte byte : tensor.bytes)
                sum += static_cast<unsigned>(byte);
    static volatile unsigned sink = 0;
    sink = sum;
    return 0;
}
