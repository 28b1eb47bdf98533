// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/models: which model files there are; folders are searched on a pool thread.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <QThreadPool>

#include <vector>

namespace vitrine::ui {

/// A folder and the model files in it, at any depth; or files opened from elsewhere (`path` empty).
struct ModelFolder {
    QString path;
    bool isOnline = true;
    struct File {
        QString path;
        qint64 bytes = 0;
        bool exists = true;
    };
    std::vector<File> files; // by path; of a split model only the first part
};

/// Thread: GUI.  A missing folder keeps the rows it had and is marked offline.
class ModelFolders final : public QObject {
    Q_OBJECT
public:
    explicit ModelFolders(QObject* parent = nullptr);
    ~ModelFolders() override;

    /// Searches `folders` and looks at `single` files; found() follows.  A newer search replaces a running one's result.
    void search(const QStringList& folders, const QStringList& singles);

signals:
    void found(const std::vector<vitrine::ui::ModelFolder>& folders);

private:
    QThreadPool m_pool;
    quint64 m_search = 0;
};

/// The search itself, for the pool thread and for tests.
[[nodiscard]] std::vector<ModelFolder> searchModelFolders(const QStringList& folders, const QStringList& singles);

} // namespace vitrine::ui
