// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/frame: one server elsewhere: address, key, model.
#pragma once

#include "ui/bridge/remote_control.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QLineEdit;

namespace vitrine::ui {

class Button;
class FlowLayout;
class Theme;

/// Asks the server who it is before it is saved, and says what it found; saving without an answer is allowed, since a
/// server may be off.  Deletes itself when closed.  Thread: GUI.
class ServerDialog final : public QDialog {
    Q_OBJECT
public:
    /// `server` without id: a new one.
    ServerDialog(const Theme& theme, RemoteControl& remote, const RemoteServer& server, QWidget* parent);

private:
    void build(const Theme& theme);
    void ask();
    void onProbed(const ServerProbe& probe);
    void save(bool use);
    void tell(const QString& text, const char* tone);
    void warnOfOpenKey();
    void makeRoom();
    [[nodiscard]] RemoteServer entered() const;

    QWidget* m_content = nullptr; // scrolls
    FlowLayout* m_buttons = nullptr;
    RemoteControl& m_remote;
    RemoteServer m_server;
    quint64 m_ticket = 0; // of the probe that is awaited
    QLineEdit *m_url = nullptr, *m_name = nullptr, *m_key = nullptr;
    QComboBox* m_model = nullptr;
    QLabel *m_answer = nullptr, *m_openKey = nullptr;
    Button* m_ask = nullptr;
};

} // namespace vitrine::ui
