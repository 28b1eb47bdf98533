// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/gui: what the X of the window does, and the icon in the tray.
#pragma once

#include <QObject>
#include <QSystemTrayIcon>
#include <functional>
#include <memory>

class QAction;
class QMenu;

namespace vitrine::ui {
class Dialogs;
class EndpointControl;
class Settings;
} // namespace vitrine::ui

namespace vitrine::app {

/// Closing quits, except while the server runs on a desktop that shows tray icons and the user chose to go on serving:
/// then the window hides and the icon brings it back.  Without a tray a window never hides, for nothing could bring it
/// back.  A running server is mentioned at the first close.  Thread: GUI.
class Closing final : public QObject {
    Q_OBJECT
public:
    struct Context {
        ui::EndpointControl& endpoint;
        ui::Settings& settings;
        ui::Dialogs& dialogs;
        std::function<bool()> hasTray; // null: ask the desktop
    };
    explicit Closing(Context context, QObject* parent = nullptr);
    ~Closing() override;

    void close(QWidget& window); // its X was pressed
    void showIcon(const QWidget& window); // or hides it: to be called when window or server changed
    void forgetIcon(); // made anew when it is shown: in another language
    [[nodiscard]] bool isIconShown() const;

signals:
    void quitRequested();
    void windowRequested(); // by the icon, or since the server behind a hidden window has ended

private:
    [[nodiscard]] bool isServing() const;
    [[nodiscard]] bool mayHide() const;
    void hide(QWidget& window);
    void askOnce(QWidget& window);
    void warnOnce(QWidget& window);
    void makeIcon();

    Context m_context;
    std::unique_ptr<QMenu> m_menu;
    std::unique_ptr<QSystemTrayIcon> m_icon;
    QAction* m_address = nullptr;
};

} // namespace vitrine::app
