// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/settings: rows.
#include "ui/settings/setting_row.h"

#include "ui/widgets/fold_layout.h"
#include "ui/widgets/labels.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

namespace vitrine::ui {
namespace {

constexpr int kColumn = 672;
constexpr int kWords = 200; // name and hint; less, and the control goes below them

} // namespace

SettingRow::SettingRow(const Theme& theme, const QString& name, const QString& hint, QWidget* control, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_words(name + u' ' + hint) {
    auto* row = new FoldLayout(Measure::kSpace4, FoldLayout::Grows::first, this);
    row->setContentsMargins(0, 8, 0, 8);
    auto* text = new QVBoxLayout;
    text->setSpacing(0);
    auto* label = makeLabel(name, "");
    label->setBuddy(control);
    label->setWordWrap(true);
    text->addWidget(label);
    if (!hint.isEmpty()) {
        auto* below = makeLabel(hint, "small");
        below->setWordWrap(true);
        text->addWidget(below);
    }
    row->addPart(text);
    if (control != nullptr) {
        if (control->accessibleName().isEmpty())
            control->setAccessibleName(name);
        if (qobject_cast<QComboBox*>(control)) // words wrap, choices are never cut
            control->setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Fixed);
        row->addWidget(control);
    }
    const auto resize = [this, hint, row] {
        row->setRoom(m_theme.px(kWords));
        setMinimumHeight(m_theme.px(hint.isEmpty() ? Measure::kFormRow : Measure::kFormRowHint));
    };
    resize();
    connect(&theme, &Theme::changed, this, resize);
}

bool SettingRow::matches(const QString& text) const {
    return m_words.contains(text, Qt::CaseInsensitive);
}

void SettingRow::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintHairline(painter, rect(), Qt::BottomEdge, m_theme.color(Color::hairline));
}

QVBoxLayout* makeSection(QWidget* page, const Theme& theme, const QString& title, const QString& about) {
    page->setProperty("surface", "page");
    auto* outer = new QHBoxLayout(page);
    outer->setContentsMargins(24, 22, 24, 24);
    outer->addStretch(1);
    auto* column = new QWidget;
    column->setMaximumWidth(theme.px(kColumn));
    column->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    QObject::connect(&theme, &Theme::changed, column, [column, &theme] { column->setMaximumWidth(theme.px(kColumn)); });
    outer->addWidget(column, 20);
    outer->addStretch(1);
    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeLabel(title, "title"));
    auto* line = makeLabel(about, "hint");
    line->setWordWrap(true);
    layout->addWidget(line);
    layout->addSpacing(16);
    return layout;
}

} // namespace vitrine::ui
