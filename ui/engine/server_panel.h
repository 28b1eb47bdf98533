// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: which server is shown, and what it does not tell.
#pragma once

#include "ui/bridge/server_reading.h"

#include <QWidget>

class QLabel;

namespace vitrine::ui {

class Theme;

/// Stands where the block map of this computer's engine stands.
class ServerPanel final : public QWidget {
    Q_OBJECT
public:
    explicit ServerPanel(const Theme& theme, QWidget* parent = nullptr);
    /// `last`: the newest reading, or null.  `model`: its id at the server; `context` in tokens, 0: not told.
    void setServer(const ServerFacts& facts, const ServerReading* last, const QString& model, int context);

private:
    QLabel *m_title, *m_facts, *m_untold;
};

} // namespace vitrine::ui
