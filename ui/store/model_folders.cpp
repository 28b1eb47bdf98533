// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/store: finding model files.
#include "ui/store/model_folders.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPointer>
#include <QProcessEnvironment>
#include <QRegularExpression>

#include <algorithm>
#include <utility>

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

/// One file can have several names: the Hugging Face cache links snapshots to one blob, a folder holds links to another,
/// a model is opened past its link.  It is listed once, where it was found first.
class ListedFiles {
public:
    /// Drops from `folder`, which becomes number `at` of the result, what is listed already.
    void keepNew(ModelFolder& folder, std::size_t at) {
        std::vector<ModelFolder::File> fresh;
        for (ModelFolder::File& file : folder.files) {
            const QString real = realPath(file.path);
            if (m_places.contains(real))
                continue;
            m_places.insert(real, {at, fresh.size(), false});
            fresh.push_back(std::move(file));
        }
        folder.files = std::move(fresh);
    }
    /// False: not listed yet.  Else the file goes by `path` from now on, the name under which it was opened, so that
    /// whoever knows it by that name finds its row; the first of several names stays.
    bool rename(const QString& path, std::vector<ModelFolder>& folders) {
        const auto place = m_places.find(realPath(path));
        if (place == m_places.end())
            return false;
        if (!std::exchange(place->isNamed, true))
            folders[place->folder].files[place->file].path = path;
        return true;
    }

private:
    struct Place {
        std::size_t folder, file;
        bool isNamed;
    };
    static QString realPath(const QString& path) {
        const QString real = QFileInfo(path).canonicalFilePath();
        return real.isEmpty() ? path : real; // gone, or on a disk that is not there
    }
    QHash<QString, Place> m_places;
};

} // namespace

std::vector<ModelFolder> searchModelFolders(
    const QStringList& folders, const QStringList& singles, const QList<ModelPlace>& places) {
    std::vector<ModelFolder> result;
    ListedFiles listed;
    for (const QString& path : folders) {
        ModelFolder folder = searchOne(path);
        listed.keepNew(folder, result.size());
        result.push_back(std::move(folder));
    }
    for (const ModelPlace& place : places) {
        ModelFolder folder = place.owner == kOllama ? searchOllama(place.path) : searchOne(place.path);
        folder.owner = place.owner;
        listed.keepNew(folder, result.size());
        if (!folder.files.empty())
            result.push_back(std::move(folder));
    }
    ModelFolder elsewhere;
    for (const QString& path : singles) {
        if (listed.rename(path, result))
            continue;
        const QFileInfo info(path);
        elsewhere.files.push_back({path, info.size(), info.isFile(), {}});
    }
    listed.keepNew(elsewhere, result.size()); // the first of several names
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
