// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/settings: a change is a setting at once; the search finds rows.
#include "ui/settings/settings_page.h"

#include "tests/ui/support/stage.h"
#include "ui/settings/setting_row.h"
#include "ui/settings/theme_tile.h"
#include "ui/store/chat_store.h"
#include "ui/widgets/shortcut_registry.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QCoreApplication>
#include <QLineEdit>
#include <QListWidget>
#include <QStyle>
#include <QStyleOptionComboBox>

#include <gtest/gtest.h>

namespace vitrine::ui {
namespace {

class SettingsPageTest : public ::testing::Test {
protected:
    SettingsPageTest()
        : m_store(m_stage.dataDir), m_page({m_stage.theme, m_stage.client, m_store, m_stage.settings, m_stage.dialogs,
                                        m_shortcuts, m_stage.dataDir}) {
        m_store.open();
        m_page.resize(1216, 772);
        m_page.show();
    }
    vitrine::testing::Stage m_stage;
    ShortcutRegistry m_shortcuts;
    ChatStore m_store;
    SettingsPage m_page;
};

TEST_F(SettingsPageTest, TilesChooseTheScheme) {
    const auto tiles = m_page.findChildren<ThemeTile*>();
    ASSERT_EQ(tiles.size(), 4);
    EXPECT_TRUE(tiles[1]->isChecked()) << "the stage starts in light";
    tiles[2]->click();
    EXPECT_EQ(m_stage.settings.value(keys::kTheme), QStringLiteral("dark"));
    EXPECT_EQ(schemeChoiceIndex(QStringLiteral("contrast")), 3);
    EXPECT_EQ(schemeChoiceIndex(QStringLiteral("nonsense")), 0);
}

TEST_F(SettingsPageTest, SwitchesWriteTheirKeys) {
    for (QAbstractButton* button : m_page.findChildren<QAbstractButton*>())
        if (button->accessibleName() == QStringLiteral("Less motion"))
            button->click();
    EXPECT_TRUE(m_stage.settings.value(keys::kReducedMotion));
}

TEST_F(SettingsPageTest, SearchShowsOnlySectionsWithAHit) {
    m_page.findChild<QLineEdit*>()->setText(QStringLiteral("text size"));
    auto* navigation = m_page.findChild<QListWidget*>();
    int shown = 0;
    for (int i = 0; i < navigation->count(); ++i)
        shown += navigation->item(i)->isHidden() ? 0 : 1;
    EXPECT_EQ(shown, 1) << "Appearance";
}

TEST_F(SettingsPageTest, EveryRowWithAControlNamesIt) {
    for (QAbstractButton* button : m_page.findChildren<QAbstractButton*>())
        EXPECT_FALSE(button->accessibleName().isEmpty() && button->text().isEmpty())
            << button->metaObject()->className();
}

TEST_F(SettingsPageTest, ChoicesAreWholeInANarrowWindowAndWithLargeText) {
    for (const int percent : {100, 200}) {
        m_stage.theme.setTextPercent(percent);
        m_page.resize(percent == 100 ? 576 : 896, 600);
        for (const char* section : {"general", "engine"}) {
            m_page.showSection(QLatin1String(section));
            QCoreApplication::processEvents();
            for (const QComboBox* box : m_page.findChildren<QComboBox*>()) {
                if (!box->isVisible())
                    continue;
                QStyleOptionComboBox option;
                option.initFrom(box);
                const QRect room =
                    box->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, box);
                for (int i = 0; i < box->count(); ++i)
                    EXPECT_GE(room.width(), box->fontMetrics().horizontalAdvance(box->itemText(i)))
                        << percent << " %: " << box->itemText(i).toStdString() << ", the box is " << box->width()
                        << " wide and asks for " << box->sizeHint().width();
            }
        }
    }
    m_stage.theme.setTextPercent(100);
}

} // namespace
} // namespace vitrine::ui
