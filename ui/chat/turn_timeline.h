// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: where the time of an answer went, and its tokens.
#pragma once

#include <QWidget>
#include <vector>

#include "ui/chat/chat_session.h"
#include "ui/theme/theme.h"

namespace vitrine::ui {

/// Bar and legend: queued, reused, read, thinking, answer.
class TurnTimeline final : public QWidget {
    Q_OBJECT
public:
    explicit TurnTimeline(const Theme& theme, QWidget* parent = nullptr);
    void setTurn(const TurnItem& turn);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Part {
        QString name;
        int tokens = 0;
        double seconds = -1;
        Color color = Color::queued;
        bool isHatched = false;
    };
    const Theme& m_theme;
    std::vector<Part> m_parts;
    double m_total = 0;
};

/// The tokens of the last answer as running text: accepted drafts underlined, alternatives on hover.
class TokenList final : public QWidget {
    Q_OBJECT
public:
    explicit TokenList(const Theme& theme, QWidget* parent = nullptr);
    void setTokens(const QList<ShownToken>& tokens);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    int flow(int width); // returns the height

    const Theme& m_theme;
    QList<ShownToken> m_tokens;
    std::vector<QRect> m_places; // index == token
};

} // namespace vitrine::ui
