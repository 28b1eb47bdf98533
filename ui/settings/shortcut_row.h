// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/settings: one action and its keys.
#pragma once

#include "ui/theme/theme.h"

#include <QWidget>

class QKeySequenceEdit;
class QLabel;

namespace vitrine::ui {

class Button;
class ShortcutRegistry;

/// The field takes keys; a conflict is named below it and nothing changes.  Backspace takes the keys away.
class ShortcutRow final : public QWidget {
    Q_OBJECT
public:
    ShortcutRow(const Theme& theme, ShortcutRegistry& registry, const QString& id, const QString& name,
        QWidget* parent = nullptr);

private:
    void take();
    void refresh();

    ShortcutRegistry& m_registry;
    QString m_id;
    QKeySequenceEdit* m_edit;
    QLabel* m_objection;
    Button* m_reset;
};

} // namespace vitrine::ui
