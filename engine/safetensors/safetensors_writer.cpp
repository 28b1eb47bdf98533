// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/safetensors: writing.
#include "engine/safetensors/safetensors_writer.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/check.h"
#include "engine/safetensors/safetensors_file.h"

namespace vitrine::engine::safetensors {

Writer::~Writer() {
    if (fd_ < 0)
        return;
    ::close(fd_);
    ::unlink(path_.c_str());
}

void Writer::declare(std::string name, std::string dtype, std::vector<std::int64_t> shape) {
    VT_CHECK(fd_ < 0 && dtype_bytes(dtype) > 0);
    auto bytes = static_cast<std::uint64_t>(dtype_bytes(dtype));
    for (const std::int64_t dim : shape)
        bytes *= static_cast<std::uint64_t>(dim);
    tensors_.push_back({std::move(name), std::move(dtype), std::move(shape), data_bytes_, data_bytes_ + bytes});
    data_bytes_ += bytes;
}

tl::unexpected<Error> Writer::failed(std::string_view what, int reason) const {
    const bool full = reason == ENOSPC || reason == EDQUOT;
    return fail(ErrorCode::io, fmt::format("{}: {} failed: {}", path_, what, std::strerror(reason)),
        full ? fmt::format("Free {} bytes on this disk, or choose another folder.", data_bytes_)
             : "Check that the folder exists and may be written.");
}

Result<void> Writer::put(const void* data, std::size_t size) {
    const auto* from = static_cast<const char*>(data);
    while (size > 0) {
        const ssize_t done = ::write(fd_, from, size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return failed("writing", done < 0 ? errno : EIO);
        from += done;
        size -= static_cast<std::size_t>(done);
    }
    return {};
}

Result<void> Writer::begin() {
    VT_CHECK(fd_ < 0);
    nlohmann::ordered_json header{{"__metadata__", {{"format", "pt"}}}}; // what transformers insists on
    for (const Declared& tensor : tensors_)
        header[tensor.name] = {
            {"dtype", tensor.dtype}, {"shape", tensor.shape}, {"data_offsets", {tensor.begin, tensor.end}}};
    std::string text = header.dump();
    text.resize((text.size() + 7) / 8 * 8, ' '); // so that the data are aligned
    const std::uint64_t length = text.size();
    fd_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd_ < 0)
        return failed("creating the file", errno);
    // Reserves the room now, so that a full disk is said before the work; file systems without it say so later.
    const int reserved = ::posix_fallocate(fd_, 0, static_cast<off_t>(sizeof length + length + data_bytes_));
    if (reserved == ENOSPC || reserved == EDQUOT || reserved == EFBIG)
        return failed("reserving the space", reserved);
    VT_TRY(put(&length, sizeof length));
    return put(text.data(), text.size());
}

Result<void> Writer::write(std::span<const std::byte> bytes) {
    VT_CHECK(fd_ >= 0 && written_ + bytes.size() <= data_bytes_);
    written_ += bytes.size();
    return put(bytes.data(), bytes.size());
}

Result<void> Writer::finish() {
    VT_CHECK(fd_ >= 0 && written_ == data_bytes_);
    if (::fsync(fd_) != 0)
        return failed("writing to the disk", errno);
    ::close(fd_);
    fd_ = -1;
    return {};
}

} // namespace vitrine::engine::safetensors
