// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: named sets of system prompt and sampling.
#pragma once

#include <QJsonObject>
#include <QWidget>

#include "ui/store/chat_records.h"

class QComboBox;

namespace vitrine::ui {

class Dialogs;
class Settings;
class Theme;

/// A box of the presets there are, and a menu to save what the chat has as one, or to take one away.  They lie in the
/// settings ("chat.presets": name -> {system_prompt, sampling}).  Thread: GUI.
class PresetBar final : public QWidget {
    Q_OBJECT
public:
    PresetBar(const Theme& theme, Settings& settings, Dialogs& dialogs, QWidget* parent = nullptr);
    void setChat(const QString& systemPrompt, const ChatSampling& sampling); // the preset that equals it is shown

signals:
    void chosen(const QString& systemPrompt, const vitrine::ui::ChatSampling& sampling);

private:
    void refresh();
    void showMenu();
    void save();
    void store(const QJsonObject& presets);
    [[nodiscard]] QJsonObject presets() const;
    [[nodiscard]] QString current() const; // name of the one that equals the chat; empty: none

    const Theme& m_theme;
    Settings& m_settings;
    Dialogs& m_dialogs;
    QComboBox* m_box;
    QWidget* m_more;
    QString m_prompt;
    ChatSampling m_sampling;
};

} // namespace vitrine::ui
