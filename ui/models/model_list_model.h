// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/models: the table of model files, grouped by folder.
#pragma once

#include "ui/bridge/values.h"
#include "ui/store/model_folders.h"

#include <QAbstractTableModel>
#include <QDateTime>
#include <QHash>

#include <memory>
#include <optional>
#include <vector>

namespace vitrine::ui {

/// What is known of a model file beside its name.
struct ModelFacts {
    std::optional<ModelInfo> info;
    QString error; // why it cannot be used
    QString remedy;
    qint64 lastUsed = 0; // seconds since 1970; 0: never
};

class ModelListModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { name, params, quant, size, context, lastUsed, state, numColumns };
    enum Role : int { kPathRole = Qt::UserRole + 1, kHeadingRole };
    explicit ModelListModel(QObject* parent = nullptr);

    void setFolders(const std::vector<ModelFolder>& folders);
    void setFilter(const QString& text); // part of the name, path or quantization
    [[nodiscard]] const QString& filter() const { return m_filter; }
    void setFacts(const QString& path, const ModelFacts& facts);
    [[nodiscard]] ModelFacts facts(const QString& path) const { return m_facts.value(path); }
    void setLoaded(const QString& path); // empty: none
    void setLoading(const QString& path); // empty: none
    [[nodiscard]] bool isHeading(int row) const;
    [[nodiscard]] QString pathAt(int row) const; // empty for a heading
    [[nodiscard]] int rowOf(const QString& path) const; // -1: not shown
    [[nodiscard]] QStringList paths() const; // of all files, filtered or not

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    struct Row {
        int folder = 0;
        int file = -1; // -1: heading
    };
    void rebuild();
    [[nodiscard]] const ModelFolder::File& fileOf(const Row& row) const;
    [[nodiscard]] QVariant headingData(const Row& row, int role) const;
    [[nodiscard]] QString text(const Row& row, int column) const;
    [[nodiscard]] QVariant stateData(const Row& row, int role) const;
    void refreshRow(const QString& path);

    std::vector<ModelFolder> m_folders;
    std::vector<Row> m_rows;
    QHash<QString, ModelFacts> m_facts;
    QString m_filter, m_loaded, m_loading;
};

/// "now", 09:12, Tue 10:05, 14 Nov, 3 Oct 2025, never.
[[nodiscard]] QString whenText(qint64 secondsSince1970, const QDateTime& now);
/// The name people read: general.name, or the file name without .gguf.
[[nodiscard]] QString modelName(const QString& path, const std::optional<ModelInfo>& info);

} // namespace vitrine::ui
