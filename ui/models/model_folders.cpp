// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/models: finding model files.
#include "ui/models/model_folders.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QPointer>
#include <QRegularExpression>

#include <algorithm>

namespace vitrine::ui {
namespace {

constexpr int kMaxFiles = 5'000; // a home directory by mistake must not take minutes

/// Parts behind the first of a split model: "name-00002-of-00003.gguf".
bool isLaterPart(const QString& name) {
    static const QRegularExpression kPart(QStringLiteral("-(\\d{5})-of-\\d{5}\\.gguf$"));
    const auto match = kPart.match(name);
    return match.hasMatch() && match.captured(1).toInt() != 1;
}

ModelFolder searchOne(const QString& path) {
    ModelFolder folder{path, QFileInfo(path).isDir(), {}};
    if (!folder.isOnline)
        return folder;
    QDirIterator files(path, {QStringLiteral("*.gguf")}, QDir::Files | QDir::Readable, QDirIterator::Subdirectories);
    while (files.hasNext() && static_cast<int>(folder.files.size()) < kMaxFiles) {
        files.next();
        if (!isLaterPart(files.fileName()))
            folder.files.push_back({files.filePath(), files.fileInfo().size(), true});
    }
    std::sort(folder.files.begin(), folder.files.end(),
        [](const auto& a, const auto& b) { return QString::compare(a.path, b.path, Qt::CaseInsensitive) < 0; });
    return folder;
}

} // namespace

std::vector<ModelFolder> searchModelFolders(const QStringList& folders, const QStringList& singles) {
    std::vector<ModelFolder> result;
    QStringList known;
    for (const QString& path : folders) {
        result.push_back(searchOne(path));
        for (const ModelFolder::File& file : result.back().files)
            known += file.path;
    }
    ModelFolder elsewhere;
    for (const QString& path : singles) {
        if (known.contains(path))
            continue;
        const QFileInfo info(path);
        elsewhere.files.push_back({path, info.size(), info.isFile()});
        known += path;
    }
    if (!elsewhere.files.empty())
        result.push_back(std::move(elsewhere));
    return result;
}

ModelFolders::ModelFolders(QObject* parent) : QObject(parent) {
    m_pool.setMaxThreadCount(1);
}

ModelFolders::~ModelFolders() {
    m_pool.waitForDone();
}

void ModelFolders::search(const QStringList& folders, const QStringList& singles) {
    const quint64 number = ++m_search;
    m_pool.start([this, self = QPointer<ModelFolders>(this), number, folders, singles] {
        auto result = searchModelFolders(folders, singles);
        // The destructor waits for this job, so `this` is alive here.
        QMetaObject::invokeMethod(
            this,
            [self, number, result = std::move(result)] {
                if (self && number == self->m_search)
                    emit self->found(result);
            },
            Qt::QueuedConnection);
    });
}

} // namespace vitrine::ui
