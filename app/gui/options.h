// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/gui: the command line of the window.
#pragma once

#include <QString>
#include <QStringList>
#include <optional>

#include "ui/bridge/values.h"

namespace vitrine::app {

struct Options {
    QString model; // path, "default", or empty: the last one used, else the default one
    QString device; // empty: as in the settings
    QString page; // empty: the last one
    std::optional<quint16> servePort;
    bool headless = false; // the endpoint alone, no window
    QString screenshot; // save the window there and quit
    int screenshotAfterMs = 1'000;
    QString dataDir; // empty: engine::data_dir()
    QString style; // light, dark, contrast, system; empty: as in the settings
    bool demo = false;
};

/// What the arguments ask for: options, or a text to print and an exit code (help, version, usage error: 2).
struct CommandLine {
    std::optional<Options> options;
    QString text;
    int exitCode = 0;
};
[[nodiscard]] CommandLine parseCommandLine(const QStringList& arguments);

} // namespace vitrine::app
