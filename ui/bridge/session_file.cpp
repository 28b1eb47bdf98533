// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: sessions written; session_reader.cpp reads them.
#include "ui/bridge/session_file.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <cmath>

#pragma push_macro("slots")
#undef slots
#include "engine/stats/trace_export.h"
#pragma pop_macro("slots")
#include "ui/bridge/qt_convert.h"
#include "ui/bridge/reading_file.h"
#include "ui/bridge/session_fields.h"

namespace vitrine::ui {
namespace {

std::vector<StepRecord> stepsIn(const StepHistory& history, const TimeRange& range) {
    std::vector<StepRecord> result;
    for (std::size_t i = 0; i < history.steps().size(); ++i) {
        const StepRecord& step = history.steps()[i];
        if (!range || (stepEnd(step) > range->first && stepStart(step) < range->second))
            result.push_back(step);
    }
    return result;
}

QJsonArray statusToJson(const BlockStatus& block) {
    return {static_cast<int>(block.state), block.references, static_cast<qint64>(block.owner),
        static_cast<qint64>(block.last_used_ms), block.group, block.window_freed ? 1 : 0};
}

constexpr qint64 kUseTolerance = 60; // ms: of two ages that tell one moment, as in BlockHistory

/// Whether a block was used again without looking different: taken and given back between two frames.
bool isUsedAgain(const BlockStatus& now, const BlockStatus& before, qint64 passedMs) {
    const qint64 moved = before.last_used_ms + passedMs - now.last_used_ms;
    return now.state != engine::BlockState::free && moved > kUseTolerance;
}

QJsonArray framesToJson(const BlockHistory& blocks) {
    QJsonArray frames;
    std::vector<BlockStatus> last; // as the reader has them: changed where a change was written
    std::vector<double> written; // time of the frame that wrote it
    blocks.forEachFrame([&](const BlockFrame& frame) {
        const bool whole = frame.blocks.size() != last.size();
        last.resize(frame.blocks.size());
        written.resize(frame.blocks.size());
        QJsonArray changes;
        for (std::size_t i = 0; i < frame.blocks.size(); ++i) {
            const auto passed = std::llround((frame.time - written[i]) * 1000);
            if (!whole && isSameUse(frame.blocks[i], last[i]) && !isUsedAgain(frame.blocks[i], last[i], passed))
                continue;
            QJsonArray change = statusToJson(frame.blocks[i]);
            change.prepend(static_cast<qint64>(i));
            changes.append(change);
            last[i] = frame.blocks[i];
            written[i] = frame.time;
        }
        frames.append(QJsonObject{{QStringLiteral("time"), frame.time},
            {QStringLiteral("count"), static_cast<qint64>(frame.blocks.size())}, {QStringLiteral("changes"), changes}});
    });
    return frames;
}

QJsonObject modelToJson(const LoadedModel& model) {
    QJsonArray kernels;
    for (const auto& kernel : model.kernels)
        kernels.append(
            QJsonArray{toQString(kernel.op), toQString(kernel.kernel), kernel.fused, toQString(kernel.reason)});
    return {{QStringLiteral("name"), toQString(model.info.name)},
        {QStringLiteral("quantization"), toQString(model.info.quantization)},
        {QStringLiteral("device"), toQString(model.device.name)}, {QStringLiteral("context"), model.context},
        {QStringLiteral("draft"), QString(model.config.draft.empty() ? QString() : QStringLiteral("yes"))},
        {QStringLiteral("block_tokens"), model.plan.block_tokens},
        {QStringLiteral("weight_bytes"), static_cast<qint64>(model.measured_weight_bytes)},
        {QStringLiteral("kv_bytes"), static_cast<qint64>(model.measured_kv_bytes)},
        {QStringLiteral("kernels"), kernels}};
}

QJsonArray ratesToJson(const HistoryRing<RatePoint>& points) {
    QJsonArray array;
    for (std::size_t i = 0; i < points.size(); ++i) {
        QJsonArray row{points[i].time};
        forEachRate(points[i].rates, [&](double value) { row.append(std::isinf(value) ? -1 : value); });
        array.append(row);
    }
    return array;
}

QJsonArray requestsToJson(const std::map<quint32, RequestNote>& notes) {
    QJsonArray array;
    for (const auto& [sequence, note] : notes)
        array.append(QJsonArray{static_cast<qint64>(sequence), static_cast<qint64>(note.request),
            static_cast<int>(note.source), note.promptTokens, note.cachedTokens, note.outputTokens, note.preemptions,
            note.blocks, note.arrival, note.firstToken});
    return array;
}

} // namespace

QByteArray sessionToJson(const SessionHistory& session) {
    QJsonArray steps, lines;
    for (std::size_t i = 0; i < session.steps().steps().size(); ++i) {
        StepRecord step = session.steps().steps()[i];
        QJsonArray row;
        forEachStepField(step, [&](const char*, auto& value) { row.append(static_cast<qint64>(value)); });
        for (const std::uint16_t accepted : step.accepted_per_position)
            row.append(accepted);
        steps.append(row);
    }
    for (std::size_t i = 0; i < session.steps().lines().size(); ++i) {
        SequenceLine line = session.steps().lines()[i];
        QJsonArray row;
        forEachLineField(line, [&](const char*, auto& value) { row.append(static_cast<qint64>(value)); });
        lines.append(row);
    }
    QJsonObject root{{QLatin1String(kSessionTag), kSessionVersion}, {QStringLiteral("steps"), steps},
        {QStringLiteral("saved"),
            session.saved().isEmpty() ? QDateTime::currentDateTimeUtc().toString(Qt::ISODate) : session.saved()},
        {QStringLiteral("lines"), lines}, {QStringLiteral("rates"), ratesToJson(session.rates())},
        {QStringLiteral("requests"), requestsToJson(session.requests())},
        {QStringLiteral("blocks"), framesToJson(session.blocks())}};
    if (session.server()) {
        QJsonArray readings;
        for (std::size_t i = 0; i < session.readings().size(); ++i)
            readings.append(readingToJson(session.readings()[i]));
        root.insert(QStringLiteral("server"), factsToJson(*session.server()));
        root.insert(QStringLiteral("readings"), readings);
    }
    if (session.last() && session.last()->model)
        root.insert(QStringLiteral("model"), modelToJson(*session.last()->model));
    return QJsonDocument(root).toJson(QJsonDocument::Compact);
}

QByteArray stepsToCsv(const StepHistory& history, const TimeRange& range) {
    QByteArray csv;
    QByteArrayList cells;
    StepRecord empty;
    forEachStepField(empty, [&](const char* name, auto&) { cells += name; });
    for (std::size_t i = 0; i < empty.accepted_per_position.size(); ++i)
        cells += "accepted_" + QByteArray::number(static_cast<int>(i + 1));
    csv = cells.join(',') + '\n';
    for (StepRecord& step : stepsIn(history, range)) {
        cells.clear();
        forEachStepField(step, [&](const char*, auto& value) { cells += QByteArray::number(qint64(value)); });
        for (const std::uint16_t accepted : step.accepted_per_position)
            cells += QByteArray::number(accepted);
        csv += cells.join(',') + '\n';
    }
    return csv;
}

QByteArray stepsToJson(const StepHistory& history, const TimeRange& range) {
    QJsonArray steps;
    for (StepRecord& step : stepsIn(history, range)) {
        QJsonObject object;
        forEachStepField(step,
            [&](const char* name, auto& value) { object.insert(QLatin1String(name), static_cast<qint64>(value)); });
        QJsonArray accepted;
        for (const std::uint16_t count : step.accepted_per_position)
            accepted.append(count);
        object.insert(QStringLiteral("accepted_per_position"), accepted);
        steps.append(object);
    }
    return QJsonDocument(steps).toJson();
}

QByteArray stepsToTrace(const StepHistory& history, const TimeRange& range) {
    const std::vector<StepRecord> steps = stepsIn(history, range);
    std::vector<SequenceLine> lines;
    for (std::size_t i = 0; i < history.lines().size(); ++i)
        if (!steps.empty() && history.lines()[i].step >= steps.front().step &&
            history.lines()[i].step <= steps.back().step)
            lines.push_back(history.lines()[i]);
    return QByteArray::fromStdString(engine::export_trace(steps, lines));
}

} // namespace vitrine::ui
