// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/widgets: a track that repaints only what looks different shows what one painted anew shows.
#include "ui/widgets/live_plot.h"

#include <QApplication>
#include <QScreen>
#include <QTest>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace vitrine::ui {
namespace {

using Shape = SeriesStyle::Shape;

class LivePlotTest : public ::testing::Test {
protected:
    LivePlotTest()
        : m_plot(m_theme, m_window,
              {{Shape::area, Color::cached, 0.55, false, QStringLiteral("area"), true},
                  {Shape::line, Color::accent, 0, false, QStringLiteral("line")},
                  {Shape::dashed, Color::text2, 0, false, QStringLiteral("dashed")}}) {
        m_theme.setChoice(SchemeChoice::light);
        m_theme.applyTo(*qApp);
        m_window.setSpan(10);
        m_window.setGutter(150);
        m_plot.resize(900, 64);
        m_plot.setLabels(QStringLiteral("Track"), QStringLiteral("ms"));
        m_plot.setFixedTop(100);
        m_plot.show();
        QTest::qWait(50);
    }
    /// A point each tenth of a second, up to `now`; the window ends there.
    void give(double now, const std::function<double(double)>& line, double level) {
        std::vector<double> times, values, dashed, area;
        for (int i = static_cast<int>(std::max(0.0, now - 12) * 10); i <= static_cast<int>(now * 10); ++i) {
            times.push_back(i / 10.0);
            values.push_back(line(i / 10.0));
            dashed.push_back(80);
            area.push_back(i / 10.0 < 14 ? 30 : level);
        }
        m_window.setNow(now);
        m_plot.setPoints(0, times, area);
        m_plot.setPoints(1, times, values);
        m_plot.setPoints(2, times, dashed);
        for (int i = 0; i < 3; ++i)
            QCoreApplication::processEvents();
    }
    /// What stands on the screen, and what a fresh painting of all of it gives.
    [[nodiscard]] int numOtherPixels() {
        const QImage shown =
            m_plot.screen()->grabWindow(m_plot.winId()).toImage().convertToFormat(QImage::Format_RGB32);
        const QImage fresh = m_plot.grab().toImage().convertToFormat(QImage::Format_RGB32);
        EXPECT_EQ(shown.size(), fresh.size());
        int other = 0;
        for (int y = 0; y < std::min(shown.height(), fresh.height()); ++y)
            for (int x = 0; x < std::min(shown.width(), fresh.width()); ++x)
                other += shown.pixel(x, y) != fresh.pixel(x, y);
        return other;
    }

    Theme m_theme;
    TimeWindow m_window;
    LivePlot m_plot;
};

TEST_F(LivePlotTest, WhatIsOnScreenIsWhatIsPaintedAnew) {
    const auto quiet = [](double) { return 40.0; };
    const auto lively = [](double time) { return time < 16 ? 40 : 40 + 15 * std::sin(time * 3); };
    for (int tick = 240; tick < 700; ++tick) { // 0.05 s each: quiet, a step of the area, a lively line, quiet again
        const double now = tick * 0.05;
        give(now, now < 25 ? std::function<double(double)>(lively) : quiet, 55);
        if (tick % 7 == 0) {
            ASSERT_EQ(numOtherPixels(), 0) << "at " << now;
        }
    }
}

TEST_F(LivePlotTest, AnotherSpanLeavesNoGridLinesBehind) {
    give(
        30, [](double) { return 40.0; }, 30);
    m_window.setSpan(60);
    QTest::qWait(50);
    EXPECT_EQ(numOtherPixels(), 0);
}

TEST_F(LivePlotTest, AValueAtTheTopIsSeen) {
    give(
        30, [](double) { return 100.0; }, 30);
    const QImage image = m_plot.grab().toImage();
    const int x = m_plot.curveArea().right() - 40, top = m_plot.curveArea().top();
    int inked = 0;
    for (int y = top - 2; y <= top + 1; ++y)
        inked += QColor(image.pixel(x, y)).value() < 200;
    EXPECT_GE(inked, 1) << "a line of one and a half pixels does not hide in the grid line";
}

TEST_F(LivePlotTest, AnAxisOfCountsEndsAtAWholeNumber) {
    m_plot.setFixedTop(0);
    m_plot.setCounts();
    for (const double level : {0.3, 1.1, 2.2, 11.0}) {
        give(
            30, [level](double) { return level; }, 0);
        for (int series : {0, 2})
            m_plot.setPoints(series, {}, {});
        QTest::qWait(20);
        EXPECT_EQ(m_plot.top(), std::floor(m_plot.top())) << level;
        EXPECT_GE(m_plot.top(), level);
    }
}

TEST_F(LivePlotTest, AQuietTrackRepaintsItsEdgeAlone) {
    const auto quiet = [](double) { return 40.0; };
    give(30, quiet, 30);
    for (int tick = 1; tick <= 20; ++tick)
        give(30 + tick * 0.05, quiet, 30);
    EXPECT_EQ(numOtherPixels(), 0);
    const QRect moved = m_plot.lastMoved().boundingRect();
    EXPECT_GT(moved.height(), 0);
    // The dashed line is all that moves from left to right: a few rows of it.
    const QRegion wide = m_plot.lastMoved().intersected(QRect(0, 0, m_plot.width() / 2, m_plot.height()));
    EXPECT_LT(wide.boundingRect().height(), 12);
}

} // namespace
} // namespace vitrine::ui
