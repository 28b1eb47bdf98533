// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: the subcommands: options and console in, exit code out.  One cmd_*.cpp each.
#pragma once

#include "app/cli/console.h"
#include "app/cli/options.h"
#include "engine/lab/ablation.h"

namespace vitrine::app {

int run_command(const InfoOptions& options, Console& console);
int run_command(const TokenizeOptions& options, Console& console);
int run_command(const DetokenizeOptions& options, Console& console);
int run_command(const RenderOptions& options, Console& console);
int run_command(const GenerateOptions& options, Console& console);
int run_command(const LogitsOptions& options, Console& console);
int run_command(const ChatOptions& options, Console& console);
int run_command(const ServeOptions& options, Console& console); // cmd_serve.cpp
int run_command(const BenchOptions& options, Console& console);
int run_command(const PerplexityOptions& options, Console& console);
int run_command(const PlanOptions& options, Console& console);
int run_command(const SynthOptions& options, Console& console);
int run_command(const PolicyOptions& options, Console& console);
int run_command(const QuantizeOptions& options, Console& console);
int run_command(const QualityOptions& options, Console& console);
int run_command(const ImatrixOptions& options, Console& console);
int run_command(const AblateOptions& options, Console& console);
int run_command(const TraceOptions& options, Console& console);

[[nodiscard]] engine::AblationOptions ablation_options(const AblateOptions& options); // cmd_ablate.cpp

} // namespace vitrine::app
