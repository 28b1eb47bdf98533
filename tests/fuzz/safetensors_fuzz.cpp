// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a safetensors file, and as a config.json.
#include "engine/safetensors/hf_config.h"
#include "engine/safetensors/safetensors_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    namespace safetensors = vitrine::engine::safetensors;
    const auto tensors = safetensors::read_header("fuzz", std::as_bytes(std::span(data, size)));
    unsigned sum = 0;
    if (tensors)
        for (const auto& tensor : *tensors)
            for (const std::byte byte : tensor.bytes)
                sum += static_cast<unsigned>(byte);
    const auto model = safetensors::read_config("fuzz", std::string_view(reinterpret_cast<const char*>(data), size));
    if (model)
        sum += static_cast<unsigned>(model->metadata.size());
    static volatile unsigned sink = 0;
    sink = sum;
    return 0;
}
