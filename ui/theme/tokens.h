// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/theme: the one table of colours and measures.  No colour literal exists anywhere else.
#pragma once

#include <QColor>

#include <array>
#include <cstdint>

namespace vitrine::ui {

enum class Scheme : std::uint8_t { light, dark, contrast };
inline constexpr std::array kSchemes = {Scheme::light, Scheme::dark, Scheme::contrast};

/// Roles of colours; what each is for stands in the table of tokens.cpp.
enum class Color : std::uint8_t {
    page,
    side,
    well,
    hover,
    press,
    popup,
    hairline,
    outline,
    control,
    text1,
    text2,
    text3,
    disabled,
    accent,
    accentHover,
    accentPress,
    onAccent,
    accentSoft,
    ok,
    okSoft,
    warn,
    warnSoft,
    error,
    errorSoft,
    queued,
    prefill,
    decode,
    preempted,
    cached,
    shared,
    think,
    seqA,
    seqB,
    seqC,
    seqD,
    seqE,
    seqF,
    synKeyword,
    synString,
    synFunction,
    synNumber,
    scrim, // over the page, below a palette or dialog; has alpha
    inLane, // text on a prefill or decode bar
    hatch, // stroke of the sequence patterns; has alpha
    shadow, // ring around popups; has alpha
    count
};

[[nodiscard]] QColor tokenColor(Scheme scheme, Color color);
[[nodiscard]] const char* colorName(Color color);

/// Colour of a sequence: six colours, then they repeat.  `index` counts from 0 = A.
inline constexpr int kNumSequenceColors = 6;
[[nodiscard]] Color sequenceColor(int index);
/// Colour of the letter on a chip of that sequence.
[[nodiscard]] QColor sequenceLetterColor(Scheme scheme, int index);

/// WCAG 2 contrast of two opaque colours, 1 to 21.
[[nodiscard]] double contrastRatio(const QColor& a, const QColor& b);

/// Measures in pixels at 100 % text size and scale 1.
struct Measure {
    static constexpr int kSpace1 = 4, kSpace2 = 8, kSpace3 = 12, kSpace4 = 16, kSpace6 = 24, kSpace8 = 32;
    static constexpr int kRadiusCard = 8, kRadiusControl = 6, kRadiusInner = 5, kRadiusTag = 4, kRadiusBar = 3;
    static constexpr int kRadiusComposer = 10;
    static constexpr int kHeader = 48, kControl = 32, kToolbarControl = 28, kField = 32, kListRow = 32;
    static constexpr int kTableRow = 36, kLogRow = 33, kDenseRow = 24, kTableHead = 32, kMenuRow = 30;
    static constexpr int kFormRow = 48, kFormRowHint = 60, kChip = 24, kTag = 18, kKey = 20;
    static constexpr int kLane = 24, kLaneBar = 14, kRailWidth = 64, kRailItemWidth = 56, kRailItem = 52, kPulse = 28;
    static constexpr int kPlotGutter = 176, kPlotGutterNarrow = 144, kTimeAxis = 24;
    static constexpr int kIconRail = 20, kIconButton = 18, kIconRow = 16, kIconInline = 14;
};

} // namespace vitrine::ui
