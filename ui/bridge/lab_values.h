// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: the laboratory's pure functions as the Lab page may use them; any thread.
#pragma once

#include "ui/bridge/values.h"

#pragma push_macro("slots")
#undef slots
#include "engine/lab/ablation.h"
#include "engine/lab/capacity.h"
#include "engine/lab/paging.h"
#include "engine/lab/policy_measures.h"
#include "engine/lab/policy_trace.h"
#include "engine/lab/simulator.h"
#pragma pop_macro("slots")

namespace vitrine::ui {

using engine::ablation_arguments;
using engine::ablation_of;
using engine::AblationLoad;
using engine::AblationOptions;
using engine::AblationProgress;
using engine::AblationReport;
using engine::AblationRow;
using engine::CapacityQuestion;
using engine::compare_paging;
using engine::LoadShape;
using engine::make_trace;
using engine::measure_policy;
using engine::Objective;
using engine::PagingComparison;
using engine::PagingQuestion;
using engine::PagingRequest;
using engine::PagingSide;
using engine::plan_capacity;
using engine::PolicyMeasures;
using engine::PolicyResult;
using engine::PolicyTrace;
using engine::pool_capacity;
using engine::PoolCapacity;
using engine::run_ablation;
using engine::simulate;
using engine::SimulatedRequest;
using engine::toy_trace;
using engine::TraceRequest;
using engine::WorkloadFigures;

} // namespace vitrine::ui
