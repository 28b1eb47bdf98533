// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/server: ready-to-paste calls of the endpoint, with its real address and model.
#pragma once

#include <QString>

#include <cstdint>

namespace vitrine::ui {

enum class SnippetLanguage : std::uint8_t { curl, python, javascript };

/// `baseUrl` ends in /v1.  `key` empty: none asked.
[[nodiscard]] QString makeSnippet(
    SnippetLanguage language, const QString& baseUrl, const QString& model, const QString& key);

/// The same request again, for a POSIX shell.
[[nodiscard]] QString curlOf(const QString& method, const QString& url, const QString& key, const QString& body);

} // namespace vitrine::ui
