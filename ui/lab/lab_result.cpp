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
constexpr int kVersion = 1;
constexpr qsizetype kMaxItems = 200'000;

QJsonArray toJson(const QStringList& list) {
    return QJsonArray::fromStringList(list);
}

QStringList toList(const QJsonValue& value) {
    QStringList list;
    for (const QJsonValue& item : value.toArray())
        list += item.toString();
    return list;
}

QJsonObject toJson(const LabMeasure& measure) {
    QJsonObject object{{QStringLiteral("name"), measure.name}, {QStringLiteral("detail"), measure.detail},
        {QStringLiteral("guess"), measure.guess}, {QStringLiteral("values"), toJson(measure.values)},
        {QStringLiteral("unit"), measure.unit}, {QStringLiteral("verdict"), measure.verdict}};
    if (measure.right)
        object.insert(QStringLiteral("right"), *measure.right);
    return object;
}

LabMeasure measureFrom(const QJsonObject& object) {
    const auto text = [&](const char* name) { return object.value(QLatin1String(name)).toString(); };
    LabMeasure measure{text("name"), text("detail"), text("guess"), toList(object.value(QStringLiteral("values"))),
        text("unit"), text("verdict"), {}};
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
        series.append(QJsonObject{{QStringLiteral("name"), one.name}, {QStringLiteral("expected"), one.expected},
            {QStringLiteral("points"), points}});
    }
    for (const LabSpan& span : chart.spans)
        spans.append(QJsonArray{span.row, span.start, span.end, static_cast<int>(span.kind), span.text});
    return {{QStringLiteral("kind"), static_cast<int>(chart.kind)}, {QStringLiteral("title"), chart.title},
        {QStringLiteral("x"), chart.xLabel}, {QStringLiteral("y"), chart.yLabel}, {QStringLiteral("series"), series},
        {QStringLiteral("categories"), toJson(chart.categories)}, {QStringLiteral("spans"), spans}};
}

std::optional<LabChart> chartFrom(const QJsonObject& object) {
    LabChart chart;
    const int kind = object.value(QStringLiteral("kind")).toInt(-1);
    if (kind < 0 || kind > static_cast<int>(LabChart::Kind::gantt))
        return std::nullopt;
    chart.kind = static_cast<LabChart::Kind>(kind);
    chart.title = object.value(QStringLiteral("title")).toString();
    chart.xLabel = object.value(QStringLiteral("x")).toString();
    chart.yLabel = object.value(QStringLiteral("y")).toString();
    chart.categories = toList(object.value(QStringLiteral("categories")));
    for (const QJsonValue& value : object.value(QStringLiteral("series")).toArray()) {
        const QJsonObject one = value.toObject();
        LabSeries series{
            one.value(QStringLiteral("name")).toString(), {}, one.value(QStringLiteral("expected")).toBool()};
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
            cells.at(4).toString()});
    }
    return chart;
}

/// Numbers of short texts as the C locale writes them; sentences of a model stay as they are.
class PlainNumbers {
public:
    explicit PlainNumbers(const QString& locale)
        : m_locale(locale.isEmpty() ? QLocale::c() : QLocale(locale)),
          m_pattern(QStringLiteral("(?<![\\d.,])(?:\\d{1,3}(?:%1\\d{3})+(?:%2\\d+)?|\\d+%2\\d+)(?![\\d.,])")
                        .arg(QRegularExpression::escape(m_locale.groupSeparator()),
                            QRegularExpression::escape(m_locale.decimalPoint()))) {}
    [[nodiscard]] QString operator()(QString text) const {
        constexpr qsizetype kLongest = 32;
        if (text.size() > kLongest)
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
    [[nodiscard]] QStringList operator()(QStringList texts) const {
        for (QString& text : texts)
            text = (*this)(text);
        return texts;
    }

private:
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
        for (const QStringList& row : table.rows)
            rows.append(toJson(row));
        tables.append(QJsonObject{{QStringLiteral("title"), table.title}, {QStringLiteral("head"), toJson(table.head)},
            {QStringLiteral("rows"), rows}});
    }
    return QJsonDocument(QJsonObject{{QLatin1String(kTag), kVersion}, {QStringLiteral("experiment"), result.experiment},
                             {QStringLiteral("time"), result.time.toUTC().toString(Qt::ISODate)},
                             {QStringLiteral("model"), result.model}, {QStringLiteral("device"), result.device},
                             {QStringLiteral("locale"), result.locale}, {QStringLiteral("settings"), settings},
                             {QStringLiteral("guesses"), guesses}, {QStringLiteral("columns"), toJson(result.columns)},
                             {QStringLiteral("measures"), measures}, {QStringLiteral("charts"), charts},
                             {QStringLiteral("tables"), tables}, {QStringLiteral("notes"), toJson(result.notes)},
                             {QStringLiteral("conclusion"), result.conclusion}})
        .toJson();
}

Result<LabResult> labFromJson(const QByteArray& json) {
    const QJsonObject root = QJsonDocument::fromJson(json).object();
    if (root.value(QLatin1String(kTag)).toInt(-1) != kVersion)
        return fail(ErrorCode::bad_file, toStdString(Lab::tr("The file has no field vitrine_experiment of version 1.")),
            toStdString(Lab::tr("Choose a result that the Lab page saved.")));
    LabResult result;
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
    result.columns = toList(root.value(QStringLiteral("columns")));
    result.notes = toList(root.value(QStringLiteral("notes")));
    result.conclusion = root.value(QStringLiteral("conclusion")).toString();
    for (const QJsonValue& value : root.value(QStringLiteral("measures")).toArray())
        result.measures.push_back(measureFrom(value.toObject()));
    for (const QJsonValue& value : root.value(QStringLiteral("charts")).toArray()) {
        auto chart = chartFrom(value.toObject());
        if (!chart || static_cast<qsizetype>(chart->spans.size()) > kMaxItems)
            return fail(ErrorCode::bad_file,
                toStdString(Lab::tr("The result is damaged: chart %1 is out of range.").arg(result.charts.size() + 1)),
                toStdString(Lab::tr("Choose another file, or run the experiment again.")));
        result.charts.push_back(*std::move(chart));
    }
    for (const QJsonValue& value : root.value(QStringLiteral("tables")).toArray()) {
        const QJsonObject object = value.toObject();
        LabTable table{
            object.value(QStringLiteral("title")).toString(), toList(object.value(QStringLiteral("head"))), {}};
        for (const QJsonValue& row : object.value(QStringLiteral("rows")).toArray())
            table.rows.push_back(toList(row));
        result.tables.push_back(std::move(table));
    }
    return result;
}

QByteArray labToCsv(const LabResult& result) {
    const PlainNumbers plain(result.locale);
    QByteArray csv = line(QStringList{QStringLiteral("measure"), QStringLiteral("detail"), QStringLiteral("guess")} +
        result.columns + QStringList{QStringLiteral("unit"), QStringLiteral("verdict")});
    for (const LabMeasure& measure : result.measures)
        csv += line(QStringList{measure.name, plain(measure.detail), measure.guess} + plain(measure.values) +
            QStringList{measure.unit, plain(measure.verdict)});
    for (const LabTable& table : result.tables) {
        csv += '\n' + line({table.title}) + line(table.head);
        for (const QStringList& row : table.rows)
            csv += line(plain(row));
    }
    for (const LabChart& chart : result.charts) {
        csv += '\n' + line({chart.title}) + line({QStringLiteral("series"), chart.xLabel, chart.yLabel});
        for (const LabSeries& series : chart.series)
            for (const QPointF& point : series.points)
                csv += line({series.name, QString::number(point.x(), 'g', 8), QString::number(point.y(), 'g', 8)});
        for (const LabSpan& span : chart.spans)
            csv += line({chart.categories.at(span.row), QString::number(span.start), QString::number(span.end),
                QString::number(static_cast<int>(span.kind)), span.text});
    }
    return csv;
}

} // namespace vitrine::ui
