// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/store: which model files there are; folders are searched on a pool thread.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <QThreadPool>

#include <vector>

class QProcessEnvironment;

namespace vitrine::ui {

class Settings;

/// A folder and the model files in it, at any depth; or files opened from elsewhere (`path` empty).
struct ModelFolder {
    QString path;
    bool isOnline = true;
    struct File {
        QString path;
        qint64 bytes = 0;
        bool exists = true;
        QString name{}; // where the file name says nothing: "llama3.2:1b" of Ollama
    };
    std::vector<File> files; // by path; of a split model only the first part
    QString owner{}; // the app whose folder it is; empty: the user's own
};

/// Where another app keeps its models.  They are used in place and never changed.
struct ModelPlace {
    QString path;
    QString owner; // "LM Studio", "Ollama", "Hugging Face"
};

/// Thread: GUI.  A missing folder keeps the rows it had and is marked offline.
class ModelFolders final : public QObject {
    Q_OBJECT
public:
    explicit ModelFolders(QObject* parent = nullptr);
    ~ModelFolders() override;

    /// Searches `folders` and `places` and looks at `single` files; found() follows.  A newer search replaces a running
    /// one's result.
    void search(const QStringList& folders, const QStringList& singles, const QList<ModelPlace>& places = {});

signals:
    void found(const std::vector<vitrine::ui::ModelFolder>& folders);

private:
    QThreadPool m_pool;
    quint64 m_search = 0;
};

/// The search itself, for the pool thread and for tests.  Places without a model are left out.  A file is listed once,
/// whatever links lead to it; one of `singles` that lies in a folder gives its row the path it was opened by.
[[nodiscard]] std::vector<ModelFolder> searchModelFolders(
    const QStringList& folders, const QStringList& singles, const QList<ModelPlace>& places = {});
/// Folders of LM Studio, Ollama (OLLAMA_MODELS) and Hugging Face (HF_HUB_CACHE, HF_HOME) that exist.
[[nodiscard]] QList<ModelPlace> otherAppsPlaces(const QString& home, const QProcessEnvironment& environment);
/// Those of this user, unless the settings say no.
[[nodiscard]] QList<ModelPlace> otherAppsPlaces(const Settings& settings);

} // namespace vitrine::ui
