// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/gguf: a GGUF file or the parts of a split one, as a single table.
#include "engine/gguf/file.h"

#include <charconv>
#include <fmt/core.h>
#include <unordered_map>

#include "engine/base/mapped_file.h"
#include "engine/gguf/limits.h"
#include "engine/gguf/metadata.h"
#include "engine/gguf/reader.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine::gguf {
namespace {

constexpr std::string_view kPartKey = "split.no";
constexpr std::string_view kNumPartsKey = "split.count";
constexpr std::string_view kNumTensorsKey = "split.tensors.count";

tl::unexpected<Error> bad_split(const std::string& path, const std::string& what) {
    return fail(ErrorCode::bad_file, say(Sentence::parts_disagree, path, what), say(Sentence::put_parts_together));
}

/// "dir/name-00001-of-00003.gguf" -> the same with another part number.
Result<std::string> part_path(const std::string& first, std::int64_t part, std::int64_t num_parts) {
    const std::string ending = fmt::format("-{:05}-of-{:05}.gguf", 1, num_parts);
    if (!std::string_view(first).ends_with(ending))
        return bad_split(first,
            fmt::format("the first of {} parts: found this name, needed one ending in \"{}\"", num_parts, ending));
    return fmt::format("{}-{:05}-of-{:05}.gguf", first.substr(0, first.size() - ending.size()), part + 1, num_parts);
}

} // namespace

struct File::Parts {
    std::string path;
    std::vector<MappedFile> files;
    std::vector<std::vector<std::byte>> owned;
    std::uint32_t version = 0;
    Metadata metadata;
    std::vector<Tensor> tensors;
    std::unordered_map<std::string, std::size_t> index; // name -> place in tensors

    explicit Parts(std::string first_path) : path(std::move(first_path)), metadata(path) {}

    /// Maps one part and adds its tensors; returns its metadata.
    [[nodiscard]] Result<Metadata> add(const std::string& part) {
        Result<MappedFile> file = MappedFile::open(part);
        VT_TRY(file);
        Result<Header> header = read_header(part, file->bytes());
        VT_TRY(header);
        version = header->version;
        for (Tensor& tensor : header->tensors) {
            if (!index.try_emplace(tensor.name, tensors.size()).second)
                return bad_split(part, fmt::format("tensor \"{}\": found in two parts, needed in one", tensor.name));
            tensors.push_back(std::move(tensor));
        }
        files.push_back(std::move(*file));
        return std::move(header->metadata);
    }

    [[nodiscard]] Result<std::int64_t> split_number(const Metadata& from, std::string_view key) const {
        return from.find(key) == nullptr ? Result<std::int64_t>(0) : from.integer(key);
    }
    [[nodiscard]] Result<void> add_further_parts();
};

Result<void> File::Parts::add_further_parts() {
    const Result<std::int64_t> num_parts = split_number(metadata, kNumPartsKey);
    VT_TRY(num_parts);
    if (*num_parts == 0)
        return {};
    const Result<std::int64_t> number = split_number(metadata, kPartKey);
    VT_TRY(number);
    if (*num_parts < 1 || *num_parts > kMaxParts)
        return bad_split(
            path, fmt::format("metadata \"{}\": found {}, needed 1 to {}", kNumPartsKey, *num_parts, kMaxParts));
    if (*number != 0)
        return fail(ErrorCode::invalid_argument, say(Sentence::later_part, path, *number + 1, *num_parts),
            say(Sentence::open_first_part, fmt::format("{:05}", *num_parts)));
    for (std::int64_t part = 1; part < *num_parts; ++part) {
        const Result<std::string> name = part_path(path, part, *num_parts);
        VT_TRY(name);
        const Result<Metadata> further = add(*name);
        VT_TRY(further);
        const Result<std::int64_t> its_number = split_number(*further, kPartKey);
        VT_TRY(its_number);
        const Result<std::int64_t> its_count = split_number(*further, kNumPartsKey);
        VT_TRY(its_count);
        if (*its_number != part || *its_count != *num_parts)
            return bad_split(*name,
                fmt::format(
                    "found part {} of {}, needed part {} of {}", *its_number + 1, *its_count, part + 1, *num_parts));
    }
    const auto found_tensors = static_cast<std::int64_t>(tensors.size());
    const Result<std::int64_t> num_tensors = metadata.find(kNumTensorsKey) == nullptr
        ? Result<std::int64_t>(found_tensors)
        : metadata.integer(kNumTensorsKey);
    VT_TRY(num_tensors);
    if (*num_tensors != found_tensors)
        return bad_split(path,
            fmt::format("metadata \"{}\": found {} tensors in all parts, needed {}", kNumTensorsKey, found_tensors,
                *num_tensors));
    return {};
}

std::int64_t Tensor::out_dim() const {
    std::int64_t product = 1; // cannot overflow: the reader bounds the product of all dims
    for (std::size_t i = 1; i < dims.size(); ++i)
        product *= dims[i];
    return product;
}

File::File(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
File::~File() = default;

Result<std::shared_ptr<const File>> File::open(const std::string& path) {
    auto parts = std::make_unique<Parts>(path);
    Result<Metadata> metadata = parts->add(path);
    VT_TRY(metadata);
    parts->metadata = std::move(*metadata);
    VT_TRY(parts->add_further_parts());
    return std::shared_ptr<const File>(new File(std::move(parts)));
}

Result<std::shared_ptr<const File>> File::assemble(Assembly assembly) {
    auto parts = std::make_unique<Parts>(std::move(assembly.path));
    parts->files = std::move(assembly.files);
    parts->owned = std::move(assembly.owned);
    const auto twice = [&](const std::string& name) {
        return fail(
            ErrorCode::bad_file, say(Sentence::name_twice, parts->path, name), say(Sentence::fetch_model_again));
    };
    for (auto& [key, value] : assembly.metadata)
        if (!parts->metadata.add(key, std::move(value)))
            return twice(key);
    for (Tensor& tensor : assembly.tensors) {
        if (!parts->index.try_emplace(tensor.name, parts->tensors.size()).second)
            return twice(tensor.name);
        parts->tensors.push_back(std::move(tensor));
    }
    return std::shared_ptr<const File>(new File(std::move(parts)));
}

const std::string& File::path() const noexcept {
    return parts_->path;
}

std::int64_t File::file_bytes() const noexcept {
    std::size_t total = 0;
    for (const MappedFile& file : parts_->files)
        total += file.bytes().size();
    return static_cast<std::int64_t>(total);
}

std::uint32_t File::version() const noexcept {
    return parts_->version;
}

const std::vector<Tensor>& File::tensors() const noexcept {
    return parts_->tensors;
}

const Tensor* File::find_tensor(std::string_view name) const noexcept {
    const auto place = parts_->index.find(std::string(name));
    return place == parts_->index.end() ? nullptr : &parts_->tensors[place->second];
}

const Value* File::find(std::string_view key) const noexcept {
    return parts_->metadata.find(key);
}

std::vector<std::string> File::keys() const {
    return parts_->metadata.keys();
}

Result<std::string> File::text(std::string_view key) const {
    return parts_->metadata.text(key);
}

Result<std::int64_t> File::integer(std::string_view key) const {
    return parts_->metadata.integer(key);
}

Result<double> File::real(std::string_view key) const {
    return parts_->metadata.real(key);
}

Result<bool> File::boolean(std::string_view key) const {
    return parts_->metadata.boolean(key);
}

Result<std::string> File::text_or(std::string_view key, std::string fallback) const {
    return find(key) == nullptr ? Result<std::string>(std::move(fallback)) : text(key);
}

Result<std::int64_t> File::integer_or(std::string_view key, std::int64_t fallback) const {
    return find(key) == nullptr ? Result<std::int64_t>(fallback) : integer(key);
}

Result<double> File::real_or(std::string_view key, double fallback) const {
    return find(key) == nullptr ? Result<double>(fallback) : real(key);
}

Result<bool> File::boolean_or(std::string_view key, bool fallback) const {
    return find(key) == nullptr ? Result<bool>(fallback) : boolean(key);
}

const std::vector<std::string>* File::texts(std::string_view key) const noexcept {
    const Value* value = find(key);
    return value == nullptr ? nullptr : std::get_if<std::vector<std::string>>(value);
}

const std::vector<std::int64_t>* File::integers(std::string_view key) const noexcept {
    const Value* value = find(key);
    return value == nullptr ? nullptr : std::get_if<std::vector<std::int64_t>>(value);
}

const std::vector<double>* File::reals(std::string_view key) const noexcept {
    const Value* value = find(key);
    return value == nullptr ? nullptr : std::get_if<std::vector<double>>(value);
}

void File::drop_pages(const Tensor& tensor) const noexcept {
    for (const MappedFile& file : parts_->files)
        if (file.holds(tensor.bytes))
            file.drop_pages(tensor.bytes);
}

void File::want_pages(std::span<const std::byte> bytes) const noexcept {
    for (const MappedFile& file : parts_->files)
        if (file.holds(bytes))
            file.want_pages(bytes);
}

} // namespace vitrine::engine::gguf
