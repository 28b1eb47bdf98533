// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/theme: fonts, icons and style sheet of the theme.
#include "ui/theme/theme.h"

#include "ui/theme/sequence_brush.h"
#include "ui/theme/style.h"

#include <QApplication>
#include <QFontInfo>
#include <QFontMetricsF>
#include <QMenu>
#include <QPainter>
#include <QRegularExpression>

#include <gtest/gtest.h>

namespace vitrine::ui {
namespace {

class ThemeTest : public ::testing::Test {
protected:
    void SetUp() override { m_theme.applyTo(*qApp); }
    Theme m_theme;
};

TEST_F(ThemeTest, BundlesInterWithDigitsOfOneWidth) {
    const QFont font = m_theme.font(TextRole::base);
    EXPECT_EQ(QFontInfo(font).family(), QStringLiteral("Vitrine Inter"));
    const QFontMetricsF metrics(font);
    const double zero = metrics.horizontalAdvance(u'0');
    for (char16_t digit = u'1'; digit <= u'9'; ++digit)
        EXPECT_NEAR(metrics.horizontalAdvance(QChar(digit)), zero, 0.05) << static_cast<char>(digit);
}

TEST_F(ThemeTest, ShowsCodeAsWritten) {
    const QFont font = m_theme.font(TextRole::code);
    EXPECT_EQ(QFontInfo(font).family(), QStringLiteral("Vitrine Mono"));
    // With ligatures "->" would be drawn as one arrow; without them its picture is that of its two characters.
    const auto picture = [&](std::initializer_list<std::pair<int, const char*>> parts) {
        QImage image(60, 30, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        painter.setFont(font);
        for (const auto& [x, text] : parts)
            painter.drawText(QPointF(x * QFontMetricsF(font).horizontalAdvance(u'-'), 20), QLatin1String(text));
        return image;
    };
    EXPECT_EQ(picture({{0, "->"}}), picture({{0, "-"}, {1, ">"}}));
}

TEST_F(ThemeTest, CornersOfAMenuAreCutOffWhereNothingComposites) {
    Style plain(m_theme, [] { return false; }), composited(m_theme, [] { return true; });
    for (Style* style : {&plain, &composited}) {
        QMenu menu;
        menu.addAction(QStringLiteral("Copy"));
        menu.ensurePolished(); // by the application's style
        style->polish(&menu);
        menu.popup({100, 100});
        const bool isCut = style == &plain;
        EXPECT_EQ(menu.testAttribute(Qt::WA_TranslucentBackground), !isCut);
        ASSERT_EQ(menu.mask().isEmpty(), !isCut);
        if (!isCut)
            continue;
        const QRect all = menu.rect();
        for (const QPoint& corner : {all.topLeft(), all.topRight(), all.bottomLeft(), all.bottomRight()})
            EXPECT_FALSE(menu.mask().contains(corner));
        EXPECT_TRUE(menu.mask().contains(all.center()));
        EXPECT_TRUE(menu.mask().contains(QPoint(all.center().x(), all.top())));
        menu.addAction(QStringLiteral("Paste this as a quotation"));
        menu.resize(menu.sizeHint());
        EXPECT_EQ(menu.mask().boundingRect(), menu.rect()) << "it follows the size";
    }
}

TEST_F(ThemeTest, IconsArePaintedForTheScreenTheyAreOn) {
    const QIcon icon = m_theme.icon(QStringLiteral("copy"), 20);
    const QPixmap plain = icon.pixmap(QSize(20, 20), 1.0), fine = icon.pixmap(QSize(20, 20), 2.0);
    EXPECT_EQ(plain.size(), QSize(20, 20));
    EXPECT_EQ(fine.size(), QSize(40, 40));
    EXPECT_EQ(fine.devicePixelRatio(), 2.0);
    EXPECT_EQ(icon.pixmap(QSize(64, 64), 1.0).size(), QSize(20, 20)) << "an icon is never blown up";
    EXPECT_EQ(icon.pixmap(QSize(10, 10), 1.0).size(), QSize(10, 10));
    const auto picture = [&](QIcon::Mode mode, QIcon::State state) {
        return icon.pixmap(QSize(20, 20), 1.0, mode, state).toImage();
    };
    EXPECT_NE(picture(QIcon::Normal, QIcon::Off), picture(QIcon::Disabled, QIcon::Off));
    EXPECT_NE(picture(QIcon::Normal, QIcon::Off), picture(QIcon::Normal, QIcon::On));
    EXPECT_TRUE(m_theme.icon(QStringLiteral("no-such-icon"), 20).pixmap(QSize(20, 20), 1.0).isNull());
}

TEST_F(ThemeTest, IconsKeepTheirGapBehindThem) {
    const QIcon icon = m_theme.icon(QStringLiteral("stop"), 16, Color::text1, 4);
    const auto ink = [&] {
        QImage image = icon.pixmap(QSize(20, 16), 1.0).toImage().convertToFormat(QImage::Format_ARGB32);
        int left = image.width(), right = -1;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (qAlpha(image.pixel(x, y)) > 0) {
                    left = std::min(left, x);
                    right = std::max(right, x);
                }
        return std::pair(left, image.width() - 1 - right);
    };
    const auto [left, right] = ink();
    EXPECT_EQ(right, left + 4);
    QGuiApplication::setLayoutDirection(Qt::RightToLeft);
    const auto mirrored = ink();
    QGuiApplication::setLayoutDirection(Qt::LeftToRight);
    EXPECT_EQ(mirrored, std::pair(right, left));
}

TEST_F(ThemeTest, StyleSheetHasNoPlaceholderLeft) {
    for (const SchemeChoice choice : {SchemeChoice::light, SchemeChoice::dark, SchemeChoice::contrast}) {
        m_theme.setChoice(choice);
        const QString sheet = m_theme.styleSheet();
        EXPECT_FALSE(sheet.contains(u'@'));
        EXPECT_FALSE(sheet.contains(u'$'));
        EXPECT_FALSE(sheet.contains(QRegularExpression(QStringLiteral("color: *;"))))
            << "an unknown token became nothing";
        EXPECT_TRUE(sheet.contains(m_theme.color(Color::accentSoft).name()));
    }
}

TEST_F(ThemeTest, RendersIconsInTheColourAsked) {
    const QPixmap icon = m_theme.pixmap(QStringLiteral("engine"), 20, Color::accent, 2.0);
    ASSERT_EQ(icon.size(), QSize(40, 40));
    EXPECT_EQ(icon.devicePixelRatio(), 2.0);
    int inked = 0;
    const QImage image = icon.toImage();
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (qAlpha(image.pixel(x, y)) == 255) {
                ++inked;
                EXPECT_EQ(QColor(image.pixel(x, y)).name(), m_theme.color(Color::accent).name());
            }
    EXPECT_GT(inked, 20);
    EXPECT_TRUE(m_theme.pixmap(QStringLiteral("no-such-icon"), 20, Color::accent).isNull());
}

TEST_F(ThemeTest, ScalesTextButClampsIt) {
    m_theme.setTextPercent(150);
    EXPECT_EQ(m_theme.font(TextRole::base).pixelSize(), 20); // 13 * 1.5 rounded half up
    EXPECT_EQ(m_theme.px(28), 42);
    m_theme.setTextPercent(1000);
    EXPECT_EQ(m_theme.textPercent(), 200);
}

TEST(SequenceBrush, NamesSequencesByLetter) {
    EXPECT_EQ(sequenceLetter(0), QStringLiteral("A"));
    EXPECT_EQ(sequenceLetter(25), QStringLiteral("Z"));
    EXPECT_EQ(sequenceLetter(26), QStringLiteral("A2"));
}

TEST_F(ThemeTest, TellsRepeatedSequenceColoursApartByPattern) {
    EXPECT_EQ(sequenceColor(0), sequenceColor(6));
    EXPECT_NE(sequenceTile(m_theme, 0, 16, 1).toImage(), sequenceTile(m_theme, 6, 16, 1).toImage());
    m_theme.setSequencePatterns(false);
    EXPECT_EQ(sequenceTile(m_theme, 0, 16, 1).toImage(), sequenceTile(m_theme, 6, 16, 1).toImage());
}

} // namespace
} // namespace vitrine::ui
