// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: readings of a server as JSON; private to session_file.cpp and session_reader.cpp.
#pragma once

#include <QJsonObject>
#include <optional>

#include "ui/bridge/server_reading.h"

namespace vitrine::ui {

/// Every field by its name; null: not told.  Histograms as {bounds, counts, sum}, the bound +Inf left out.
[[nodiscard]] QJsonObject readingToJson(const ServerReading& reading);
/// Nothing when a number is none, or when a histogram's parts do not fit each other.
[[nodiscard]] std::optional<ServerReading> readingFromJson(const QJsonObject& object);

[[nodiscard]] QJsonObject factsToJson(const ServerFacts& facts);
[[nodiscard]] ServerFacts factsFromJson(const QJsonObject& object);

} // namespace vitrine::ui
