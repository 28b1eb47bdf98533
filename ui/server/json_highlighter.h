// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/server: colours of JSON in the request sheet.
#pragma once

#include "ui/theme/theme.h"

#include <QSyntaxHighlighter>

namespace vitrine::ui {

/// Keys, strings, numbers and words, line by line; a string never spans lines in the text it is given.
class JsonHighlighter final : public QSyntaxHighlighter {
    Q_OBJECT
public:
    JsonHighlighter(const Theme& theme, QTextDocument* document);
    void setActive(bool active); // off for prompts and answers

protected:
    void highlightBlock(const QString& line) override;

private:
    const Theme& m_theme;
    bool m_isActive = true;
};

} // namespace vitrine::ui
