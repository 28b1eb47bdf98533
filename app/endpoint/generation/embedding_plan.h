// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: the inputs of an embedding request, checked against the model.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <tl/expected.hpp>
#include <vector>

#include "app/endpoint/api_error.h"
#include "app/endpoint/model_switch.h"

namespace vitrine::app {

struct EmbeddingPlan {
    std::vector<std::vector<engine::TokenId>> inputs; // none empty, each within the context
    int dimensions = 0; // 0: all
};

/// `field`: a text, token ids, or an array of these; `dimensions`.  truncate: an input longer than the context is cut
/// instead of refused.
[[nodiscard]] tl::expected<EmbeddingPlan, ApiError> plan_embeddings(
    const nlohmann::ordered_json& body, const char* field, const ModelLease& lease, bool truncate);

} // namespace vitrine::app
