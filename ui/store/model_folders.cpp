// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/store: finding model files.
#include "ui/store/model_folders.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPointer>
#include <QProcessEnvironment>
#include <QRegularExpression>

#include <algorithm>

#include "ui/store/settings.h"

namespace vitrine::ui {
namespace {

constexpr int kMaxFiles = 5'000; // a home directory by mistake must not take minutes
constexpr qint64 kMaxManifestBytes = 1 << 20;
const QString kOllama = QStringLiteral("Ollama");

/// Parts behind the first of a split model: "name-00002-of-00003.gguf".
bool isLaterPart(const QString& name) {
    static const QRegularExpression kPart(QStringLiteral("-(\\d{5})-of-\\d{5}\\.gguf$"));
    const auto match = kPart.match(name);
    return match.hasMatch() && match.captured(1).toInt() != 1;
}

/// Vision projectors lie beside the models of other apps; alone they are no language model.
bool isProjector(const QString& name) {
    return name.startsWith(QLatin1String("mmproj"), Qt::CaseInsensitive);
}

void sortByPath(ModelFolder& folder) {
    std::sort(folder.files.begin(), folder.files.end(),
        [](const auto& a, const auto& b) { return QString::compare(a.path, b.path, Qt::CaseInsensitive) < 0; });
}

ModelFolder searchOne(const QString& path) {
    ModelFolder folder{path, QFileInfo(path).isDir(), {}, {}};
    if (!folder.isOnline)
        return folder;
    QDirIterator files(path, {QStringLiteral("*.gguf")}, QDir::Files | QDir::Readable, QDirIterator::Subdirectories);
    while (files.hasNext() && static_cast<int>(folder.files.size()) < kMaxFiles) {
        files.next();
        if (!isLaterPart(files.fileName()) && !isProjector(files.fileName()))
            folder.files.push_back({files.filePath(), files.fileInfo().size(), true, {}});
    }
    sortByPath(folder);
    return folder;
}

/// Digest of the layer with the weights: "sha256:ab12..." as Ollama's manifest writes it, or empty.
QString modelDigest(const QString& manifest) {
    QFile file(manifest);
    if (file.size() > kMaxManifestBytes || !file.open(QIODevice::ReadOnly))
        return {};
    const QJsonArray layers = QJsonDocument::fromJson(file.readAll())[QStringLiteral("layers")].toArray();
    for (const QJsonValue& layer : layers)
        if (layer[QStringLiteral("mediaType")].toString() == QLatin1String("application/vnd.ollama.image.model"))
            return layer[QStringLiteral("digest")].toString();
    return {};
}

/// manifests/HOST/NAMESPACE/NAME/TAG names a file blobs/sha256-DIGEST.  (Layout as read from Ollama's sources.)
ModelFolder searchOllama(const QString& path) {
    static const QRegularExpression kDigest(QStringLiteral("^sha256:[0-9a-f]{64}$"));
    ModelFolder folder{path, true, {}, kOllama};
    QDirIterator manifests(
        path + QStringLiteral("/manifests"), QDir::Files | QDir::Readable, QDirIterator::Subdirectories);
    while (manifests.hasNext() && static_cast<int>(folder.files.size()) < kMaxFiles) {
        const QFileInfo manifest(manifests.next());
        QString digest = modelDigest(manifest.filePath());
        if (!kDigest.match(digest).hasMatch())
            continue;
        const QFileInfo blob(path + QStringLiteral("/blobs/") + digest.replace(u':', u'-'));
        const QString name = manifest.dir().dirName() + u':' + manifest.fileName();
        if (blob.isReadable())
            folder.files.push_back({blob.filePath(), blob.size(), true, name});
    }
    std::sort(folder.files.begin(), folder.files.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return folder;
}

/// The Hugging Face cache links several snapshots to one blob: the first name stands for it.
void dropSecondNames(ModelFolder& folder, QStringList& known) {
    const auto isKnown = [&known](const ModelFolder::File& file) {
        const QString real = QFileInfo(file.path).canonicalFilePath();
        if (known.contains(real))
            return true;
        known += real;
        return false;
    };
    folder.files.erase(std::remove_if(folder.files.begin(), folder.files.end(), isKnown), folder.files.end());
}

} // namespace

std::vector<ModelFolder> searchModelFolders(
    const QStringList& folders, const QStringList& singles, const QList<ModelPlace>& places) {
    std::vector<ModelFolder> result;
    QStringList known, real;
    const auto keep = [&](ModelFolder folder) {
        for (const ModelFolder::File& file : folder.files)
            known += file.path;
        result.push_back(std::move(folder));
    };
    for (const QString& path : folders) {
        keep(searchOne(path));
        for (const ModelFolder::File& file : result.back().files)
            real += QFileInfo(file.path).canonicalFilePath();
    }
    for (const ModelPlace& place : places) {
        ModelFolder folder = place.owner == kOllama ? searchOllama(place.path) : searchOne(place.path);
        folder.owner = place.owner;
        dropSecondNames(folder, real);
        if (!folder.files.empty())
            keep(std::move(folder));
    }
    ModelFolder elsewhere;
    for (const QString& path : singles) {
        if (known.contains(path))
            continue;
        const QFileInfo info(path);
        elsewhere.files.push_back({path, info.size(), info.isFile(), {}});
        known += path;
    }
    if (!elsewhere.files.empty())
        result.push_back(std::move(elsewhere));
    return result;
}

QList<ModelPlace> otherAppsPlaces(const QString& home, const QProcessEnvironment& environment) {
    const QString lmStudio = QStringLiteral("LM Studio"), hub = QStringLiteral("Hugging Face");
    const QString hubHome = environment.value(QStringLiteral("HF_HOME"), home + QStringLiteral("/.cache/huggingface"));
    const QList<ModelPlace> candidates{{home + QStringLiteral("/.lmstudio/models"), lmStudio},
        {home + QStringLiteral("/.cache/lm-studio/models"), lmStudio},
        {environment.value(QStringLiteral("OLLAMA_MODELS"), home + QStringLiteral("/.ollama/models")), kOllama},
        {QStringLiteral("/usr/share/ollama/.ollama/models"), kOllama},
        {environment.value(QStringLiteral("HF_HUB_CACHE"), hubHome + QStringLiteral("/hub")), hub}};
    QList<ModelPlace> found;
    for (const ModelPlace& place : candidates)
        if (QFileInfo(place.path).isDir())
            found += place;
    return found;
}

QList<ModelPlace> otherAppsPlaces(const Settings& settings) {
    return settings.value(keys::kOtherApps)
        ? otherAppsPlaces(QDir::homePath(), QProcessEnvironment::systemEnvironment())
        : QList<ModelPlace>();
}

ModelFolders::ModelFolders(QObject* parent) : QObject(parent) {
    m_pool.setMaxThreadCount(1);
}

ModelFolders::~ModelFolders() {
    m_pool.waitForDone();
}

void ModelFolders::search(const QStringList& folders, const QStringList& singles, const QList<ModelPlace>& places) {
    const quint64 number = ++m_search;
    m_pool.start([this, self = QPointer<ModelFolders>(this), number, folders, singles, places] {
        auto result = searchModelFolders(folders, singles, places);
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
