// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: banner over a soft tint.
#include "ui/widgets/error_banner.h"

#include "ui/widgets/flow_layout.h"
#include "ui/widgets/fold_layout.h"
#include "ui/widgets/icon_button.h"

#include <QApplication>
#include <QGraphicsOpacityEffect>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPropertyAnimation>

#include <algorithm>

namespace vitrine::ui {
namespace {

struct KindLook {
    const char* icon;
    Color ink, soft;
};
constexpr KindLook kLooks[] = {
    {"warning", Color::error, Color::errorSoft},
    {"warning", Color::warn, Color::warnSoft},
    {"info", Color::text2, Color::well},
    {"check", Color::ok, Color::okSoft},
};

constexpr int kLeastMs = 5'000, kMostMs = 15'000, kLetterMs = 60; // time to see and read a message
constexpr int kFadeMs = 160;
constexpr int kWords = 320; // less, and the actions go below them

/// Errors of the engine and of the system end without a full stop; what follows would run into them.
QString sentence(const QString& title, const QString& next) {
    const QChar last = title.isEmpty() ? QChar() : title.back();
    const bool isOpen = last.isLetterOrNumber() || last == u')' || last == u'"' || last == u'”';
    return isOpen && !next.isEmpty() ? title + u'.' : title;
}

} // namespace

ErrorBanner::ErrorBanner(const Theme& theme, QWidget* parent)
    : QFrame(parent), m_theme(theme), m_icon(new QLabel), m_text(new QLabel),
      m_fold(new FoldLayout(16, FoldLayout::Grows::first)), m_actions(new FlowLayout(16)) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 10, 12, 10);
    layout->setSpacing(10);
    layout->addWidget(m_icon, 0, Qt::AlignTop);
    auto* words = new QWidget;
    words->setLayout(m_fold);
    words->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    layout->addWidget(words, 1);
    auto* close = new IconButton(theme, QStringLiteral("close"), tr("Close the message"));
    connect(close, &IconButton::clicked, this, &ErrorBanner::dismiss);
    m_close = close;
    m_close->hide();
    layout->addWidget(m_close, 0, Qt::AlignTop);
    m_fold->addWidget(m_text);
    m_fold->addPart(m_actions);
    m_fold->setRoom(theme.px(kWords));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::RichText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_text->setFocusPolicy(Qt::TabFocus);
    setObjectName(QStringLiteral("banner"));
    connect(&theme, &Theme::changed, this, &ErrorBanner::refresh);
    m_look.setInterval(kLookMs);
    connect(&m_look, &QTimer::timeout, this, &ErrorBanner::countTime);
    hide();
}

void ErrorBanner::showMessage(Kind kind, const QString& title, const QString& cause, const QStringList& actions) {
    m_kind = kind;
    m_title = title;
    m_cause = cause;
    if (actions != m_shownActions) { // kept where they are the same: one of them may be the sender
        while (QLayoutItem* item = m_actions->takeAt(0)) {
            item->widget()->deleteLater();
            delete item;
        }
        for (int i = 0; i < actions.size(); ++i) {
            auto* button = new Button(m_theme, actions[i], Button::Kind::link);
            connect(button, &Button::clicked, this, [this, i] { emit actionTriggered(i); });
            m_actions->addWidget(button);
        }
        m_shownActions = actions;
    }
    refresh();
    setGraphicsEffect(nullptr); // it may have been fading
    show();
    m_seenMs = 0;
    if (kind == Kind::success && m_isClosable)
        m_look.start();
    else
        m_look.stop();
}

int ErrorBanner::readingMs() const {
    return std::clamp(static_cast<int>(m_title.size() + m_cause.size()) * kLetterMs, kLeastMs, kMostMs);
}

void ErrorBanner::countTime() {
    const QWidget* focus = QApplication::focusWidget();
    if (!m_look.isActive() || !isVisible() || !isActiveWindow() || underMouse() ||
        (focus != nullptr && isAncestorOf(focus)))
        return;
    m_seenMs += kLookMs;
    if (m_seenMs >= readingMs())
        fade();
}

void ErrorBanner::fade() {
    m_look.stop();
    if (m_theme.lessMotion())
        return dismiss();
    auto* effect = new QGraphicsOpacityEffect(this);
    setGraphicsEffect(effect); // goes with the next one
    auto* animation = new QPropertyAnimation(effect, "opacity", effect);
    animation->setDuration(kFadeMs);
    animation->setStartValue(1.0);
    animation->setEndValue(0.0);
    connect(animation, &QPropertyAnimation::finished, this, &ErrorBanner::dismiss);
    animation->start();
}

void ErrorBanner::setClosable(bool closable) {
    m_isClosable = closable;
    m_close->setVisible(closable);
}

void ErrorBanner::dismiss() {
    m_look.stop();
    hide();
}

void ErrorBanner::refresh() {
    const KindLook& look = kLooks[static_cast<std::size_t>(m_kind)];
    const int size = m_theme.px(Measure::kIconButton);
    m_fold->setRoom(m_theme.px(kWords));
    m_icon->setPixmap(m_theme.pixmap(QLatin1String(look.icon), size, look.ink, devicePixelRatioF()));
    m_text->setText(
        QStringLiteral(
            "<p style=\"line-height:125%\"><b style=\"font-weight:600\">%1</b> <span style=\"color:%3\">%2</span></p>")
            .arg(sentence(m_title, m_cause).toHtmlEscaped(),
                m_cause.toHtmlEscaped().replace(u'\n', QLatin1String("<br>")), m_theme.color(Color::text2).name()));
    m_text->setAccessibleName(m_title + u' ' + m_cause);
    setStyleSheet(
        QStringLiteral("#banner { background: %1; border-radius: 8px; }").arg(m_theme.color(look.soft).name()));
}

} // namespace vitrine::ui
