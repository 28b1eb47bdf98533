// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/remote: sentences about servers in the language of the window.
#pragma once

#include <QCoreApplication>

namespace vitrine::app {

/// Remote::tr() may be called on the network's thread.
class Remote {
    Q_DECLARE_TR_FUNCTIONS(Remote)
};

} // namespace vitrine::app
