// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/endpoint: the fields that chat and legacy completions share.
#pragma once

#include "app/endpoint/json_fields.h"
#include "app/endpoint/openai/completion_plan.h"

namespace vitrine::app {

/// Sampling, length, stop, bias, counts and stream options, into `plan` and the request all prompts start from.
/// Errors stay in `fields`.
void read_shared_fields(Fields& fields, const engine::TextModel& text, CompletionPlan& plan, engine::Request& request);

} // namespace vitrine::app
