// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: six sampling controls.
#include "ui/chat/sampling_panel.h"

#include <QDoubleSpinBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <array>

#include "ui/widgets/fold_layout.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/switch.h"

namespace vitrine::ui {

namespace {

constexpr int kWords = 120; // name and hint; less, and the number goes below them

/// As the rows stand.
std::array<double, 6> inOrder(const ChatSampling& sampling) {
    return {sampling.temperature, sampling.topP, double(sampling.topK), sampling.minP, sampling.repetitionPenalty,
        double(sampling.maxTokens)};
}

} // namespace

SamplingPanel::SamplingPanel(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(Measure::kSpace3);
    const ChatSampling none;
    addRow({tr("Temperature"), tr("0 always takes the likeliest token"), 0, 2, 0.05, 2, none.temperature});
    addRow({tr("Top-p"), tr("smallest set of tokens with this probability; 1 is off"), 0, 1, 0.01, 2, none.topP});
    addRow({tr("Top-k"), tr("only the k likeliest tokens; 0 is off"), 0, 1000, 1, 0, double(none.topK)});
    addRow({tr("Min-p"), tr("at least this share of the likeliest token; 0 is off"), 0, 1, 0.01, 2, none.minP});
    addRow({tr("Repetition penalty"), tr("above 1 avoids what was said, 1 is off; auto is 1.1 for models below 1 B"), 0,
        2, 0.01, 2, none.repetitionPenalty});
    m_rows.back().box->setSpecialValueText(tr("auto"));
    addRow({tr("Most tokens"), tr("of one answer; −1 is up to the end of the context"), -1, 1'000'000, 64, 0,
        double(none.maxTokens)});
    auto* row = new QHBoxLayout;
    m_alternatives = new Switch(theme);
    m_alternatives->setCheckable(true);
    m_alternatives->setAccessibleName(tr("Record token alternatives"));
    auto* text = new QVBoxLayout;
    text->setSpacing(0);
    text->addWidget(makeLabel(tr("Token alternatives"), "label"));
    QLabel* hint = makeLabel(tr("shown on hover under This turn"), "small");
    hint->setWordWrap(true);
    text->addWidget(hint);
    row->addLayout(text, 1);
    row->addWidget(m_alternatives);
    layout->addLayout(row);
    layout->addStretch();
    connect(m_alternatives, &QAbstractButton::toggled, this, &SamplingPanel::alternativesToggled);
}

void SamplingPanel::setWantsAlternatives(bool wanted) {
    m_alternatives->setChecked(wanted);
}

void SamplingPanel::addRow(const RowSpec& spec) {
    auto* row = new FoldLayout(Measure::kSpace1, FoldLayout::Grows::first);
    auto* text = new QVBoxLayout;
    text->setSpacing(0);
    text->addWidget(makeLabel(spec.name, "label"));
    QLabel* hint = makeLabel(spec.hint, "small");
    hint->setWordWrap(true);
    text->addWidget(hint);
    row->addPart(text);
    auto* reset = new IconButton(m_theme, QStringLiteral("regenerate"), tr("Reset %1 to its default").arg(spec.name));
    auto* box = new QDoubleSpinBox;
    box->setRange(spec.minimum, spec.maximum);
    box->setSingleStep(spec.step);
    box->setDecimals(spec.decimals);
    box->setValue(spec.fallback);
    box->setAccessibleName(spec.name);
    box->setAlignment(Qt::AlignRight);
    const auto resize = [this, row, box] {
        row->setRoom(m_theme.px(kWords));
        box->setFixedWidth(m_theme.px(76));
    };
    resize();
    connect(&m_theme, &Theme::changed, box, resize);
    QSizePolicy kept = reset->sizePolicy();
    kept.setRetainSizeWhenHidden(true);
    reset->setSizePolicy(kept);
    auto* control = new QHBoxLayout;
    control->setSpacing(Measure::kSpace1);
    control->addWidget(reset);
    control->addWidget(box);
    row->addPart(control);
    static_cast<QVBoxLayout*>(layout())->addLayout(row);
    m_rows.push_back({box, reset, spec.fallback});
    connect(box, &QDoubleSpinBox::valueChanged, this, [this] {
        refresh();
        if (!m_isSetting)
            emit edited(sampling());
    });
    connect(reset, &IconButton::clicked, box,
        [this, index = m_rows.size() - 1] { m_rows[index].box->setValue(m_rows[index].fallback); });
    reset->hide();
}

/// Rows fold and hints wrap: the scroll area around it asks for the height of another width at times, and would squeeze them.
bool SamplingPanel::event(QEvent* event) {
    const bool isTaken = QWidget::event(event);
    const bool mayChange = event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest;
    if (mayChange && layout()->hasHeightForWidth())
        setMinimumHeight(layout()->totalHeightForWidth(width()));
    return isTaken;
}

void SamplingPanel::refresh() {
    for (const Row& row : m_rows)
        row.reset->setVisible(!qFuzzyCompare(row.box->value() + 10, row.fallback + 10));
}

void SamplingPanel::setDefaults(const ChatSampling& defaults) {
    const auto values = inOrder(defaults);
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        m_rows[i].fallback = values[i];
    refresh();
}

void SamplingPanel::setSampling(const ChatSampling& sampling) {
    if (sampling == this->sampling())
        return;
    m_isSetting = true;
    const auto values = inOrder(sampling);
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        m_rows[i].box->setValue(values[i]);
    m_isSetting = false;
    refresh();
}

ChatSampling SamplingPanel::sampling() const {
    ChatSampling sampling;
    sampling.temperature = m_rows[0].box->value();
    sampling.topP = m_rows[1].box->value();
    sampling.topK = static_cast<int>(m_rows[2].box->value());
    sampling.minP = m_rows[3].box->value();
    sampling.repetitionPenalty = m_rows[4].box->value();
    sampling.maxTokens = static_cast<int>(m_rows[5].box->value());
    return sampling;
}

} // namespace vitrine::ui
