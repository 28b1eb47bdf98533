// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: the engine's clock, as far as the window can know it.
#pragma once

#include <algorithm>
#include <chrono>

namespace vitrine::ui {

/// Step records carry seconds since the engine's start; the offset to our clock is learnt from the records, the one that
/// arrived with the least delay counting most.
class EngineClock {
public:
    void noteStepEnd(double engineSeconds) { m_offset = std::max(m_offset, engineSeconds - wall()); }
    [[nodiscard]] double now() const { return known() ? wall() + m_offset : 0; }
    [[nodiscard]] bool known() const { return m_offset > kUnknown; }

private:
    static constexpr double kUnknown = -1e18;
    static double wall() {
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    }
    double m_offset = kUnknown;
};

} // namespace vitrine::ui
