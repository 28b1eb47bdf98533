// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: one sentence that says why the engine is as slow as it is.
#pragma once

#include "ui/theme/theme.h"

#include <QWidget>

class QLabel;

namespace vitrine::ui {

class Button;
class FoldLayout;

/// Always 36 px high, so that nothing jumps when a reason comes or goes.
class SlowLine final : public QWidget {
    Q_OBJECT
public:
    explicit SlowLine(const Theme& theme, QWidget* parent = nullptr);
    void setMessage(const QString& message, const QString& action, bool quiet);

signals:
    void actionTriggered();

private:
    void refresh();

    const Theme& m_theme;
    QLabel* m_icon;
    QLabel* m_text;
    FoldLayout* m_fold = nullptr;
    Button* m_action;
    bool m_quiet = true;
};

} // namespace vitrine::ui
