// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: numbers as text.
#include "ui/widgets/numbers.h"

#include <QCoreApplication>

#include <array>
#include <cmath>

namespace vitrine::ui {
namespace {

class Days {
    Q_DECLARE_TR_FUNCTIONS(Days)
};

/// Three significant digits: 8.38, 15.7, 128.
QString threeDigits(double value, const QLocale& locale) {
    const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    return fixedText(value, decimals, locale);
}

} // namespace

QString dayText(QDate day) {
    //: Format of a date as QLocale::toString() takes it: day, short month, year
    return day.isValid() ? QLocale().toString(day, Days::tr("d MMM yyyy")) : QString(kNone);
}

QString shortDayText(QDate day) {
    //: Format of a date of this year as QLocale::toString() takes it: day and short month
    return day.isValid() ? QLocale().toString(day, Days::tr("d MMM")) : QString(kNone);
}

QString countText(qint64 count, const QLocale& locale) {
    return locale.toString(count).replace(u'-', kMinus);
}

QString plainText(qint64 count) {
    return QString::number(count);
}

QString fixedText(double value, int decimals, const QLocale& locale) {
    if (!std::isfinite(value))
        return kNone;
    return locale.toString(value, 'f', decimals).replace(u'-', kMinus);
}

QString rateText(double perSecond, const QLocale& locale) {
    if (!std::isfinite(perSecond))
        return kNone;
    if (perSecond < 0.05)
        return QStringLiteral("0");
    if (perSecond < 9.95)
        return fixedText(perSecond, 1, locale);
    if (perSecond < 9999.5)
        return countText(std::llround(perSecond), locale);
    return fixedText(perSecond / 1000, 1, locale) + u'k';
}

QString secondsText(double seconds) {
    if (!std::isfinite(seconds))
        return kNone;
    if (seconds < 9.995)
        return fixedText(seconds, 2);
    if (seconds < 59.95)
        return fixedText(seconds, 1);
    const qint64 whole = std::llround(seconds);
    return QCoreApplication::translate("numbers", "%1 min %2 s").arg(whole / 60).arg(whole % 60);
}

QString millisecondsText(std::chrono::microseconds time) {
    return fixedText(static_cast<double>(time.count()) / 1e3, 1);
}

QString bytesText(double bytes, const QLocale& locale) {
    static constexpr std::array kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
    std::size_t unit = 0;
    double value = std::abs(bytes);
    while (value >= 999.5 && unit + 1 < kUnits.size()) {
        value /= 1024;
        ++unit;
    }
    const QString sign = bytes < 0 ? QString(kMinus) : QString();
    // Below a gibibyte whole numbers say enough from 10 on.
    const bool whole = unit == 0 || (unit < 3 && value >= 9.95);
    return sign + (whole ? fixedText(value, 0, locale) : threeDigits(value, locale)) + kNoBreakSpace +
        QLatin1String(kUnits[unit]);
}

QString percentText(double fraction) {
    if (!std::isfinite(fraction))
        return kNone;
    return QString::number(std::lround(fraction * 100)).replace(u'-', kMinus) + kNoBreakSpace + u'%';
}

QString parametersText(qint64 parameters) {
    if (parameters <= 0)
        return kNone;
    if (parameters < 999'500'000)
        return QString::number((parameters + 500'000) / 1'000'000) + kNoBreakSpace + u'M';
    return fixedText(static_cast<double>(parameters) / 1e9, 1) + kNoBreakSpace + u'B';
}

} // namespace vitrine::ui
