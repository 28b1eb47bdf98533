// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: between Qt's and the engine's types.
#pragma once

#include <QJsonObject>
#include <QString>
#include <string>
#include <string_view>

#include "ui/bridge/values.h"

namespace vitrine::ui {

[[nodiscard]] inline QString toQString(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}
[[nodiscard]] inline std::string toStdString(const QString& text) {
    return text.toStdString();
} // UTF-8
[[nodiscard]] inline double toSeconds(std::chrono::microseconds time) {
    return static_cast<double>(time.count()) / 1e6;
}

/// Load options as Settings keeps them for each model: only what differs from the default is written.
[[nodiscard]] QJsonObject toJson(const EngineConfig& config);
/// Unknown keys and values out of range are ignored: the default stands.
[[nodiscard]] EngineConfig engineConfigFromJson(const QJsonObject& object);

} // namespace vitrine::ui
