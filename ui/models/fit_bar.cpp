// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/models: the fit bar, painted.
#include "ui/models/fit_bar.h"

#include "ui/theme/sequence_brush.h"
#include "ui/widgets/numbers.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace vitrine::ui {
namespace {

constexpr int kBar = 22, kRow = 22, kSwatch = 10;
constexpr int kMaxParts = 5, kTwoColumns = 320;

} // namespace

FitBar::FitBar(const Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    setAccessibleName(tr("Memory fit"));
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(&theme, &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void FitBar::setPlan(const std::optional<LoadPlan>& plan, qint64 deviceTotal) {
    m_plan = plan;
    m_deviceTotal = deviceTotal;
    m_fresh = true;
    QStringList words{verdict()};
    for (const Part& part : parts())
        words += QStringLiteral("%1 %2").arg(part.name, bytesText(static_cast<double>(part.bytes)));
    setAccessibleDescription(words.join(QStringLiteral(", ")));
    update();
}

void FitBar::setFresh(bool fresh) {
    if (fresh != m_fresh) {
        m_fresh = fresh;
        update();
    }
}

QString FitBar::verdict() const {
    if (!m_plan)
        return {};
    qint64 over = 0; // what one device lacks another cannot give
    for (const DevicePlan& part : m_plan->devices)
        over += std::max<qint64>(0, part.total - part.available);
    const double spare = static_cast<double>(m_plan->available - m_plan->total);
    return m_plan->fits ? tr("Fits, %1 to spare").arg(bytesText(std::max(0.0, spare)))
                        : tr("%1 over").arg(bytesText(static_cast<double>(over)));
}

std::vector<FitBar::Part> FitBar::parts() const {
    if (!m_plan)
        return {};
    using Fill = Part::Fill;
    std::vector<Part> result;
    const qint64 others = m_deviceTotal > m_plan->available ? m_deviceTotal - m_plan->available : 0;
    if (others > 0)
        result.push_back({tr("Other programs"), others, Color::text3, Fill::hatched});
    result.push_back({tr("Weights"), m_plan->weights, Color::accent, Fill::solid});
    result.push_back({tr("KV cache"), m_plan->kv, Color::seqC, Fill::solid});
    result.push_back({tr("Scratch"), m_plan->scratch, Color::control, Fill::solid});
    result.push_back({tr("Margin 10 %"), m_plan->margin, Color::text3, Fill::dotted});
    return result;
}

int FitBar::heightForWidth(int width) const {
    const int rows = (kMaxParts + numColumns(width) - 1) / numColumns(width); // never moves while numbers change
    return m_theme.px(kBar) + 8 + rows * m_theme.px(kRow);
}

QSize FitBar::sizeHint() const {
    return {m_theme.px(360), heightForWidth(m_theme.px(360))};
}

int FitBar::numColumns(int width) const {
    return width >= m_theme.px(kTwoColumns) ? 2 : 1;
}

void FitBar::paintPart(QPainter& painter, const Part& part, const QRect& rect) const {
    switch (part.fill) {
    case Part::Fill::solid:
        painter.fillRect(rect, m_theme.color(part.color));
        return;
    case Part::Fill::hatched:
        painter.fillRect(rect, m_theme.color(Color::press));
        paintHatch(painter, rect, m_theme.color(part.color));
        return;
    case Part::Fill::dotted:
        painter.fillRect(rect, m_theme.color(Color::press));
        painter.setPen(QPen(m_theme.color(part.color), 1.3, Qt::SolidLine, Qt::RoundCap));
        for (int y = rect.top() + 3; y <= rect.bottom() - 1; y += 4)
            for (int x = rect.left() + 3; x <= rect.right() - 1; x += 4)
                painter.drawPoint(QPointF(x, y));
        return;
    }
}

void FitBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setLayoutDirection(Qt::LeftToRight); // the bar fills from the left
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setOpacity(m_fresh ? 1 : 0.6);
    const QRectF bar(0.5, 0.5, width() - 1, m_theme.px(kBar) - 1);
    QPainterPath outline;
    outline.addRoundedRect(bar, Measure::kRadiusBar, Measure::kRadiusBar);
    const std::vector<Part> list = parts();
    double sum = 0;
    for (const Part& part : list)
        sum += static_cast<double>(part.bytes);
    const double capacity = m_plan ? static_cast<double>(std::max<qint64>(m_deviceTotal, m_plan->available)) : 0;
    const double whole = std::max({sum, capacity, 1.0});
    painter.save();
    painter.setClipPath(outline);
    double x = bar.left();
    for (const Part& part : list) {
        const double length = static_cast<double>(part.bytes) / whole * bar.width();
        const QRect rect(static_cast<int>(std::lround(x)), 0,
            std::max(1, static_cast<int>(std::lround(x + length) - std::lround(x)) - 1), m_theme.px(kBar));
        paintPart(painter, part, rect);
        x += length;
    }
    if (sum > capacity && capacity > 0) { // where the memory ends
        const double edge = bar.left() + capacity / whole * bar.width();
        painter.fillRect(QRectF(edge - 1, 0, 2, m_theme.px(kBar)), m_theme.color(Color::warn));
    }
    painter.restore();
    painter.setPen(QPen(m_theme.color(m_plan && !m_plan->fits ? Color::warn : Color::control), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(outline);

    const int rowHeight = m_theme.px(kRow), swatch = m_theme.px(kSwatch), gap = Measure::kSpace4 + 8;
    const int columns = numColumns(width()), column = columns == 1 ? width() : (width() - gap) / 2;
    painter.setFont(m_theme.font(TextRole::base));
    for (std::size_t i = 0; i < list.size(); ++i) {
        const int place = static_cast<int>(i), left = place % columns * (column + gap);
        const int top = m_theme.px(kBar) + 8 + place / columns * rowHeight;
        paintPart(painter, list[i], QRect(left, top + (rowHeight - swatch) / 2, swatch, swatch));
        painter.setPen(m_theme.color(Color::text2));
        const QString size = bytesText(static_cast<double>(list[i].bytes));
        const QFontMetrics metrics = painter.fontMetrics();
        const int room = column - swatch - 16 - metrics.horizontalAdvance(size);
        painter.drawText(QRect(left + swatch + 8, top, column, rowHeight), Qt::AlignVCenter,
            metrics.elidedText(list[i].name, Qt::ElideRight, room));
        painter.setPen(m_theme.color(Color::text1));
        painter.drawText(QRect(left, top, column, rowHeight), Qt::AlignVCenter | Qt::AlignRight, size);
    }
}

} // namespace vitrine::ui
