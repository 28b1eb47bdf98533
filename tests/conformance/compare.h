// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/conformance: results against the reference.
#pragma once

#include <span>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/error_bounds.h"

namespace vitrine::testing {

/// The whole within `bound`; every row of `width` within three times that, so that one wrong row among many shows.
inline void expect_close(
    std::span<const float> out, std::span<const float> ref, double bound, std::size_t width, const std::string& what) {
    ASSERT_FALSE(ref.empty()) << what;
    ASSERT_EQ(out.size(), ref.size()) << what;
    EXPECT_LE(norm_error(out, ref), bound) << what;
    for (std::size_t start = 0; start + width <= ref.size(); start += width)
        ASSERT_LE(norm_error(out.subspan(start, width), ref.subspan(start, width)), 3 * bound)
            << what << ", row " << start / width;
}

} // namespace vitrine::testing
