// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/gguf: writes a GGUF v3 file, tensors streamed one after another.
#include "engine/gguf/writer.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <unistd.h>

#include "engine/base/check.h"
#include "engine/base/output_file.h"
#include "engine/gguf/limits.h"
#include "engine/gguf/types.h"
#include "kernels/api/sentence.h"

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
    OutputFile file;
    std::vector<std::pair<std::string, Value>> metadata;
    std::vector<Declared> tensors;
    std::size_t current = 0; // tensor being written
    std::uint64_t written = 0; // bytes of it
    std::uint64_t data_bytes = 0; // padded sizes of all declared
    std::uint64_t total_bytes = 0;
};

Writer::Writer(std::string path) : state_(std::make_unique<State>()) {
    state_->path = std::move(path);
}

Writer::~Writer() = default;

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
    VT_CHECK(!state_->file.is_open());
    const kernels::FormatInfo& info = kernels::format_info(format);
    const auto refuse = [&](Phrase what) {
        return fail(ErrorCode::invalid_argument, say(Sentence::tensor_not_written, state_->path, name, std::move(what)),
            say(Sentence::choose_other_format));
    };
    if (name.empty() || dims.empty() || dims.size() > kMaxDims ||
        std::ranges::any_of(dims, [](auto d) { return d < 1; }))
        return refuse(say(Sentence::part_found_range, "dims", fmt::format("[{}]", fmt::join(dims, ", ")), "[1]",
            fmt::format("[{} x >= 1]", kMaxDims)));
    if (dims[0] % info.block_weights != 0)
        return refuse(say(Sentence::part_found_multiple, info.name, dims[0], info.block_weights));
    std::uint64_t num_bytes = static_cast<std::uint64_t>(kernels::row_bytes(format, dims[0]));
    for (std::size_t i = 1; i < dims.size(); ++i) {
        const auto dim = static_cast<std::uint64_t>(dims[i]);
        if (num_bytes > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) / dim)
            return refuse(say(Sentence::part_found_most, "bytes", fmt::format("{} x {}", num_bytes, dim),
                std::numeric_limits<std::int64_t>::max()));
        num_bytes *= dim;
    }
    state_->tensors.push_back({std::move(name), std::move(dims), format, num_bytes, state_->data_bytes});
    state_->data_bytes += padded(num_bytes);
    return {};
}

Result<void> Writer::begin() {
    VT_CHECK(!state_->file.is_open());
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
    const std::string temporary = fmt::format("{}.part-{}", state_->path, ::getpid());
    VT_TRY(state_->file.create(state_->path, state_->total_bytes, temporary));
    return state_->file.put(header.bytes().data(), header.bytes().size());
}

Result<void> Writer::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        VT_CHECK(state_->current < state_->tensors.size()); // more bytes than declared
        const State::Declared& tensor = state_->tensors[state_->current];
        const std::size_t now = std::min<std::size_t>(bytes.size(), tensor.num_bytes - state_->written);
        VT_TRY(state_->file.put(bytes.data(), now));
        bytes = bytes.subspan(now);
        state_->written += now;
        if (state_->written < tensor.num_bytes)
            continue;
        const char zeros[kDefaultAlignment] = {};
        VT_TRY(state_->file.put(zeros, padded(tensor.num_bytes) - tensor.num_bytes));
        ++state_->current;
        state_->written = 0;
    }
    return {};
}

Result<void> Writer::finish() {
    VT_CHECK(state_->current == state_->tensors.size());
    return state_->file.finish();
}

std::int64_t Writer::total_bytes() const noexcept {
    return static_cast<std::int64_t>(state_->total_bytes);
}

} // namespace vitrine::engine::gguf
