// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/gui: loading a language.
#include "app/gui/translations.h"

#include <QApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <cctype>
#include <cstring>

namespace vitrine::app {

QString BareContextTranslator::translate(
    const char* context, const char* source, const char* disambiguation, int n) const {
    const char* bare = context;
    for (const char* next = std::strstr(bare, "::"); next != nullptr && std::islower(static_cast<unsigned char>(*bare));
         next = std::strstr(bare, "::"))
        bare = next + 2; // namespaces are lower case; a class inside a class keeps both names
    return QTranslator::translate(bare, source, disambiguation, n);
}

QString Translations::codeFor(const QString& setting) {
    const QLocale locale = setting.isEmpty() ? QLocale::system() : QLocale(setting);
    if (locale.language() == QLocale::German)
        return QStringLiteral("de");
    if (locale.language() == QLocale::Chinese && locale.script() != QLocale::TraditionalChineseScript)
        return QStringLiteral("zh_CN");
    return QStringLiteral("en");
}

void Translations::apply(const QString& code) {
    const QString language = codeFor(code);
    QLocale::setDefault(code.isEmpty() ? QLocale::system() : QLocale(code));
    m_qt.removeTranslator(&m_texts);
    m_qt.removeTranslator(&m_qtTexts);
    if (m_qtTexts.load(QStringLiteral("qtbase_") + language, QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        m_qt.installTranslator(&m_qtTexts);
    if (m_texts.load(QStringLiteral(":/i18n/vitrine_") + language)) // English too: it holds the plurals
        m_qt.installTranslator(&m_texts);
    m_qt.setLayoutDirection(QLocale().textDirection());
}

} // namespace vitrine::app
