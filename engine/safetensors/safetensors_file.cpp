// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/safetensors: header of a .safetensors file.
#include "engine/safetensors/safetensors_file.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/json_depth.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine::safetensors {
namespace {

using nlohmann::json;

constexpr std::uint64_t kMaxHeaderBytes = 100'000'000; // the limit of the format's own library
constexpr std::size_t kMaxDims = 8;
constexpr std::size_t kMaxTensors = 1'000'000;

constexpr std::array<std::pair<std::string_view, int>, 14> kDtypeBytes{
    {{"F64", 8}, {"F32", 4}, {"F16", 2}, {"BF16", 2}, {"I64", 8}, {"I32", 4}, {"I16", 2}, {"I8", 1}, {"U8", 1},
        {"BOOL", 1}, {"F8_E4M3", 1}, {"F8_E5M2", 1}, {"U32", 4}, {"U16", 2}}};

class HeaderReader {
public:
    HeaderReader(const std::string& path, std::span<const std::byte> data) : path_(path), data_(data) {}

    [[nodiscard]] tl::unexpected<Error> bad(Phrase what) const {
        return fail(ErrorCode::bad_file, say(Sentence::file_malformed, path_, std::move(what)),
            say(Sentence::fetch_damaged_again));
    }

    [[nodiscard]] Result<Tensor> tensor(const std::string& name, const json& entry) const {
        if (!entry.is_object() || !entry.contains("dtype") || !entry.contains("shape") ||
            !entry.contains("data_offsets") || !entry["dtype"].is_string())
            return bad(say(Sentence::part_missing, part(name, "dtype, shape, data_offsets")));
        Tensor tensor{name, entry["dtype"].get<std::string>(), {}, {}};
        const int element_bytes = dtype_bytes(tensor.dtype);
        if (element_bytes == 0)
            return fail(ErrorCode::unsupported,
                say(Sentence::tensor_of_unknown_dtype, path_, name, tensor.dtype.substr(0, 32)),
                say(Sentence::choose_float_model));
        VT_TRY(read_shape(entry["shape"], tensor));
        std::int64_t needed = element_bytes;
        for (const std::int64_t dim : tensor.shape)
            if (__builtin_mul_overflow(needed, dim, &needed))
                return bad(say(Sentence::part_no_size, part(name, "shape")));
        const json& offsets = entry["data_offsets"];
        if (!offsets.is_array() || offsets.size() != 2 || !offsets[0].is_number_unsigned() ||
            !offsets[1].is_number_unsigned())
            return bad(say(Sentence::part_no_size, part(name, "data_offsets")));
        const auto begin = offsets[0].get<std::uint64_t>();
        const auto end = offsets[1].get<std::uint64_t>();
        if (begin > end || end > data_.size() || end - begin != static_cast<std::uint64_t>(needed))
            return bad(say(Sentence::part_found, part(name, "data_offsets"),
                fmt::format("{}-{} / {}", begin, end, data_.size()), needed));
        tensor.bytes = data_.subspan(begin, end - begin);
        return tensor;
    }

private:
    static std::string part(const std::string& name, std::string_view what) {
        return fmt::format("\"{}\" {}", name, what);
    }
    [[nodiscard]] Result<void> read_shape(const json& shape, Tensor& tensor) const {
        if (!shape.is_array() || shape.size() > kMaxDims)
            return bad(say(Sentence::part_found_most, part(tensor.name, "shape"), shape.size(), kMaxDims));
        for (const json& dim : shape) {
            if (!dim.is_number_unsigned() || dim.get<std::uint64_t>() > (std::uint64_t{1} << 48))
                return bad(say(Sentence::part_no_size, part(tensor.name, "shape")));
            tensor.shape.push_back(dim.get<std::int64_t>());
        }
        return {};
    }

    const std::string& path_;
    std::span<const std::byte> data_;
};

/// Empty when a name stands there twice, it nests too deep or it is no JSON object.
json parse_names_once(std::span<const std::byte> text) {
    std::set<std::string> names;
    bool twice = false;
    const auto watch = [&](int depth, json::parse_event_t event, json& parsed) {
        if (depth == 1 && event == json::parse_event_t::key)
            twice = !names.insert(parsed.get<std::string>()).second || twice;
        return true;
    };
    const auto* begin = reinterpret_cast<const char*>(text.data());
    if (!json_depth_is_bounded({begin, text.size()}))
        return {};
    json header = json::parse(begin, begin + text.size(), watch, false);
    if (twice)
        header = json();
    return header;
}

} // namespace

int dtype_bytes(std::string_view dtype) noexcept {
    const auto* found =
        std::find_if(kDtypeBytes.begin(), kDtypeBytes.end(), [&](const auto& known) { return known.first == dtype; });
    return found == kDtypeBytes.end() ? 0 : found->second;
}

Result<std::vector<Tensor>> read_header(const std::string& path, std::span<const std::byte> bytes) {
    const HeaderReader whole(path, bytes);
    std::uint64_t header_bytes = 0;
    if (bytes.size() < sizeof header_bytes)
        return whole.bad(say(Sentence::part_found, "bytes", bytes.size(), sizeof header_bytes));
    std::memcpy(&header_bytes, bytes.data(), sizeof header_bytes);
    if (header_bytes > bytes.size() - sizeof header_bytes || header_bytes > kMaxHeaderBytes)
        return whole.bad(say(Sentence::part_found_most, "header", header_bytes,
            std::min<std::uint64_t>(bytes.size() - sizeof header_bytes, kMaxHeaderBytes)));
    const json header = parse_names_once(bytes.subspan(sizeof header_bytes, header_bytes));
    if (!header.is_object())
        return whole.bad(say(Sentence::part_no_json, "header", kMaxFileJsonDepth));
    if (header.size() > kMaxTensors)
        return whole.bad(say(Sentence::part_found_most, "tensors", header.size(), kMaxTensors));
    const HeaderReader reader(path, bytes.subspan(sizeof header_bytes + header_bytes));
    std::vector<Tensor> tensors;
    for (const auto& [name, entry] : header.items()) {
        if (name == "__metadata__")
            continue;
        auto tensor = reader.tensor(name, entry);
        VT_TRY(tensor);
        tensors.push_back(*std::move(tensor));
    }
    std::sort(tensors.begin(), tensors.end(),
        [](const Tensor& a, const Tensor& b) { return a.bytes.data() < b.bytes.data(); });
    for (std::size_t i = 1; i < tensors.size(); ++i)
        if (!tensors[i].bytes.empty() &&
            tensors[i - 1].bytes.data() + tensors[i - 1].bytes.size() > tensors[i].bytes.data())
            return reader.bad(say(Sentence::parts_overlap, tensors[i - 1].name, tensors[i].name));
    return tensors;
}

} // namespace vitrine::engine::safetensors
