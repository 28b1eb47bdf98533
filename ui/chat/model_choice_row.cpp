// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: one model file to start with.
#include "ui/chat/model_choice_row.h"

#include <QFileInfo>
#include <QPainter>
#include <algorithm>

#include "ui/bridge/qt_convert.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/numbers.h"

namespace vitrine::ui {

namespace {

constexpr int kRow = 40;
constexpr int kRadio = 16;
constexpr int kBar = 64;
constexpr int kVerdict = 88;
constexpr int kSize = 64;
constexpr int kQuant = 60;

} // namespace

ModelChoiceRow::ModelChoiceRow(const Theme& theme, const QString& path, QWidget* parent)
    : QAbstractButton(parent), m_theme(theme), m_path(path), m_name(QFileInfo(path).completeBaseName()) {
    setCheckable(true);
    setAutoExclusive(false);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setLayoutDirection(Qt::LeftToRight); // painted by hand; names of models run so
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setToolTip(path);
    setProperty("focusRing", QStringLiteral("inset"));
    connect(this, &QAbstractButton::toggled, this, &ModelChoiceRow::describe);
    describe();
}

void ModelChoiceRow::describe() {
    setAccessibleName(isChecked() ? tr("%1 %2, %3, loaded").arg(m_name, m_quant, m_size)
                                  : tr("Load %1 %2, %3 %4").arg(m_name, m_quant, m_size, m_verdict));
    update();
}

void ModelChoiceRow::setOwner(const QString& app, const QString& name) {
    if (!app.isEmpty())
        m_owner = tr("found in %1").arg(app);
    m_isNamed = !name.isEmpty();
    if (m_isNamed)
        m_name = name;
    describe();
}

void ModelChoiceRow::setInfo(const Result<ModelInfo>& info) {
    if (info) {
        if (!m_isNamed)
            m_name = toQString(info->name);
        m_quant = toQString(info->quantization);
        m_size = bytesText(static_cast<double>(info->weight_bytes));
    } else {
        m_verdict = tr("Cannot be read");
        m_verdictColor = Color::error;
        setToolTip(QStringLiteral("%1\n%2").arg(toQString(info.error().message), toQString(info.error().remedy)));
        setEnabled(false);
    }
    describe();
}

void ModelChoiceRow::setPlan(const Result<LoadPlan>& plan) {
    if (!plan || plan->available <= 0)
        return;
    m_share = static_cast<double>(plan->total) / static_cast<double>(plan->available);
    m_verdict = m_fit = plan->fits ? tr("Fits") : tr("%1 over").arg(bytesText(double(plan->total - plan->available)));
    m_verdictColor = m_fitColor = plan->fits ? Color::ok : Color::warn;
    describe();
}

void ModelChoiceRow::setLoadState(const LoadState& state) {
    if (state.path != m_path)
        return;
    if (state.stage == LoadStage::failed) {
        m_verdict = tr("Failed");
        m_verdictColor = Color::error;
        setToolTip(toQString(state.error.message));
    } else if (state.stage != LoadStage::done && state.stage != LoadStage::cancelled) {
        const double share = state.bytesTotal > 0 ? double(state.bytesDone) / double(state.bytesTotal) : 0;
        m_verdict = percentText(share); // beside the bar
        m_verdictColor = Color::text2;
    } else { // the mark says that it is loaded, for as long as it is
        m_verdict = m_fit;
        m_verdictColor = m_fitColor;
    }
    describe();
}

QSize ModelChoiceRow::sizeHint() const {
    return {m_theme.px(400), m_theme.px(kRow)};
}

void ModelChoiceRow::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setLayoutDirection(layoutDirection()); // a painter begins with the application's
    painter.setRenderHint(QPainter::Antialiasing);
    const int middle = height() / 2;
    const int radio = m_theme.px(kRadio);
    const QRectF circle(0.5, middle - radio / 2.0, radio - 1, radio - 1);
    if (isChecked()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_theme.color(Color::accent));
        painter.drawEllipse(circle);
        painter.setBrush(m_theme.color(Color::page));
        painter.drawEllipse(circle.center(), radio / 5.3, radio / 5.3);
    } else {
        painter.setPen(QPen(m_theme.color(isEnabled() ? Color::control : Color::disabled), 1.25));
        painter.setBrush(underMouse() ? m_theme.color(Color::hover) : Qt::transparent);
        painter.drawEllipse(circle);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    int x = radio + m_theme.px(10);
    painter.setFont(m_theme.font(TextRole::base));
    const QString verdict = isChecked() ? tr("Loaded") : m_verdict;
    const int verdictWidth =
        std::max(m_theme.px(kVerdict), painter.fontMetrics().horizontalAdvance(verdict) + m_theme.px(11));
    int right = width() - verdictWidth;
    const QColor ink = m_theme.color(isChecked() ? Color::ok : m_verdictColor);
    painter.setPen(ink);
    painter.drawText(QRect(right + m_theme.px(10), 0, verdictWidth - m_theme.px(10), height()),
        Qt::AlignLeft | Qt::AlignVCenter, verdict);
    // What cannot be read has no fit; where the bar would cut the name, the words beside it say as much.
    const int nameRoom = right - x - m_theme.px(Measure::kSpace4 + kSize + Measure::kSpace2 + kQuant + kBar);
    const bool hasBar = isEnabled() && painter.fontMetrics().horizontalAdvance(m_name) <= nameRoom;
    const int barWidth = hasBar ? m_theme.px(kBar) : 0;
    const QRect bar(right - barWidth, middle - m_theme.px(3), barWidth, m_theme.px(6));
    painter.fillRect(bar, m_theme.color(Color::press));
    const int filled = static_cast<int>(bar.width() * std::clamp(m_share, 0.0, 1.0));
    painter.fillRect(QRect(bar.topLeft(), QSize(filled, bar.height())), ink);
    right = bar.left() - m_theme.px(Measure::kSpace4);
    painter.setPen(m_theme.color(Color::text1));
    painter.drawText(
        QRect(right - m_theme.px(kSize), 0, m_theme.px(kSize), height()), Qt::AlignRight | Qt::AlignVCenter, m_size);
    right -= m_theme.px(kSize + Measure::kSpace2);
    painter.setFont(m_theme.font(isChecked() ? TextRole::medium : TextRole::base));
    painter.setPen(m_theme.color(isEnabled() ? Color::text1 : Color::text3));
    const QString name = painter.fontMetrics().elidedText(m_name, Qt::ElideMiddle, right - x - m_theme.px(kQuant));
    painter.drawText(QRect(x, 0, right - x, height()), Qt::AlignLeft | Qt::AlignVCenter, name);
    x += painter.fontMetrics().horizontalAdvance(name) + m_theme.px(10);
    painter.setFont(m_theme.font(TextRole::base));
    painter.setPen(m_theme.color(Color::text3));
    painter.drawText(QRect(x, 0, right - x, height()), Qt::AlignLeft | Qt::AlignVCenter, m_quant);
    x += painter.fontMetrics().horizontalAdvance(m_quant) + m_theme.px(Measure::kSpace4);
    painter.setFont(m_theme.font(TextRole::small));
    if (!m_owner.isEmpty() && painter.fontMetrics().horizontalAdvance(m_owner) < right - x)
        painter.drawText(QRect(x, 0, right - x, height()), Qt::AlignRight | Qt::AlignVCenter, m_owner);
    paintHairline(painter, rect(), Qt::BottomEdge, m_theme.color(Color::hairline));
}

} // namespace vitrine::ui
