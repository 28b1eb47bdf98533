// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: title, model, menu and inspector switch above the messages.
#include "ui/chat/chat_header.h"

#include <QHBoxLayout>
#include <QPainter>

#include "ui/chat/model_button.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"

namespace vitrine::ui {

namespace {

constexpr int kMaxName = 240, kMinButton = 110;
constexpr int kEdge = 32, kEdgeWithButton = 12;

} // namespace

ModelButton::ModelButton(const Theme& theme, QWidget* parent) : QAbstractButton(parent), m_theme(theme) {
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    setFocusPolicy(Qt::StrongFocus);
    setLayoutDirection(Qt::LeftToRight); // painted by hand; names of models run so
    setModel({}, {});
}

void ModelButton::setModel(const QString& name, const QString& quant) {
    setText(name.isEmpty() ? tr("No model") : name);
    m_quant = quant;
    setAccessibleName(name.isEmpty() ? tr("Choose a model") : tr("Model: %1 %2").arg(name, quant));
    setToolTip(tr("Choose a model (Ctrl+L)"));
    updateGeometry();
    update();
}

QSize ModelButton::sizeHint() const {
    const int name =
        std::min(QFontMetrics(m_theme.font(TextRole::medium)).horizontalAdvance(text()), m_theme.px(kMaxName));
    const int quant = m_quant.isEmpty()
        ? 0
        : QFontMetrics(m_theme.font(TextRole::base)).horizontalAdvance(m_quant) + m_theme.px(Measure::kSpace2);
    return {name + quant + m_theme.px(11 + 8 + Measure::kIconInline + 10), m_theme.px(Measure::kToolbarControl)};
}

QSize ModelButton::minimumSizeHint() const {
    return {std::min(sizeHint().width(), m_theme.px(kMinButton)), sizeHint().height()};
}

void ModelButton::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setLayoutDirection(layoutDirection()); // a painter begins with the application's
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(m_theme.color(Color::outline));
    painter.setBrush(m_theme.color(isDown() ? Color::press : underMouse() ? Color::hover : Color::page));
    painter.drawRoundedRect(
        QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), Measure::kRadiusControl, Measure::kRadiusControl);
    int x = m_theme.px(11);
    painter.setFont(m_theme.font(TextRole::medium));
    painter.setPen(m_theme.color(Color::text1));
    const int icon = m_theme.px(Measure::kIconInline), end = icon + m_theme.px(8 + Measure::kSpace1);
    const QString name =
        painter.fontMetrics().elidedText(text(), Qt::ElideMiddle, std::min(m_theme.px(kMaxName), width() - x - end));
    painter.drawText(QRect(x, 0, width(), height()), Qt::AlignLeft | Qt::AlignVCenter, name);
    x += painter.fontMetrics().horizontalAdvance(name) + m_theme.px(Measure::kSpace2);
    painter.setFont(m_theme.font(TextRole::base));
    painter.setPen(m_theme.color(Color::text3));
    // The quantization is shown whole or not at all.
    if (const int room = width() - x - end; painter.fontMetrics().horizontalAdvance(m_quant) <= room)
        painter.drawText(QRect(x, 0, room, height()), Qt::AlignLeft | Qt::AlignVCenter, m_quant);
    painter.drawPixmap(QPoint(width() - icon - m_theme.px(8), (height() - icon) / 2),
        m_theme.pixmap(QStringLiteral("chevron-down"), icon, Color::text2, devicePixelRatioF()));
}

ChatHeader::ChatHeader(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme),
      m_list(new IconButton(theme, QStringLiteral("panel-left"), tr("List of chats (Ctrl+B)"))),
      m_title(new ElidedLabel(theme, TextRole::section, Color::text1)), m_model(new ModelButton(theme)),
      m_more(new IconButton(theme, QStringLiteral("more"), tr("More actions for this chat"))),
      m_inspector(new IconButton(theme, QStringLiteral("panel-right"), tr("Inspector (Ctrl+I)"))) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(kEdge, 0, 12, 0);
    layout->setSpacing(8);
    layout->addWidget(m_list);
    m_list->hide();
    connect(m_list, &IconButton::clicked, this, &ChatHeader::listRequested);
    layout->addWidget(m_title, 1);
    layout->addWidget(m_model);
    layout->addWidget(m_more);
    layout->addWidget(m_inspector);
    setFixedHeight(theme.px(Measure::kHeader));
    m_inspector->setCheckable(true);
    connect(m_model, &QAbstractButton::clicked, this,
        [this] { emit modelClicked(m_model->mapToGlobal(QPoint(0, m_model->height()))); });
    connect(m_more, &IconButton::clicked, this,
        [this] { emit moreClicked(m_more->mapToGlobal(QPoint(0, m_more->height()))); });
    connect(m_inspector, &IconButton::clicked, this, &ChatHeader::inspectorToggled);
    connect(&theme, &Theme::changed, this, [this] { setFixedHeight(m_theme.px(Measure::kHeader)); });
}

void ChatHeader::setTitle(const QString& title) {
    m_title->setText(title);
}

void ChatHeader::setModel(const QString& name, const QString& quant) {
    m_model->setModel(name, quant);
}

void ChatHeader::setInspectorOpen(bool open) {
    m_inspector->setChecked(open);
}

void ChatHeader::setListButtonVisible(bool visible) {
    m_list->setVisible(visible);
    layout()->setContentsMargins(visible ? kEdgeWithButton : kEdge, 0, 12, 0);
}

void ChatHeader::setScrolled(bool scrolled) {
    if (scrolled == m_isScrolled)
        return;
    m_isScrolled = scrolled;
    update();
}

void ChatHeader::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(Color::page));
    if (m_isScrolled)
        paintHairline(painter, rect(), Qt::BottomEdge, m_theme.color(Color::hairline));
}

} // namespace vitrine::ui
