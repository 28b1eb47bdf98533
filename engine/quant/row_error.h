// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/quant: what a conversion changed in one row.
#pragma once

namespace vitrine::engine {

/// Sums of squares: of the differences, and of the values before.
struct RowError {
    double difference = 0, norm = 0;
};

} // namespace vitrine::engine
