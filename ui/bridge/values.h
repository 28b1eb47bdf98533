// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: the engine's values as pages may use them.  Pages include this, never an engine header.
#pragma once

#include <QDataStream>

// Qt's keyword `slots` is the name of a member of the engine's StepArgs; it is put aside while those headers are read.
#pragma push_macro("slots")
#undef slots
#include "engine/api/engine_config.h"
#include "engine/api/event.h"
#include "engine/api/model_info.h"
#include "engine/api/request.h"
#include "engine/api/snapshot.h"
#include "engine/api/step_record.h"
#pragma pop_macro("slots")

namespace vitrine::engine {
// QMetaType wants these of every enum in a signal; Qt's own template does not take one over `unsigned long`.
inline QDataStream& operator<<(QDataStream& stream, RequestId id) {
    return stream << static_cast<quint64>(id);
}
inline QDataStream& operator>>(QDataStream& stream, RequestId& id) {
    quint64 value = 0;
    stream >> value;
    id = RequestId{value};
    return stream;
}
class Engine;
class TextModel;
struct LoadProgress;
} // namespace vitrine::engine

namespace vitrine::ui {

using engine::Admitted;
using engine::BatchPolicy;
using engine::BlockCounts;
using engine::BlockState;
using engine::BlockStatus;
using engine::ChatPrompt;
using engine::Counters;
using engine::Delta;
using engine::DevicePlan;
using engine::EngineConfig;
using engine::Finished;
using engine::FinishReason;
using engine::LoadedModel;
using engine::LoadPlan;
using engine::MissReason;
using engine::ModelInfo;
using engine::PrefixMiss;
using engine::Progress;
using engine::Rates;
using engine::Rejected;
using engine::Request;
using engine::RequestId;
using engine::RequestSource;
using engine::RequestTimings;
using engine::SamplingParams;
using engine::SequenceLine;
using engine::SequenceState;
using engine::SequenceStatus;
using engine::SlowCause;
using engine::SlowFigures;
using engine::Snapshot;
using engine::StepRecord;
using engine::StopParams;
using engine::TokenId;
using engine::TokenLogprobs;
using engine::Usage;
using kernels::KvType;

} // namespace vitrine::ui
