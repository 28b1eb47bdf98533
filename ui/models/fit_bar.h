// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/models: what a load would take against what is free now.
#pragma once

#include "ui/bridge/values.h"
#include "ui/theme/theme.h"

#include <QWidget>

#include <optional>

namespace vitrine::ui {

/// A bar over the device's memory and a legend in the order of the bar.  Bytes.
class FitBar final : public QWidget {
    Q_OBJECT
public:
    explicit FitBar(const Theme& theme, QWidget* parent = nullptr);
    /// `deviceTotal` 0: unknown, the bar covers what is available then.  `fresh` false: numbers of before, dimmed.
    void setPlan(const std::optional<LoadPlan>& plan, qint64 deviceTotal);
    void setFresh(bool fresh);

    /// "Fits, 0.68 GiB to spare" or "0.97 GiB over".
    [[nodiscard]] QString verdict() const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {m_theme.px(120), m_theme.px(66)}; }
    [[nodiscard]] int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Part {
        QString name;
        qint64 bytes;
        Color color;
        enum class Fill : std::uint8_t { solid, hatched, dotted } fill;
    };
    [[nodiscard]] std::vector<Part> parts() const;
    [[nodiscard]] int numColumns(int width) const; // of the legend
    void paintPart(QPainter& painter, const Part& part, const QRect& rect) const;

    const Theme& m_theme;
    std::optional<LoadPlan> m_plan;
    qint64 m_deviceTotal = 0;
    bool m_fresh = true;
};

} // namespace vitrine::ui
