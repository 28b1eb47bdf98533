// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/lab: a text of a result, kept as what it is made of and worded when it is shown.
#pragma once

#include <QJsonValue>
#include <QList>
#include <QLocale>
#include <QString>

#include <cstdint>
#include <optional>

namespace vitrine::ui {

/// Words are kept by their key (the English text of the catalogue), numbers as numbers: a file opens in every language.
class LabText {
public:
    enum class Form : std::uint8_t { plain, words, pattern, fixed, count, rate, bytes, percent, time, guess };

    LabText() = default;
    LabText(const QString& text) : m_text(text) {} // the same in every language: a name, an answer of a model
    LabText(QLatin1String text) : m_text(text) {}
    LabText(QChar text) : m_text(text) {}
    [[nodiscard]] static LabText words(const char* source);
    [[nodiscard]] static LabText patternOf(const QString& pattern); // in no language: "%1 / %2"
    [[nodiscard]] static LabText number(Form form, double value, int decimals = 0);

    /// With the next place, %1 and so on, filled.
    [[nodiscard]] LabText arg(const LabText& value) const;
    [[nodiscard]] LabText arg(qint64 value) const { return arg(LabText(QString::number(value))); }
    [[nodiscard]] LabText arg(int value) const { return arg(qint64{value}); }
    [[nodiscard]] LabText arg(std::size_t value) const { return arg(static_cast<qint64>(value)); }
    template <class... More>
    [[nodiscard]] LabText arg(const LabText& first, const LabText& second, const More&... more) const {
        return arg(first).arg(second, more...);
    }

    /// Words in the language of the window, numbers as `locale` writes them.
    [[nodiscard]] QString text(const QLocale& locale = QLocale()) const;
    operator QString() const { return text(); }
    [[nodiscard]] bool isEmpty() const { return m_form <= Form::words && m_text.isEmpty(); }
    [[nodiscard]] bool isPlain() const { return m_form == Form::plain; }

    [[nodiscard]] QJsonValue toJson() const;
    /// Nothing: no text of a result.
    [[nodiscard]] static std::optional<LabText> fromJson(const QJsonValue& value, int depth = 0);

    friend LabText operator+(const LabText& a, const LabText& b) { return joined(a, b); }
    friend LabText operator+(const LabText& a, const QString& b) { return joined(a, b); }
    friend LabText operator+(const QString& a, const LabText& b) { return joined(a, b); }
    friend LabText operator+(const LabText& a, QChar b) { return joined(a, b); }
    friend LabText operator+(QChar a, const LabText& b) { return joined(a, b); }
    friend bool operator==(const LabText& a, const LabText& b) { return a.text() == b.text(); }
    friend bool operator==(const LabText& a, const QString& b) { return a.text() == b; }

private:
    static LabText joined(const LabText& a, const LabText& b);
    [[nodiscard]] QString numberText(const QLocale& locale) const;

    Form m_form = Form::plain;
    QString m_text; // of words the key
    QList<LabText> m_values; // of words and patterns
    double m_number = 0;
    int m_decimals = 0;
};

using LabTexts = QList<LabText>;

/// What stands between texts, the same in every language: "%1 / %2".
[[nodiscard]] LabText labPattern(const QString& pattern, const LabTexts& values);

// Numbers of results; as text by ui/widgets/numbers.
[[nodiscard]] LabText fixedNumber(double value, int decimals);
[[nodiscard]] LabText countNumber(qint64 value);
[[nodiscard]] LabText rateNumber(double perSecond);
[[nodiscard]] LabText bytesNumber(double bytes);
[[nodiscard]] LabText percentNumber(double fraction);
[[nodiscard]] LabText timeNumber(double seconds); // 1.90 s, 52 ms, infinity
/// A number as it was typed, "47.5"; a text that is none stays.
[[nodiscard]] LabText guessNumber(const QString& number);

/// Texts of the experiments.
struct Lab {
    [[nodiscard]] static LabText tr(const char* source) { return LabText::words(source); }
};

} // namespace vitrine::ui
