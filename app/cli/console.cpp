// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: console output.
#include "app/cli/console.h"

#include <istream>
#include <iterator>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace vitrine::app {
namespace {

/// Model output may hold any bytes: what is no UTF-8 becomes U+FFFD instead of an exception.
std::string dump(const nlohmann::ordered_json& document, int indent) {
    return document.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

} // namespace

int exit_code_of(ErrorCode code) noexcept {
    switch (code) {
    case ErrorCode::invalid_argument:
    case ErrorCode::context_length:
    case ErrorCode::invalid_schema:
        return kExitUsage;
    case ErrorCode::not_found:
    case ErrorCode::io:
    case ErrorCode::bad_file:
    case ErrorCode::unsupported:
        return kExitBadFile;
    case ErrorCode::out_of_memory:
    case ErrorCode::out_of_blocks:
        return kExitNoMemory;
    case ErrorCode::device:
        return kExitNoDevice;
    case ErrorCode::template_error:
        return kExitTemplate;
    case ErrorCode::busy:
    case ErrorCode::cancelled:
    case ErrorCode::internal:
        return kExitOther;
    }
    return kExitOther;
}

void Console::write(std::string_view text) {
    out_.write(text.data(), static_cast<std::streamsize>(text.size()));
    out_.flush();
}

void Console::line(std::string_view text) {
    out_ << text << '\n';
}

void Console::json(const nlohmann::ordered_json& document) {
    out_ << dump(document, 2) << '\n';
}

void Console::json_line(const nlohmann::ordered_json& document) {
    out_ << dump(document, -1) << '\n';
    out_.flush();
}

void Console::note(std::string_view text) {
    err_ << text << '\n';
}

int Console::fail(const Error& error) {
    err_ << "vitrine-cli: " << error.message;
    if (!error.remedy.empty())
        err_ << (error.message.ends_with('.') ? " " : ". ") << error.remedy;
    err_ << '\n';
    return exit_code_of(error.code);
}

std::string Console::read_all() {
    return {std::istreambuf_iterator<char>(in_), std::istreambuf_iterator<char>()};
}

bool Console::read_line(std::string& line) {
    return static_cast<bool>(std::getline(in_, line));
}

} // namespace vitrine::app
