// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/gguf: the key-value part of a header.
#include "engine/gguf/metadata.h"

#include <bit>
#include <fmt/core.h>
#include <limits>

#include "engine/gguf/limits.h"
#include "engine/gguf/types.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine::gguf {
namespace {

Result<ValueType> read_type(ByteCursor& cursor, const std::string& field) {
    const Result<std::uint32_t> type = cursor.number<std::uint32_t>(field);
    VT_TRY(type);
    if (*type >= kNumValueTypes)
        return cursor.bad(
            say(Sentence::part_found_range, fmt::format("{}: value type", field), *type, 0, kNumValueTypes - 1));
    return static_cast<ValueType>(*type);
}

/// Reads one T and widens it to Wide, which holds every T.
template <class T, class Wide>
Result<Wide> widened(ByteCursor& cursor, const std::string& field) {
    const Result<T> value = cursor.number<T>(field);
    VT_TRY(value);
    return static_cast<Wide>(*value);
}

Result<bool> read_boolean(ByteCursor& cursor, const std::string& field) {
    const Result<std::uint8_t> byte = cursor.number<std::uint8_t>(field);
    VT_TRY(byte);
    if (*byte > 1)
        return cursor.bad(say(Sentence::part_found_range, fmt::format("{}: boolean", field), *byte, 0, 1));
    return *byte == 1;
}

Result<double> read_real(ByteCursor& cursor, ValueType type, const std::string& field) {
    return type == ValueType::f32 ? widened<float, double>(cursor, field) : widened<double, double>(cursor, field);
}

/// An element of an integer array: u64 beyond int64 has no use in any known key and is refused.
Result<std::int64_t> read_integer(ByteCursor& cursor, ValueType type, const std::string& field) {
    switch (type) {
    case ValueType::u8:
        return widened<std::uint8_t, std::int64_t>(cursor, field);
    case ValueType::i8:
        return widened<std::int8_t, std::int64_t>(cursor, field);
    case ValueType::u16:
        return widened<std::uint16_t, std::int64_t>(cursor, field);
    case ValueType::i16:
        return widened<std::int16_t, std::int64_t>(cursor, field);
    case ValueType::u32:
        return widened<std::uint32_t, std::int64_t>(cursor, field);
    case ValueType::i32:
        return widened<std::int32_t, std::int64_t>(cursor, field);
    default:
        break;
    }
    const Result<std::int64_t> value = cursor.number<std::int64_t>(field);
    VT_TRY(value);
    if (type == ValueType::u64 && *value < 0)
        return cursor.bad(say(Sentence::part_found_most, field, std::bit_cast<std::uint64_t>(*value),
            std::numeric_limits<std::int64_t>::max()));
    return *value;
}

template <class T, class ReadOne>
Result<Value> read_items(std::uint64_t count, const ReadOne& read_one) {
    std::vector<T> items;
    items.reserve(static_cast<std::size_t>(count));
    for (std::uint64_t i = 0; i < count; ++i) {
        auto item = read_one();
        VT_TRY(item);
        items.push_back(std::move(*item));
    }
    return Value(std::move(items));
}

Result<Value> read_array(ByteCursor& cursor, const std::string& field) {
    const Result<ValueType> type = read_type(cursor, field);
    VT_TRY(type);
    if (*type == ValueType::array)
        return cursor.bad(say(Sentence::array_of_arrays, field));
    const Result<std::uint64_t> count =
        cursor.count(fmt::format("{}: count", field), static_cast<std::uint64_t>(value_bytes(*type)), kMaxArrayItems);
    VT_TRY(count);
    switch (*type) {
    case ValueType::boolean:
        return read_items<bool>(*count, [&] { return read_boolean(cursor, field); });
    case ValueType::text:
        return read_items<std::string>(*count, [&] { return cursor.text(field, kMaxStringBytes); });
    case ValueType::f32:
    case ValueType::f64:
        return read_items<double>(*count, [&] { return read_real(cursor, *type, field); });
    default:
        return read_items<std::int64_t>(*count, [&] { return read_integer(cursor, *type, field); });
    }
}

template <class T>
Result<Value> as_value(Result<T> read) {
    VT_TRY(read);
    return Value(std::move(*read));
}

Result<Value> read_value(ByteCursor& cursor, ValueType type, const std::string& field) {
    switch (type) {
    case ValueType::array:
        return read_array(cursor, field);
    case ValueType::text:
        return as_value(cursor.text(field, kMaxStringBytes));
    case ValueType::boolean:
        return as_value(read_boolean(cursor, field));
    case ValueType::f32:
    case ValueType::f64:
        return as_value(read_real(cursor, type, field));
    case ValueType::u8:
        return as_value(widened<std::uint8_t, std::uint64_t>(cursor, field));
    case ValueType::u16:
        return as_value(widened<std::uint16_t, std::uint64_t>(cursor, field));
    case ValueType::u32:
        return as_value(widened<std::uint32_t, std::uint64_t>(cursor, field));
    case ValueType::u64:
        return as_value(cursor.number<std::uint64_t>(field));
    default:
        return as_value(read_integer(cursor, type, field));
    }
}

} // namespace

Result<Metadata> Metadata::read(ByteCursor& cursor, std::uint64_t num_pairs) {
    Metadata result(cursor.path());
    for (std::uint64_t i = 0; i < num_pairs; ++i) {
        Result<std::string> key = cursor.text(fmt::format("metadata key {}", i), kMaxKeyBytes);
        VT_TRY(key);
        const std::string field = fmt::format("metadata {}", quoted(*key));
        if (key->empty())
            return cursor.bad(say(Sentence::part_missing, fmt::format("metadata key {}: name", i)));
        if (!result.index_.try_emplace(*key, result.keys_.size()).second)
            return cursor.bad(say(Sentence::part_twice, field));
        const Result<ValueType> type = read_type(cursor, field);
        VT_TRY(type);
        if (*key == kAlignmentKey && *type != ValueType::u32)
            return cursor.bad(
                say(Sentence::part_found, fmt::format("{}: value type", field), static_cast<int>(*type), "4 (u32)"));
        Result<Value> value = read_value(cursor, *type, field);
        VT_TRY(value);
        result.keys_.push_back(std::move(*key));
        result.values_.push_back(std::move(*value));
    }
    return result;
}

bool Metadata::add(std::string key, Value value) {
    if (!index_.try_emplace(key, keys_.size()).second)
        return false;
    keys_.push_back(std::move(key));
    values_.push_back(std::move(value));
    return true;
}

const Value* Metadata::find(std::string_view key) const noexcept {
    const auto place = index_.find(std::string(key));
    return place == index_.end() ? nullptr : &values_[place->second];
}

tl::unexpected<Error> Metadata::missing(std::string_view key, std::string_view needed) const {
    return fail(
        ErrorCode::not_found, say(Sentence::key_missing, path_, key, needed), say(Sentence::use_complete_conversion));
}

tl::unexpected<Error> Metadata::wrong_type(std::string_view key, const Value& found, std::string_view needed) const {
    return fail(ErrorCode::bad_file, say(Sentence::key_of_wrong_type, path_, key, value_type_name(found), needed),
        say(Sentence::use_complete_conversion));
}

Result<std::string> Metadata::text(std::string_view key) const {
    const Value* value = find(key);
    if (value == nullptr)
        return missing(key, "a text");
    const auto* text = std::get_if<std::string>(value);
    if (text == nullptr)
        return wrong_type(key, *value, "a text");
    return *text;
}

Result<std::int64_t> Metadata::integer(std::string_view key) const {
    const Value* value = find(key);
    if (value == nullptr)
        return missing(key, "an integer");
    if (const auto* number = std::get_if<std::int64_t>(value))
        return *number;
    const auto* number = std::get_if<std::uint64_t>(value);
    if (number == nullptr)
        return wrong_type(key, *value, "an integer");
    if (*number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        return fail(ErrorCode::bad_file,
            say(Sentence::key_too_large, path_, key, *number, std::numeric_limits<std::int64_t>::max()),
            say(Sentence::use_complete_conversion));
    return static_cast<std::int64_t>(*number);
}

Result<double> Metadata::real(std::string_view key) const {
    const Value* value = find(key);
    if (value == nullptr)
        return missing(key, "a real number");
    if (const auto* number = std::get_if<double>(value))
        return *number;
    if (const auto* number = std::get_if<std::int64_t>(value))
        return static_cast<double>(*number);
    if (const auto* number = std::get_if<std::uint64_t>(value))
        return static_cast<double>(*number);
    return wrong_type(key, *value, "a real number");
}

Result<bool> Metadata::boolean(std::string_view key) const {
    const Value* value = find(key);
    if (value == nullptr)
        return missing(key, "a boolean");
    const auto* flag = std::get_if<bool>(value);
    if (flag == nullptr)
        return wrong_type(key, *value, "a boolean");
    return *flag;
}

} // namespace vitrine::engine::gguf
