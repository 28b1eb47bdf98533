// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/lab: texts of results: worded, and as a file keeps them.
#include "ui/lab/lab_text.h"

#include "ui/widgets/numbers.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonObject>

#include <algorithm>
#include <array>
#include <cmath>

namespace vitrine::ui {
namespace {

constexpr int kDeepest = 6; // texts within texts
constexpr int kMostValues = 9, kMostDecimals = 12;
constexpr std::array kForms = {
    "plain", "words", "pattern", "fixed", "count", "rate", "bytes", "percent", "time", "guess"};

/// Not QString::arg: a value may hold a %1 of its own.
QString filled(const QString& text, const LabTexts& values, const QLocale& locale) {
    QString result;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const int place = text[i] == u'%' && i + 1 < text.size() ? text[i + 1].digitValue() : -1;
        if (place < 1 || place > values.size()) {
            result += text[i];
            continue;
        }
        result += values[place - 1].text(locale);
        ++i;
    }
    return result;
}

QString timeText(double seconds, const QLocale& locale) {
    if (std::isinf(seconds))
        return QStringLiteral("∞");
    if (seconds < 0.1)
        return fixedText(seconds * 1000, seconds < 0.01 ? 2 : 1, locale) + kNoBreakSpace + QStringLiteral("ms");
    return fixedText(seconds, 2, locale) + kNoBreakSpace + u's';
}

QString guessText(double number, QLocale locale) {
    locale.setNumberOptions(QLocale::OmitGroupSeparator);
    return locale.toString(number, 'g', QLocale::FloatingPointShortest);
}

} // namespace

LabText LabText::words(const char* source) {
    LabText text(QString::fromUtf8(source));
    text.m_form = Form::words;
    return text;
}

LabText LabText::number(Form form, double value, int decimals) {
    LabText text;
    text.m_form = form;
    text.m_number = value;
    text.m_decimals = decimals;
    return text;
}

LabText LabText::arg(const LabText& value) const {
    LabText text = *this;
    text.m_values.append(value);
    return text;
}

LabText LabText::joined(const LabText& a, const LabText& b) {
    return labPattern(QStringLiteral("%1%2"), {a, b});
}

QString LabText::numberText(const QLocale& locale) const {
    switch (m_form) {
    case Form::count:
        return countText(std::llround(m_number), locale);
    case Form::rate:
        return rateText(m_number, locale);
    case Form::bytes:
        return bytesText(m_number, locale);
    case Form::percent:
        return percentText(m_number);
    case Form::time:
        return timeText(m_number, locale);
    case Form::guess:
        return guessText(m_number, locale);
    default:
        return std::isinf(m_number) ? QStringLiteral("∞") : fixedText(m_number, m_decimals, locale);
    }
}

QString LabText::text(const QLocale& locale) const {
    switch (m_form) {
    case Form::plain:
        return m_text;
    case Form::words:
        return m_text.isEmpty()
            ? QString()
            : filled(QCoreApplication::translate("Lab", m_text.toUtf8().constData()), m_values, locale);
    case Form::pattern:
        return filled(m_text, m_values, locale);
    default:
        return numberText(locale);
    }
}

QJsonValue LabText::toJson() const {
    if (m_form == Form::plain)
        return m_text;
    QJsonObject object{{QStringLiteral("as"), QLatin1String(kForms[static_cast<std::size_t>(m_form)])}};
    if (m_form > Form::pattern) {
        object.insert(QStringLiteral("number"),
            std::isfinite(m_number)    ? QJsonValue(m_number)
                : std::isinf(m_number) ? QJsonValue(QStringLiteral("infinite"))
                                       : QJsonValue());
        if (m_decimals != 0)
            object.insert(QStringLiteral("decimals"), m_decimals);
        return object;
    }
    object.insert(QStringLiteral("text"), m_text);
    QJsonArray values;
    for (const LabText& value : m_values)
        values.append(value.toJson());
    if (!values.isEmpty())
        object.insert(QStringLiteral("values"), values);
    return object;
}

std::optional<LabText> LabText::fromJson(const QJsonValue& value, int depth) {
    if (value.isString() || value.isUndefined() || value.isNull())
        return LabText(value.toString());
    const QJsonObject object = value.toObject();
    const QString name = object.value(QStringLiteral("as")).toString();
    const auto form =
        std::find_if(kForms.begin(), kForms.end(), [&](const char* one) { return name == QLatin1String(one); });
    const QJsonArray values = object.value(QStringLiteral("values")).toArray();
    const int decimals = object.value(QStringLiteral("decimals")).toInt();
    if (form == kForms.end() || depth > kDeepest || values.size() > kMostValues || decimals < 0 ||
        decimals > kMostDecimals)
        return std::nullopt;
    LabText text;
    text.m_form = static_cast<Form>(form - kForms.begin());
    text.m_text = object.value(QStringLiteral("text")).toString();
    text.m_decimals = decimals;
    const QJsonValue number = object.value(QStringLiteral("number"));
    text.m_number = number.isString() ? INFINITY : number.toDouble(std::nan(""));
    if (text.m_form == Form::count && !(std::abs(text.m_number) < 1e15)) // a whole number must hold it
        return std::nullopt;
    for (const QJsonValue& one : values) {
        const auto read = fromJson(one, depth + 1);
        if (!read)
            return std::nullopt;
        text.m_values.append(*read);
    }
    return text;
}

LabText labPattern(const QString& pattern, const LabTexts& values) {
    LabText text = LabText::patternOf(pattern);
    for (const LabText& value : values)
        text = text.arg(value);
    return text;
}

LabText LabText::patternOf(const QString& pattern) {
    LabText text(pattern);
    text.m_form = Form::pattern;
    return text;
}

LabText fixedNumber(double value, int decimals) {
    return LabText::number(LabText::Form::fixed, value, decimals);
}

LabText countNumber(qint64 value) {
    return LabText::number(LabText::Form::count, static_cast<double>(value));
}

LabText rateNumber(double perSecond) {
    return LabText::number(LabText::Form::rate, perSecond);
}

LabText bytesNumber(double bytes) {
    return LabText::number(LabText::Form::bytes, bytes);
}

LabText percentNumber(double fraction) {
    return LabText::number(LabText::Form::percent, fraction);
}

LabText timeNumber(double seconds) {
    return LabText::number(LabText::Form::time, seconds);
}

LabText guessNumber(const QString& number) {
    bool isNumber = false;
    const double value = QLocale::c().toDouble(number, &isNumber);
    return isNumber ? LabText::number(LabText::Form::guess, value) : LabText(number);
}

} // namespace vitrine::ui
