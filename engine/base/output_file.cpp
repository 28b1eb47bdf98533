// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/output_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

#include "engine/base/check.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

bool is_full(int reason) noexcept {
    return reason == ENOSPC || reason == EDQUOT;
}

} // namespace

OutputFile::~OutputFile() {
    if (fd_ < 0)
        return;
    ::close(fd_);
    ::unlink(written_as_.c_str());
}

tl::unexpected<Error> OutputFile::failed(Sentence what, int reason) const {
    return fail(ErrorCode::io, say(what, path_, std::strerror(reason)),
        is_full(reason) ? say(Sentence::free_bytes, num_bytes_) : say(Sentence::check_folder));
}

Result<void> OutputFile::create(std::string path, std::uint64_t num_bytes, std::string temporary) {
    VT_CHECK(fd_ < 0);
    path_ = std::move(path);
    written_as_ = temporary.empty() ? path_ : std::move(temporary);
    num_bytes_ = num_bytes;
    fd_ = ::open(written_as_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd_ < 0)
        return failed(Sentence::file_not_created, errno);
    // File systems that cannot reserve say later that they are full.
    const int reserved = ::posix_fallocate(fd_, 0, static_cast<off_t>(num_bytes));
    if (is_full(reserved) || reserved == EFBIG)
        return failed(Sentence::file_not_reserved, reserved);
    return {};
}

Result<void> OutputFile::put(const void* data, std::size_t num_bytes) {
    VT_CHECK(fd_ >= 0);
    const auto* from = static_cast<const char*>(data);
    while (num_bytes > 0) {
        const ssize_t done = ::write(fd_, from, num_bytes);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return failed(Sentence::file_not_written, done < 0 ? errno : EIO);
        from += done;
        num_bytes -= static_cast<std::size_t>(done);
        start_writing(static_cast<std::uint64_t>(done));
    }
    return {};
}

/// The disk works while the next bytes are made, not all at once in finish().  Advice: where it fails, finish() says so.
void OutputFile::start_writing(std::uint64_t num_bytes) noexcept {
    constexpr std::uint64_t kPiece = std::uint64_t{16} << 20;
    written_bytes_ += num_bytes;
    if (written_bytes_ - started_bytes_ < kPiece)
        return;
    (void)::sync_file_range(fd_, static_cast<off_t>(started_bytes_),
        static_cast<off_t>(written_bytes_ - started_bytes_), SYNC_FILE_RANGE_WRITE);
    started_bytes_ = written_bytes_;
}

Result<void> OutputFile::finish() {
    VT_CHECK(fd_ >= 0);
    if (::fsync(fd_) != 0)
        return failed(Sentence::file_not_synced, errno);
    if (written_as_ != path_ && ::rename(written_as_.c_str(), path_.c_str()) != 0)
        return failed(Sentence::file_not_renamed, errno);
    ::close(std::exchange(fd_, -1));
    return {};
}

} // namespace vitrine::engine
