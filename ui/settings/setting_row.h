// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/settings: one setting: name, hint, control at the right.
#pragma once

#include "ui/theme/theme.h"

#include <QWidget>

class QVBoxLayout;

namespace vitrine::ui {

/// 48 px, with a hint 60.  Its text is what the search looks at.
class SettingRow final : public QWidget {
    Q_OBJECT
public:
    SettingRow(
        const Theme& theme, const QString& name, const QString& hint, QWidget* control, QWidget* parent = nullptr);
    [[nodiscard]] bool matches(const QString& text) const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    QString m_words;
};

/// A column of at most 672 px with a title and a line below it.
[[nodiscard]] QVBoxLayout* makeSection(QWidget* page, const Theme& theme, const QString& title, const QString& about);

} // namespace vitrine::ui
