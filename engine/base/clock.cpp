// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/base: the process's monotonic clock.
#include "engine/base/clock.h"

namespace vitrine::engine {
namespace {

class SteadyClock final : public Clock {
public:
    [[nodiscard]] TimePoint now() const noexcept override { return std::chrono::steady_clock::now(); }
};

} // namespace

const Clock& steady_clock() noexcept {
    static const SteadyClock clock;
    return clock;
}

} // namespace vitrine::engine
