// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: links in answers.
#pragma once

#include <QString>

class QWidget;

namespace vitrine::ui {

class Dialogs;

/// Asks with the whole address, then opens it in the browser.  Only http and https: a model's text must not open local
/// files or start other programs, and its link may read unlike where it leads.  Thread: GUI.
void openLink(Dialogs& dialogs, QWidget* parent, const QString& link);

} // namespace vitrine::ui
