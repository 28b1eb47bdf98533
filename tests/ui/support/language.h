// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui: a language of the catalogues that are shipped, for as long as this lives.
#pragma once

#include <QCoreApplication>
#include <QLocale>
#include <QString>
#include <QTranslator>

#include <cstring>

namespace vitrine::testing {

/// Marks every text as another language would.
class Marking final : public QTranslator {
public:
    Marking() { QCoreApplication::installTranslator(this); }
    ~Marking() override { QCoreApplication::removeTranslator(this); }
    QString translate(const char*, const char* source, const char*, int) const override {
        return u'\u00AB' + QString::fromUtf8(source) + u'\u00BB';
    }
    bool isEmpty() const override { return false; }
};

class InLanguage {
public:
    explicit InLanguage(const QString& name) {
        m_isLoaded = m_texts.load(QStringLiteral(":/i18n/vitrine_") + name);
        QLocale::setDefault(QLocale(name));
        QCoreApplication::installTranslator(&m_texts);
    }
    ~InLanguage() {
        QCoreApplication::removeTranslator(&m_texts);
        QLocale::setDefault(m_before);
    }
    InLanguage(const InLanguage&) = delete;
    InLanguage& operator=(const InLanguage&) = delete;
    [[nodiscard]] bool isLoaded() const { return m_isLoaded; }

private:
    /// lupdate notes a class without the namespace that moc gives it.
    class Texts final : public QTranslator {
    public:
        QString translate(const char* context, const char* source, const char* comment, int n) const override {
            const char* bare = std::strrchr(context, ':');
            return QTranslator::translate(bare != nullptr ? bare + 1 : context, source, comment, n);
        }
    };

    QLocale m_before;
    Texts m_texts;
    bool m_isLoaded = false;
};

} // namespace vitrine::testing
