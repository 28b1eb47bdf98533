// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: the 32-px square that sends, or stops while an answer runs.
#pragma once

#include <QAbstractButton>

#include "ui/theme/theme.h"

namespace vitrine::ui {

class SendButton final : public QAbstractButton {
    Q_OBJECT
public:
    explicit SendButton(const Theme& theme, QWidget* parent = nullptr);
    void setStops(bool stops);
    [[nodiscard]] bool stops() const { return m_stops; }
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    bool m_stops = false;
};

} // namespace vitrine::ui
