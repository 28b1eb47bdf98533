// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: readings of a server as JSON, and as tables.
#include "ui/bridge/reading_file.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <algorithm>
#include <cmath>

#include "ui/bridge/session_file.h"

namespace vitrine::ui {
namespace {

QJsonValue numberToJson(double value) {
    return std::isfinite(value) ? QJsonValue(value) : QJsonValue(QJsonValue::Null);
}

bool numberFromJson(const QJsonValue& value, double& into) {
    if (value.isNull() || value.isUndefined())
        return true; // not told
    constexpr double kMost = 9e15; // whole numbers are exact up to there
    into = value.toDouble(ServerReading::kUntold);
    return into >= 0 && into < kMost;
}

QJsonValue histogramToJson(const ServerHistogram& histogram) {
    if (histogram.empty())
        return QJsonValue::Null;
    QJsonArray bounds, counts;
    for (std::size_t i = 0; i + 1 < histogram.bounds.size(); ++i)
        bounds.append(histogram.bounds[i]);
    for (const double count : histogram.counts)
        counts.append(count);
    return QJsonObject{{QStringLiteral("bounds"), bounds}, {QStringLiteral("counts"), counts},
        {QStringLiteral("sum"), numberToJson(histogram.sum)}};
}

bool histogramFromJson(const QJsonValue& value, ServerHistogram& into) {
    if (value.isNull() || value.isUndefined())
        return true;
    const QJsonObject object = value.toObject();
    const QJsonArray bounds = object.value(QLatin1String("bounds")).toArray();
    const QJsonArray counts = object.value(QLatin1String("counts")).toArray();
    bool good = counts.size() == bounds.size() + 1 && numberFromJson(object.value(QLatin1String("sum")), into.sum);
    for (const QJsonValue bound : bounds) {
        double number = 0;
        good = good && numberFromJson(bound, number) && (into.bounds.empty() || number > into.bounds.back());
        into.bounds.push_back(number);
    }
    into.bounds.push_back(std::numeric_limits<double>::infinity());
    for (const QJsonValue count : counts) {
        double number = 0;
        good = good && numberFromJson(count, number);
        into.counts.push_back(number);
    }
    return good && std::is_sorted(into.counts.begin(), into.counts.end());
}

bool isIn(const ServerReading& reading, const TimeRange& range) {
    return !range || (reading.time >= range->first && reading.time <= range->second);
}

} // namespace

QJsonObject readingToJson(const ServerReading& reading) {
    QJsonObject object{{QStringLiteral("time"), reading.time}, {QStringLiteral("restarted"), reading.restarted},
        {QStringLiteral("own"), reading.own}};
    const auto number = [&](const char* name, double value) {
        object.insert(QLatin1String(name), numberToJson(value));
    };
    forEachGauge(reading, number);
    forEachCounter(reading, number);
    forEachHistogram(reading, [&](const char* name, const ServerHistogram& histogram) {
        object.insert(QLatin1String(name), histogramToJson(histogram));
    });
    return object;
}

std::optional<ServerReading> readingFromJson(const QJsonObject& object) {
    ServerReading reading;
    bool good = object.value(QLatin1String("time")).isDouble() &&
        numberFromJson(object.value(QLatin1String("time")), reading.time);
    reading.restarted = object.value(QLatin1String("restarted")).toBool();
    reading.own = object.value(QLatin1String("own")).toBool();
    const auto number = [&](const char* name, double& value) {
        good = numberFromJson(object.value(QLatin1String(name)), value) && good;
    };
    forEachGauge(reading, number);
    forEachCounter(reading, number);
    forEachHistogram(reading, [&](const char* name, ServerHistogram& histogram) {
        good = histogramFromJson(object.value(QLatin1String(name)), histogram) && good;
    });
    return good ? std::optional(reading) : std::nullopt;
}

QJsonObject factsToJson(const ServerFacts& facts) {
    return {{QStringLiteral("name"), facts.name}, {QStringLiteral("kind"), static_cast<int>(facts.kind)},
        {QStringLiteral("version"), facts.version}, {QStringLiteral("metrics_problem"), facts.metricsProblem}};
}

ServerFacts factsFromJson(const QJsonObject& object) {
    const auto text = [&](const char* name) { return object.value(QLatin1String(name)).toString(); };
    const int kind =
        std::clamp(object.value(QLatin1String("kind")).toInt(), 0, static_cast<int>(ServerKind::tensorRtLlm));
    return {text("name"), {}, static_cast<ServerKind>(kind), text("version"), text("metrics_problem")};
}

QByteArray readingsToCsv(const HistoryRing<ServerReading>& readings, const TimeRange& range) {
    QByteArrayList cells{"time", "restarted"};
    const auto name = [&](const char* field, double) { cells += field; };
    const ServerReading empty;
    forEachGauge(empty, name);
    forEachCounter(empty, name);
    cells += "own"; // new columns stand at the end
    QByteArray csv = cells.join(',') + '\n';
    for (std::size_t i = 0; i < readings.size(); ++i) {
        if (!isIn(readings[i], range))
            continue;
        cells = {QByteArray::number(readings[i].time, 'f', 6), readings[i].restarted ? "1" : "0"};
        const auto number = [&](const char*, double value) {
            cells += std::isnan(value) ? QByteArray() : QByteArray::number(value, 'g', 15);
        };
        forEachGauge(readings[i], number);
        forEachCounter(readings[i], number);
        cells += readings[i].own ? "1" : "0";
        csv += cells.join(',') + '\n';
    }
    return csv;
}

QByteArray readingsToJson(const HistoryRing<ServerReading>& readings, const TimeRange& range) {
    QJsonArray array;
    for (std::size_t i = 0; i < readings.size(); ++i)
        if (isIn(readings[i], range))
            array.append(readingToJson(readings[i]));
    return QJsonDocument(array).toJson();
}

} // namespace vitrine::ui
