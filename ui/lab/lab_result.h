// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/lab: what an experiment found: guesses beside measures, charts, tables; and as a file.
#pragma once

#include "ui/bridge/values.h"
#include "ui/lab/lab_text.h"

#include <QDateTime>
#include <QJsonObject>
#include <QMap>
#include <QPointF>
#include <QString>

#include <optional>
#include <vector>

namespace vitrine::ui {

/// A measure beside what was guessed of it.
struct LabMeasure {
    LabText name, detail; // "First token", "TTFT p50"
    LabText guess; // as words; empty: nothing was asked
    LabTexts values; // one a column of LabResult::columns
    LabText unit;
    LabText verdict; // "better, 0.47 s sooner"
    std::optional<bool> right; // of the guess
};

struct LabSeries {
    LabText name;
    std::vector<QPointF> points;
    bool expected = false; // from a formula, drawn dashed; the others are measured
};

/// One stretch in a row of a Gantt chart, seconds.
struct LabSpan {
    enum class Kind : std::uint8_t { arrival, queued, prefill, decode, padding, end };
    int row = 0;
    double start = 0, end = 0;
    Kind kind = Kind::decode;
    LabText text;
};

struct LabChart {
    enum class Kind : std::uint8_t { lines, bars, gantt };
    Kind kind = Kind::lines;
    LabText title, xLabel, yLabel;
    std::vector<LabSeries> series; // bars: x is the index of the category
    LabTexts categories; // bars: names; gantt: names of the rows, a leading "#" starts a group
    std::vector<LabSpan> spans; // gantt
};

struct LabTable {
    LabText title;
    LabTexts head;
    std::vector<LabTexts> rows;
};

struct LabResult {
    QString experiment; // Experiment::name()
    QDateTime time;
    QString model, device; // empty: none was needed
    QString locale; // of the numbers in the texts of an older file; empty: they are kept as numbers
    QMap<QString, double> settings;
    QMap<QString, QString> guesses; // by LabGuess::name
    LabTexts columns; // heads of LabMeasure::values
    std::vector<LabMeasure> measures;
    std::vector<LabChart> charts;
    std::vector<LabTable> tables;
    LabTexts notes; // sentences below
    LabText conclusion; // one sentence, with its figure

    [[nodiscard]] int numGuesses() const;
    [[nodiscard]] int numRight() const;
};

[[nodiscard]] QByteArray labToJson(const LabResult& result);
/// `bad_file` names what is missing or out of range.
[[nodiscard]] Result<LabResult> labFromJson(const QByteArray& json);
/// Measures, then each table and chart, parted by empty lines.  Numbers have a point and no groups in every language.
[[nodiscard]] QByteArray labToCsv(const LabResult& result);

} // namespace vitrine::ui
