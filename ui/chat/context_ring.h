// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: how full the context is: system, history, draft and reply reserve as a ring.
#pragma once

#include <QWidget>

#include "ui/theme/theme.h"

namespace vitrine::ui {

/// Tokens; a part that is not known is 0.
struct ContextUse {
    int system = 0;
    int history = 0;
    int draft = 0;
    int reserve = 0; // kept for the reply
    int context = 0; // 0: no model
    bool operator==(const ContextUse&) const = default;
    [[nodiscard]] int used() const { return system + history + draft; }
    [[nodiscard]] bool isNearlyFull() const { return context > 0 && used() * 100 >= context * 85; }
};

/// Ring and "2,523 of 8,192"; amber and "nearly full" from 85 %.
class ContextRing final : public QWidget {
    Q_OBJECT
public:
    explicit ContextRing(const Theme& theme, QWidget* parent = nullptr);
    void setUse(const ContextUse& use);
    [[nodiscard]] const ContextUse& use() const noexcept { return m_use; }
    [[nodiscard]] QString text() const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    ContextUse m_use;
};

} // namespace vitrine::ui
