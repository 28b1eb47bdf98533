// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/gui: the language of the window.
#pragma once

#include <QString>
#include <QTranslator>

class QApplication;

namespace vitrine::app {

/// lupdate of Qt 6.4 does not see `namespace a::b`, so the contexts in the .ts files are bare class names.
class BareContextTranslator final : public QTranslator {
    Q_OBJECT
public:
    [[nodiscard]] QString translate(
        const char* context, const char* source, const char* disambiguation, int n) const override;
};

/// Installs the translation, the formats of numbers and dates, and the direction of one language.  Widgets read their
/// texts when they are made: whoever changes the language makes the window anew.  Thread: GUI.
class Translations final {
public:
    explicit Translations(QApplication& qt) : m_qt(qt) {}
    /// "en", "de", "zh_CN"; empty: the system's language if there is a translation, else English.
    void apply(const QString& code);
    [[nodiscard]] static QString codeFor(const QString& setting);

private:
    QApplication& m_qt;
    BareContextTranslator m_texts; // Vitrine's
    QTranslator m_qtTexts; // those of Qt's own dialogs, where the distribution has them
};

} // namespace vitrine::app
