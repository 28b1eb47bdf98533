// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/gguf: writes a GGUF v3 file, tensors streamed one after another.
#include "engine/gguf/writer.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/core.h>
#include <limits>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/check.h"
#include "engine/gguf/limits.h"
#include "engine/gguf/types.h"

namespace vitrine::engine::gguf {
namespace {

std::uint64_t padded(std::uint64_t bytes) noexcept {
    return (bytes + kDefaultAlignment - 1) / kDefaultAlignment * kDefaultAlignment;
}

/// A header as bytes.
class HeaderBytes {
public:
    template <class T>
    void number(T value) {
        const auto* bytes = reinterpret_cast<const char*>(&value);
        bytes_.append(bytes, sizeof(T));
    }
    void type(ValueType value) { number(static_cast<std::uint32_t>(value)); }
    void text(std::string_view value) {
        number(static_cast<std::uint64_t>(value.size()));
        bytes_.append(value);
    }
    void value(const Value& value) {
        std::visit([this](const auto& plain) { put(plain); }, value);
    }
    void pad() { bytes_.resize(padded(bytes_.size()), '\0'); }
    [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }

private:
    void put(bool flag) {
        type(ValueType::boolean);
        number(static_cast<std::uint8_t>(flag));
    }
    void put(std::int64_t value) {
        const bool fits =
            value >= std::numeric_limits<std::int32_t>::min() && value <= std::numeric_limits<std::int32_t>::max();
        type(fits ? ValueType::i32 : ValueType::i64);
        fits ? number(static_cast<std::int32_t>(value)) : number(value);
    }
    void put(std::uint64_t value) {
        const bool fits = value <= std::numeric_limits<std::uint32_t>::max();
        type(fits ? ValueType::u32 : ValueType::u64);
        fits ? number(static_cast<std::uint32_t>(value)) : number(value);
    }
    void put(double value) {
        type(ValueType::f32);
        number(static_cast<float>(value));
    }
    void put(const std::string& value) {
        type(ValueType::text);
        text(value);
    }
    void head(ValueType item_type, std::size_t count) {
        type(ValueType::array);
        type(item_type);
        number(static_cast<std::uint64_t>(count));
    }
    void put(const std::vector<bool>& items) {
        head(ValueType::boolean, items.size());
        for (const bool item : items)
            number(static_cast<std::uint8_t>(item));
    }
    void put(const std::vector<std::int64_t>& items) {
        const bool fit = std::all_of(items.begin(), items.end(), [](std::int64_t item) {
            return item >= std::numeric_limits<std::int32_t>::min() && item <= std::numeric_limits<std::int32_t>::max();
        });
        head(fit ? ValueType::i32 : ValueType::i64, items.size());
        for (const std::int64_t item : items)
            fit ? number(static_cast<std::int32_t>(item)) : number(item);
    }
    void put(const std::vector<double>& items) {
        head(ValueType::f32, items.size());
        for (const double item : items)
            number(static_cast<float>(item));
    }
    void put(const std::vector<std::string>& items) {
        head(ValueType::text, items.size());
        for (const std::string& item : items)
            text(item);
    }

    std::string bytes_;
};

} // namespace

struct Writer::State {
    struct Declared {
        std::string name;
        std::vector<std::int64_t> dims;
        kernels::WeightFormat format;
        std::uint64_t num_bytes;
        std::uint64_t offset;
    };
    std::string path;
    std::string temporary;
    int fd = -1;
    std::vector<std::pair<std::string, Value>> metadata;
    std::vector<Declared> tensors;
    std::size_t current = 0; // tensor being written
    std::uint64_t written = 0; // bytes of it
    std::uint64_t data_bytes = 0; // padded sizes of all declared
    std::uint64_t total_bytes = 0;

    [[nodiscard]] tl::unexpected<Error> failed(std::string_view what, int reason) const {
        const bool full = reason == ENOSPC || reason == EDQUOT;
        return fail(ErrorCode::io, fmt::format("{}: {} failed: {}", path, what, std::strerror(reason)),
            full ? fmt::format("Free {} bytes on this disk, or choose another folder.", total_bytes)
                 : "Check that the folder exists and may be written.");
    }
    [[nodiscard]] Result<void> put(const void* data, std::size_t size) const {
        const auto* from = static_cast<const char*>(data);
        while (size > 0) {
            const ssize_t done = ::write(fd, from, size);
            if (done < 0 && errno == EINTR)
                continue;
            if (done <= 0)
                return failed("writing", done < 0 ? errno : EIO);
            from += done;
            size -= static_cast<std::size_t>(done);
        }
        return {};
    }
    void close_and_remove() noexcept {
        if (fd < 0)
            return;
        ::close(fd);
        ::unlink(temporary.c_str());
        fd = -1;
    }
};

Writer::Writer(std::string path) : state_(std::make_unique<State>()) {
    state_->path = std::move(path);
}

Writer::~Writer() {
    state_->close_and_remove();
}

void Writer::set(std::string key, Value value) {
    if (key == kAlignmentKey)
        return;
    for (auto& [name, old] : state_->metadata) {
        if (name == key) {
            old = std::move(value);
            return;
        }
    }
    state_->metadata.emplace_back(std::move(key), std::move(value));
}

void Writer::copy_metadata(const File& source) {
    for (const std::string& key : source.keys()) {
        if (!key.starts_with("split.")) // the copy is one file
            set(key, *source.find(key));
    }
}

Result<void> Writer::declare(std::string name, std::vector<std::int64_t> dims, kernels::WeightFormat format) {
    VT_CHECK(state_->fd < 0);
    const kernels::FormatInfo& info = kernels::format_info(format);
    const auto refuse = [&](const std::string& what) {
        return fail(ErrorCode::invalid_argument, fmt::format("{}: tensor \"{}\": {}", state_->path, name, what),
            "Choose another format for this tensor.");
    };
    if (name.empty() || dims.empty() || dims.size() > kMaxDims ||
        std::ranges::any_of(dims, [](auto d) { return d < 1; }))
        return refuse(fmt::format("found {} dimensions, needed 1 to {}, each at least 1", dims.size(), kMaxDims));
    if (dims[0] % info.block_weights != 0)
        return refuse(fmt::format(
            "found {} weights a row, needed a multiple of {} for {}", dims[0], info.block_weights, info.name));
    std::uint64_t num_bytes = static_cast<std::uint64_t>(kernels::row_bytes(format, dims[0]));
    for (std::size_t i = 1; i < dims.size(); ++i) {
        const auto dim = static_cast<std::uint64_t>(dims[i]);
        if (num_bytes > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) / dim)
            return refuse("found more bytes than a file holds");
        num_bytes *= dim;
    }
    state_->tensors.push_back({std::move(name), std::move(dims), format, num_bytes, state_->data_bytes});
    state_->data_bytes += padded(num_bytes);
    return {};
}

Result<void> Writer::begin() {
    VT_CHECK(state_->fd < 0);
    HeaderBytes header;
    header.number(kMagic);
    header.number(std::uint32_t{3});
    header.number(static_cast<std::uint64_t>(state_->tensors.size()));
    header.number(static_cast<std::uint64_t>(state_->metadata.size()));
    for (const auto& [key, value] : state_->metadata) {
        header.text(key);
        header.value(value);
    }
    for (const State::Declared& tensor : state_->tensors) {
        header.text(tensor.name);
        header.number(static_cast<std::uint32_t>(tensor.dims.size()));
        for (const std::int64_t dim : tensor.dims)
            header.number(static_cast<std::uint64_t>(dim));
        header.number(static_cast<std::uint32_t>(kernels::format_info(tensor.format).ggml_type));
        header.number(tensor.offset);
    }
    header.pad();
    state_->total_bytes = header.bytes().size() + state_->data_bytes;

    // Of this process alone; one that a crash left behind under the same number is of no use to anybody.
    state_->temporary = fmt::format("{}.part-{}", state_->path, ::getpid());
    state_->fd = ::open(state_->temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (state_->fd < 0)
        return state_->failed("creating the file", errno);
    // Reserves the room now, so that a full disk is said before the work; file systems without it say so later.
    const int reserved = ::posix_fallocate(state_->fd, 0, static_cast<off_t>(state_->total_bytes));
    if (reserved == ENOSPC || reserved == EDQUOT || reserved == EFBIG)
        return state_->failed("reserving the space", reserved);
    return state_->put(header.bytes().data(), header.bytes().size());
}

Result<void> Writer::write(std::span<const std::byte> bytes) {
    VT_CHECK(state_->fd >= 0);
    while (!bytes.empty()) {
        VT_CHECK(state_->current < state_->tensors.size()); // more bytes than declared
        const State::Declared& tensor = state_->tensors[state_->current];
        const std::size_t now = std::min<std::size_t>(bytes.size(), tensor.num_bytes - state_->written);
        VT_TRY(state_->put(bytes.data(), now));
        bytes = bytes.subspan(now);
        state_->written += now;
        if (state_->written < tensor.num_bytes)
            continue;
        const char zeros[kDefaultAlignment] = {};
        VT_TRY(state_->put(zeros, padded(tensor.num_bytes) - tensor.num_bytes));
        ++state_->current;
        state_->written = 0;
    }
    return {};
}

Result<void> Writer::finish() {
    VT_CHECK(state_->fd >= 0 && state_->current == state_->tensors.size());
    if (::fsync(state_->fd) != 0)
        return state_->failed("writing to the disk", errno);
    if (::rename(state_->temporary.c_str(), state_->path.c_str()) != 0)
        return state_->failed("renaming the finished file", errno);
    ::close(state_->fd);
    state_->fd = -1;
    return {};
}

std::int64_t Writer::total_bytes() const noexcept {
    return static_cast<std::int64_t>(state_->total_bytes);
}

} // namespace vitrine::engine::gguf
