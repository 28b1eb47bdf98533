// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: title, model, menu and inspector switch above the messages.
#pragma once

#include <QWidget>

#include "ui/theme/theme.h"

namespace vitrine::ui {

class ElidedLabel;
class IconButton;
class ModelButton;

class ChatHeader final : public QWidget {
    Q_OBJECT
public:
    explicit ChatHeader(const Theme& theme, QWidget* parent = nullptr);
    void setTitle(const QString& title);
    /// Empty name: no model.  `loading`: a percentage instead of the quant.
    void setModel(const QString& name, const QString& quant);
    void setInspectorOpen(bool open);
    void setListButtonVisible(bool visible); // leads to the chats while their list is hidden
    void setScrolled(bool scrolled); // a line only when text lies under it

signals:
    void modelClicked(const QPoint& below);
    void moreClicked(QPoint globalPosition);
    void inspectorToggled();
    void listRequested();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& m_theme;
    IconButton* m_list;
    ElidedLabel* m_title;
    ModelButton* m_model;
    IconButton* m_more;
    IconButton* m_inspector;
    bool m_isScrolled = false;
};

} // namespace vitrine::ui
