// SPDX-License-Identifier: GPL-3.0-or-later
// The loops in vectors of 8 floats; engine/CMakeLists.txt has the flags.
#include "engine/quant/fit_loops_body.h"

namespace vitrine::engine {

extern const FitLoops kFitLoopsAvx2;
const FitLoops kFitLoopsAvx2 = loops_named<8>("avx2");

} // namespace vitrine::engine
