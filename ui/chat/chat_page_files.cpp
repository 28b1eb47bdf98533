// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: what the Chat page reads from files and writes to them.
#include <QApplication>
#include <QFile>
#include <QFileInfo>
#include <QThreadPool>

#include "ui/chat/attachments.h"
#include "ui/chat/chat_page_private.h"
#include "ui/store/chat_export.h"
#include "ui/store/chat_import.h"
#include "ui/widgets/numbers.h"

namespace vitrine::ui {

namespace {

constexpr qint64 kMaxImportBytes = qint64(1) << 30;

} // namespace

void ChatPage::Private::exportChat(ChatId chat) {
    const ChatRecord* known = m_context.store.chat(chat);
    if (known == nullptr)
        return;
    QString name = known->title.isEmpty() ? tr("chat") : known->title;
    name.replace(u'/', u'-');
    m_context.dialogs.saveFile(&m_page, tr("Export chat"), name + QStringLiteral(".md"),
        {tr("Markdown, what is on screen"), {QStringLiteral("*.md")},
            {{tr("JSON, with every branch"), {QStringLiteral("*.json")}}}},
        [this, chat](const QString& path) {
            if (path.isEmpty())
                return;
            const ChatSession* open = m_context.sessions.find(chat);
            if (open == nullptr || !open->isLoaded())
                return m_context.store.loadChat(
                    chat, this, [this, path](const ChatTree& tree) { writeChat(path, tree); });
            ChatTree tree = open->tree(); // with the answer that runs, and the branch on screen
            if (const ChatRecord* record = m_context.store.chat(chat))
                tree.chat = *record;
            tree.chat.leaf = open->leaf();
            writeChat(path, tree);
        });
}

void ChatPage::Private::writeChat(const QString& path, const ChatTree& tree) {
    const bool isJson = path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive);
    QThreadPool::globalInstance()->start([self = QPointer<Private>(this), path, tree, isJson] {
        const auto done = writeExport(path, isJson ? chatToJson(tree) : chatToMarkdown(tree));
        QMetaObject::invokeMethod(qApp, [self, path, done] {
            if (self && !done)
                self->m_banner->showMessage(ErrorBanner::Kind::error, tr("The chat was not exported."), done.error());
            else if (self)
                self->m_banner->showMessage(ErrorBanner::Kind::success, tr("Chat exported."), path);
        });
    });
}

void ChatPage::Private::importChats() {
    m_context.dialogs.openFiles(&m_page, tr("Import chats of Vitrine or ChatGPT"),
        {tr("JSON files"), {QStringLiteral("*.json")}}, true, [this](const QStringList& paths) {
            const QPointer<ChatStore> store(&m_context.store);
            for (const QString& path : paths)
                QThreadPool::globalInstance()->start([self = QPointer<Private>(this), store, path] {
                    QFile file(path);
                    const bool isSmall = file.size() <= kMaxImportBytes;
                    const auto read = isSmall && file.open(QIODevice::ReadOnly)
                        ? chatsFromFile(file.readAll())
                        : Stored<ReadChats>(
                              tl::unexpected(isSmall ? file.errorString() : tr("the file is larger than 1 GiB")));
                    QMetaObject::invokeMethod(qApp, [self, store, path, read] {
                        if (store && read) // also when the window was made anew meanwhile
                            store->addChats(read->chats);
                        if (self)
                            self->sayImported(QFileInfo(path).fileName(), read);
                    });
                });
        });
}

void ChatPage::Private::sayImported(const QString& file, const Stored<ReadChats>& read) {
    if (!read)
        return m_banner->showMessage(ErrorBanner::Kind::error, tr("%1 was not imported.").arg(file), read.error());
    const QString what = tr("Chats imported: %1.").arg(countText(read->chats.size()));
    int numHidden = 0;
    for (const ChatTree& tree : read->chats)
        numHidden += tree.hiddenMessages;
    if (read->numUnreadable + numHidden == 0)
        m_banner->showMessage(ErrorBanner::Kind::success, what, file);
    else
        m_banner->showMessage(ErrorBanner::Kind::warning, what,
            tr("Parts of %1 could not be read and were left out: chats %2, messages %3. Export them again.")
                .arg(file, countText(read->numUnreadable), countText(numHidden)));
    show(read->chats.first().chat.id);
}

void ChatPage::Private::connectAttachments(Composer& composer) {
    const auto attach = [this, &composer](const QStringList& paths) {
        readAttachments(
            paths, &composer, [&composer](const Attachment& file) { composer.addAttachment(file); },
            [this](const QString& name, const QString& reason) {
                m_banner->showMessage(ErrorBanner::Kind::warning, tr("%1 was not attached.").arg(name), reason);
            });
    };
    connect(&composer, &Composer::filesDropped, this, attach);
    connect(&composer, &Composer::attachRequested, this, [this, attach] {
        m_context.dialogs.openFiles(&m_page, tr("Attach text files"), {tr("Text files"), {}}, true, attach);
    });
}

} // namespace vitrine::ui
