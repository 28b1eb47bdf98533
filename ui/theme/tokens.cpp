// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/theme: the colour table.
#include "ui/theme/tokens.h"

#include <cmath>

namespace vitrine::ui {
namespace {

/// #RRGGBB, or #AARRGGBB where a colour has alpha.
struct Row {
    Color color;
    const char* name;
    const char* light;
    const char* dark;
    const char* contrast;
};

// clang-format off
constexpr Row kTable[] = {
    {Color::page, "page", "#FFFFFF", "#141718", "#000000"},                          // page
    {Color::side, "side", "#F6F8F8", "#191D1E", "#000000"},                          // rail, lists, inspector, Pulse strip
    {Color::well, "well", "#EFF2F2", "#202526", "#101414"},                          // user turn, code, segmented track, chips
    {Color::hover, "hover", "#E6EBEB", "#292F31", "#1E2A2B"},                        // hover
    {Color::press, "press", "#D9E1E1", "#343C3E", "#10393C"},                        // pressed, slider track
    {Color::popup, "popup", "#FFFFFF", "#1F2426", "#000000"},                        // menu, tooltip, palette, dialog
    {Color::hairline, "hairline", "#E2E7E7", "#2A3032", "#6E7A7B"},                  // 1-px line between areas and rows
    {Color::outline, "outline", "#C9D2D3", "#3E484A", "#FFFFFF"},                    // of buttons, fields, popups
    {Color::control, "control", "#7C888A", "#737F82", "#FFFFFF"},                    // outlines seen by themselves
    {Color::text1, "text1", "#151A1B", "#E8ECEC", "#FFFFFF"},                        // content, current values
    {Color::text2, "text2", "#465154", "#B3BCBD", "#FFFFFF"},                        // labels, idle icons
    {Color::text3, "text3", "#5E696C", "#919C9E", "#D6DEDE"},                        // hints, units, axes, greyed rows
    {Color::disabled, "disabled", "#9AA4A6", "#5F6A6D", "#8C9798"},                  // disabled controls only
    {Color::accent, "accent", "#0B6B73", "#58BFC4", "#5FF3F5"},                      // selection, focus, links, KV
    {Color::accentHover, "accentHover", "#095860", "#74CED2", "#A6FAFB"},
    {Color::accentPress, "accentPress", "#07474E", "#45A7AC", "#FFFFFF"},
    {Color::onAccent, "onAccent", "#FFFFFF", "#06272A", "#000000"},                  // text on accent
    {Color::accentSoft, "accentSoft", "#DDEFEF", "#17353A", "#003B3D"},              // selected row, active rail item
    {Color::ok, "ok", "#1B7541", "#63C48B", "#7CFFB0"},                              // fits, loaded, running server
    {Color::okSoft, "okSoft", "#E2F3E8", "#17301F", "#00361A"},
    {Color::warn, "warn", "#8A5A00", "#E2AF55", "#FFD24A"},                          // pressure, guessed, does not fit
    {Color::warnSoft, "warnSoft", "#FBF0D9", "#352B17", "#3D2F00"},
    {Color::error, "error", "#B93030", "#F2877F", "#FF9C94"},                        // failed, destructive
    {Color::errorSoft, "errorSoft", "#FBE6E4", "#3A2120", "#4A0B07"},
    {Color::queued, "queued", "#8B979A", "#748084", "#B9C4C6"},                      // lane: waiting
    {Color::prefill, "prefill", "#2F6FC4", "#6FA8F0", "#8FC1FF"},                    // lane, plot: prompt tokens read
    {Color::decode, "decode", "#3A833F", "#79C27C", "#8DFF92"},                      // lane, plot, sparkline: tokens made
    {Color::preempted, "preempted", "#C9403C", "#F07F77", "#FF8A80"},                // lane: dashed outline
    {Color::cached, "cached", "#BFCBCC", "#3F4A4D", "#5F6B6D"},                      // block: cached and reusable
    {Color::shared, "shared", "#20282A", "#D5DCDC", "#FFFFFF"},                      // block: lower right half
    {Color::think, "think", "#9CC7A0", "#3F6B44", "#3E8A45"},                        // timeline: thinking
    {Color::seqA, "seqA", "#4A43B5", "#9695FA", "#A088EE"},                          // solid
    {Color::seqB, "seqB", "#D07A1F", "#F2A44E", "#F59F51"},                          // hatch rising
    {Color::seqC, "seqC", "#3F97C6", "#86D3F5", "#A2DBF0"},                          // lines across
    {Color::seqD, "seqD", "#B3487A", "#CE6C90", "#E3687C"},                          // hatch falling
    {Color::seqE, "seqE", "#666102", "#838F23", "#D0E129"},                          // dots
    {Color::seqF, "seqF", "#5B262F", "#E4BDBD", "#FFF2ED"},                          // lines down
    {Color::synKeyword, "synKeyword", "#8A3B8F", "#D596DC", "#F2A8FF"},
    {Color::synString, "synString", "#2F6B3A", "#8CCB93", "#9DFFA6"},
    {Color::synFunction, "synFunction", "#1F5FA8", "#86B8F2", "#9CCBFF"},            // also JSON keys
    {Color::synNumber, "synNumber", "#9A5200", "#E2AF6C", "#FFD27A"},
    {Color::scrim, "scrim", "#52141718", "#80000000", "#B8000000"},
    {Color::inLane, "inLane", "#FFFFFF", "#0C1A0D", "#0C1A0D"},
    {Color::hatch, "hatch", "#80FFFFFF", "#6B000000", "#6B000000"},
    {Color::shadow, "shadow", "#0A000000", "#0A000000", "#00000000"},
};
// clang-format on
constexpr auto kNumColors = static_cast<std::size_t>(Color::count);
static_assert(std::size(kTable) == kNumColors, "one row for every colour, in the order of the enum");

constexpr const char* kLetterLight[] = {"#FFFFFF", "#15191A", "#15191A", "#FFFFFF", "#FFFFFF", "#FFFFFF"};
constexpr const char* kLetterDark = "#101314";

std::array<std::array<QColor, kNumColors>, kSchemes.size()> parseTable() {
    std::array<std::array<QColor, kNumColors>, kSchemes.size()> colors;
    for (const Row& row : kTable) {
        const auto index = static_cast<std::size_t>(row.color);
        colors[0][index] = QColor(row.light);
        colors[1][index] = QColor(row.dark);
        colors[2][index] = QColor(row.contrast);
    }
    return colors;
}

double linear(double channel) {
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& color) {
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

} // namespace

QColor tokenColor(Scheme scheme, Color color) {
    static const auto kColors = parseTable();
    return kColors[static_cast<std::size_t>(scheme)][static_cast<std::size_t>(color)];
}

const char* colorName(Color color) {
    return kTable[static_cast<std::size_t>(color)].name;
}

Color sequenceColor(int index) {
    return static_cast<Color>(static_cast<int>(Color::seqA) + index % kNumSequenceColors);
}

QColor sequenceLetterColor(Scheme scheme, int index) {
    return QColor(scheme == Scheme::light ? kLetterLight[index % kNumSequenceColors] : kLetterDark);
}

double contrastRatio(const QColor& a, const QColor& b) {
    const double first = luminance(a), second = luminance(b);
    return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

} // namespace vitrine::ui
