// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/safetensors: writing.
#include "engine/safetensors/safetensors_writer.h"

#include <nlohmann/json.hpp>

#include "engine/base/check.h"
#include "engine/safetensors/safetensors_file.h"

namespace vitrine::engine::safetensors {

void Writer::declare(std::string name, std::string dtype, std::vector<std::int64_t> shape) {
    VT_CHECK(!file_.is_open() && dtype_bytes(dtype) > 0);
    auto bytes = static_cast<std::uint64_t>(dtype_bytes(dtype));
    for (const std::int64_t dim : shape)
        bytes *= static_cast<std::uint64_t>(dim);
    tensors_.push_back({std::move(name), std::move(dtype), std::move(shape), data_bytes_, data_bytes_ + bytes});
    data_bytes_ += bytes;
}

Result<void> Writer::begin() {
    VT_CHECK(!file_.is_open());
    nlohmann::ordered_json header{{"__metadata__", {{"format", "pt"}}}}; // what transformers insists on
    for (const Declared& tensor : tensors_)
        header[tensor.name] = {
            {"dtype", tensor.dtype}, {"shape", tensor.shape}, {"data_offsets", {tensor.begin, tensor.end}}};
    std::string text = header.dump();
    text.resize((text.size() + 7) / 8 * 8, ' '); // so that the data are aligned
    const std::uint64_t length = text.size();
    VT_TRY(file_.create(path_, sizeof length + length + data_bytes_));
    VT_TRY(file_.put(&length, sizeof length));
    return file_.put(text.data(), text.size());
}

Result<void> Writer::write(std::span<const std::byte> bytes) {
    VT_CHECK(written_ + bytes.size() <= data_bytes_);
    written_ += bytes.size();
    return file_.put(bytes.data(), bytes.size());
}

Result<void> Writer::finish() {
    VT_CHECK(written_ == data_bytes_);
    return file_.finish();
}

} // namespace vitrine::engine::safetensors
