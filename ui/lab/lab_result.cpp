// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/lab: results as files.
#include "ui/lab/lab_result.h"

#include "ui/bridge/qt_convert.h"
#include "ui/lab/experiment.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QLocale>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace vitrine::ui {
namespace {

constexpr const char* kTag = "vitrine_experiment";
constexpr int kVersion = 2; // 1: texts as they were worded
constexpr qsizetype kMaxItems = 200'000;

QJsonArray toJson(const LabTexts& list) {
    QJsonArray array;
    for (const LabText& text : list)
        array.append(text.toJson());
    return array;
}

/// Reads texts, and remembers that one of them was none.
class TextReader {
public:
    [[nodiscard]] bool isDamaged() const { return m_isDamaged; }
    LabText text(const QJsonValue& value) {
        const auto read = LabText::fromJson(value);
        m_isDamaged = m_isDamaged || !read;
        return read.value_or(LabText());
    }
    LabText text(const QJsonObject& object, const char* name) { return text(object.value(QLatin1String(name))); }
    LabTexts list(const QJsonValue& value) {
        LabTexts texts;
        for (const QJsonValue& item : value.toArray())
            texts += text(item);
        return texts;
    }

private:
    bool m_isDamaged = false;
};

QJsonObject toJson(const LabMeasure& measure) {
    QJsonObject object{{QStringLiteral("name"), measure.name.toJson()},
        {QStringLiteral("detail"), measure.detail.toJson()}, {QStringLiteral("guess"), measure.guess.toJson()},
        {QStringLiteral("values"), toJson(measure.values)}, {QStringLiteral("unit"), measure.unit.toJson()},
        {QStringLiteral("verdict"), measure.verdict.toJson()}};
    if (measure.right)
        object.insert(QStringLiteral("right"), *measure.right);
    return object;
}

LabMeasure measureFrom(TextReader& read, const QJsonObject& object) {
    LabMeasure measure{read.text(object, "name"), read.text(object, "detail"), read.text(object, "guess"),
        read.list(object.value(QStringLiteral("values"))), read.text(object, "unit"), read.text(object, "verdict"), {}};
    if (const QJsonValue right = object.value(QStringLiteral("right")); right.isBool())
        measure.right = right.toBool();
    return measure;
}

QJsonObject toJson(const LabChart& chart) {
    QJsonArray series, spans;
    for (const LabSeries& one : chart.series) {
        QJsonArray points;
        for (const QPointF& point : one.points)
            points.append(QJsonArray{point.x(), point.y()});
        series.append(QJsonObject{{QStringLiteral("name"), one.name.toJson()},
            {QStringLiteral("expected"), one.expected}, {QStringLiteral("points"), points}});
    }
    for (const LabSpan& span : chart.spans)
        spans.append(QJsonArray{span.row, span.start, span.end, static_cast<int>(span.kind), span.text.toJson()});
    return {{QStringLiteral("kind"), static_cast<int>(chart.kind)}, {QStringLiteral("title"), chart.title.toJson()},
        {QStringLiteral("x"), chart.xLabel.toJson()}, {QStringLiteral("y"), chart.yLabel.toJson()},
        {QStringLiteral("series"), series}, {QStringLiteral("categories"), toJson(chart.categories)},
        {QStringLiteral("spans"), spans}};
}

std::optional<LabChart> chartFrom(TextReader& read, const QJsonObject& object) {
    LabChart chart;
    const int kind = object.value(QStringLiteral("kind")).toInt(-1);
    if (kind < 0 || kind > static_cast<int>(LabChart::Kind::gantt))
        return std::nullopt;
    chart.kind = static_cast<LabChart::Kind>(kind);
    chart.title = read.text(object, "title");
    chart.xLabel = read.text(object, "x");
    chart.yLabel = read.text(object, "y");
    chart.categories = read.list(object.value(QStringLiteral("categories")));
    for (const QJsonValue& value : object.value(QStringLiteral("series")).toArray()) {
        const QJsonObject one = value.toObject();
        LabSeries series{read.text(one, "name"), {}, one.value(QStringLiteral("expected")).toBool()};
        for (const QJsonValue& point : one.value(QStringLiteral("points")).toArray())
            series.points.emplace_back(point.toArray().at(0).toDouble(), point.toArray().at(1).toDouble(std::nan("")));
        chart.series.push_back(std::move(series));
    }
    for (const QJsonValue& value : object.value(QStringLiteral("spans")).toArray()) {
        const QJsonArray cells = value.toArray();
        const int span = cells.at(3).toInt(-1), row = cells.at(0).toInt(-1);
        if (span < 0 || span > static_cast<int>(LabSpan::Kind::end) || row < 0 || row >= chart.categories.size())
            return std::nullopt;
        chart.spans.push_back({row, cells.at(1).toDouble(), cells.at(2).toDouble(), static_cast<LabSpan::Kind>(span),
            read.text(cells.at(4))});
    }
    return chart;
}

/// Texts with the numbers of the C locale; in older files, which hold them as they were written, those of short texts.
class PlainNumbers {
public:
    explicit PlainNumbers(const QString& locale)
        : m_isOld(!locale.isEmpty()), m_locale(m_isOld ? QLocale(locale) : QLocale::c()),
          m_pattern(QStringLiteral("(?<![\\d.,])(?:\\d{1,3}(?:%1\\d{3})+(?:%2\\d+)?|\\d+%2\\d+)(?![\\d.,])")
                        .arg(QRegularExpression::escape(m_locale.groupSeparator()),
                            QRegularExpression::escape(m_locale.decimalPoint()))) {}
    [[nodiscard]] QString operator()(const LabText& kept) const {
        QString text = kept.text(QLocale::c());
        constexpr qsizetype kLongest = 32;
        if (!m_isOld || !kept.isPlain() || text.size() > kLongest)
            return text;
        qsizetype from = 0;
        for (auto match = m_pattern.match(text); match.hasMatch(); match = m_pattern.match(text, from)) {
            const QString plain = match.captured()
                                      .remove(m_locale.groupSeparator())
                                      .replace(m_locale.decimalPoint(), QStringLiteral("."));
            text.replace(match.capturedStart(), match.capturedLength(), plain);
            from = match.capturedStart() + plain.size();
        }
        return text;
    }
    [[nodiscard]] QStringList operator()(const LabTexts& kept) const {
        QStringList texts;
        for (const LabText& text : kept)
            texts += (*this)(text);
        return texts;
    }

private:
    bool m_isOld;
    QLocale m_locale;
    QRegularExpression m_pattern;
};

QByteArray quoted(const QString& text) {
    QByteArray bytes = text.toUtf8();
    if (bytes.contains(',') || bytes.contains('"') || bytes.contains('\n'))
        bytes = '"' + bytes.replace("\"", "\"\"") + '"';
    return bytes;
}

QByteArray line(const QStringList& cells) {
    QByteArrayList bytes;
    for (const QString& cell : cells)
        bytes += quoted(cell);
    return bytes.join(',') + '\n';
}

} // namespace

int LabResult::numGuesses() const {
    return static_cast<int>(
        std::count_if(measures.begin(), measures.end(), [](const LabMeasure& one) { return one.right.has_value(); }));
}

int LabResult::numRight() const {
    return static_cast<int>(std::count_if(
        measures.begin(), measures.end(), [](const LabMeasure& one) { return one.right.value_or(false); }));
}

QByteArray labToJson(const LabResult& result) {
    QJsonObject settings, guesses;
    for (auto it = result.settings.cbegin(); it != result.settings.cend(); ++it)
        settings.insert(it.key(), it.value());
    for (auto it = result.guesses.cbegin(); it != result.guesses.cend(); ++it)
        guesses.insert(it.key(), it.value());
    QJsonArray measures, charts, tables;
    for (const LabMeasure& measure : result.measures)
        measures.append(toJson(measure));
    for (const LabChart& chart : result.charts)
        charts.append(toJson(chart));
    for (const LabTable& table : result.tables) {
        QJsonArray rows;
        for (const LabTexts& row : table.rows)
            rows.append(toJson(row));
        tables.append(QJsonObject{{QStringLiteral("title"), table.title.toJson()},
            {QStringLiteral("head"), toJson(table.head)}, {QStringLiteral("rows"), rows}});
    }
    return QJsonDocument(QJsonObject{{QLatin1String(kTag), kVersion}, {QStringLiteral("experiment"), result.experiment},
                             {QStringLiteral("time"), result.time.toUTC().toString(Qt::ISODate)},
                             {QStringLiteral("model"), result.model}, {QStringLiteral("device"), result.device},
                             {QStringLiteral("locale"), result.locale}, {QStringLiteral("settings"), settings},
                             {QStringLiteral("guesses"), guesses}, {QStringLiteral("columns"), toJson(result.columns)},
                             {QStringLiteral("measures"), measures}, {QStringLiteral("charts"), charts},
                             {QStringLiteral("tables"), tables}, {QStringLiteral("notes"), toJson(result.notes)},
                             {QStringLiteral("conclusion"), result.conclusion.toJson()}})
        .toJson();
}

Result<LabResult> labFromJson(const QByteArray& json) {
    const QJsonObject root = QJsonDocument::fromJson(json).object();
    if (const int version = root.value(QLatin1String(kTag)).toInt(-1); version < 1 || version > kVersion)
        return fail(ErrorCode::bad_file,
            toStdString(Lab::tr("The file has no field vitrine_experiment of version 1 to %1.").arg(kVersion)),
            toStdString(Lab::tr("Choose a result that the Lab page saved.")));
    LabResult result;
    TextReader read;
    result.experiment = root.value(QStringLiteral("experiment")).toString();
    result.time = QDateTime::fromString(root.value(QStringLiteral("time")).toString(), Qt::ISODate);
    result.model = root.value(QStringLiteral("model")).toString();
    result.device = root.value(QStringLiteral("device")).toString();
    result.locale = root.value(QStringLiteral("locale")).toString();
    const QJsonObject settings = root.value(QStringLiteral("settings")).toObject();
    for (auto it = settings.begin(); it != settings.end(); ++it)
        result.settings.insert(it.key(), it.value().toDouble());
    const QJsonObject guesses = root.value(QStringLiteral("guesses")).toObject();
    for (auto it = guesses.begin(); it != guesses.end(); ++it)
        result.guesses.insert(it.key(), it.value().toString());
    result.columns = read.list(root.value(QStringLiteral("columns")));
    result.notes = read.list(root.value(QStringLiteral("notes")));
    result.conclusion = read.text(root, "conclusion");
    for (const QJsonValue& value : root.value(QStringLiteral("measures")).toArray())
        result.measures.push_back(measureFrom(read, value.toObject()));
    for (const QJsonValue& value : root.value(QStringLiteral("charts")).toArray()) {
        auto chart = chartFrom(read, value.toObject());
        if (!chart || static_cast<qsizetype>(chart->spans.size()) > kMaxItems)
            return fail(ErrorCode::bad_file,
                toStdString(Lab::tr("The result is damaged: chart %1 is out of range.").arg(result.charts.size() + 1)),
                toStdString(Lab::tr("Choose another file, or run the experiment again.")));
        result.charts.push_back(*std::move(chart));
    }
    for (const QJsonValue& value : root.value(QStringLiteral("tables")).toArray()) {
        const QJsonObject object = value.toObject();
        LabTable table{read.text(object, "title"), read.list(object.value(QStringLiteral("head"))), {}};
        for (const QJsonValue& row : object.value(QStringLiteral("rows")).toArray())
            table.rows.push_back(read.list(row));
        result.tables.push_back(std::move(table));
    }
    if (read.isDamaged())
        return fail(ErrorCode::bad_file, toStdString(Lab::tr("The result is damaged: a text of it cannot be read.")),
            toStdString(Lab::tr("Choose another file, or run the experiment again.")));
    return result;
}

QByteArray labToCsv(const LabResult& result) {
    const PlainNumbers plain(result.locale);
    QByteArray csv = line(QStringList{QStringLiteral("measure"), QStringLiteral("detail"), QStringLiteral("guess")} +
        plain(result.columns) + QStringList{QStringLiteral("unit"), QStringLiteral("verdict")});
    for (const LabMeasure& measure : result.measures)
        csv += line(QStringList{measure.name, plain(measure.detail), plain(measure.guess)} + plain(measure.values) +
            QStringList{measure.unit, plain(measure.verdict)});
    for (const LabTable& table : result.tables) {
        csv += '\n' + line({plain(table.title)}) + line(plain(table.head));
        for (const LabTexts& row : table.rows)
            csv += line(plain(row));
    }
    for (const LabChart& chart : result.charts) {
        csv += '\n' + line({plain(chart.title)}) + line({QStringLiteral("series"), chart.xLabel, chart.yLabel});
        for (const LabSeries& series : chart.series)
            for (const QPointF& point : series.points)
                csv += line({series.name, QString::number(point.x(), 'g', 8), QString::number(point.y(), 'g', 8)});
        for (const LabSpan& span : chart.spans)
            csv += line({chart.categories.at(span.row), QString::number(span.start), QString::number(span.end),
                QString::number(static_cast<int>(span.kind)), plain(span.text)});
    }
    return csv;
}

} // namespace vitrine::ui
