// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/base: checks for bugs.  Always on; input can never reach them.
#pragma once

#include <cstdio>
#include <cstdlib>

#define VT_CHECK(condition)                                                                                            \
    do {                                                                                                               \
        if (!(condition)) [[unlikely]] {                                                                               \
            std::fprintf(stderr, "%s:%d: check failed: %s\n", __FILE__, __LINE__, #condition);                         \
            std::abort();                                                                                              \
        }                                                                                                              \
    } while (false)
