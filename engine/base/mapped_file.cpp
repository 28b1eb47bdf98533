// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/base: a regular file mapped read-only.
#include "engine/base/mapped_file.h"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

class Descriptor {
public:
    explicit Descriptor(int fd) noexcept : fd_(fd) {}
    ~Descriptor() {
        if (fd_ >= 0)
            ::close(fd_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    [[nodiscard]] int get() const noexcept { return fd_; }

private:
    int fd_;
};

Error not_opened(const std::string& path, int reason) {
    const ErrorCode code = reason == ENOENT || reason == ENOTDIR ? ErrorCode::not_found : ErrorCode::io;
    if (reason == ENOENT)
        return make_error(code, say(Sentence::file_missing, path), say(Sentence::check_path));
    if (reason == EACCES)
        return make_error(code, say(Sentence::file_forbidden, path), say(Sentence::check_path));
    return make_error(code, say(Sentence::file_not_opened, path, std::strerror(reason)), say(Sentence::check_path));
}

} // namespace

Result<MappedFile> MappedFile::open(const std::string& path) {
    // O_NONBLOCK: opening a pipe must not wait for a writer; it is refused below.
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.get() < 0) {
        const int reason = errno;
        return tl::unexpected(not_opened(path, reason));
    }
    struct stat status = {};
    if (::fstat(file.get(), &status) != 0)
        return fail(ErrorCode::io, say(Sentence::file_not_read, path, std::strerror(errno)), say(Sentence::check_disk));
    if (!S_ISREG(status.st_mode))
        return fail(ErrorCode::invalid_argument,
            say(S_ISDIR(status.st_mode) ? Sentence::file_is_folder : Sentence::file_is_special, path),
            say(Sentence::give_file));
    if (status.st_size == 0)
        return MappedFile(nullptr, 0);
    const auto size = static_cast<std::size_t>(status.st_size);
    void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (data == MAP_FAILED)
        return fail(ErrorCode::io, say(Sentence::file_not_mapped, path, size, std::strerror(errno)),
            say(Sentence::copy_to_local_disk));
    return MappedFile(static_cast<const std::byte*>(data), size);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
}

MappedFile::~MappedFile() {
    if (data_ != nullptr)
        ::munmap(const_cast<std::byte*>(data_), size_); // munmap takes no const pointer
}

namespace {

/// The whole pages inside `part`; advice only: a refusal changes nothing.
void advise(std::span<const std::byte> part, int advice) noexcept {
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto begin = reinterpret_cast<std::uintptr_t>(part.data());
    const std::uintptr_t first = (begin + page - 1) / page * page;
    const std::uintptr_t last = (begin + part.size()) / page * page;
    if (first < last)
        (void)::madvise(reinterpret_cast<void*>(first), last - first, advice);
}

} // namespace

void MappedFile::drop_pages(std::span<const std::byte> part) const noexcept {
    advise(part, MADV_DONTNEED);
}

void MappedFile::want_pages(std::span<const std::byte> part) const noexcept {
    advise(part, MADV_WILLNEED);
}

} // namespace vitrine::engine
