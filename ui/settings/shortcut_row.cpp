// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/settings: keys of one action.
#include "ui/settings/shortcut_row.h"

#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/shortcut_registry.h"

#include <QAction>
#include <QHBoxLayout>
#include <QKeySequenceEdit>

namespace vitrine::ui {

ShortcutRow::ShortcutRow(
    const Theme& theme, ShortcutRegistry& registry, const QString& id, const QString& name, QWidget* parent)
    : QWidget(parent), m_registry(registry), m_id(id), m_edit(new QKeySequenceEdit),
      m_objection(makeLabel({}, "small")), m_reset(new Button(theme, tr("Reset"), Button::Kind::link)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(Measure::kSpace3);
    setStyleProperty(m_objection, "tone", "warn");
    row->addWidget(m_objection);
    row->addWidget(m_reset);
    m_edit->setFixedWidth(theme.px(168));
    m_edit->setAccessibleName(tr("Keys of %1").arg(name));
    m_reset->setAccessibleName(tr("Reset the keys of %1").arg(name));
    row->addWidget(m_edit);
    connect(m_edit, &QKeySequenceEdit::editingFinished, this, &ShortcutRow::take);
    connect(m_reset, &Button::clicked, this, [this] { m_registry.reset(m_id); });
    connect(&registry, &ShortcutRegistry::changed, this, &ShortcutRow::refresh);
    connect(&theme, &Theme::changed, this, [this, &theme] { m_edit->setFixedWidth(theme.px(168)); });
    refresh();
}

void ShortcutRow::take() {
    QKeySequence keys = m_edit->keySequence();
    if (keys.count() > 0)
        keys = QKeySequence(keys[0]); // one chord
    if (keys.count() == 1 && (keys[0].key() == Qt::Key_Backspace || keys[0].key() == Qt::Key_Delete) &&
        keys[0].keyboardModifiers() == Qt::NoModifier)
        keys = {};
    const QString objection = m_registry.objection(m_id, keys);
    if (objection.isEmpty())
        m_registry.set(m_id, keys);
    refresh();
    m_objection->setText(objection);
}

void ShortcutRow::refresh() {
    m_objection->clear();
    m_reset->setVisible(!m_registry.isDefault(m_id));
    for (const ShortcutRegistry::Entry& entry : m_registry.entries())
        if (entry.id == m_id && entry.action->shortcut() != m_edit->keySequence())
            m_edit->setKeySequence(entry.action->shortcut());
}

} // namespace vitrine::ui
