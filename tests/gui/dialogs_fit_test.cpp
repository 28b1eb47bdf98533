// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/gui: nothing is cut in the boxes the window opens, in a small window, with large text, in every language.
#include <QDialog>
#include <QFileDialog>
#include <QLineEdit>
#include <QListView>

#include "app/gui/closing.h"
#include "tests/gui/fits_fixture.h"
#include "tests/ui/support/fake_remote.h"
#include "ui/chat/chat_list.h"
#include "ui/chat/message_view.h"
#include "ui/chat/preset_bar.h"
#include "ui/frame/server_dialog.h"
#include "ui/server/origin_list.h"

namespace vitrine::testing {

namespace {

class DialogsFitTest : public FitsFixture {
protected:
    [[nodiscard]] ui::Dialogs& dialogs() override { return m_dialogs; }

    [[nodiscard]] static QList<QDialog*> openDialogs() {
        QList<QDialog*> open;
        for (QWidget* widget : QApplication::topLevelWidgets())
            if (auto* dialog = qobject_cast<QDialog*>(widget); dialog != nullptr && dialog->isVisible())
                open.append(dialog);
        return open;
    }
    [[nodiscard]] static QDialog* openDialog() { return openDialogs().value(0); }
    /// What `open` opened: whole, and no larger than the window, which may fill the screen.
    void lookAt(const QString& what, const std::function<void()>& open) {
        open();
        ASSERT_TRUE(QTest::qWaitFor([] { return openDialog() != nullptr; }, 1'000)) << what.toStdString();
        ASSERT_EQ(openDialogs().size(), 1) << what.toStdString() << ' ' << m_room.toStdString();
        QDialog* dialog = openDialog();
        if (qobject_cast<QFileDialog*>(dialog)) // Qt's own inside, or the desktop's
            QTest::qWait(60);
        else
            look(*dialog, what);
        EXPECT_LE(dialog->width(), m_size.width()) << what.toStdString() << ' ' << m_room.toStdString();
        EXPECT_LE(dialog->height(), m_size.height()) << what.toStdString() << ' ' << m_room.toStdString();
        dialog->reject();
        QTest::qWait(0);
        EXPECT_TRUE(openDialogs().isEmpty()) << what.toStdString() << ' ' << m_room.toStdString();
    }
    void lookAtChatDialogs() {
        m_window->showPage(QStringLiteral("chat"));
        m_window->chatPage().openChat(kFitsChat);
        QTest::qWait(60);
        auto& list = *m_window->findChild<ui::ChatList*>();
        lookAt(QStringLiteral("dialog-rename"), [&] {
            list.view().setCurrentIndex(list.model().index(list.model().rowOf(kFitsChat)));
            QTest::keyClick(&list.view(), Qt::Key_F2);
        });
        lookAt(QStringLiteral("dialog-export"), [&] { emit list.exportRequested(kFitsChat); });
        lookAt(QStringLiteral("dialog-import"), [&] { m_window->chatPage().importChats(); });
        auto& view = *m_window->findChild<ui::MessageView*>();
        lookAt(QStringLiteral("dialog-link"), [&] {
            emit view.linkActivated(QStringLiteral("https://example.org/") + QString(300, u'a') +
                QStringLiteral("?query=a long one and words"));
        });
        lookAt(QStringLiteral("dialog-link-refused"),
            [&] { emit view.linkActivated(QStringLiteral("file:///home/someone/") + QString(200, u'x')); });
        m_store->moveToTrash(kFitsChat);
        const auto press = [&](const char* name) { list.findChild<QAbstractButton*>(QLatin1String(name))->click(); };
        press("trash");
        lookAt(
            QStringLiteral("dialog-empty-trash"), [&] { press("emptyTrash"); }); // seen or not: the list may be hidden
        press("trash");
        m_store->restore(kFitsChat);
    }
    void lookAtServerDialogs() {
        FakeRemote remote;
        const auto open = [&](const ui::RemoteServer& server) {
            auto* dialog = new ui::ServerDialog(m_stage->theme, remote, server, m_window.get());
            dialog->open();
            return dialog;
        };
        lookAt(QStringLiteral("dialog-server"), [&] { open({}); });
        const ui::RemoteServer known{QStringLiteral("1"), QStringLiteral("Workstation below the desk"),
            QUrl(QStringLiteral("http://gpu7.example.org:8000")), QStringLiteral("secret"), {}};
        lookAt(QStringLiteral("dialog-server-answered"), [&] {
            open(known)->findChild<QAbstractButton*>(QStringLiteral("askServer"))->click();
            ui::ServerProbe probe;
            probe.ticket = 7;
            probe.error = {ErrorCode::io,
                "the certificate of gpu7:8443 is not trusted: The certificate is self-signed, and untrusted",
                "Add the certificate of its authority to those of this system, or use the name the certificate is "
                "for."};
            emit remote.probed(probe);
        });
        app::Closing closing({m_stage->endpoint, m_stage->settings, m_dialogs, [this] { return m_hasTray; }});
        m_stage->endpoint.start({});
        for (const bool hasTray : {true, false}) {
            m_hasTray = hasTray;
            lookAt(hasTray ? QStringLiteral("dialog-close-tray") : QStringLiteral("dialog-close"),
                [&] { closing.close(*m_window); });
        }
        m_stage->endpoint.stop();
        m_window->showPage(QStringLiteral("server"));
        auto& origins = *m_window->findChild<ui::OriginList*>();
        const auto ask = [&] { origins.findChild<QAbstractButton*>(QStringLiteral("addOrigin"))->click(); };
        lookAt(QStringLiteral("dialog-origin"), ask);
        lookAt(QStringLiteral("dialog-no-origin"), [&] {
            ask();
            QDialog* question = openDialog();
            question->findChild<QLineEdit*>()->setText(QStringLiteral("not an origin"));
            question->accept();
        });
    }
    void lookAtFileDialogs() {
        m_window->showPage(QStringLiteral("models"));
        lookAt(QStringLiteral("dialog-open-model"), [&] { click("openFile"); });
        lookAt(QStringLiteral("dialog-add-folder"), [&] { click("addFolder"); });
    }

    ui::QtDialogs m_dialogs;
    bool m_hasTray = false;
};

} // namespace

TEST_P(DialogsFitTest, EveryBoxInEveryRoom) {
    for (const Room& room : kRooms) {
        setRoom(room);
        QTest::qWait(0);
        lookAtChatDialogs();
        lookAtServerDialogs();
        lookAtFileDialogs();
    }
}

INSTANTIATE_TEST_SUITE_P(Languages, DialogsFitTest, ::testing::Values("en", "de", "zh_CN", "rtl"),
    [](const auto& language) { return std::string(language.param); });

} // namespace vitrine::testing
