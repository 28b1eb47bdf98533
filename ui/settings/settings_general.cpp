// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/settings: start, close and language; backup and sizes of what is stored.
#include "ui/settings/setting_row.h"
#include "ui/settings/settings_parts.h"
#include "ui/store/chat_backup.h"
#include "ui/store/chat_store.h"
#include "ui/store/settings.h"
#include "ui/theme/theme.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/selectable_text.h"

#include <QApplication>
#include <QDate>
#include <QDirIterator>
#include <QFile>
#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QSystemTrayIcon>
#include <QThreadPool>
#include <QVBoxLayout>

namespace vitrine::ui {
namespace {

constexpr qint64 kMaxBackupBytes = qint64(2) << 30;

/// Bytes of the chat database with its log and of the models in the data folder.
std::pair<double, double> sizesIn(const QString& dataDir) {
    double chats = 0, models = 0;
    QDirIterator files(dataDir, QDir::Files | QDir::NoSymLinks, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString path = files.next();
        const auto bytes = static_cast<double>(files.fileInfo().size());
        if (path.startsWith(QDir(dataDir).filePath(QStringLiteral("models/"))))
            models += bytes;
        else if (path.startsWith(QDir(dataDir).filePath(QStringLiteral("chats/"))))
            chats += bytes;
    }
    return {chats, models};
}

} // namespace

QWidget* SettingsPage::buildGeneral() {
    Settings& settings = m->context.settings;
    auto* page = new QWidget;
    auto* column = makeSection(page, m->context.theme, tr("General"), tr("Start, close and language."));
    addRow(column, tr("Language"), tr("Changes at once; whatever runs goes on"), makeLanguageBox());
    addRow(column, tr("Load the last model at start"), tr("The window opens at once, the model follows"),
        makeSwitch(settings.value(keys::kLoadLastModel),
            [this](bool on) { m->context.settings.set(keys::kLoadLastModel, on); }));
    m->keepServing = makeSwitch(
        settings.value(keys::kKeepServing), [this](bool on) { m->context.settings.set(keys::kKeepServing, on); });
    addRow(column, tr("Keep serving when the window is closed"),
        tr("With the server on, closing hides the window and an icon in the tray brings it back or quits. Off, or "
           "without the server: closing quits"),
        m->keepServing);
    m->noTray = makeLabel(tr("This desktop shows no tray icons, so closing the window always quits."), "small");
    m->noTray->setProperty("tone", "warn");
    m->noTray->setWordWrap(true);
    m->noTray->setContentsMargins(0, 8, 0, 0); // of the line under its switch
    column->addWidget(m->noTray);
    column->addStretch();
    return page;
}

void SettingsPage::refreshTray() {
    const bool hasTray = QSystemTrayIcon::isSystemTrayAvailable();
    m->keepServing->setEnabled(hasTray);
    m->noTray->setVisible(!hasTray);
}

void SettingsPage::addBackup(QVBoxLayout* column) {
    const Theme& theme = m->context.theme;
    m->chatBytes = makeLabel({}, "label");
    addRow(column, tr("Chats"), tr("Database of chats and their search index"), m->chatBytes);
    m->modelBytes = makeLabel({}, "label");
    addRow(column, tr("Models in the data folder"), tr("Files in other folders are used in place and not counted"),
        m->modelBytes);
    auto* save = new Button(theme, tr("Back up…"), Button::Kind::regular, QStringLiteral("export"));
    auto* restore = new Button(theme, tr("Restore…"), Button::Kind::regular, QStringLiteral("open"));
    connect(save, &Button::clicked, this, &SettingsPage::backUp);
    connect(restore, &Button::clicked, this, &SettingsPage::restoreBackup);
    auto* both = new QWidget;
    auto* row = new QHBoxLayout(both);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(save);
    row->addWidget(restore);
    addRow(column, tr("Backup of all chats"),
        tr("One JSON file. Restoring adds what is missing and changes nothing that is here"), both);
    m->backupResult = makeLabel({}, "small");
    m->backupResult->setWordWrap(true);
    makeSelectable(*m->backupResult);
    m->backupResult->hide();
    column->addWidget(m->backupResult);
}

void SettingsPage::refreshSizes() {
    QThreadPool::globalInstance()->start([self = QPointer<SettingsPage>(this), folder = m->context.dataDir] {
        const auto sizes = sizesIn(folder);
        QMetaObject::invokeMethod(qApp, [self, sizes] {
            if (!self)
                return;
            self->m->chatBytes->setText(bytesText(sizes.first));
            self->m->modelBytes->setText(bytesText(sizes.second));
        });
    });
}

void SettingsPage::showBackupResult(const QString& text, bool isGood) {
    m->backupResult->setText(text);
    setStyleProperty(m->backupResult, "tone", isGood ? "ok" : "error");
    m->backupResult->show();
}

void SettingsPage::backUp() {
    const QString name = QStringLiteral("vitrine-chats-%1.json").arg(QDate::currentDate().toString(Qt::ISODate));
    m->context.dialogs.saveFile(this, tr("Back up all chats"), name, {tr("JSON files"), {QStringLiteral("*.json")}},
        [this](const QString& path) {
            if (path.isEmpty())
                return;
            m->context.store.loadAll(this, [this, path](const QList<ChatTree>& chats) {
                QThreadPool::globalInstance()->start([self = QPointer<SettingsPage>(this), path, chats] {
                    const auto done = writeBackup(path, chats);
                    QMetaObject::invokeMethod(qApp, [self, path, done, count = chats.size()] {
                        if (self && done)
                            self->showBackupResult(tr("Chats in %1: %2.").arg(path, countText(count)), true);
                        else if (self)
                            self->showBackupResult(tr("The backup was not written: %1").arg(done.error()), false);
                    });
                });
            });
        });
}

void SettingsPage::restoreBackup() {
    m->context.dialogs.openFiles(this, tr("Restore chats from a backup"),
        {tr("JSON files"), {QStringLiteral("*.json")}}, false, [this](const QStringList& paths) {
            if (paths.isEmpty())
                return;
            QThreadPool::globalInstance()->start(
                [self = QPointer<SettingsPage>(this), store = QPointer<ChatStore>(&m->context.store),
                    path = paths.first()] {
                    QFile file(path);
                    const auto read = file.size() > kMaxBackupBytes
                        ? Stored<ReadChats>(tl::unexpected(tr("the file is larger than 2 GiB")))
                        : file.open(QIODevice::ReadOnly) ? readBackup(file.readAll())
                                                         : Stored<ReadChats>(tl::unexpected(file.errorString()));
                    QMetaObject::invokeMethod(qApp, [self, store, read] {
                        if (!read && self)
                            self->showBackupResult(tr("Nothing was restored: %1").arg(read.error()), false);
                        if (!read || !store)
                            return;
                        const auto say = [self, numUnreadable = read->numUnreadable](const ChatStore::Merged& merged) {
                            if (self)
                                self->sayRestored(merged.chats, merged.messages, numUnreadable);
                        };
                        store->merge(read->chats, store, say); // also when the window was made anew meanwhile
                    });
                });
        });
}

void SettingsPage::sayRestored(int numChats, int numMessages, int numUnreadable) {
    QString text = tr("Chats added: %1. Messages added to chats that were here: %2.")
                       .arg(countText(numChats), countText(numMessages));
    if (numUnreadable > 0)
        text += u' ' + tr("Chats of the backup that could not be read: %1.").arg(countText(numUnreadable));
    showBackupResult(text, numUnreadable == 0);
    refreshSizes();
}

} // namespace vitrine::ui
