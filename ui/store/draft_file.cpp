// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/store: drafts as JSON.
#include "ui/store/draft_file.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace vitrine::ui {

namespace {

const QString kText = QStringLiteral("text"), kName = QStringLiteral("name"), kFiles = QStringLiteral("attachments"),
              kEdited = QStringLiteral("edited"), kTextBefore = QStringLiteral("text_before"),
              kFilesBefore = QStringLiteral("attachments_before");

QJsonArray filesToJson(const QList<Attachment>& files) {
    QJsonArray array;
    for (const Attachment& file : files)
        array.append(QJsonObject{{kName, file.name}, {kText, file.text}});
    return array;
}

QList<Attachment> filesFromJson(const QJsonValue& value) {
    QList<Attachment> files;
    const QJsonArray array = value.toArray();
    for (const QJsonValue& file : array)
        files.append({file[kName].toString(), file[kText].toString()});
    return files;
}

} // namespace

QByteArray draftsToJson(const Drafts& drafts) {
    QJsonObject all;
    for (auto it = drafts.begin(); it != drafts.end(); ++it) {
        const Draft& draft = it.value();
        QJsonObject object{{kText, draft.text}};
        if (!draft.attachments.isEmpty())
            object.insert(kFiles, filesToJson(draft.attachments));
        if (draft.isEdit) {
            object.insert(kEdited, QString::number(draft.edited)); // a JSON number holds 53 bits
            object.insert(kTextBefore, draft.textBefore);
            object.insert(kFilesBefore, filesToJson(draft.attachmentsBefore));
        }
        all.insert(QString::number(it.key()), object);
    }
    return QJsonDocument(all).toJson(QJsonDocument::Compact);
}

Drafts draftsFromJson(const QByteArray& json) {
    Drafts drafts;
    const QJsonObject all = QJsonDocument::fromJson(json).object();
    for (auto it = all.begin(); it != all.end(); ++it) {
        const QJsonObject object = it.value().toObject();
        Draft draft;
        draft.text = object.value(kText).toString();
        draft.attachments = filesFromJson(object.value(kFiles));
        draft.edited = object.value(kEdited).toString().toLongLong();
        draft.isEdit = draft.edited != 0;
        draft.textBefore = object.value(kTextBefore).toString();
        draft.attachmentsBefore = filesFromJson(object.value(kFilesBefore));
        if (!draft.isEmpty())
            drafts.insert(it.key().toLongLong(), draft);
    }
    return drafts;
}

} // namespace vitrine::ui
