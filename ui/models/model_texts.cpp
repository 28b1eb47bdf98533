// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/model_texts.h"

#include "ui/bridge/qt_convert.h"
#include "ui/models/model_details.h"
#include "ui/widgets/numbers.h"

#include <algorithm>

namespace vitrine::ui {

std::vector<int> contextSteps(int maximum) {
    std::vector<int> steps;
    for (int value = 256; value < maximum; value *= 2) {
        steps.push_back(value);
        if (const int between = value + value / 2; between < maximum && value >= 1024)
            steps.push_back(between);
    }
    steps.push_back(std::max(1, maximum));
    return steps;
}

QString sharedText(const LoadPlan& plan) {
    if (plan.devices.size() < 2)
        return {};
    QStringList parts;
    for (const DevicePlan& part : plan.devices)
        parts += ModelDetails::tr("%1 layers on %2 (%3 of %4 free)")
                     .arg(part.num_layers)
                     .arg(toQString(part.device), bytesText(static_cast<double>(part.total)),
                         bytesText(static_cast<double>(part.available)));
    return parts.join(QStringLiteral(", ")) + u'.';
}

QString factsText(const QString& path, const ModelInfo& info) {
    QStringList types;
    for (const auto& [type, bytes] : info.bytes_by_type)
        types += QStringLiteral("%1 %2").arg(toQString(type), bytesText(static_cast<double>(bytes)));
    QStringList lines{
        ModelDetails::tr("Architecture %1, embedding %2, feed-forward %3, %4 heads")
            .arg(toQString(info.architecture), countText(info.embedding_dim), countText(info.feed_forward_dim))
            .arg(info.num_heads),
        ModelDetails::tr("Vocabulary %1, tokenizer %2 %3")
            .arg(countText(info.vocab_size), toQString(info.tokenizer_model), toQString(info.tokenizer_pre)),
        ModelDetails::tr("Weights: %1").arg(types.join(QStringLiteral(", ")))};
    if (info.sliding_window > 0)
        lines += ModelDetails::tr("Sliding window %1 tokens").arg(countText(info.sliding_window));
    if (!info.license.empty())
        lines += ModelDetails::tr("Licence %1").arg(toQString(info.license));
    lines += QString(path).replace(u'/', QStringLiteral("/\u200B")); // may break at folders
    return lines.join(u'\n');
}

} // namespace vitrine::ui
