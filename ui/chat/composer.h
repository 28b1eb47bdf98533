// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: the frame around the text one writes: attachments, token count, context ring, Send or Stop.
#pragma once

#include <QFrame>

#include "ui/chat/context_ring.h"
#include "ui/store/chat_records.h"

class QLabel;
class QTimer;

namespace vitrine::ui {

class Chip;
class ComposerEdit;
class FlowLayout;
class IconButton;
class SendButton;

/// Thread: GUI.  Files are read by the caller; counting tokens is asked for 150 ms after the last key.
class Composer final : public QFrame {
    Q_OBJECT
public:
    explicit Composer(const Theme& theme, QWidget* parent = nullptr);

    /// For the placeholder; empty: no model.  One that does not chat goes on with a text.
    void setModelName(const QString& name, bool chats = true);
    void setGenerating(bool generating);
    void setContextUse(const ContextUse& use);
    void setDraftTokens(int tokens); // -1: unknown
    void setQueued(const QStringList& texts);
    void setMaximumTextHeight(int height);
    void setEnterSends(bool sends);
    /// Shows "Editing an earlier turn" and its text; submitted() then carries isEdit.  What was written before comes back
    /// afterwards.
    void beginEdit(const QString& text);
    void addAttachment(const Attachment& attachment);
    [[nodiscard]] Draft unsent() const;
    [[nodiscard]] Draft takeDraft(); // and leaves the composer empty
    void setDraft(const Draft& draft);
    [[nodiscard]] QString draft() const; // attachments and text, as it would be sent
    void setDraftText(const QString& text);
    void addDraftText(const QString& text); // below what stands there; takes the focus
    [[nodiscard]] QString draftText() const;
    [[nodiscard]] bool isEditing() const { return m_isEditing; }
    void focusText();

signals:
    void submitted(const QString& text, bool isEdit);
    void stopRequested();
    void countRequested(const QString& text);
    void editLastRequested();
    void editCancelled();
    void queuedEditRequested(int index);
    void queuedSendRequested(); // the first one, now
    void queuedRemoved(int index);
    void attachRequested();
    void filesDropped(const QStringList& paths);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void submit();
    void endEdit(); // what was written before it comes back
    void refresh();
    void refreshChips();

    const Theme& m_theme;
    ComposerEdit* m_edit;
    QWidget* m_chipRow;
    FlowLayout* m_chips;
    QLabel* m_tokens;
    ContextRing* m_ring;
    SendButton* m_send;
    QTimer* m_countTimer;
    ContextUse m_use;
    QList<Attachment> m_attachments;
    QStringList m_queued;
    Draft m_beforeEdit; // text and attachments of it
    bool m_isGenerating = false;
    bool m_isEditing = false;
    bool m_hasModel = false;
};

} // namespace vitrine::ui
