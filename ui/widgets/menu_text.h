// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: words of users in menus.
#pragma once

#include <QString>

namespace vitrine::ui {

/// A name as a menu shows it whole: a lone & would mark a key there.
[[nodiscard]] inline QString menuText(QString text) {
    return text.replace(u'&', QLatin1String("&&"));
}

} // namespace vitrine::ui
