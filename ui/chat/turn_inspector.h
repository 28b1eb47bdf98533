// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: the right panel: prompt, sampling, this turn.
#pragma once

#include <QWidget>

#include "ui/chat/chat_session.h"
#include "ui/theme/theme.h"

class QLabel;
class QPlainTextEdit;
class QStackedWidget;

namespace vitrine::ui {

class Button;
class Dialogs;
class IconButton;
class NumberText;
class PresetBar;
class SamplingPanel;
class SegmentedControl;
class Settings;
class Sparkline;
class Switch;
class TokenList;
class TurnTimeline;

/// Thread: GUI.  Edits are intents: the page stores them.
class TurnInspector final : public QWidget {
    Q_OBJECT
public:
    TurnInspector(const Theme& theme, Settings& settings, Dialogs& dialogs, QWidget* parent = nullptr);

    void setChat(const ChatRecord& chat); // system prompt and sampling
    /// The last answer of the chat on screen; nothing without one.  At most four times a second while it runs.
    void setTurn(const std::optional<TurnItem>& turn, const ChatSession* session);
    void showExactPrompt(const QString& prompt);
    [[nodiscard]] int tab() const;
    void setTab(int tab);
    void setCloseVisible(bool visible); // where it covers the chat
    void setDefaults(const ChatSampling& defaults); // of a new chat
    void setWantsAlternatives(bool wanted); // as a window before this one left it

signals:
    void closed();
    void systemPromptEdited(const QString& text);
    void presetChosen(const QString& systemPrompt, const vitrine::ui::ChatSampling& sampling);
    void samplingEdited(const vitrine::ui::ChatSampling& sampling);
    void alternativesToggled(bool on);
    void engineRequested(quint64 request);

private:
    QWidget* makePromptTab();
    QWidget* makeTurnTab();

    const Theme& m_theme;
    SegmentedControl* m_tabs;
    IconButton* m_close;
    QStackedWidget* m_stack;
    PresetBar* m_presets;
    QPlainTextEdit* m_system = nullptr;
    QPlainTextEdit* m_exact = nullptr;
    SamplingPanel* m_sampling = nullptr;
    QLabel* m_total = nullptr;
    TurnTimeline* m_timeline = nullptr;
    NumberText* m_speed = nullptr;
    QLabel* m_peak = nullptr;
    Sparkline* m_sparkline = nullptr;
    QLabel* m_accepted = nullptr;
    TokenList* m_tokens = nullptr;
    Button* m_engine = nullptr;
    QLabel* m_request = nullptr;
    std::vector<double> m_speeds; // of the running answer
    MessageId m_speedOf = 0;
    RequestId m_requestId{};
};

} // namespace vitrine::ui
