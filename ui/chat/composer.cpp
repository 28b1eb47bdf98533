// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: the frame around the text one writes.
#include "ui/chat/composer.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QTimer>
#include <QVBoxLayout>

#include "ui/chat/composer_edit.h"
#include "ui/chat/send_button.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/numbers.h"

namespace vitrine::ui {

namespace {

constexpr int kCountDelayMs = 150;

QString elided(const QString& text) {
    const QString line = text.simplified();
    return line.size() <= 60 ? line : line.left(59) + QChar(0x2026);
}

} // namespace

Composer::Composer(const Theme& theme, QWidget* parent)
    : QFrame(parent), m_theme(theme), m_edit(new ComposerEdit(theme)), m_chipRow(new QWidget),
      m_chips(new FlowLayout(Measure::kSpace2, m_chipRow)), m_tokens(makeLabel({}, "hint")),
      m_ring(new ContextRing(theme)), m_send(new SendButton(theme)), m_countTimer(new QTimer(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(15, 11, 9, 9);
    layout->setSpacing(Measure::kSpace1);
    layout->addWidget(m_chipRow);
    layout->addWidget(m_edit);
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    auto* attach = new IconButton(theme, QStringLiteral("attach"), tr("Attach a text file"));
    row->setContentsMargins(-5, 0, 0, 0);
    row->addWidget(attach);
    row->addStretch();
    row->addWidget(m_tokens);
    row->addWidget(m_ring);
    row->addWidget(m_send);
    layout->addLayout(row);
    m_tokens->setAccessibleName(tr("Tokens of the draft"));
    m_countTimer->setSingleShot(true);
    m_countTimer->setInterval(kCountDelayMs);
    connect(m_countTimer, &QTimer::timeout, this, [this] { emit countRequested(draft()); });
    connect(m_edit, &ComposerEdit::textChanged, this, [this] {
        m_countTimer->start();
        refresh();
    });
    connect(m_edit, &ComposerEdit::submitted, this, &Composer::submit);
    connect(m_edit, &ComposerEdit::editLastRequested, this, &Composer::editLastRequested);
    connect(m_edit, &ComposerEdit::filesDropped, this, &Composer::filesDropped);
    connect(m_edit, &ComposerEdit::bigTextPasted, this, [this](const QString& text) {
        addAttachment({tr("Pasted text"), text});
    });
    connect(attach, &IconButton::clicked, this, &Composer::attachRequested);
    connect(m_send, &SendButton::clicked, this, [this] {
        if (m_send->stops())
            emit stopRequested();
        else
            submit();
    });
    connect(&theme, &Theme::changed, this, [this] { refreshChips(); });
    m_edit->installEventFilter(this);
    setFocusProxy(m_edit);
    refreshChips();
    refresh();
}

void Composer::setModelName(const QString& name, bool chats) {
    m_hasModel = !name.isEmpty();
    m_edit->setPlaceholderText(!m_hasModel ? tr("Message")
            : chats                        ? tr("Message %1").arg(name)
                                           : tr("Text that %1 goes on with: it has no chat template").arg(name));
    m_edit->viewport()->update(); // Qt 6.4 repaints only when a placeholder appears or goes
}

void Composer::setGenerating(bool generating) {
    m_isGenerating = generating;
    refresh();
    refreshChips(); // queued turns say when they are sent
}

void Composer::setContextUse(const ContextUse& use) {
    m_use = use;
    m_ring->setUse(use);
    m_ring->setVisible(use.context > 0);
}

void Composer::setDraftTokens(int tokens) {
    m_tokens->setText(tokens > 0 ? tr("%1 tok").arg(countText(tokens)) : QString());
}

void Composer::setQueued(const QStringList& texts) {
    m_queued = texts;
    refreshChips();
    refresh();
}

void Composer::setMaximumTextHeight(int height) {
    m_edit->setMaximumTextHeight(height);
}

void Composer::setEnterSends(bool sends) {
    m_edit->setEnterSends(sends);
}

void Composer::beginEdit(const QString& text) {
    if (!m_isEditing)
        m_beforeEdit = takeDraft();
    QString words = text;
    m_attachments = takeAttachments(words); // as chips: a file of megabytes in the field would stop the window
    m_isEditing = true;
    setDraftText(words);
    refreshChips();
    focusText();
}

void Composer::endEdit() {
    const Draft before = std::exchange(m_beforeEdit, {});
    setDraft(before);
}

void Composer::addAttachment(const Attachment& attachment) {
    m_attachments.append(attachment);
    refreshChips();
    m_countTimer->start();
    refresh();
}

Draft Composer::unsent() const {
    return {m_edit->toPlainText(), m_attachments, m_isEditing, 0, m_beforeEdit.text, m_beforeEdit.attachments};
}

Draft Composer::takeDraft() {
    const Draft taken = unsent();
    setDraft({});
    return taken;
}

void Composer::setDraft(const Draft& draft) {
    m_isEditing = draft.isEdit;
    m_attachments = draft.attachments;
    m_beforeEdit = {};
    m_beforeEdit.text = draft.textBefore;
    m_beforeEdit.attachments = draft.attachmentsBefore;
    setDraftText(draft.text);
    refreshChips();
    refresh();
    m_countTimer->start();
}

QString Composer::draft() const {
    QString text;
    for (const Attachment& attachment : m_attachments)
        text += attachedText(attachment.name, attachment.text);
    return text + m_edit->toPlainText();
}

void Composer::setDraftText(const QString& text) {
    m_edit->setPlainText(text);
    m_edit->moveCursor(QTextCursor::End);
}

void Composer::addDraftText(const QString& text) {
    const QString before = draftText();
    setDraftText(before.isEmpty() ? text : before + QStringLiteral("\n\n") + text);
    focusText();
}

QString Composer::draftText() const {
    return m_edit->toPlainText();
}

void Composer::focusText() {
    m_edit->setFocus(Qt::OtherFocusReason);
}

void Composer::submit() {
    const QString text = draft();
    if (text.trimmed().isEmpty()) {
        if (!m_isGenerating && !m_queued.isEmpty())
            emit queuedSendRequested(); // they were left when the answer was stopped
        return;
    }
    const bool isEdit = m_isEditing;
    if (isEdit)
        endEdit();
    else
        setDraft({});
    emit submitted(text, isEdit);
}

void Composer::refresh() {
    const bool hasText = !m_edit->document()->isEmpty() || !m_attachments.isEmpty();
    // With a draft the button queues it; Esc still stops.
    m_send->setStops(m_isGenerating && !hasText);
    m_send->setEnabled(m_isGenerating || hasText || !m_queued.isEmpty());
    if (!hasText)
        setDraftTokens(0);
}

void Composer::refreshChips() {
    while (QLayoutItem* item = m_chips->takeAt(0)) {
        if (item->widget() != nullptr)
            item->widget()->deleteLater();
        delete item;
    }
    const auto add = [this](const QString& text, const QString& icon) {
        auto* chip = new Chip(m_theme, text);
        chip->setIconName(icon);
        chip->setClosable(true);
        m_chips->addWidget(chip);
        return chip;
    };
    if (m_isEditing) {
        Chip* chip = add(tr("Editing an earlier turn: makes a branch"), QStringLiteral("edit"));
        connect(chip, &Chip::closed, this, [this] {
            endEdit();
            emit editCancelled();
        });
    }
    for (int i = 0; i < static_cast<int>(m_queued.size()); ++i) {
        Chip* chip = add(tr("Queued: %1").arg(elided(m_queued[i])), QStringLiteral("edit"));
        chip->setToolTip(m_isGenerating ? tr("Sent when the answer has ended. Click to edit.")
                                        : tr("The answer was stopped: Enter sends this. Click to edit."));
        connect(chip, &Chip::clicked, this, [this, i] { emit queuedEditRequested(i); });
        connect(chip, &Chip::closed, this, [this, i] { emit queuedRemoved(i); });
    }
    for (qsizetype i = 0; i < m_attachments.size(); ++i) {
        const Attachment& attachment = m_attachments[i];
        Chip* chip = add(
            tr("%1, %2 characters").arg(attachment.name, countText(attachment.text.size())), QStringLiteral("attach"));
        connect(chip, &Chip::closed, this, [this, i] {
            m_attachments.removeAt(i);
            refreshChips();
            refresh();
            m_countTimer->start();
        });
    }
    m_chipRow->setVisible(m_chips->count() > 0);
    m_chipRow->updateGeometry();
}

void Composer::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool hasFocus = m_edit->hasFocus();
    const double line = hasFocus ? 2 : 1;
    painter.setPen(QPen(m_theme.color(hasFocus ? Color::accent : Color::outline), line));
    painter.setBrush(m_theme.color(Color::page));
    painter.drawRoundedRect(QRectF(rect()).adjusted(line / 2, line / 2, -line / 2, -line / 2), Measure::kRadiusComposer,
        Measure::kRadiusComposer);
}

bool Composer::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut)
        update();
    return QFrame::eventFilter(watched, event);
}

void Composer::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && m_isEditing) {
        endEdit();
        emit editCancelled();
        return;
    }
    QFrame::keyPressEvent(event);
}

} // namespace vitrine::ui
