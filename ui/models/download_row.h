// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/models: one download: name, bar, what it does, Pause or Go on, Remove.
#pragma once

#include "ui/models/download_job.h"
#include "ui/theme/theme.h"

#include <QWidget>

class QLabel;
class QProgressBar;

namespace vitrine::ui {

class Button;

/// Shows a job it does not own; the text changes at most four times a second.
class DownloadRow final : public QWidget {
    Q_OBJECT
public:
    DownloadRow(const Theme& theme, DownloadJob& job, QWidget* parent = nullptr);

signals:
    void removeRequested();
    void showRequested(); // among the models

private:
    void refresh();
    [[nodiscard]] QString statusText() const;

    DownloadJob& m_job;
    QTimer m_refresh;
    QProgressBar* m_bar;
    QLabel* m_status;
    Button *m_toggle, *m_remove;
};

} // namespace vitrine::ui
