// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: what happened, the number, the next step; the text can be selected.
#pragma once

#include "ui/theme/theme.h"

#include <QFrame>
#include <QStringList>
#include <QTimer>

class QLabel;

namespace vitrine::ui {

class FlowLayout;
class FoldLayout;

/// Hidden until show*() is called.  A success that can be closed fades by itself once there was time to read it in the
/// active window, and not while the pointer or the focus is on it; everything else stays.
class ErrorBanner final : public QFrame {
    Q_OBJECT
public:
    enum class Kind : std::uint8_t { error, warning, info, success };

    explicit ErrorBanner(const Theme& theme, QWidget* parent = nullptr);
    /// `title` carries the number, `cause` one sentence, `actions` the next steps as link buttons.
    void showMessage(Kind kind, const QString& title, const QString& cause, const QStringList& actions = {});
    void dismiss();
    void setClosable(bool closable); // a button at its end hides it
    [[nodiscard]] Kind kind() const { return m_kind; }
    [[nodiscard]] QString title() const { return m_title; }
    [[nodiscard]] QString cause() const { return m_cause; }

    void countTime(); // each kLookMs
    static constexpr int kLookMs = 250; // how often that time is counted
    [[nodiscard]] bool isFading() const { return graphicsEffect() != nullptr; }
    [[nodiscard]] int readingMs() const; // what the message asks for

signals:
    void actionTriggered(int index); // into `actions`

private:
    void refresh();
    void fade();

    const Theme& m_theme;
    Kind m_kind = Kind::error;
    QString m_title, m_cause;
    QStringList m_shownActions;
    QLabel* m_icon;
    QLabel* m_text;
    FoldLayout* m_fold; // actions beside the text, below it where there is little room
    FlowLayout* m_actions;
    QWidget* m_close;
    QTimer m_look;
    int m_seenMs = 0;
    bool m_isClosable = false;
};

} // namespace vitrine::ui
