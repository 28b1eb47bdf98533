// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: keys of actions.
#include "ui/widgets/shortcut_registry.h"

#include <QAction>
#include <algorithm>

namespace vitrine::ui {

namespace {

/// A letter or digit alone would take it away from every text field; function keys stand alone.
bool isTakenFromText(const QKeySequence& keys) {
    const QKeyCombination first = keys[0];
    const bool isFunction = first.key() >= Qt::Key_F1 && first.key() <= Qt::Key_F35;
    return !isFunction && (first.keyboardModifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == Qt::NoModifier;
}

} // namespace

void ShortcutRegistry::add(const QString& id, QAction* action) {
    m_entries.append({id, action, action->shortcuts()});
}

const ShortcutRegistry::Entry* ShortcutRegistry::find(const QString& id) const {
    const auto found =
        std::find_if(m_entries.begin(), m_entries.end(), [&id](const Entry& entry) { return entry.id == id; });
    return found == m_entries.end() ? nullptr : &*found;
}

QString ShortcutRegistry::keysText(const QString& id) const {
    const Entry* entry = find(id);
    return entry != nullptr ? entry->action->shortcut().toString(QKeySequence::NativeText) : QString();
}

bool ShortcutRegistry::isDefault(const QString& id) const {
    const Entry* entry = find(id);
    return entry == nullptr || entry->action->shortcuts() == entry->defaults;
}

QString ShortcutRegistry::objection(const QString& id, const QKeySequence& keys) const {
    if (keys.isEmpty())
        return {};
    if (isTakenFromText(keys))
        return tr("%1 alone is needed for writing").arg(keys.toString(QKeySequence::NativeText));
    for (const Entry& other : m_entries)
        if (other.id != id && other.action->shortcuts().contains(keys))
            return tr("%1 is already “%2”").arg(keys.toString(QKeySequence::NativeText), other.action->text());
    return {};
}

void ShortcutRegistry::set(const QString& id, const QKeySequence& keys) {
    const Entry* entry = find(id);
    if (entry == nullptr || !objection(id, keys).isEmpty())
        return;
    entry->action->setShortcuts(keys.isEmpty() ? QList<QKeySequence>() : QList<QKeySequence>{keys});
    emit changed();
}

void ShortcutRegistry::reset(const QString& id) {
    const Entry* entry = find(id);
    if (entry == nullptr)
        return;
    entry->action->setShortcuts(entry->defaults);
    emit changed();
}

QJsonObject ShortcutRegistry::changes() const {
    QJsonObject changes;
    for (const Entry& entry : m_entries)
        if (entry.action->shortcuts() != entry.defaults)
            changes.insert(entry.id, entry.action->shortcut().toString(QKeySequence::PortableText));
    return changes;
}

void ShortcutRegistry::applyChanges(const QJsonObject& changes) {
    for (const Entry& entry : std::as_const(m_entries)) {
        if (!changes.contains(entry.id))
            continue;
        const QKeySequence keys(changes.value(entry.id).toString(), QKeySequence::PortableText);
        if (objection(entry.id, keys).isEmpty()) // a file edited by hand may hold a conflict
            entry.action->setShortcuts(keys.isEmpty() ? QList<QKeySequence>() : QList<QKeySequence>{keys});
    }
}

} // namespace vitrine::ui
