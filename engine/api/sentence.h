// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/api: the sentences of errors by number, re-exported for the engine's clients.
#pragma once

#include "kernels/api/sentence.h"
