// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: reading text files for a message.
#include "ui/chat/attachments.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QPointer>
#include <QStringDecoder>
#include <QThreadPool>

#include "ui/chat/composer.h"
#include "ui/store/chat_records.h"
#include "ui/widgets/numbers.h"

namespace vitrine::ui {

namespace {

constexpr qint64 kMaxBytes = 4 << 20;

class Attaching {
    Q_DECLARE_TR_FUNCTIONS(Attaching)
};

Stored<QString> readText(const QString& path) {
    const QFileInfo info(path);
    if (info.isDir())
        return tl::unexpected(Attaching::tr("It is a folder; attach the files in it."));
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return tl::unexpected(Attaching::tr("It cannot be read: %1.").arg(file.errorString()));
    if (file.size() > kMaxBytes)
        return tl::unexpected(Attaching::tr("It has %1; a text file of at most %2 fits.")
                                  .arg(bytesText(double(file.size())), bytesText(double(kMaxBytes))));
    const QByteArray bytes = file.read(kMaxBytes + 1); // a device file has no size
    if (bytes.isEmpty())
        return tl::unexpected(Attaching::tr("It is empty."));
    const auto encoding = QStringConverter::encodingForData(bytes);
    QStringDecoder decode(encoding.value_or(QStringConverter::Utf8));
    QString text = decode(bytes);
    if (decode.hasError() || text.contains(QChar(0)))
        return tl::unexpected(Attaching::tr("It is no text in UTF-8 or UTF-16, so the model could not read it."));
    return text;
}

} // namespace

void readAttachments(const QStringList& paths, QObject* context, std::function<void(const Attachment&)> done,
    std::function<void(const QString&, const QString&)> refused) {
    for (const QString& path : paths)
        QThreadPool::globalInstance()->start([path, guard = QPointer<QObject>(context), done, refused] {
            const Stored<QString> text = readText(path);
            QMetaObject::invokeMethod(qApp, [path, guard, done, refused, text] {
                const QString name = QFileInfo(path).fileName();
                if (guard && text)
                    done({name, *text});
                else if (guard)
                    refused(name, text.error());
            });
        });
}

} // namespace vitrine::ui
