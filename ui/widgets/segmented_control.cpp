// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: tool buttons on a track.
#include "ui/widgets/segmented_control.h"

#include "ui/widgets/flow_layout.h"

#include <QButtonGroup>
#include <QPainter>
#include <QToolButton>

namespace vitrine::ui {

SegmentedControl::SegmentedControl(const Theme& theme, const QStringList& labels, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_group(new QButtonGroup(this)) {
    m_layout = new FlowLayout(0, this);
    m_layout->setContentsMargins(2, 2, 2, 2);
    m_layout->setFillsLines(true);
    m_layout->setOneLine(true);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed); // a column may widen it by Expanding
    m_group->setExclusive(true);
    connect(m_group, &QButtonGroup::idToggled, this, [this](int id, bool checked) {
        if (checked)
            emit currentChanged(id);
    });
    connect(m_group, &QButtonGroup::idClicked, this, &SegmentedControl::clicked);
    connect(&theme, &Theme::changed, this, [this] { update(); });
    setLabels(labels);
}

int SegmentedControl::current() const {
    return m_group->checkedId();
}

void SegmentedControl::setCurrent(int index) {
    if (QAbstractButton* button = m_group->button(index); button != nullptr)
        button->setChecked(true);
}

void SegmentedControl::setLabels(const QStringList& labels) {
    const QSignalBlocker blocker(m_group);
    const int kept = current();
    for (QAbstractButton* button : m_group->buttons()) {
        m_group->removeButton(button);
        delete button;
    }
    for (int i = 0; i < labels.size(); ++i) {
        auto* button = new QToolButton;
        button->setText(labels[i]);
        button->setCheckable(true);
        button->setProperty("segment", true);
        button->setProperty("focusRing", "inset");
        button->setAccessibleName(labels[i]);
        button->setFocusPolicy(Qt::StrongFocus);
        button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        m_group->addButton(button, i);
        m_layout->addWidget(button);
    }
    if (!labels.isEmpty())
        m_group->button(kept >= 0 && kept < labels.size() ? kept : 0)->setChecked(true);
}

void SegmentedControl::setWraps(bool wraps) {
    m_layout->setOneLine(!wraps);
}

void SegmentedControl::resizeEvent(QResizeEvent*) {
    setFixedHeight(m_layout->heightForWidth(width()));
}

void SegmentedControl::setSegmentEnabled(int index, bool enabled, const QString& reason) {
    if (QAbstractButton* button = m_group->button(index); button != nullptr) {
        button->setEnabled(enabled);
        button->setToolTip(enabled ? QString() : reason);
    }
}

void SegmentedControl::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(m_theme.scheme() == Scheme::contrast ? QPen(m_theme.color(Color::outline), 1) : QPen(Qt::NoPen));
    painter.setBrush(m_theme.color(Color::well));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
}

} // namespace vitrine::ui
