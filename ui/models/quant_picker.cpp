// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/models: the quantization rows.
#include "ui/models/quant_picker.h"

#include "ui/bridge/qt_convert.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/numbers.h"

#include <QButtonGroup>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QRadioButton>
#include <QScopedValueRollback>

#include <algorithm>
#include <cmath>

namespace vitrine::ui {
namespace {

constexpr int kNarrowest = 160;
constexpr int kLeaving[] = {1, 4, 2}; // columns that a narrow place does without: bits, tokens a second, size

} // namespace

const std::vector<QString>& QuantPicker::choices() {
    static const std::vector<QString> kChoices = {
        QString(), QStringLiteral("q8_0"), QStringLiteral("q5_0"), QStringLiteral("q4_0")};
    return kChoices;
}

QuantPicker::QuantPicker(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_group(new QButtonGroup(this)) {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(8);
    grid->setColumnStretch(0, 1);
    const auto head = [&](const QString& text, int column, const char* role, Qt::Alignment alignment) {
        grid->addWidget(makeLabel(text, role), 0, column, alignment);
    };
    head(tr("Quantization"), 0, "smallStrong", Qt::AlignLeft);
    head(tr("bits/w"), 1, "small", Qt::AlignRight);
    head(tr("weights"), 2, "small", Qt::AlignRight);
    head(tr("fits"), 3, "small", Qt::AlignLeft);
    head(tr("tok/s"), 4, "small", Qt::AlignRight);
    for (std::size_t i = 0; i < choices().size(); ++i) {
        Row row{new QRadioButton(i == 0 ? tr("As in the file") : choices()[i].toUpper()),
            makeLabel(QString(kNone), "hint"), makeLabel(QString(kNone), ""), makeLabel({}, "small"),
            makeLabel(QString(kNone), "")};
        m_group->addButton(row.button, static_cast<int>(i));
        const int line = static_cast<int>(i) + 1;
        grid->addWidget(row.button, line, 0);
        grid->addWidget(row.bits, line, 1, Qt::AlignRight);
        grid->addWidget(row.size, line, 2, Qt::AlignRight);
        grid->addWidget(row.fits, line, 3);
        row.speed->setToolTip(tr("Tokens a second of the last long answer with these weights"));
        grid->addWidget(row.speed, line, 4, Qt::AlignRight);
        m_rows.push_back(row);
    }
    m_rows[0].button->setChecked(true);
    connect(m_group, &QButtonGroup::idClicked, this,
        [this](int id) { emit chosenChanged(choices()[static_cast<std::size_t>(id)]); });
}

QSize QuantPicker::minimumSizeHint() const {
    return {m_theme.px(kNarrowest), layout()->minimumSize().height()}; // columns leave before anything is cut
}

void QuantPicker::resizeEvent(QResizeEvent*) {
    fitColumns();
}

bool QuantPicker::event(QEvent* event) {
    const bool isTaken = QWidget::event(event);
    if (event->type() == QEvent::LayoutRequest) // a text became longer
        fitColumns();
    return isTaken;
}

int QuantPicker::columnWidth(int column) const {
    const auto* grid = static_cast<const QGridLayout*>(layout());
    int widest = 0;
    for (int row = 0; row < grid->rowCount(); ++row)
        widest = std::max(widest, grid->itemAtPosition(row, column)->widget()->minimumSizeHint().width());
    return widest;
}

/// What is shown follows from the width and the texts alone, never from what is shown now: a column that comes makes the
/// layouts around it place this widget again, in the middle of its own placing.
void QuantPicker::fitColumns() {
    if (m_isFitting)
        return;
    const QScopedValueRollback<bool> fitting(m_isFitting, true);
    const auto* grid = static_cast<const QGridLayout*>(layout());
    int needed = grid->horizontalSpacing() * (grid->columnCount() - 1);
    for (int column = 0; column < grid->columnCount(); ++column)
        needed += columnWidth(column);
    for (const int column : kLeaving) {
        const bool isShown = needed <= width();
        if (!isShown)
            needed -= columnWidth(column) + grid->horizontalSpacing();
        for (int row = 0; row < grid->rowCount(); ++row)
            if (QWidget* cell = grid->itemAtPosition(row, column)->widget(); cell->isHidden() == isShown)
                cell->setVisible(isShown);
    }
}

void QuantPicker::setModel(const ModelInfo& info) {
    m_parameters = info.parameters;
    m_rows[0].button->setText(tr("%1, in the file").arg(toQString(info.quantization)));
    for (int i = 0; i < static_cast<int>(m_rows.size()); ++i)
        setPlan(i, std::nullopt, 0, {});
}

void QuantPicker::setPlan(
    int choice, const std::optional<LoadPlan>& plan, std::int64_t draftWeights, const QString& error) {
    Row& row = m_rows[static_cast<std::size_t>(choice)];
    row.fits->setToolTip(error);
    row.button->setEnabled(error.isEmpty());
    if (!plan) {
        row.bits->setText(QString(kNone));
        row.size->setText(QString(kNone));
        row.fits->setText(error.isEmpty() ? QString() : tr("not possible"));
        setStyleProperty(row.fits, "tone", error.isEmpty() ? "" : "warn");
        return;
    }
    const auto weights = static_cast<double>(plan->weights - draftWeights);
    row.bits->setText(
        m_parameters > 0 ? fixedText(weights * 8 / static_cast<double>(m_parameters), 2) : QString(kNone));
    row.size->setText(bytesText(weights));
    row.fits->setText(
        plan->fits ? tr("yes") : tr("%1 over").arg(bytesText(static_cast<double>(plan->total - plan->available))));
    setStyleProperty(row.fits, "tone", plan->fits ? "ok" : "warn");
}

void QuantPicker::setSpeeds(const QHash<QString, double>& tokensPerSecond) {
    for (std::size_t i = 0; i < choices().size(); ++i) {
        const auto known = tokensPerSecond.constFind(choices()[i]);
        m_rows[i].speed->setText(known == tokensPerSecond.constEnd() ? QString(kNone) : rateText(*known));
    }
}

void QuantPicker::setChosen(const QString& quantize) {
    for (std::size_t i = 0; i < choices().size(); ++i)
        if (choices()[i] == quantize)
            m_rows[i].button->setChecked(true);
}

QString QuantPicker::chosen() const {
    return choices()[static_cast<std::size_t>(std::max(0, m_group->checkedId()))];
}

} // namespace vitrine::ui
