// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/grammar: a JSON schema as alternatives without allOf, anyOf, oneOf.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace vitrine::engine {

using SchemaJson = nlohmann::ordered_json;

struct SchemaPart {
    SchemaJson schema; // an object or a boolean
    std::string path; // of where it stands, for errors
};

// Keywords of our own, made by merging: every pattern and every format holds.
inline constexpr const char* kAllPatterns = "\x01patterns";
inline constexpr const char* kAllFormats = "\x01formats";

/// Thread: one.
class SchemaAlternatives {
public:
    /// root outlives the object.  Strict: properties that are not listed are not allowed unless the schema says so.
    SchemaAlternatives(const SchemaJson& root, bool strict) : root_(root), strict_(strict) {}

    /// Each is a boolean, {"$ref": ...} alone, or an object without combining keywords.  Keywords that cannot be
    /// honoured are refused with their path.
    [[nodiscard]] std::vector<SchemaPart> expand(const SchemaPart& part, int depth = 0) const;
    /// What "#", "#/$defs/x" and the like name.
    [[nodiscard]] SchemaPart resolve(const std::string& reference, const std::string& path) const;
    [[nodiscard]] static bool is_reference(const SchemaJson& schema);

private:
    using Parts = std::vector<SchemaPart>;
    [[nodiscard]] Parts crossed(const Parts& left, const Parts& right, const std::string& path, int depth) const;
    [[nodiscard]] SchemaJson merged(const SchemaJson& a, const SchemaJson& b, const std::string& path) const;
    void merge_objects(SchemaJson& out, const SchemaJson& a, const SchemaJson& b, const std::string& path) const;
    void merge_arrays(SchemaJson& out, const SchemaJson& a, const SchemaJson& b) const;
    [[nodiscard]] SchemaJson with_defaults(SchemaJson schema) const;
    void check_one_of(const Parts& parts, const std::string& path) const;

    const SchemaJson& root_;
    bool strict_;
};

[[nodiscard]] std::string joined_path(const std::string& path, const std::string& member);
[[nodiscard]] std::string joined_path(const std::string& path, std::size_t index);
/// The types a schema allows by `type`, `const` and `enum`: bits of SchemaTypes; all if it says nothing.
enum SchemaTypes : unsigned {
    kNull = 1,
    kBoolean = 2,
    kObject = 4,
    kArray = 8,
    kNumber = 16,
    kInteger = 32,
    kString = 64
};
inline constexpr unsigned kAllTypes = kNull | kBoolean | kObject | kArray | kNumber | kInteger | kString;
[[nodiscard]] unsigned types_of(const SchemaJson& schema, const std::string& path);
[[nodiscard]] unsigned type_of_value(const SchemaJson& value);

} // namespace vitrine::engine
