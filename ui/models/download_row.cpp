// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/models: one download on screen.
#include "ui/models/download_row.h"

#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/selectable_text.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QVBoxLayout>

namespace vitrine::ui {
namespace {

constexpr int kRefreshMs = 250;
constexpr int kBarSteps = 1'000;

} // namespace

DownloadRow::DownloadRow(const Theme& theme, DownloadJob& job, QWidget* parent)
    : QWidget(parent), m_job(job), m_bar(new QProgressBar), m_status(makeLabel({}, "small")),
      m_toggle(new Button(theme, QString(), Button::Kind::link)),
      m_remove(new Button(theme, tr("Remove"), Button::Kind::link)) {
    const QString name = QFileInfo(job.spec().target).fileName();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 6, 0, 6);
    column->setSpacing(4);
    auto* head = new QHBoxLayout;
    auto* title = new ElidedLabel(theme, TextRole::base, Color::text1);
    title->setText(name);
    head->addWidget(title, 1);
    head->addWidget(m_toggle);
    head->addWidget(m_remove);
    column->addLayout(head);
    m_bar->setRange(0, kBarSteps);
    m_bar->setTextVisible(false);
    m_bar->setProperty("size", "load");
    m_bar->setAccessibleName(tr("Download of %1").arg(name));
    column->addWidget(m_bar);
    m_status->setWordWrap(true);
    makeSelectable(*m_status);
    column->addWidget(m_status);
    m_remove->setAccessibleName(tr("Remove the download of %1").arg(name));
    m_refresh.setSingleShot(true);
    m_refresh.setInterval(kRefreshMs);
    connect(&m_refresh, &QTimer::timeout, this, &DownloadRow::refresh);
    connect(&job, &DownloadJob::changed, this, [this] {
        if (!m_refresh.isActive())
            m_refresh.start();
    });
    connect(m_toggle, &Button::clicked, this, [this] {
        const auto state = m_job.state();
        if (state == DownloadJob::State::done)
            return emit showRequested();
        if (state == DownloadJob::State::running || state == DownloadJob::State::waiting)
            m_job.pause();
        else
            m_job.start();
        refresh();
    });
    connect(m_remove, &Button::clicked, this, &DownloadRow::removeRequested);
    refresh();
}

QString DownloadRow::statusText() const {
    const QString done = bytesText(static_cast<double>(m_job.received()));
    const QString all = bytesText(static_cast<double>(m_job.spec().bytes));
    const double rate = m_job.bytesPerSecond();
    switch (m_job.state()) {
    case DownloadJob::State::paused:
        return tr("Paused at %1 of %2").arg(done, all);
    case DownloadJob::State::waiting:
        return tr("%1 of %2, tried again soon: %3").arg(done, all, m_job.error());
    case DownloadJob::State::checking:
        return tr("Checking the SHA-256: %1 of %2").arg(done, all);
    case DownloadJob::State::done:
        return tr("Ready, %1").arg(all);
    case DownloadJob::State::failed:
        return QStringLiteral("%1 %2").arg(m_job.error(), m_job.remedy());
    case DownloadJob::State::running:
        break;
    }
    if (rate <= 0)
        return tr("%1 of %2").arg(done, all);
    const double left = static_cast<double>(m_job.spec().bytes - m_job.received()) / rate;
    return tr("%1 of %2 · %3/s · %4 left")
        .arg(done, all, bytesText(rate), secondsText(left) + (left < 60 ? tr(" s") : QString()));
}

void DownloadRow::refresh() {
    const auto state = m_job.state();
    const bool isMoving = state == DownloadJob::State::running || state == DownloadJob::State::waiting;
    const auto all = static_cast<double>(std::max<qint64>(m_job.spec().bytes, 1));
    m_bar->setValue(static_cast<int>(static_cast<double>(m_job.received()) / all * kBarSteps));
    m_bar->setVisible(state != DownloadJob::State::done);
    m_status->setText(statusText());
    setStyleProperty(m_status, "tone",
        state == DownloadJob::State::failed     ? "error"
            : state == DownloadJob::State::done ? "ok"
                                                : "");
    const bool isDone = state == DownloadJob::State::done;
    m_toggle->setText(isMoving                    ? tr("Pause")
            : isDone                              ? tr("Use it")
            : state == DownloadJob::State::failed ? tr("Try again")
                                                  : tr("Go on"));
    m_toggle->setVisible(state != DownloadJob::State::checking);
    m_remove->setText(isDone ? tr("Hide") : tr("Remove")); // the file stays
}

} // namespace vitrine::ui
