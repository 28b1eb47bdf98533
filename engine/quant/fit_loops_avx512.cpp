// SPDX-License-Identifier: GPL-3.0-or-later
// The loops in vectors of 16 floats; engine/CMakeLists.txt has the flags.
#include "engine/quant/fit_loops_body.h"

namespace vitrine::engine {

extern const FitLoops kFitLoopsAvx512;
const FitLoops kFitLoopsAvx512 = loops_named<16>("avx512");

} // namespace vitrine::engine
