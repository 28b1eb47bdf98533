// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/widgets: curves that are moved and mended by strips look like curves drawn anew.
#include "ui/widgets/curve_layer.h"

#include <QPainter>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace vitrine::ui {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kGap = std::nan("");

TEST(FirstDifference, IsNothingWhenPointsOnlyLeftTheWindow) {
    EXPECT_EQ(firstDifference({1, 2, 3}, {10, 20, 30}, {2, 3}, {20, 30}), kInfinity);
    EXPECT_EQ(firstDifference({1, 2, 3}, {10, kGap, 30}, {2, 3}, {kGap, 30}), kInfinity);
    EXPECT_EQ(firstDifference({}, {}, {}, {}), kInfinity);
}

TEST(FirstDifference, IsTheLastPointThatStandsWhenOthersCome) {
    EXPECT_EQ(firstDifference({1, 2, 3}, {10, 20, 30}, {2, 3, 4}, {20, 30, 40}), 3);
    EXPECT_EQ(firstDifference({1, 2, 3}, {10, 20, 30}, {1, 2, 3}, {10, 20, 31}), 2) << "a value that was mended";
    EXPECT_EQ(firstDifference({1, 2, 3}, {10, 20, 30}, {1, 2}, {10, 20}), 2) << "a point that is gone";
    EXPECT_EQ(firstDifference({1, 2}, {10, 20}, {5, 6}, {1, 1}), -kInfinity);
    EXPECT_EQ(firstDifference({1, 2}, {10, 20}, {}, {}), -kInfinity);
}

TEST(FirstDifference, FindsBarsThatHaveTwoPointsOfOneTime) {
    // Bars from 1 to 2 and from 2 to 3; the first leaves.
    EXPECT_EQ(firstDifference({1, 2, 2, 3, 3}, {5, 5, 7, 7, kGap}, {2, 3, 3}, {7, 7, kGap}), kInfinity);
}

class CurveLayerTest : public ::testing::TestWithParam<double> {
protected:
    CurveLayerTest() { m_layer = make(); }
    std::unique_ptr<CurveLayer> make() {
        auto layer = std::make_unique<CurveLayer>(m_styles);
        layer->setInks(m_theme, m_styles, false);
        return layer;
    }
    /// Bins of half a second up to `end`, a minute of them; a bar in every third.
    void give(CurveLayer& layer, double end) const {
        std::vector<double> times, line, bars;
        for (double time = std::floor(end) - 60; time <= end; time += 0.5) {
            times.push_back(time);
            line.push_back(40 + 30 * std::sin(time / 3));
            bars.push_back(std::fmod(time, 3) < 1 ? 60 : kGap);
        }
        layer.setPoints(0, times, line);
        layer.setPoints(1, times, bars);
    }
    [[nodiscard]] QImage paint(CurveLayer& layer, double end) const {
        const double scale = GetParam();
        QImage image(QSize(600, 50) * scale, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::white);
        image.setDevicePixelRatio(scale);
        QPainter painter(&image);
        layer.paint(painter, {0, 0}, {{600, 50}, scale, end - 60, end, 100, 1});
        return image;
    }

    Theme m_theme;
    std::vector<SeriesStyle> m_styles{{SeriesStyle::Shape::area, Color::accent, 0.5, false, {}},
        {SeriesStyle::Shape::bars, Color::prefill, 0.28, false, {}}};
    std::unique_ptr<CurveLayer> m_layer;
};

/// Share of pixels whose channels differ by more than a rounding.
double difference(const QImage& a, const QImage& b) {
    int count = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x) {
            const QRgb p = a.pixel(x, y), q = b.pixel(x, y);
            count += std::abs(qRed(p) - qRed(q)) > 3 || std::abs(qGreen(p) - qGreen(q)) > 3 ||
                std::abs(qBlue(p) - qBlue(q)) > 3;
        }
    return double(count) / (a.width() * a.height());
}

TEST_P(CurveLayerTest, StripsGiveThePictureOfAWholeDraw) {
    give(*m_layer, 1000);
    (void)paint(*m_layer, 1000);
    QImage moved;
    for (int i = 1; i <= 40; ++i) { // a tenth of a second is a pixel; each half second has a new bin
        if (i % 5 == 0)
            give(*m_layer, 1000 + i / 10.0);
        moved = paint(*m_layer, 1000 + i / 10.0);
    }
    EXPECT_EQ(m_layer->wholeDraws(), 1);
    EXPECT_EQ(m_layer->stripDraws(), 8);
    const auto anew = make();
    give(*anew, 1004);
    const QImage whole = paint(*anew, 1004);
    EXPECT_LT(difference(moved, whole), 0.001);
    QImage blank(whole.size(), QImage::Format_ARGB32_Premultiplied);
    blank.fill(Qt::white);
    EXPECT_GT(difference(blank, whole), 0.3) << "something is drawn at all";
}

TEST_P(CurveLayerTest, MovingDrawsNothing) {
    give(*m_layer, 1000);
    for (int i = 0; i < 100; ++i)
        (void)paint(*m_layer, 1000 + i / 20.0);
    EXPECT_EQ(m_layer->wholeDraws(), 1);
    EXPECT_EQ(m_layer->stripDraws(), 0);
    (void)paint(*m_layer, 990); // back: what left on the left side is not there any more
    EXPECT_EQ(m_layer->wholeDraws(), 2);
}

/// Where points stand an odd number of pixels apart, strips begin close to one now and then.
TEST_P(CurveLayerTest, NoColumnTellsWhereAStripBegan) {
    const double scale = GetParam();
    constexpr int kWidth = 734;
    for (int tick = 0; tick <= 60; ++tick) {
        const double now = 30 + tick * 0.05;
        std::vector<double> times, area, line;
        for (int i = 180; i <= static_cast<int>(now * 10 + 1e-9); ++i) {
            times.push_back(i / 10.0);
            area.push_back(30);
            line.push_back(60);
        }
        m_layer->setPoints(0, times, area);
        m_layer->setPoints(1, times, line);
        QImage image(QSize(kWidth, 45) * scale, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::white);
        image.setDevicePixelRatio(scale);
        QPainter painter(&image);
        m_layer->paint(painter, {0, 0}, {{kWidth, 45}, scale, now - 10, now, 100, 100});
        painter.end();
        const int end = static_cast<int>((10 - 0.2) / 10 * kWidth * scale); // the newest points lie behind it
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 2; x < end; ++x)
                ASSERT_EQ(image.pixel(x, y), image.pixel(x - 1, y)) << now << ": " << x << ", " << y;
        }
    }
    EXPECT_GT(m_layer->stripDraws(), 20);
}

INSTANTIATE_TEST_SUITE_P(Scales, CurveLayerTest, ::testing::Values(1.0, 1.25, 1.5, 2.0));

} // namespace
} // namespace vitrine::ui
