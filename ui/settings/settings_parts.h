// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/settings: what the page's two source files share.
#pragma once

#include "ui/settings/settings_page.h"

class QLabel;
class QVBoxLayout;

namespace vitrine::ui {

class SearchField;
class SectionStack;

struct SettingsPage::Parts {
    Context context;
    SearchField* search = nullptr;
    SectionStack* sections = nullptr;
    QStringList ids; // of the sections
    QWidget* keepServing = nullptr;
    QLabel *noTray = nullptr, *chatBytes = nullptr, *modelBytes = nullptr, *backupResult = nullptr;
    QVBoxLayout* folders = nullptr; // of the Storage section

    explicit Parts(const Context& theContext) : context(theContext) {}
};

} // namespace vitrine::ui
