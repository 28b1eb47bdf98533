// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/base: Result and Error, re-exported for the engine.
#pragma once

#include "kernels/api/result.h"
