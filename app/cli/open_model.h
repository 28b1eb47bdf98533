// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: from the MODEL argument to a loaded engine.
#pragma once

#include <memory>
#include <string>

#include "app/cli/console.h"
#include "app/cli/options.h"
#include "engine/api/engine.h"
#include "engine/gguf/file.h"
#include "engine/lab/direct_model.h"
#include "engine/lab/quality_report.h"

namespace vitrine::app {

/// `default` becomes the fetched model; anything else is a path.
[[nodiscard]] std::string model_path(const std::string& argument);

/// Opens the file for its metadata and vocabulary.
[[nodiscard]] Result<std::shared_ptr<const engine::gguf::File>> open_model_file(const std::string& argument);

/// Can the device asked for be used?  One that is not there is ErrorCode::device, whatever it says of itself.
[[nodiscard]] Result<void> check_device(const ModelOptions& options);
/// Loads and waits; check_device() first.
[[nodiscard]] Result<std::unique_ptr<engine::Engine>> open_engine(const ModelOptions& options);

/// Without an engine, for one that steps by hand.
[[nodiscard]] Result<engine::DirectModel> open_direct(
    const ModelOptions& options, int context, int num_sequences, kernels::InputObserver* observer = nullptr);

/// The file's whole text; - is the console's input.
[[nodiscard]] Result<std::string> read_text(const std::string& path, Console& console);
/// The same for a quality report; without a path the text that comes with the program.
[[nodiscard]] Result<engine::QualityText> read_quality_text(const std::string& path, Console& console);

} // namespace vitrine::app
