// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/theme: the colour table keeps the contrast the design promises (WCAG 2 ratios).
#include "ui/theme/tokens.h"

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>

#include <gtest/gtest.h>

#include <span>

namespace vitrine::ui {
namespace {

constexpr Color kGrounds[] = {Color::page, Color::side, Color::well, Color::popup, Color::accentSoft};

double lowest(Scheme scheme, std::initializer_list<Color> inks, std::span<const Color> grounds) {
    double ratio = 21;
    for (const Color ink : inks)
        for (const Color ground : grounds)
            ratio = std::min(ratio, contrastRatio(tokenColor(scheme, ink), tokenColor(scheme, ground)));
    return ratio;
}

// W3C: black on white is 21:1, equal colours 1:1; #767676 on white is the well-known 4.54:1.
TEST(ContrastRatio, AgreesWithKnownPairs) {
    EXPECT_NEAR(contrastRatio(Qt::black, Qt::white), 21.0, 1e-6);
    EXPECT_NEAR(contrastRatio(Qt::white, Qt::white), 1.0, 1e-9);
    EXPECT_NEAR(contrastRatio(QColor(0x76, 0x76, 0x76), Qt::white), 4.54, 0.01);
}

TEST(Tokens, GiveTextAtLeastFourPointFiveToOne) {
    for (const Scheme scheme : kSchemes) {
        EXPECT_GE(lowest(scheme, {Color::text1, Color::text2, Color::text3}, kGrounds), 4.5)
            << static_cast<int>(scheme);
        EXPECT_GE(lowest(scheme, {Color::accent, Color::ok, Color::warn, Color::error}, kGrounds), 4.5)
            << static_cast<int>(scheme);
        const Color fills[] = {Color::accent, Color::accentHover, Color::accentPress};
        EXPECT_GE(lowest(scheme, {Color::onAccent}, fills), 4.5) << static_cast<int>(scheme);
        const Color soft[] = {Color::errorSoft};
        EXPECT_GE(lowest(scheme, {Color::text1, Color::text2, Color::error}, soft), 4.5) << static_cast<int>(scheme);
    }
}

TEST(Tokens, GiveGraphicsAtLeastThreeToOne) {
    const Color surfaces[] = {Color::page, Color::side, Color::well};
    const Color page[] = {Color::page};
    for (const Scheme scheme : kSchemes) {
        EXPECT_GE(lowest(scheme, {Color::control}, surfaces), 3.0) << static_cast<int>(scheme);
        EXPECT_GE(
            lowest(scheme, {Color::seqA, Color::seqB, Color::seqC, Color::seqD, Color::seqE, Color::seqF}, page), 3.0);
        EXPECT_GE(lowest(scheme, {Color::queued, Color::prefill, Color::decode, Color::preempted}, page), 2.9);
        for (int i = 0; i < kNumSequenceColors; ++i)
            EXPECT_GE(contrastRatio(sequenceLetterColor(scheme, i), tokenColor(scheme, sequenceColor(i))), 4.5) << i;
    }
}

TEST(Tokens, HaveEveryRowInPlace) {
    for (int i = 0; i < static_cast<int>(Color::count); ++i)
        for (const Scheme scheme : kSchemes)
            EXPECT_TRUE(tokenColor(scheme, static_cast<Color>(i)).isValid()) << colorName(static_cast<Color>(i));
    EXPECT_STREQ(colorName(Color::accentSoft), "accentSoft");
    EXPECT_STREQ(colorName(Color::shadow), "shadow");
    EXPECT_EQ(tokenColor(Scheme::dark, Color::accent), QColor("#58BFC4")); // tokens.md, section 1
}

// "No colour literal elsewhere" (tokens.md): colours by number or name belong to tokens.cpp alone.
TEST(Tokens, AreTheOnlyColourLiteralsOfTheWindow) {
    const QRegularExpression literal(QStringLiteral(
        "\"#[0-9A-Fa-f]{3,8}\"|QColor\\([0-9]|Qt::(black|white|red|green|blue|gray|yellow|darkGray|lightGray)\\b"));
    QDirIterator files(QStringLiteral(VITRINE_TESTS_DIR "/../ui"), {QStringLiteral("*.cpp"), QStringLiteral("*.h")},
        QDir::Files, QDirIterator::Subdirectories);
    int looked = 0;
    while (files.hasNext()) {
        QFile file(files.next());
        if (file.fileName().endsWith(QLatin1String("theme/tokens.cpp")))
            continue;
        ASSERT_TRUE(file.open(QIODevice::ReadOnly));
        const auto match = literal.match(QString::fromUtf8(file.readAll()));
        EXPECT_FALSE(match.hasMatch()) << file.fileName().toStdString() << ": " << match.captured().toStdString();
        ++looked;
    }
    EXPECT_GT(looked, 50);
}

} // namespace
} // namespace vitrine::ui
