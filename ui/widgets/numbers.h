// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: numbers as text, by the rules of the design; every page uses these.
#pragma once

#include <QDate>
#include <QLocale>
#include <QString>

#include <chrono>
#include <cstdint>

namespace vitrine::ui {

inline constexpr QChar kNoBreakSpace{0x00A0};
inline constexpr QChar kMinus{0x2212};
inline constexpr QChar kNone{0x2013}; // shown where there is no value

[[nodiscard]] QString countText(qint64 count, const QLocale& locale = QLocale()); // 1,024: grouped by the locale
[[nodiscard]] QString plainText(qint64 count); // 1024: ports, Pulse ratios
[[nodiscard]] QString rateText(double perSecond, const QLocale& locale = QLocale()); // 63, 6.3, 14.2k; without unit
[[nodiscard]] QString secondsText(double seconds); // 0.18, 12.4, 2 min 14 s; unit only with minutes
[[nodiscard]] QString millisecondsText(std::chrono::microseconds time); // 70.2
[[nodiscard]] QString bytesText(
    double bytes, const QLocale& locale = QLocale()); // 8.38 GiB, 94 MiB: three digits and the unit
[[nodiscard]] QString percentText(double fraction); // 84 %
[[nodiscard]] QString fixedText(
    double value, int decimals, const QLocale& locale = QLocale()); // locale's decimal sign, U+2212 for minus
[[nodiscard]] QString parametersText(qint64 parameters); // 14.8 B, 135 M
[[nodiscard]] QString dayText(QDate day); // 5 Dec 2026, 2026年12月5日; en dash: no day
[[nodiscard]] QString shortDayText(QDate day); // of this year: 5 Dec, 12月5日

} // namespace vitrine::ui
