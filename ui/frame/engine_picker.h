// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/frame: who answers: this computer or a server elsewhere.
#pragma once

#include <QObject>
#include <QPoint>

#include <functional>

class QMenu;
class QWidget;

namespace vitrine::ui {

class Dialogs;
class RemoteControl;
class Theme;

/// The menu below the model's name of the chat and the engine's name of the Engine page.  A server that cannot be
/// reached is told about in a message; what answered before goes on.  Thread: GUI.
class EnginePicker final : public QObject {
    Q_OBJECT
public:
    EnginePicker(const Theme& theme, RemoteControl& remote, Dialogs& dialogs, QWidget* window);

    void popUp(const QPoint& below); // global
    void fill(QMenu& menu); // what popUp() shows
    void addServer();
    void editServer(const QString& id);

signals:
    void modelsRequested(); // the Models page

private:
    void tellFailure();

    const Theme& m_theme;
    RemoteControl& m_remote;
    Dialogs& m_dialogs;
    QWidget* m_window;
};

} // namespace vitrine::ui
