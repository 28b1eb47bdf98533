// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: what floats over the messages: the "Latest" pill, the undo bar, the find bar.
#pragma once

#include <QAbstractButton>
#include <QFrame>
#include <functional>

#include "ui/theme/theme.h"

class QLabel;
class QTimer;

namespace vitrine::ui {

class Button;
class SearchField;

/// Shown while the view does not follow the newest text.
class LatestPill final : public QAbstractButton {
    Q_OBJECT
public:
    explicit LatestPill(const Theme& theme, QWidget* parent);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
};

/// "Chat moved to the Trash   Undo  Ctrl+Z  x" for eight seconds; what it offers stays possible after it.
class UndoBar final : public QFrame {
    Q_OBJECT
public:
    UndoBar(const Theme& theme, QWidget* parent);
    void offer(const QString& text, std::function<void()> undo);
    /// Undoes what was offered last, shown or not; false if there is nothing.
    bool undo();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    QLabel* m_text;
    QTimer* m_timer;
    std::function<void()> m_undo;
};

/// Ctrl+F: a field with next and previous.
class FindBar final : public QFrame {
    Q_OBJECT
public:
    FindBar(const Theme& theme, QWidget* parent);
    void open();

signals:
    void findRequested(const QString& text, bool forward);
    void closed();

public slots:
    void showResult(bool found);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    const Theme& m_theme;
    SearchField* m_field;
    QLabel* m_result;
};

} // namespace vitrine::ui
