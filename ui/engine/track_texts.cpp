// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: values of the tracks as texts and points.
#include "ui/engine/track_texts.h"

#include <cmath>

namespace vitrine::ui {

QString orNone(double value, const QString& text) {
    return std::isnan(value) ? QString(ui::kNone) : text;
}

QString fixedOrNone(double value, int decimals) {
    return orNone(value, fixedText(value, decimals));
}

QString latencyText(double seconds) {
    return std::isnan(seconds) ? QString(ui::kNone)
        : std::isinf(seconds)  ? QStringLiteral("∞")
        : seconds < 1          ? fixedText(seconds * 1000, seconds < 0.1 ? 1 : 0)
                               : fixedText(seconds, 2);
}

QString latencyUnit(double seconds) {
    return seconds < 1 || std::isnan(seconds) ? QStringLiteral("ms") : QStringLiteral("s");
}

std::pair<std::vector<double>, std::vector<double>> asBars(const StepSeries& series, const std::vector<double>& of) {
    std::vector<double> times, values;
    for (std::size_t i = 0; i < of.size(); ++i) {
        if (std::isnan(of[i]) || of[i] <= 0)
            continue;
        for (const double x : {series.time[i] - series.bin, series.time[i]}) {
            times.push_back(x);
            values.push_back(of[i]);
        }
        if (i + 1 == of.size() || std::isnan(of[i + 1]) || of[i + 1] <= 0) {
            times.push_back(series.time[i]);
            values.push_back(kNoValue);
        }
    }
    return {std::move(times), std::move(values)};
}

std::vector<double> sum(const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> result(a);
    for (std::size_t i = 0; i < result.size(); ++i)
        result[i] += b[i];
    return result;
}

} // namespace vitrine::ui
