// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: sentences of the engine by number, their values as the window's language writes them.
#include "ui/bridge/error_text.h"

#include <QCoreApplication>
#include <QLocale>

#include "engine/api/sentence.h"
#include "ui/bridge/error_sentences.h"
#include "ui/bridge/qt_convert.h"

namespace vitrine::ui {
namespace {

/// "" for a sentence without a number: the window says it as the engine does.
QString translated(const Phrase& phrase);

/// A cause goes on inside its sentence, so it has no full stop of its own.
QString withoutStop(QString text) {
    if (text.endsWith(u'.') || text.endsWith(QChar(0x3002)))
        text.chop(1);
    return text;
}

struct Wording {
    QString operator()(const std::string& text) const { return toQString(text); }
    QString operator()(std::int64_t number) const { return QLocale().toString(static_cast<qlonglong>(number)); }
    QString operator()(ByteCount count) const {
        return toQString(english(count)).replace(u'.', QLocale().decimalPoint());
    }
    QString operator()(const Phrase& cause) const {
        const QString text = translated(cause);
        return withoutStop(text.isEmpty() ? toQString(english(cause)) : text);
    }
};

QString translated(const Phrase& phrase) {
    if (phrase.sentence == Sentence::none)
        return {};
    const char* source = windowText(phrase.sentence);
    const QString text = QCoreApplication::translate("ErrorText", source);
    QString filled;
    for (qsizetype i = 0; i < text.size(); ++i) { // not QString::arg: a value may hold a %1 of its own
        const int place = text[i] == u'%' && i + 1 < text.size() ? text[i + 1].digitValue() : -1;
        if (place < 1 || static_cast<std::size_t>(place) > phrase.values.size()) {
            filled += text[i];
            continue;
        }
        filled += std::visit(Wording{}, phrase.values[static_cast<std::size_t>(place) - 1].value());
        ++i;
    }
    return filled;
}

void word(std::string& text, const Phrase& phrase) {
    if (const QString better = translated(phrase); !better.isEmpty())
        text = toStdString(better);
}

} // namespace

Error worded(Error error) {
    word(error.message, error.said);
    word(error.remedy, error.advised);
    return error;
}

QString asCause(const Error& error) {
    return withoutStop(toQString(worded(error).message));
}

} // namespace vitrine::ui
