// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/server: what the Server page is made of.  Included by server_page*.cpp only.
#pragma once

#include "ui/server/request_log_model.h"
#include "ui/server/server_page.h"
#include "ui/widgets/chip.h"

#include <array>

class QLabel;
class QLineEdit;
class QScrollArea;
class QSpinBox;
class QTableView;
class QVBoxLayout;

namespace vitrine::ui {

class Button;
class ErrorBanner;
class RequestSheet;
class SearchField;
class SegmentedControl;
class Switch;

struct ServerPage::Parts {
    Context context;
    RequestLogModel log;
    quint16 offeredPort = 0;
    bool logPaused = false;
    bool restarting = false; // stopped in order to start with other settings

    Switch* onOff = nullptr;
    QLabel *state = nullptr, *since = nullptr, *keyText = nullptr, *keyPlace = nullptr, *snippet = nullptr,
           *emptyLog = nullptr;
    ErrorBanner* banner = nullptr;
    QLineEdit* url = nullptr;
    QSpinBox* port = nullptr;
    SegmentedControl *reach = nullptr, *language = nullptr;
    Button *createKey = nullptr, *copyKey = nullptr, *removeKey = nullptr;
    QTableView* table = nullptr;
    RequestSheet* sheet = nullptr;
    QScrollArea* left = nullptr;
    QVBoxLayout* column = nullptr; // of the left side
    QWidget *edge = nullptr, *side = nullptr, *snippetSide = nullptr, *logBox = nullptr;
    bool isWide = true; // the snippet stands beside the form, not below it
    std::array<Chip*, 4> chips{};
    SearchField* search = nullptr;

    explicit Parts(const Context& theContext) : context(theContext) {}
};

} // namespace vitrine::ui
