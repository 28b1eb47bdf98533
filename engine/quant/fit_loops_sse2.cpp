// SPDX-License-Identifier: GPL-3.0-or-later
// The loops in vectors of 4 floats; engine/CMakeLists.txt has the flags.
#include "engine/quant/fit_loops_body.h"

namespace vitrine::engine {

extern const FitLoops kFitLoopsSse2;
const FitLoops kFitLoopsSse2 = loops_named<4>("sse2");

} // namespace vitrine::engine
