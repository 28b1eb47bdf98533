// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/base: where chats, settings and models live.
#pragma once

#include <filesystem>
#include <vector>

namespace vitrine::engine {

/// $VITRINE_DATA_DIR, else $XDG_DATA_HOME/vitrine, else ~/.local/share/vitrine.  Not created.
[[nodiscard]] std::filesystem::path data_dir();
/// The file that `packaging/run` fetches: models/SmolLM2-135M-Instruct.Q4_1.gguf in data_dir().
[[nodiscard]] std::filesystem::path default_model_path();
/// Where models are looked for, our own folder first: data_dir()/models, $VITRINE_MODELS (a colon list), LM Studio,
/// Ollama, Hugging Face cache.  Only the first is ever written.  Folders that do not exist are listed too.
[[nodiscard]] std::vector<std::filesystem::path> model_folders();

} // namespace vitrine::engine
