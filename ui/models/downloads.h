// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/models: every download of this computer.
#pragma once

#include <QObject>

#include <memory>
#include <vector>

#include "ui/models/download_job.h"

namespace vitrine::ui {

/// Thread: GUI.  Lives longer than any page: a window that is made anew in another language finds its downloads going on.
class Downloads final : public QObject {
    Q_OBJECT
public:
    /// `folder` takes the files.
    explicit Downloads(QString folder, QObject* parent = nullptr);
    ~Downloads() override; // part files stay

    [[nodiscard]] QString folder() const { return m_folder; }
    [[nodiscard]] QNetworkAccessManager& network() noexcept { return *m_network; }
    /// Adds, paused, what a former process left unfinished in the folder; the first call alone.
    void findUnfinished();
    [[nodiscard]] std::vector<DownloadJob*> jobs() const; // the oldest first
    [[nodiscard]] int numUnfinished() const;

    void start(const DownloadSpec& spec); // goes on with a download to the same place, if there is one
    void remove(DownloadJob& job); // with what came so far, unless it is done

signals:
    void added(vitrine::ui::DownloadJob* job);
    void finished(const QString& path);
    void countChanged(); // numUnfinished()

private:
    DownloadJob& add(const DownloadSpec& spec);

    QString m_folder;
    std::unique_ptr<QNetworkAccessManager> m_network; // goes after the jobs that use it
    bool m_hasLooked = false;
    std::vector<std::unique_ptr<DownloadJob>> m_jobs;
};

} // namespace vitrine::ui
