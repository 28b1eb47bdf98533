// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/models: the columns of the quantization picker.
#include "ui/models/quant_picker.h"

#include "tests/ui/support/stage.h"

#include <QApplication>
#include <QGridLayout>
#include <QLabel>
#include <QTest>
#include <QVBoxLayout>

#include <gtest/gtest.h>

namespace vitrine::ui {
namespace {

class QuantPickerTest : public ::testing::Test {
protected:
    QuantPickerTest() : m_picker(new QuantPicker(m_stage.theme)) {
        m_picker->setModel(m_stage.engine.inspect("/m/One.Q4_0.gguf").value());
        auto* column = new QVBoxLayout(&m_window);
        column->setContentsMargins(0, 0, 0, 0);
        column->addWidget(m_picker);
        column->addStretch(1);
    }
    [[nodiscard]] QWidget* cell(int row, int column) const {
        return static_cast<QGridLayout*>(m_picker->layout())->itemAtPosition(row, column)->widget();
    }
    [[nodiscard]] QList<int> shown() const {
        QList<int> columns;
        for (int column = 0; column < 5; ++column)
            if (!cell(0, column)->isHidden())
                columns.append(column);
        return columns;
    }

    testing::Stage m_stage;
    QWidget m_window;
    QuantPicker* m_picker;
};

/// A cell that is taller than the others of its row makes the picker taller when its column comes, which places the picker
/// again: this did not end.
TEST_F(QuantPickerTest, AColumnThatMakesItTallerComesAndGoesOnce) {
    for (const int column : {1, 2, 4})
        cell(1, column)->setMinimumHeight(30 + 20 * column);
    m_window.resize(700, 400);
    m_window.show();
    QTest::qWait(10);
    EXPECT_EQ(shown(), QList<int>({0, 1, 2, 3, 4}));
    qsizetype before = 5;
    for (int width = 700; width >= 160; width -= 7) {
        m_window.resize(width, 400);
        QTest::qWait(0);
        EXPECT_LE(shown().size(), before) << width;
        before = shown().size();
        EXPECT_TRUE(before == 2 || m_picker->layout()->minimumSize().width() <= width) << width;
    }
    EXPECT_EQ(shown(), QList<int>({0, 3}));
    m_window.resize(700, 400);
    QTest::qWait(0);
    EXPECT_EQ(shown(), QList<int>({0, 1, 2, 3, 4}));
}

TEST_F(QuantPickerTest, AColumnLeavesWhenAWordBecomesLonger) {
    m_window.resize(m_picker->layout()->minimumSize().width() + 10, 400);
    m_window.show();
    QTest::qWait(10);
    ASSERT_EQ(shown(), QList<int>({0, 1, 2, 3, 4}));
    static_cast<QLabel*>(cell(2, 3))->setText(QStringLiteral("fits, but for the longest of contexts"));
    QTest::qWait(10);
    EXPECT_LT(shown().size(), 5);
    EXPECT_TRUE(shown().contains(3));
}

} // namespace
} // namespace vitrine::ui
