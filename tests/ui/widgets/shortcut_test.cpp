// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/widgets: keys can be changed, conflicts are named, letters stay for writing.
#include <QAction>
#include <QSignalSpy>
#include <gtest/gtest.h>

#include "ui/widgets/shortcut_registry.h"

namespace vitrine::ui {

class ShortcutTest : public ::testing::Test {
protected:
    ShortcutTest() {
        m_find.setShortcut(QKeySequence(QStringLiteral("Ctrl+F")));
        m_quit.setShortcut(QKeySequence(QStringLiteral("Ctrl+Q")));
        m_registry.add(QStringLiteral("find"), &m_find);
        m_registry.add(QStringLiteral("quit"), &m_quit);
    }
    static QKeySequence keys(const char* text) { return QKeySequence(QString::fromLatin1(text)); }
    QAction m_find{QStringLiteral("Find")}, m_quit{QStringLiteral("Quit")};
    ShortcutRegistry m_registry;
};

TEST_F(ShortcutTest, AConflictIsNamedAndChangesNothing) {
    EXPECT_TRUE(m_registry.objection(QStringLiteral("find"), keys("Ctrl+Q")).contains(QStringLiteral("Quit")));
    m_registry.set(QStringLiteral("find"), keys("Ctrl+Q"));
    EXPECT_EQ(m_find.shortcut(), keys("Ctrl+F"));
}

TEST_F(ShortcutTest, LettersAloneAreForWriting) {
    EXPECT_FALSE(m_registry.objection(QStringLiteral("find"), keys("Q")).isEmpty());
    EXPECT_FALSE(m_registry.objection(QStringLiteral("find"), keys("Shift+Del")).isEmpty());
    EXPECT_TRUE(m_registry.objection(QStringLiteral("find"), keys("F3")).isEmpty());
}

TEST_F(ShortcutTest, ChangesComeBackAndOnlyTheyAreKept) {
    QSignalSpy changed(&m_registry, &ShortcutRegistry::changed);
    m_registry.set(QStringLiteral("find"), keys("Ctrl+G"));
    m_registry.set(QStringLiteral("quit"), {});
    EXPECT_EQ(changed.count(), 2);
    const QJsonObject kept = m_registry.changes();
    EXPECT_EQ(kept.size(), 2);
    m_registry.reset(QStringLiteral("find"));
    m_registry.reset(QStringLiteral("quit"));
    EXPECT_TRUE(m_registry.changes().isEmpty());
    m_registry.applyChanges(kept);
    EXPECT_EQ(m_find.shortcut(), keys("Ctrl+G"));
    EXPECT_TRUE(m_quit.shortcut().isEmpty());
}

TEST_F(ShortcutTest, AConflictInTheFileIsLeftOut) {
    m_registry.applyChanges({{QStringLiteral("find"), QStringLiteral("Ctrl+Q")}, {QStringLiteral("nobody"), 3}});
    EXPECT_EQ(m_find.shortcut(), keys("Ctrl+F"));
}

} // namespace vitrine::ui
