// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/gui: --headless: the endpoint alone.
#pragma once

#include "app/gui/options.h"

namespace vitrine::engine {
class Engine;
}

namespace vitrine::app {

/// Loads the model, starts the endpoint, says its address on stdout and runs until a signal; returns the exit code.
/// Requires a QCoreApplication.
int runHeadless(engine::Engine& engine, const Options& options, const QString& dataDir, const QString& defaultModel);

} // namespace vitrine::app
