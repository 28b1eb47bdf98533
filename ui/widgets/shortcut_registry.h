// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: the actions of the window and the keys the user gave them.
#pragma once

#include <QJsonObject>
#include <QKeySequence>
#include <QList>
#include <QObject>

class QAction;

namespace vitrine::ui {

/// Thread: GUI.  Keys are kept by the id of the action; what equals the default is not written.
class ShortcutRegistry final : public QObject {
    Q_OBJECT
public:
    struct Entry {
        QString id; // "new-chat"
        QAction* action = nullptr; // its text is the name on screen
        QList<QKeySequence> defaults;
    };
    using QObject::QObject;

    void add(const QString& id, QAction* action); // with the keys it has as its defaults
    [[nodiscard]] const QList<Entry>& entries() const { return m_entries; }
    /// The keys in use, as people read them: "Ctrl+N".
    [[nodiscard]] QString keysText(const QString& id) const;
    [[nodiscard]] bool isDefault(const QString& id) const;
    /// Why `keys` cannot be given to `id`: another action has them, or a single key would be taken; empty: they can.
    [[nodiscard]] QString objection(const QString& id, const QKeySequence& keys) const;
    void set(const QString& id, const QKeySequence& keys); // empty: none
    void reset(const QString& id);

    [[nodiscard]] QJsonObject changes() const; // id -> portable text
    void applyChanges(const QJsonObject& changes);

signals:
    void changed();

private:
    [[nodiscard]] const Entry* find(const QString& id) const;

    QList<Entry> m_entries;
};

} // namespace vitrine::ui
