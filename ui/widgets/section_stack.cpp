// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: sections.
#include "ui/widgets/section_stack.h"

#include "ui/widgets/labels.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QListView>
#include <QListWidget>
#include <QScrollArea>
#include <QStackedWidget>

namespace vitrine::ui {
namespace {

constexpr int kContentRoom = 420; // beside the list, at 100 % text; less, and the list becomes a box

} // namespace

SectionStack::SectionStack(const Theme& theme, const QString& listName, int sideWidth, QWidget* above, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_sideWidth(sideWidth), m_body(new QBoxLayout(QBoxLayout::LeftToRight, this)),
      m_side(new QWidget), m_list(new QListWidget), m_box(new QComboBox), m_beside(new Hairline(theme, Qt::Vertical)),
      m_below(new Hairline(theme)), m_stack(new QStackedWidget) {
    m_body->setContentsMargins(0, 0, 0, 0);
    m_body->setSpacing(0);
    m_side->setAttribute(Qt::WA_StyledBackground);
    m_side->setProperty("surface", "side");
    auto* column = new QVBoxLayout(m_side);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(10);
    if (above != nullptr)
        column->addWidget(above);
    m_list->setProperty("nav", true);
    m_list->setAccessibleName(listName);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    column->addWidget(m_list, 1);
    m_box->setAccessibleName(listName);
    m_box->setModel(m_list->model());
    column->addWidget(m_box);
    m_body->addWidget(m_side);
    m_body->addWidget(m_beside);
    m_body->addWidget(m_below);
    m_body->addWidget(m_stack, 1);
    connect(m_list, &QListWidget::currentRowChanged, this, [this](int index) {
        m_box->setCurrentIndex(index);
        m_stack->setCurrentIndex(index);
        emit currentChanged(index);
    });
    connect(m_box, &QComboBox::activated, this, &SectionStack::setCurrent);
    connect(&theme, &Theme::changed, this, &SectionStack::arrange);
    arrange();
}

void SectionStack::addSection(const QString& name, QWidget* content) {
    auto* item = new QListWidgetItem(name, m_list);
    item->setToolTip(name);
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_stack->addWidget(scroll);
    if (content != nullptr)
        scroll->setWidget(content);
}

void SectionStack::setContent(int index, QWidget* content) {
    static_cast<QScrollArea*>(m_stack->widget(index))->setWidget(content);
}

QWidget* SectionStack::content(int index) const {
    const auto* scroll = static_cast<const QScrollArea*>(m_stack->widget(index));
    return scroll != nullptr ? scroll->widget() : nullptr;
}

int SectionStack::count() const {
    return m_list->count();
}

int SectionStack::current() const {
    return m_stack->currentIndex();
}

void SectionStack::setCurrent(int index) {
    m_list->setCurrentRow(index);
}

QString SectionStack::name(int index) const {
    return m_list->item(index)->text();
}

void SectionStack::setSectionHidden(int index, bool hidden) {
    m_list->item(index)->setHidden(hidden);
    if (auto* rows = qobject_cast<QListView*>(m_box->view()))
        rows->setRowHidden(index, hidden);
}

bool SectionStack::isSectionHidden(int index) const {
    return m_list->item(index)->isHidden();
}

void SectionStack::resizeEvent(QResizeEvent*) {
    arrange();
}

void SectionStack::showEvent(QShowEvent*) {
    m_list->doItemsLayout(); // the first layout ran before the style sheet gave the rows their height
}

void SectionStack::arrange() {
    const bool isNarrow = width() < m_theme.px(m_sideWidth + kContentRoom);
    m_body->setDirection(isNarrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    m_list->setVisible(!isNarrow);
    m_box->setVisible(isNarrow);
    m_beside->setVisible(!isNarrow);
    m_below->setVisible(isNarrow);
    m_side->setMinimumWidth(isNarrow ? 0 : m_theme.px(m_sideWidth));
    m_side->setMaximumWidth(isNarrow ? QWIDGETSIZE_MAX : m_theme.px(m_sideWidth));
    m_side->setSizePolicy(QSizePolicy::Preferred, isNarrow ? QSizePolicy::Maximum : QSizePolicy::Preferred);
}

} // namespace vitrine::ui
