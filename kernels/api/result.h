// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/api: errors as values, shared by every layer.
#pragma once

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <utility>

#include "kernels/api/phrase.h"

namespace vitrine {

/// Why something failed, named by cause; callers branch on it, people read Error::message.
enum class ErrorCode : std::uint8_t {
    invalid_argument, // a value outside its documented range
    not_found, // file, model, tensor, key, name
    io, // read, write, disk full
    bad_file, // truncated, wrong magic, inconsistent header
    unsupported, // a known thing this build or backend cannot do
    out_of_memory, // does not fit; the message carries both numbers
    out_of_blocks, // the KV pool has no block left
    context_length, // prompt longer than the context
    template_error, // a chat template raised or did not parse
    invalid_schema, // JSON schema or grammar cannot be honoured
    device, // device missing, driver too old, device error
    busy, // queue full, try again
    cancelled,
    internal,
};

/// One failure as a person reads it.  `message`: the object, what was found, what was needed.  `remedy`: the next step.
/// `said` and `advised` are the same by number and values, for windows in other languages; the frequent errors have them.
struct Error {
    ErrorCode code = ErrorCode::internal;
    std::string message;
    std::string remedy;
    Phrase said{};
    Phrase advised{};
};

template <class T>
using Result = tl::expected<T, Error>;

[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string message, std::string remedy = {}) {
    return tl::unexpected<Error>(Error{code, std::move(message), std::move(remedy), {}, {}});
}

} // namespace vitrine

/// Evaluates a Result; returns its error from the enclosing function.
#define VT_TRY(expression)                                                                                             \
    do {                                                                                                               \
        auto&& vt_result_ = (expression);                                                                              \
        if (!vt_result_)                                                                                               \
            return tl::unexpected(std::move(vt_result_).error());                                                      \
    } while (false)
