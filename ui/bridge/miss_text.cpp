// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: misses in words.
#include "ui/bridge/miss_text.h"

#include <QCoreApplication>
#include <QLocale>

#include "ui/bridge/qt_convert.h"

namespace vitrine::ui {
namespace {

struct MissText {
    Q_DECLARE_TR_FUNCTIONS(MissText)
};

QString count(int value) {
    return QLocale().toString(value);
}

QString reasonText(const PrefixMiss& miss) {
    switch (miss.reason) {
    case MissReason::diverged:
        return MissText::tr("the text differs from the cached one at token %1, where %2 was expected and %3 came.")
            .arg(count(miss.position), toQString(miss.expected), toQString(miss.got));
    case MissReason::evicted:
        return MissText::tr("their blocks went to other requests %1 s ago.")
            .arg(QLocale().toString(toSeconds(miss.evicted_ago), 'f', 1));
    case MissReason::context:
        return MissText::tr("they are cached for another %1.").arg(missContext(miss));
    case MissReason::cold:
        return MissText::tr("they were never computed before.");
    case MissReason::last_block:
        return MissText::tr("the last block is computed again, since the answer begins behind it.");
    case MissReason::partial:
        return MissText::tr("the end of the prompt does not fill a block.");
    case MissReason::disabled:
        break;
    }
    return MissText::tr("the look-up is off for this request.");
}

} // namespace

QString missContext(const PrefixMiss& miss) {
    return miss.context_field == "LoRA" ? MissText::tr("LoRA adapter")
        : miss.context_field == "salt"  ? MissText::tr("cache salt or key")
                                        : toQString(miss.context_field);
}

QString missText(const PrefixMiss& miss) {
    return MissText::tr("%1 of %2 tokens were not in the cache: %3")
        .arg(count(miss.missed_tokens), count(miss.prompt_tokens), reasonText(miss));
}

} // namespace vitrine::ui
