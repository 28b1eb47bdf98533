// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/models: load progress.
#include "ui/models/load_progress.h"

#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/numbers.h"

#include <QHBoxLayout>
#include <QProgressBar>

namespace vitrine::ui {
namespace {

constexpr int kSteps = 1000;

} // namespace

LoadProgress::LoadProgress(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_bar(new QProgressBar), m_text(makeLabel({}, "hint")) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(12);
    m_bar->setTextVisible(false);
    m_bar->setRange(0, kSteps);
    m_bar->setProperty("size", "load");
    m_bar->setAccessibleName(tr("Load progress"));
    row->addWidget(m_bar, 1);
    row->addWidget(m_text);
    auto* cancel = new Button(theme, tr("Cancel"));
    connect(cancel, &Button::clicked, this, &LoadProgress::cancelRequested);
    row->addWidget(cancel);
    setFocusProxy(cancel);
}

void LoadProgress::setState(const LoadState& state) {
    switch (state.stage) {
    case LoadStage::reading:
        m_text->setText(tr("reading the file"));
        m_bar->setValue(0);
        return;
    case LoadStage::weights: {
        const double share =
            state.bytesTotal > 0 ? static_cast<double>(state.bytesDone) / static_cast<double>(state.bytesTotal) : 0;
        m_bar->setValue(static_cast<int>(share * kSteps));
        m_text->setText(tr("%1 of %2")
                            .arg(bytesText(static_cast<double>(state.bytesDone)),
                                bytesText(static_cast<double>(state.bytesTotal))));
        return;
    }
    case LoadStage::kvPool:
        m_text->setText(tr("KV pool"));
        m_bar->setValue(kSteps);
        return;
    case LoadStage::warmUp:
        m_text->setText(tr("warming up"));
        m_bar->setValue(kSteps);
        return;
    case LoadStage::done:
    case LoadStage::failed:
    case LoadStage::cancelled:
        return; // the footer shows its buttons again
    }
}

} // namespace vitrine::ui
