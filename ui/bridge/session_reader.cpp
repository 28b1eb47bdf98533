// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: sessions read; every number of the file is checked before it is used.
#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/bridge/qt_convert.h"
#include "ui/bridge/reading_file.h"
#include "ui/bridge/session_fields.h"
#include "ui/bridge/session_file.h"

namespace vitrine::ui {
namespace {

constexpr int kStepFields = 29, kLineFields = 10, kRateFields = 16, kRequestFields = 10, kChangeFields = 7;
constexpr int kPositions = 16;
constexpr int kFirstVersion = 1, kStepFieldsOfFirst = 28, kChangeFieldsOfFirst = 5;
constexpr qint64 kMaxBlocks = 1 << 22;
constexpr double kMaxBlockStates = 1.5e9; // blocks times frames: more than a history of 64 MiB holds of 65,536 blocks
constexpr double kMaxSeconds = 1e9;
constexpr double kUnreached = -1; // JSON has no infinity

struct SessionText {
    Q_DECLARE_TR_FUNCTIONS(SessionText)
};

tl::unexpected<Error> refuse(const QString& message, const QString& remedy) {
    return fail(ErrorCode::bad_file, toStdString(message), toStdString(remedy));
}

/// The finite number of a cell, or NaN.
double numberOf(const QJsonValue& value) {
    const double number = value.toDouble(std::nan(""));
    return std::isfinite(number) && std::abs(number) < 9e15 ? number : std::nan("");
}

template <class T>
bool assign(T& target, const QJsonValue& value) {
    const double number = numberOf(value);
    if (!(number >= 0) || number > static_cast<double>(std::numeric_limits<T>::max()))
        return false;
    target = static_cast<T>(number);
    return true;
}

} // namespace

/// Fills a SessionHistory; stops at the first field that does not fit.
class SessionReader {
public:
    Result<SessionHistory> read(const QByteArray& json) {
        QJsonParseError error;
        const QJsonDocument document = QJsonDocument::fromJson(json, &error);
        if (error.error != QJsonParseError::NoError)
            return refuse(
                SessionText::tr("The recording is not JSON: %1 at byte %2.").arg(error.errorString()).arg(error.offset),
                SessionText::tr("Choose a file that Vitrine saved with Save recording."));
        const QJsonObject root = document.object();
        const int version = root.value(QLatin1String(kSessionTag)).toInt(-1);
        m_stepFields = version == kFirstVersion ? kStepFieldsOfFirst : kStepFields;
        m_changeFields = version == kFirstVersion ? kChangeFieldsOfFirst : kChangeFields;
        if (version != kSessionVersion && version != kFirstVersion)
            return refuse(version < 0
                    ? SessionText::tr("The file has no field vitrine_session: it is no recording of Vitrine.")
                    : SessionText::tr("The recording has version %1, this program reads version %2.")
                          .arg(version)
                          .arg(kSessionVersion),
                SessionText::tr("Choose a file that this version of Vitrine saved."));
        m_session.m_saved = root.value(QStringLiteral("saved")).toString().left(40);
        readModel(root.value(QStringLiteral("model")).toObject());
        const bool good = hasLists(root) && readSteps(root.value(QStringLiteral("steps")).toArray()) &&
            readLines(root.value(QStringLiteral("lines")).toArray()) &&
            readRates(root.value(QStringLiteral("rates")).toArray()) &&
            readRequests(root.value(QStringLiteral("requests")).toArray()) &&
            readFrames(root.value(QStringLiteral("blocks")).toArray()) && readServer(root);
        if (!good)
            return refuse(SessionText::tr("The recording is damaged: %1.").arg(m_problem),
                SessionText::tr("Choose another file, or record the session again."));
        finish();
        return std::move(m_session);
    }

private:
    bool problem(const char* part, qsizetype row, const char* what) {
        m_problem = SessionText::tr("%1 row %2 %3").arg(QLatin1String(part)).arg(row + 1).arg(SessionText::tr(what));
        return false;
    }
    bool hasLists(const QJsonObject& root) {
        for (const char* part : {"steps", "lines", "rates", "requests", "blocks", "readings"})
            if (const QJsonValue value = root.value(QLatin1String(part)); !value.isUndefined() && !value.isArray()) {
                m_problem = SessionText::tr("%1 is no list").arg(QLatin1String(part));
                return false;
            }
        return true;
    }
    void readModel(const QJsonObject& object) {
        LoadedModel& model = *m_model;
        const auto text = [&](const char* name) { return toStdString(object.value(QLatin1String(name)).toString()); };
        model.info.name = text("name");
        model.info.quantization = text("quantization");
        model.device.name = text("device");
        model.config.draft = text("draft");
        model.context = std::max(0, object.value(QStringLiteral("context")).toInt());
        model.plan.block_tokens = std::clamp(object.value(QStringLiteral("block_tokens")).toInt(16), 1, 1024);
        assign(model.measured_weight_bytes, object.value(QStringLiteral("weight_bytes")));
        assign(model.measured_kv_bytes, object.value(QStringLiteral("kv_bytes")));
        const QJsonArray kernels = object.value(QStringLiteral("kernels")).toArray();
        for (const QJsonValue& value : kernels) {
            const QJsonArray row = value.toArray();
            model.kernels.push_back({toStdString(row.at(0).toString()), toStdString(row.at(1).toString()),
                row.at(2).toBool(true), toStdString(row.at(3).toString())});
        }
    }
    bool readSteps(const QJsonArray& rows) {
        quint64 last = 0, start = 0;
        for (qsizetype i = 0; i < rows.size(); ++i) {
            const QJsonArray row = rows.at(i).toArray();
            if (row.size() != m_stepFields + kPositions)
                return problem("steps", i, QT_TRANSLATE_NOOP("SessionText", "has a wrong number of values"));
            StepRecord step;
            int column = 0;
            bool good = true;
            forEachStepField(step, [&](const char*, auto& value) {
                if (column < m_stepFields)
                    good &= assign(value, row.at(column++));
            });
            for (std::uint16_t& accepted : step.accepted_per_position)
                good &= assign(accepted, row.at(column++));
            if (!good)
                return problem("steps", i, QT_TRANSLATE_NOOP("SessionText", "has a value that is no count"));
            if (i > 0 && (step.step <= last || step.start_us < start))
                return problem("steps", i, QT_TRANSLATE_NOOP("SessionText", "does not follow the step before it"));
            if (static_cast<double>(step.start_us) > kMaxSeconds * 1e6)
                return problem("steps", i, QT_TRANSLATE_NOOP("SessionText", "has a time out of range"));
            last = step.step;
            start = step.start_us;
            m_session.add(step);
        }
        return true;
    }
    bool readLines(const QJsonArray& rows) {
        for (qsizetype i = 0; i < rows.size(); ++i) {
            const QJsonArray row = rows.at(i).toArray();
            SequenceLine line;
            int column = 0;
            bool good = row.size() == kLineFields;
            forEachLineField(line, [&](const char*, auto& value) { good = good && assign(value, row.at(column++)); });
            if (!good || line.kind > 5 || line.finish > static_cast<int>(FinishReason::error))
                return problem("lines", i, QT_TRANSLATE_NOOP("SessionText", "has a value out of range"));
            m_session.add(line);
        }
        return true;
    }
    bool readRates(const QJsonArray& rows) {
        for (qsizetype i = 0; i < rows.size(); ++i) {
            const QJsonArray row = rows.at(i).toArray();
            RatePoint point;
            point.time = numberOf(row.at(0));
            int column = 1;
            bool good = row.size() == kRateFields && point.time >= 0 && point.time < kMaxSeconds;
            forEachRate(point.rates, [&](double& value) {
                value = numberOf(row.at(column++));
                if (value == kUnreached)
                    value = std::numeric_limits<double>::infinity();
                good = good && value >= 0;
            });
            if (!good || (!m_session.m_rates.empty() && point.time < m_session.m_rates.back().time))
                return problem("rates", i, QT_TRANSLATE_NOOP("SessionText", "has a value out of range"));
            m_session.m_rates.push(point);
        }
        return true;
    }
    bool readRequests(const QJsonArray& rows) {
        if (rows.size() > static_cast<qsizetype>(SessionHistory::kMaxRequests))
            return problem("requests", SessionHistory::kMaxRequests,
                QT_TRANSLATE_NOOP("SessionText", "is one more than a recording holds"));
        for (qsizetype i = 0; i < rows.size(); ++i) {
            const QJsonArray row = rows.at(i).toArray();
            RequestNote note;
            int source = 0;
            bool good = row.size() == kRequestFields && assign(note.sequence, row.at(0)) &&
                assign(note.request, row.at(1)) && assign(source, row.at(2)) && assign(note.promptTokens, row.at(3)) &&
                assign(note.cachedTokens, row.at(4)) && assign(note.outputTokens, row.at(5)) &&
                assign(note.preemptions, row.at(6)) && assign(note.blocks, row.at(7));
            note.arrival = numberOf(row.at(8));
            note.firstToken = numberOf(row.at(9));
            good = good && source <= static_cast<int>(RequestSource::lab) && note.firstToken >= 0 &&
                std::abs(note.arrival) < kMaxSeconds;
            if (!good)
                return problem("requests", i, QT_TRANSLATE_NOOP("SessionText", "has a value out of range"));
            note.source = static_cast<RequestSource>(source);
            m_session.m_requests[note.sequence] = note;
        }
        return true;
    }
    bool readFrames(const QJsonArray& frames) {
        std::vector<BlockStatus> blocks;
        std::vector<double> used; // seconds
        double last = -1, numStates = 0;
        for (qsizetype i = 0; i < frames.size(); ++i) { // before any work: each state costs some
            numStates += frames.at(i).toObject().value(QStringLiteral("count")).toDouble();
            if (numStates > kMaxBlockStates)
                return problem(
                    "blocks", i, QT_TRANSLATE_NOOP("SessionText", "brings more block states than a recording holds"));
        }
        for (qsizetype i = 0; i < frames.size(); ++i) {
            const QJsonObject frame = frames.at(i).toObject();
            const double time = numberOf(frame.value(QStringLiteral("time")));
            const double count = numberOf(frame.value(QStringLiteral("count")));
            if (!(time > last) || time > kMaxSeconds || !(count >= 1) || count > static_cast<double>(kMaxBlocks))
                return problem("blocks", i, QT_TRANSLATE_NOOP("SessionText", "has a time or a count out of range"));
            last = time;
            blocks.resize(static_cast<std::size_t>(count));
            used.resize(blocks.size());
            const QJsonArray changes = frame.value(QStringLiteral("changes")).toArray();
            for (const QJsonValue& value : changes) {
                const QJsonArray change = value.toArray();
                quint32 index = 0;
                int state = 0;
                BlockStatus block;
                const bool hasWindow = m_changeFields == kChangeFields;
                int freed = 0;
                if (change.size() != m_changeFields || !assign(index, change.at(0)) || index >= blocks.size() ||
                    !assign(state, change.at(1)) || state > static_cast<int>(BlockState::active) ||
                    !assign(block.references, change.at(2)) || !assign(block.owner, change.at(3)) ||
                    !assign(block.last_used_ms, change.at(4)) ||
                    (hasWindow && (!assign(block.group, change.at(5)) || !assign(freed, change.at(6)) || freed > 1)))
                    return problem("blocks", i, QT_TRANSLATE_NOOP("SessionText", "has a change out of range"));
                block.state = static_cast<BlockState>(state);
                block.window_freed = freed == 1;
                blocks[index] = block;
                used[index] = time - block.last_used_ms / 1000.0;
            }
            for (std::size_t b = 0; b < blocks.size(); ++b)
                blocks[b].last_used_ms =
                    static_cast<quint32>(std::lround(std::clamp((time - used[b]) * 1000, 0.0, 4e9)));
            m_session.m_blocks.add(time, blocks);
        }
        m_lastBlocks = std::move(blocks);
        return true;
    }
    bool readServer(const QJsonObject& root) {
        if (!root.contains(QStringLiteral("server")))
            return true;
        m_session.setServer(factsFromJson(root.value(QStringLiteral("server")).toObject()));
        const QJsonArray rows = root.value(QStringLiteral("readings")).toArray();
        for (qsizetype i = 0; i < rows.size(); ++i) {
            const auto reading = readingFromJson(rows.at(i).toObject());
            const auto& known = m_session.readings();
            if (!reading || reading->time > kMaxSeconds || (!known.empty() && reading->time <= known.back().time))
                return problem("readings", i, QT_TRANSLATE_NOOP("SessionText", "has a value out of range"));
            m_session.add(*reading);
        }
        return true;
    }
    /// The snapshot that stands for the present of the recording: its end.
    void finish() {
        auto snapshot = std::make_shared<Snapshot>();
        snapshot->model = m_model;
        snapshot->block_map = std::move(m_lastBlocks);
        const auto& steps = m_session.steps().steps();
        double end = m_session.m_blocks.empty() ? 0 : m_session.m_blocks.lastTime();
        if (!m_session.readings().empty())
            end = std::max(end, m_session.readings().back().time);
        if (!steps.empty()) {
            end = std::max(end, stepEnd(steps.back()));
            snapshot->last_step = steps.back().step;
            snapshot->running = steps.back().running;
            snapshot->waiting = steps.back().waiting;
        }
        for (const BlockStatus& block : snapshot->block_map) {
            ++snapshot->blocks.total;
            snapshot->blocks.free += block.state == BlockState::free;
            snapshot->blocks.cached += block.state == BlockState::cached;
            snapshot->blocks.active += block.state == BlockState::active;
            snapshot->blocks.shared += block.state == BlockState::active && block.references >= 2;
        }
        snapshot->engine_us = static_cast<std::uint64_t>(end * 1e6);
        if (!m_session.m_rates.empty())
            snapshot->rates = m_session.m_rates.back().rates;
        m_session.m_last = std::move(snapshot);
    }

    SessionHistory m_session;
    std::shared_ptr<LoadedModel> m_model = std::make_shared<LoadedModel>();
    std::vector<BlockStatus> m_lastBlocks;
    QString m_problem;
    int m_stepFields = kStepFields, m_changeFields = kChangeFields;
};

Result<SessionHistory> sessionFromJson(const QByteArray& json) {
    return SessionReader().read(json);
}

} // namespace vitrine::ui
