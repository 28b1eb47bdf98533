// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/engine: the "why slow" line.
#include "ui/engine/slow_line.h"

#include "ui/widgets/fold_layout.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/selectable_text.h"

#include <QHBoxLayout>

namespace vitrine::ui {
namespace {

constexpr int kHeight = 36, kWords = 240;

} // namespace

SlowLine::SlowLine(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_icon(new QLabel), m_text(makeLabel({}, "medium")),
      m_action(new Button(theme, {}, Button::Kind::link)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(Measure::kSpace4, Measure::kSpace1, Measure::kSpace4, Measure::kSpace1);
    row->setSpacing(10);
    row->addWidget(m_icon);
    auto* words = new QWidget;
    words->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_fold = new FoldLayout(10, FoldLayout::Grows::first, words);
    m_fold->addWidget(m_text);
    m_fold->addWidget(m_action);
    row->addWidget(words, 1, Qt::AlignVCenter); // beside the icon also without an action
    makeSelectable(*m_text);
    m_text->setMinimumWidth(1);
    m_text->setWordWrap(true); // in a narrow window the figure it rests on stands on a second line
    connect(m_action, &Button::clicked, this, &SlowLine::actionTriggered);
    connect(&theme, &Theme::changed, this, &SlowLine::refresh);
    refresh();
}

void SlowLine::setMessage(const QString& message, const QString& action, bool quiet) {
    if (message != m_text->text()) {
        m_text->setText(message);
        m_text->setToolTip(message);
    }
    m_action->setText(action);
    m_action->setVisible(!action.isEmpty());
    if (quiet != m_quiet) {
        m_quiet = quiet;
        refresh();
    }
}

void SlowLine::refresh() {
    setMinimumHeight(m_theme.px(kHeight));
    m_fold->setRoom(m_theme.px(kWords));
    setStyleProperty(m_text, "role", m_quiet ? "hint" : "medium");
    m_icon->setPixmap(m_theme.pixmap(m_quiet ? QStringLiteral("check") : QStringLiteral("info"),
        m_theme.px(Measure::kIconRow), m_quiet ? Color::text3 : Color::accent, devicePixelRatioF()));
}

} // namespace vitrine::ui
