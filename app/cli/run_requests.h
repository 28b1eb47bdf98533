// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: submits requests to the engine together and waits for all of them.
#pragma once

#include <string>
#include <vector>

#include "engine/api/engine.h"

namespace vitrine::app {

/// Everything one choice gave.
struct ChoiceResult {
    std::vector<engine::TokenId> ids;
    std::string text;
    std::string reasoning;
    std::vector<engine::TokenLogprobs> logprobs;
    engine::Finished finished;
};
struct RequestResult {
    std::vector<ChoiceResult> choices;
    engine::Admitted admitted;
    std::vector<engine::TokenLogprobs> prompt_logprobs;
    std::optional<Error> rejected;
};

/// Results in order of the requests.  Blocks.  Error: busy and the like at submit.
[[nodiscard]] Result<std::vector<RequestResult>> run_requests(
    engine::Engine& engine, std::vector<engine::Request> requests);

} // namespace vitrine::app
