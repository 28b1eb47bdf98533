// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: the text of the composer.
#pragma once

#include <QPlainTextEdit>

#include "ui/theme/theme.h"

namespace vitrine::ui {

/// Grows with its text up to a limit.  Enter sends and Shift+Enter breaks the line; Enter inside an input method's
/// pre-edit only commits it.  Up in an empty composer asks for the last turn.
class ComposerEdit final : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit ComposerEdit(const Theme& theme, QWidget* parent = nullptr);
    void setMaximumTextHeight(int height);
    void setEnterSends(bool sends); // false: Ctrl+Enter sends
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

signals:
    void submitted();
    void editLastRequested();
    void filesDropped(const QStringList& paths);
    void bigTextPasted(const QString& text);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void inputMethodEvent(QInputMethodEvent* event) override;
    void insertFromMimeData(const QMimeData* source) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void restyle();

    const Theme& m_theme;
    int m_maximumHeight = 200;
    bool m_enterSends = true;
    bool m_isComposing = false; // an input method shows a pre-edit
};

} // namespace vitrine::ui
