// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: strict reading of request fields: a wrong type is a 400 that names the field.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "app/endpoint/api_error.h"

namespace vitrine::app {

inline constexpr int kMaxJsonDepth = 128;

/// Parses a body: UTF-8, one object, at most kMaxJsonDepth levels (checked while parsing: dump and copy recurse).
[[nodiscard]] tl::expected<nlohmann::ordered_json, ApiError> parse_body(std::string_view body);
/// Compact; bad UTF-8 becomes U+FFFD, nothing throws.
[[nodiscard]] std::string dump_json(const nlohmann::ordered_json& value);

/// Reads fields of one object.  null counts as absent.  After the first error every further read gives its default;
/// the caller asks error() once at the end.
class Fields {
public:
    explicit Fields(const nlohmann::ordered_json& object) : object_(object) {}

    [[nodiscard]] double real(const char* name, double fallback, double low, double high);
    [[nodiscard]] std::int64_t integer(const char* name, std::int64_t fallback, std::int64_t low, std::int64_t high);
    [[nodiscard]] bool boolean(const char* name, bool fallback);
    [[nodiscard]] std::string text(const char* name, std::string fallback = {});
    /// The field if it is there and not null.
    [[nodiscard]] const nlohmann::ordered_json* find(const char* name) const;
    void refuse(ApiError error);
    [[nodiscard]] const std::optional<ApiError>& error() const noexcept { return error_; }

private:
    const nlohmann::ordered_json& object_;
    std::optional<ApiError> error_;
};

} // namespace vitrine::app
