// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: "Qwen3-14B Q4_K_M" with a chevron: which model answers.
#pragma once

#include <QAbstractButton>

#include "ui/theme/theme.h"

namespace vitrine::ui {

class ModelButton final : public QAbstractButton {
    Q_OBJECT
public:
    explicit ModelButton(const Theme& theme, QWidget* parent = nullptr);
    void setModel(const QString& name, const QString& quant);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override; // the name ends in an ellipsis

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    QString m_quant;
};

} // namespace vitrine::ui
