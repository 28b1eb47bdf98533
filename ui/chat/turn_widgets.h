// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: the controls of one turn, children of the message view's viewport.
#pragma once

#include <QAbstractButton>
#include <QWidget>
#include <cstdint>

#include "ui/chat/turn_item.h"
#include "ui/theme/theme.h"

class QLabel;

namespace vitrine::ui {

class IconButton;

enum class TurnAction : std::uint8_t {
    copy,
    edit,
    regenerate,
    continueAnswer,
    previousBranch,
    nextBranch,
    copyMarkdown,
    remove, // with what follows it
    showPrompt,
    retry,
    openModel,
};

/// Copy, edit or regenerate, continue, branch 2/3, more.  Its room is always there; it is seen when the pointer is on
/// the turn, when it has the focus, and below the last answer.
class TurnActions final : public QWidget {
    Q_OBJECT
public:
    TurnActions(const Theme& theme, bool isUser, QWidget* parent);
    void setTurn(const TurnItem& turn);
    void setRevealed(bool revealed);

signals:
    void triggered(vitrine::ui::TurnAction action);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    IconButton* addButton(const QString& icon, const QString& name, TurnAction action);
    void showMore();
    void refresh();

    const Theme& m_theme;
    bool m_isUser;
    bool m_isRevealed = false;
    IconButton* m_regenerate = nullptr;
    IconButton* m_continue = nullptr;
    IconButton* m_edit = nullptr;
    IconButton* m_previous = nullptr;
    IconButton* m_next = nullptr;
    IconButton* m_more = nullptr;
    QLabel* m_branch = nullptr;
};

/// Wrap and copy at the right end of a code block's header.
class CodeTools final : public QWidget {
    Q_OBJECT
public:
    CodeTools(const Theme& theme, QWidget* parent);

signals:
    void copyRequested();
    void wrapToggled();
};

/// "Thought for 3.0 s · 187 tokens" with its chevron.
class ReasoningFold final : public QAbstractButton {
    Q_OBJECT
public:
    ReasoningFold(const Theme& theme, QWidget* parent);
    void setTurn(const TurnItem& turn);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
};

} // namespace vitrine::ui
