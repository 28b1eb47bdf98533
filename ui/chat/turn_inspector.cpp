// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: the right panel: prompt, sampling, this turn.
#include "ui/chat/turn_inspector.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/chat/preset_bar.h"
#include "ui/chat/sampling_panel.h"
#include "ui/chat/turn_timeline.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/number_text.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/sparkline.h"

namespace vitrine::ui {

namespace {

constexpr std::size_t kMaxSpeeds = 120;

QWidget* scrolled(QWidget* content) {
    auto* area = new QScrollArea;
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    content->setProperty("surface", QStringLiteral("none"));
    area->setWidget(content);
    return area;
}

QHBoxLayout* titled(QLabel* title, QWidget* value) {
    auto* row = new QHBoxLayout;
    row->addWidget(title);
    row->addStretch();
    row->addWidget(value);
    return row;
}

} // namespace

TurnInspector::TurnInspector(const Theme& theme, Settings& settings, Dialogs& dialogs, QWidget* parent)
    : QWidget(parent), m_theme(theme),
      m_tabs(new SegmentedControl(theme, {tr("Prompt"), tr("Sampling"), tr("This turn")})),
      m_close(new IconButton(theme, QStringLiteral("close"), tr("Back to the chat"))), m_stack(new QStackedWidget),
      m_presets(new PresetBar(theme, settings, dialogs)) {
    setProperty("surface", QStringLiteral("side"));
    setAttribute(Qt::WA_StyledBackground);
    m_tabs->setAccessibleName(tr("Inspector"));
    m_tabs->setWraps(true);
    m_tabs->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(16, 8, 16, 7);
    head->setSpacing(Measure::kSpace2);
    head->addWidget(m_tabs);
    head->addWidget(m_close);
    m_close->hide();
    connect(m_close, &IconButton::clicked, this, &TurnInspector::closed);
    layout->addLayout(head);
    layout->addWidget(new Hairline(theme));
    m_sampling = new SamplingPanel(theme);
    m_stack->addWidget(scrolled(makePromptTab()));
    m_stack->addWidget(scrolled(m_sampling));
    m_stack->addWidget(makeTurnTab());
    layout->addWidget(m_stack, 1);
    connect(m_tabs, &SegmentedControl::currentChanged, m_stack, &QStackedWidget::setCurrentIndex);
    connect(m_sampling, &SamplingPanel::edited, this, &TurnInspector::samplingEdited);
    connect(m_sampling, &SamplingPanel::alternativesToggled, this, &TurnInspector::alternativesToggled);
    m_tabs->setCurrent(2);
    m_stack->setCurrentIndex(2);
}

int TurnInspector::tab() const {
    return m_stack->currentIndex();
}

void TurnInspector::setTab(int tab) {
    m_tabs->setCurrent(tab);
}

void TurnInspector::setDefaults(const ChatSampling& defaults) {
    m_sampling->setDefaults(defaults);
}

void TurnInspector::setWantsAlternatives(bool wanted) {
    m_sampling->setWantsAlternatives(wanted);
}

void TurnInspector::setCloseVisible(bool visible) {
    m_close->setVisible(visible);
}

QWidget* TurnInspector::makePromptTab() {
    auto* tab = new QWidget;
    auto* layout = new QVBoxLayout(tab);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(Measure::kSpace2);
    layout->addWidget(makeLabel(tr("Preset"), "strong"));
    layout->addWidget(m_presets);
    layout->addSpacing(Measure::kSpace2);
    connect(m_presets, &PresetBar::chosen, this, &TurnInspector::presetChosen);
    layout->addWidget(makeLabel(tr("System prompt"), "strong"));
    m_system = new QPlainTextEdit;
    m_system->setProperty("field", true);
    m_system->setAccessibleName(tr("System prompt of this chat"));
    m_system->setPlaceholderText(tr("None: the template's own, if it has one"));
    m_system->setTabChangesFocus(true);
    m_system->setMinimumHeight(m_theme.px(100));
    layout->addWidget(m_system, 1);
    layout->addSpacing(Measure::kSpace2);
    QLabel* exact = makeLabel(tr("Exact prompt of the last request"), "strong");
    exact->setWordWrap(true);
    layout->addWidget(exact);
    m_exact = new QPlainTextEdit;
    m_exact->setReadOnly(true);
    m_exact->setProperty("field", true);
    m_exact->setFont(m_theme.font(TextRole::codeSmall));
    m_exact->setAccessibleName(tr("Exact prompt of the last request"));
    m_exact->setPlaceholderText(tr("Shown after the next answer"));
    layout->addWidget(m_exact, 2);
    connect(m_system, &QPlainTextEdit::textChanged, this, [this] {
        if (m_system->hasFocus())
            emit systemPromptEdited(m_system->toPlainText());
    });
    return tab;
}

QWidget* TurnInspector::makeTurnTab() {
    auto* page = new QWidget;
    auto* outer = new QVBoxLayout(page);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    auto* tab = new QWidget;
    auto* layout = new QVBoxLayout(tab);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(Measure::kSpace3);
    m_total = makeLabel({}, nullptr);
    m_timeline = new TurnTimeline(m_theme);
    m_speed = new NumberText(m_theme, QStringLiteral("88.8k"), TextRole::title);
    m_speed->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_peak = makeLabel({}, "hint");
    m_sparkline = new Sparkline(m_theme);
    m_sparkline->setMinimumSize(m_theme.px(120), m_theme.px(32));
    m_accepted = makeLabel({}, nullptr);
    m_tokens = new TokenList(m_theme);
    layout->addLayout(titled(makeLabel(tr("Timeline"), "strong"), m_total));
    layout->addWidget(m_timeline);
    layout->addWidget(new Hairline(m_theme));
    layout->addLayout(titled(makeLabel(tr("Speed"), "strong"), m_peak));
    auto* speed = new QHBoxLayout;
    speed->addWidget(m_speed);
    speed->addWidget(makeLabel(tr("tok/s"), "hint"), 0, Qt::AlignBottom);
    speed->addStretch();
    speed->addWidget(m_sparkline, 1);
    layout->addLayout(speed);
    layout->addLayout(titled(makeLabel(tr("Accepted per step"), "label"), m_accepted));
    layout->addWidget(new Hairline(m_theme));
    auto* tokens = new FlowLayout(Measure::kSpace2);
    tokens->setEndsAtEdge(true);
    tokens->addWidget(makeLabel(tr("Tokens"), "strong"));
    tokens->addWidget(makeLabel(tr("accepted draft underlined"), "small"));
    layout->addLayout(tokens);
    layout->addWidget(m_tokens);
    layout->addStretch();
    outer->addWidget(scrolled(tab), 1);
    outer->addWidget(new Hairline(m_theme));
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(16, 10, 16, 10);
    m_engine = new Button(m_theme, tr("Show in Engine"), Button::Kind::link);
    m_request = makeLabel({}, "hint");
    foot->addWidget(m_engine);
    foot->addStretch();
    foot->addWidget(m_request);
    outer->addLayout(foot);
    connect(m_engine, &Button::clicked, this, [this] { emit engineRequested(static_cast<quint64>(m_requestId)); });
    return page;
}

void TurnInspector::setChat(const ChatRecord& chat) {
    if (m_system->toPlainText() != chat.systemPrompt)
        m_system->setPlainText(chat.systemPrompt);
    m_sampling->setSampling(chat.sampling);
    m_presets->setChat(chat.systemPrompt, chat.sampling);
}

void TurnInspector::showExactPrompt(const QString& prompt) {
    m_exact->setPlainText(prompt);
    setTab(0);
}

void TurnInspector::setTurn(const std::optional<TurnItem>& turn, const ChatSession* session) {
    m_requestId = session != nullptr ? session->request() : RequestId{};
    m_engine->setEnabled(m_requestId != RequestId{});
    m_request->setText(
        m_requestId != RequestId{} ? tr("request %1").arg(static_cast<quint64>(m_requestId)) : QString());
    const TurnItem item = turn.value_or(TurnItem{});
    const bool isRunning = item.isRunning();
    const TurnStats& stats = item.message.stats;
    const double total = isRunning ? item.live.seconds : stats.totalSeconds;
    m_total->setText(turn && total >= 0 ? tr("%1 s").arg(fixedText(total, 1)) : QString(kNone));
    m_timeline->setTurn(item);
    if (item.message.id != m_speedOf) {
        m_speedOf = item.message.id;
        m_speeds.clear();
    }
    const double speed = isRunning ? item.live.tokensPerSecond : stats.tokensPerSecond();
    if (isRunning && speed > 0) {
        m_speeds.push_back(speed);
        if (m_speeds.size() > kMaxSpeeds)
            m_speeds.erase(m_speeds.begin());
    }
    m_speed->setText(speed > 0 ? rateText(speed) : QString(kNone));
    m_sparkline->setValues(m_speeds);
    m_peak->setText(m_speeds.empty()
            ? QString()
            : tr("peak %1").arg(rateText(*std::max_element(m_speeds.begin(), m_speeds.end()))));
    const int steps = isRunning ? item.live.decodeSteps : stats.decodeSteps;
    const int tokens = isRunning ? item.live.outputTokens : stats.outputTokens;
    const bool hasDrafts = isRunning ? item.live.acceptedTokens > 0 : stats.draftedTokens > 0;
    m_accepted->setText(hasDrafts && steps > 0 ? fixedText(double(tokens) / steps, 1) : QString(kNone));
    m_tokens->setTokens(session != nullptr ? session->tokens() : QList<ShownToken>());
    if (session != nullptr && m_exact->toPlainText() != session->exactPrompt())
        m_exact->setPlainText(session->exactPrompt());
}

} // namespace vitrine::ui
