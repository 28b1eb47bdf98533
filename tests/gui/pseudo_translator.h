// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/gui: a language nobody speaks, longer than all others.
#pragma once

#include <QTranslator>

namespace vitrine::testing {

/// Every text a third longer, between marks, and with letters of a script that runs from right to left.
class PseudoTranslator final : public QTranslator {
public:
    [[nodiscard]] bool isEmpty() const override { return false; }
    [[nodiscard]] QString translate(const char*, const char* source, const char*, int) const override {
        const QString text = QString::fromUtf8(source);
        QString more(text.size() / 3, QChar(0x05E9));
        for (qsizetype at = kWord; at < more.size(); at += kWord + 1)
            more.insert(at, u' ');
        return QStringLiteral("\u05D0") + text + more;
    }

private:
    static constexpr qsizetype kWord = 7; // letters: a text may break behind them
};

} // namespace vitrine::testing
