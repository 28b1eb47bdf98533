// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/models: bytes of a running load and the way out of it.
#pragma once

#include "ui/bridge/engine_client.h"
#include "ui/theme/theme.h"

#include <QWidget>

class QLabel;
class QProgressBar;

namespace vitrine::ui {

class LoadProgress final : public QWidget {
    Q_OBJECT
public:
    explicit LoadProgress(const Theme& theme, QWidget* parent = nullptr);
    void setState(const LoadState& state);

signals:
    void cancelRequested();

private:
    QProgressBar* m_bar;
    QLabel* m_text;
};

} // namespace vitrine::ui
