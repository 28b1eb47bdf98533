// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/models: which downloads there are.
#include "ui/models/downloads.h"

#include <QNetworkAccessManager>

#include <algorithm>
#include <utility>

namespace vitrine::ui {

Downloads::Downloads(QString folder, QObject* parent)
    : QObject(parent), m_folder(std::move(folder)), m_network(std::make_unique<QNetworkAccessManager>()) {}

Downloads::~Downloads() = default;

void Downloads::findUnfinished() {
    if (std::exchange(m_hasLooked, true))
        return;
    for (const DownloadSpec& spec : DownloadJob::unfinished(m_folder))
        add(spec);
}

std::vector<DownloadJob*> Downloads::jobs() const {
    std::vector<DownloadJob*> all;
    for (const auto& job : m_jobs)
        all.push_back(job.get());
    return all;
}

int Downloads::numUnfinished() const {
    return static_cast<int>(std::count_if(
        m_jobs.begin(), m_jobs.end(), [](const auto& job) { return job->state() != DownloadJob::State::done; }));
}

void Downloads::start(const DownloadSpec& spec) {
    for (const auto& job : m_jobs)
        if (job->spec().target == spec.target && job->state() != DownloadJob::State::done)
            return job->start();
    add(spec).start();
}

DownloadJob& Downloads::add(const DownloadSpec& spec) {
    m_jobs.push_back(std::make_unique<DownloadJob>(spec, *m_network));
    DownloadJob* job = m_jobs.back().get();
    connect(job, &DownloadJob::finished, this, [this](const QString& path) {
        emit finished(path);
        emit countChanged();
    });
    emit added(job);
    emit countChanged();
    return *job;
}

void Downloads::remove(DownloadJob& job) {
    if (job.state() != DownloadJob::State::done)
        job.remove();
    std::erase_if(m_jobs, [&job](const auto& own) { return own.get() == &job; });
    emit countChanged();
}

} // namespace vitrine::ui
