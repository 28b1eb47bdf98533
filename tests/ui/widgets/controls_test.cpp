// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/widgets: controls by keyboard, live text, letters, time window.
#include "ui/widgets/axis_ticks.h"
#include "ui/widgets/error_banner.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/live_plot.h"
#include "ui/widgets/number_text.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/selectable_text.h"
#include "ui/widgets/sequence_index.h"
#include "ui/widgets/switch.h"
#include "ui/widgets/time_axis.h"

#include <QAbstractButton>
#include <QApplication>
#include <QGraphicsEffect>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include <cmath>

namespace vitrine::ui {
namespace {

class ControlsTest : public ::testing::Test {
protected:
    Theme m_theme;
};

TEST_F(ControlsTest, SwitchTurnsByTheSpaceBar) {
    Switch control(m_theme);
    control.show();
    QTest::keyClick(&control, Qt::Key_Space);
    EXPECT_TRUE(control.isChecked());
    EXPECT_EQ(control.sizeHint(), QSize(36, 20));
}

TEST_F(ControlsTest, SegmentedControlTellsEachChangeOnce) {
    SegmentedControl control(m_theme, {QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")});
    EXPECT_EQ(control.current(), 0);
    QSignalSpy changes(&control, &SegmentedControl::currentChanged);
    control.setCurrent(2);
    control.setCurrent(2);
    ASSERT_EQ(changes.count(), 1);
    EXPECT_EQ(changes[0][0].toInt(), 2);
    control.setLabels({QStringLiteral("x"), QStringLiteral("y")});
    EXPECT_EQ(control.current(), 0) << "index 2 is gone";
}

TEST_F(ControlsTest, NumberTextKeepsItsWidthAndTheLastValue) {
    NumberText number(m_theme, QStringLiteral("0000"));
    const QSize before = number.sizeHint();
    number.show();
    for (int i = 0; i < 100; ++i)
        number.setText(QString::number(i));
    EXPECT_EQ(number.sizeHint(), before);
    EXPECT_EQ(number.text(), QStringLiteral("99"));
}

TEST_F(ControlsTest, ASuccessFadesOnceItWasReadAndWhatNeedsActionStays) {
    QWidget window;
    ErrorBanner banner(m_theme, &window);
    banner.setClosable(true);
    window.resize(400, 200);
    QCursor::setPos(5000, 5000);
    window.show();
    window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
    const auto seen = [&banner](int ms) { // as if so much time had passed
        for (int passed = 0; passed < ms; passed += ErrorBanner::kLookMs)
            banner.countTime();
    };
    banner.showMessage(ErrorBanner::Kind::success, QStringLiteral("Saved."), {});
    EXPECT_GE(banner.readingMs(), 4'000);
    seen(banner.readingMs() - 2 * ErrorBanner::kLookMs);
    EXPECT_FALSE(banner.isFading());
    seen(3 * ErrorBanner::kLookMs);
    EXPECT_TRUE(QTest::qWaitFor([&] { return !banner.isVisible(); }, 2'000));
    banner.showMessage(ErrorBanner::Kind::success, QStringLiteral("Saved."), {});
    EXPECT_TRUE(banner.isVisible() && !banner.isFading()) << "shown again, whole";
    for (auto* label : banner.findChildren<QLabel*>())
        if (label->focusPolicy() != Qt::NoFocus)
            label->setFocus();
    seen(2 * banner.readingMs());
    EXPECT_TRUE(banner.isVisible() && !banner.isFading()) << "somebody copies from it";
    window.setFocusPolicy(Qt::StrongFocus);
    window.setFocus();
    for (const auto kind : {ErrorBanner::Kind::error, ErrorBanner::Kind::warning, ErrorBanner::Kind::info}) {
        banner.showMessage(kind, QStringLiteral("Not saved yet."), {});
        seen(4 * banner.readingMs());
        EXPECT_TRUE(banner.isVisible() && !banner.isFading());
    }
}

TEST_F(ControlsTest, NumbersToSelectStandAtTheirSideInEitherDirection) {
    for (const auto direction : {Qt::LeftToRight, Qt::RightToLeft}) {
        qApp->setLayoutDirection(direction);
        const std::unique_ptr<QLabel> label(makeLabel(QStringLiteral("1,234"), ""));
        makeSelectable(*label);
        label->resize(300, 20);
        const QImage picture = label->grab().toImage();
        const auto isBlank = [&](int from, int to) {
            for (int x = from; x < to; ++x)
                for (int y = 0; y < picture.height(); ++y)
                    if (picture.pixel(x, y) != picture.pixel(150, 1))
                        return false;
            return true;
        };
        EXPECT_EQ(isBlank(0, 100), direction == Qt::RightToLeft);
        EXPECT_EQ(isBlank(200, 300), direction == Qt::LeftToRight);
    }
    qApp->setLayoutDirection(Qt::LeftToRight);
}

TEST_F(ControlsTest, BannerOffersItsActions) {
    ErrorBanner banner(m_theme);
    EXPECT_TRUE(banner.isHidden());
    banner.showMessage(ErrorBanner::Kind::error, QStringLiteral("Out of memory."),
        QStringLiteral("Needs 15.87 GiB <b>"), {QStringLiteral("Less context"), QStringLiteral("CPU")});
    QSignalSpy triggered(&banner, &ErrorBanner::actionTriggered);
    const auto buttons = banner.findChildren<Button*>();
    ASSERT_EQ(buttons.size(), 2);
    buttons[1]->click();
    ASSERT_EQ(triggered.count(), 1);
    EXPECT_EQ(triggered[0][0].toInt(), 1);
}

TEST(SequenceIndex, KeepsALetterForLifeAndReusesIt) {
    SequenceIndex index;
    index.update({7, 9});
    EXPECT_EQ(index.indexOf(7), 0);
    EXPECT_EQ(index.indexOf(9), 1);
    index.update({9, 12});
    EXPECT_EQ(index.indexOf(9), 1);
    EXPECT_EQ(index.indexOf(12), 0);
}

// tokens.md, section 3: 1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8 x 10^n.
TEST(LivePlot, ChoosesNiceTops) {
    EXPECT_DOUBLE_EQ(niceTop(205), 240);
    EXPECT_DOUBLE_EQ(niceTop(240), 240);
    EXPECT_DOUBLE_EQ(niceTop(241), 300);
    EXPECT_DOUBLE_EQ(niceTop(0.9), 1);
    EXPECT_DOUBLE_EQ(niceTop(0), 1);
    EXPECT_DOUBLE_EQ(niceTop(8100), 10'000);
    for (double value = 0; value < 3000; value += 0.1) {
        const double top = niceTop(value, AxisValues::counts);
        EXPECT_EQ(top, std::floor(top)) << value;
        EXPECT_GE(top, value * (1 - 1e-9));
    }
    EXPECT_DOUBLE_EQ(niceTop(1.1, AxisValues::counts), 2);
    EXPECT_DOUBLE_EQ(niceTop(3, AxisValues::counts), 3);
}

TEST_F(ControlsTest, PlotReadsTheLastPointAtOrBeforeATime) {
    TimeWindow window;
    LivePlot plot(m_theme, window, {SeriesStyle{}});
    plot.setPoints(0, {1, 2, 3}, {10, 20, 30});
    EXPECT_DOUBLE_EQ(plot.valueAt(0, 2.5), 20);
    EXPECT_DOUBLE_EQ(plot.valueAt(0, 3), 30);
    EXPECT_TRUE(std::isnan(plot.valueAt(0, 0.5)));
}

TEST_F(ControlsTest, LegendOfAPlotCoversNoCurve) {
    TimeWindow window;
    window.setGutter(176);
    LivePlot plot(m_theme, window,
        {{SeriesStyle::Shape::line, Color::accent, 0, false, QStringLiteral("p50")},
            {SeriesStyle::Shape::dashed, Color::accent, 0, false, QStringLiteral("p95")}});
    plot.setLink(QStringLiteral("Lab"));
    plot.resize(900, 64);
    plot.show();
    const auto child = [&plot](const char* name) -> QWidget* {
        for (QWidget* widget : plot.findChildren<QWidget*>())
            if (widget->inherits(name))
                return widget;
        return nullptr;
    };
    const QRect legend = child("vitrine::ui::PlotLegend")->geometry(), curves = plot.curveArea();
    EXPECT_FALSE(legend.intersects(curves)) << "the newest value would be hidden when it is the highest";
    EXPECT_FALSE(legend.intersects(child("vitrine::ui::PlotLink")->geometry()));
    EXPECT_LT(legend.center().x(), curves.center().x());
    EXPECT_GT(curves.height(), 30);
}

TEST(TimeWindow, StandsStillWhilePaused) {
    TimeWindow window;
    window.setNow(100);
    EXPECT_DOUBLE_EQ(window.start(), 40);
    window.setPaused(true);
    window.setNow(120);
    EXPECT_DOUBLE_EQ(window.end(), 100);
    window.setPaused(false);
    EXPECT_DOUBLE_EQ(window.end(), 120);
}

TEST(TimeWindow, MapsTimesToPixelsAndBack) {
    TimeWindow window;
    window.setNow(100);
    window.setGutter(100);
    EXPECT_DOUBLE_EQ(window.xOf(40, 716), 100); // left edge of the track: 716 - 100 - 16 = 600 px for 60 s
    EXPECT_DOUBLE_EQ(window.xOf(100, 716), 700);
    EXPECT_NEAR(window.timeAt(400, 716), 70, 1e-9);
    EXPECT_EQ(window.gridLines().size(), 5U); // every 10 s inside a minute
}

} // namespace
} // namespace vitrine::ui
