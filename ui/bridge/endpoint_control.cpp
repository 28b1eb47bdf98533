// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: what pages may ask of the endpoint (the interface's meta object lives here).
#include "ui/bridge/endpoint_control.h"
