// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/server: colours of JSON.
#include "ui/server/json_highlighter.h"

#include <QRegularExpression>

namespace vitrine::ui {

namespace {

constexpr qsizetype kMaxLine = 20'000; // a pasted file in one string is not worth the time

} // namespace

JsonHighlighter::JsonHighlighter(const Theme& theme, QTextDocument* document)
    : QSyntaxHighlighter(document), m_theme(theme) {
    connect(&theme, &Theme::changed, this, &JsonHighlighter::rehighlight);
}

void JsonHighlighter::setActive(bool active) {
    m_isActive = active;
}

void JsonHighlighter::highlightBlock(const QString& line) {
    static const QRegularExpression kToken(
        QStringLiteral(R"re((?<key>"(?:[^"\\]|\\.)*"(?=\s*:))|(?<text>"(?:[^"\\]|\\.)*")|)re"
                       R"re((?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<word>\b(?:true|false|null)\b))re"));
    static const std::pair<QString, Color> kColors[] = {{QStringLiteral("key"), Color::synFunction},
        {QStringLiteral("text"), Color::synString}, {QStringLiteral("number"), Color::synNumber},
        {QStringLiteral("word"), Color::synKeyword}};
    if (!m_isActive || line.size() > kMaxLine)
        return;
    for (auto tokens = kToken.globalMatch(line); tokens.hasNext();) {
        const QRegularExpressionMatch token = tokens.next();
        for (const auto& [name, color] : kColors)
            if (token.capturedStart(name) >= 0)
                setFormat(static_cast<int>(token.capturedStart()), static_cast<int>(token.capturedLength()),
                    m_theme.color(color));
    }
}

} // namespace vitrine::ui
