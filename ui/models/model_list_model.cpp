// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/models: rows of folders and files.
#include "ui/models/model_list_model.h"

#include "ui/bridge/qt_convert.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/table_delegate.h"

#include <QDir>
#include <QFileInfo>
#include <QLocale>

namespace vitrine::ui {
namespace {

QString homeShort(const QString& path) {
    const QString home = QDir::homePath();
    return path.startsWith(home + u'/') ? u'~' + path.mid(home.size()) : path;
}

} // namespace

QString whenText(qint64 seconds, const QDateTime& now) {
    if (seconds <= 0)
        return ModelListModel::tr("never");
    const QDateTime time = QDateTime::fromSecsSinceEpoch(seconds);
    const QLocale locale;
    const qint64 days = time.date().daysTo(now.date());
    if (days <= 0)
        return locale.toString(time, QStringLiteral("HH:mm"));
    if (days < 7)
        return locale.toString(time, QStringLiteral("ddd HH:mm"));
    return time.date().year() == now.date().year() ? shortDayText(time.date()) : dayText(time.date());
}

QString modelName(const QString& path, const std::optional<ModelInfo>& info) {
    if (info && !info->name.empty())
        return toQString(info->name);
    QString name = QFileInfo(path).fileName();
    if (name.endsWith(QLatin1String(".gguf"), Qt::CaseInsensitive))
        name.chop(5);
    return name;
}

ModelListModel::ModelListModel(QObject* parent) : QAbstractTableModel(parent) {}

void ModelListModel::setFolders(const std::vector<ModelFolder>& folders) {
    beginResetModel();
    std::vector<ModelFolder> merged = folders;
    for (ModelFolder& folder : merged)
        if (!folder.isOnline) // the rows it had stay, greyed
            for (const ModelFolder& old : m_folders)
                if (old.path == folder.path)
                    folder.files = old.files;
    m_folders = std::move(merged);
    rebuild();
    endResetModel();
}

void ModelListModel::setFilter(const QString& text) {
    if (text == m_filter)
        return;
    beginResetModel();
    m_filter = text;
    rebuild();
    endResetModel();
}

void ModelListModel::rebuild() {
    m_rows.clear();
    for (int i = 0; i < static_cast<int>(m_folders.size()); ++i) {
        const ModelFolder& folder = m_folders[static_cast<std::size_t>(i)];
        const std::size_t heading = m_rows.size();
        m_rows.push_back({i, -1});
        for (int j = 0; j < static_cast<int>(folder.files.size()); ++j) {
            const QString& path = folder.files[static_cast<std::size_t>(j)].path;
            const ModelFacts known = m_facts.value(path);
            const bool shown = m_filter.isEmpty() || path.contains(m_filter, Qt::CaseInsensitive) ||
                modelName(path, known.info).contains(m_filter, Qt::CaseInsensitive) ||
                folder.files[static_cast<std::size_t>(j)].name.contains(m_filter, Qt::CaseInsensitive) ||
                (known.info && toQString(known.info->quantization).contains(m_filter, Qt::CaseInsensitive));
            if (shown)
                m_rows.push_back({i, j});
        }
        if (!m_filter.isEmpty() && m_rows.size() == heading + 1)
            m_rows.pop_back(); // no hit in this folder
    }
}

void ModelListModel::setFacts(const QString& path, const ModelFacts& facts) {
    m_facts.insert(path, facts);
    refreshRow(path);
}

void ModelListModel::setLoaded(const QString& path) {
    const QString before = std::exchange(m_loaded, path);
    refreshRow(before);
    refreshRow(path);
}

void ModelListModel::setLoading(const QString& path) {
    const QString before = std::exchange(m_loading, path);
    refreshRow(before);
    refreshRow(path);
}

void ModelListModel::refreshRow(const QString& path) {
    if (const int row = rowOf(path); row >= 0)
        emit dataChanged(index(row, 0), index(row, numColumns - 1));
}

bool ModelListModel::isHeading(int row) const {
    return m_rows[static_cast<std::size_t>(row)].file < 0;
}

const ModelFolder::File& ModelListModel::fileOf(const Row& row) const {
    return m_folders[static_cast<std::size_t>(row.folder)].files[static_cast<std::size_t>(row.file)];
}

QString ModelListModel::pathAt(int row) const {
    return row < 0 || row >= rowCount() || isHeading(row) ? QString()
                                                          : fileOf(m_rows[static_cast<std::size_t>(row)]).path;
}

int ModelListModel::rowOf(const QString& path) const {
    for (int row = 0; !path.isEmpty() && row < rowCount(); ++row)
        if (!isHeading(row) && pathAt(row) == path)
            return row;
    return -1;
}

QStringList ModelListModel::paths() const {
    QStringList result;
    for (const ModelFolder& folder : m_folders)
        for (const ModelFolder::File& file : folder.files)
            result += file.path;
    return result;
}

int ModelListModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ModelListModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : numColumns;
}

Qt::ItemFlags ModelListModel::flags(const QModelIndex& index) const {
    if (!index.isValid())
        return Qt::NoItemFlags;
    return isHeading(index.row()) ? Qt::ItemIsEnabled : Qt::ItemIsEnabled | Qt::ItemIsSelectable;
}

QVariant ModelListModel::headingData(const Row& row, int role) const {
    const ModelFolder& folder = m_folders[static_cast<std::size_t>(row.folder)];
    qint64 bytes = 0;
    for (const ModelFolder::File& file : folder.files)
        bytes += file.bytes;
    switch (role) {
    case Qt::DisplayRole: {
        const QString place = folder.path.isEmpty() ? tr("Opened from elsewhere")
            : folder.owner.isEmpty()                ? homeShort(folder.path)
                                                    : folder.owner;
        if (!folder.isOnline)
            return tr("%1  ·  folder offline").arg(place);
        if (folder.files.empty())
            return tr("%1  ·  no model file").arg(place);
        if (!folder.owner.isEmpty())
            return tr("%1  ·  %n model(s), used in place", nullptr, static_cast<int>(folder.files.size())).arg(place);
        return (folder.files.size() == 1 ? tr("%1  ·  %2 model, %3") : tr("%1  ·  %2 models, %3"))
            .arg(place, countText(static_cast<qint64>(folder.files.size())), bytesText(static_cast<double>(bytes)));
    }
    case Qt::ToolTipRole:
        return folder.path;
    case kIconRole:
        return folder.path.isEmpty() ? QStringLiteral("file") : QStringLiteral("folder");
    case kInkRole:
        return int(folder.isOnline ? Color::text3 : Color::warn);
    case kHeadingRole:
        return true;
    default:
        return {};
    }
}

QString ModelListModel::text(const Row& row, int column) const {
    const ModelFolder::File& file = fileOf(row);
    const ModelFacts known = m_facts.value(file.path);
    const bool has = known.info.has_value();
    switch (column) {
    case name:
        return !file.name.isEmpty() ? file.name : modelName(file.path, known.info);
    case params:
        return has ? parametersText(known.info->parameters) : QString(kNone);
    case quant:
        return has ? toQString(known.info->quantization) : QString(kNone);
    case size:
        return file.exists ? bytesText(static_cast<double>(file.bytes)) : QString(kNone);
    case context:
        return has ? countText(known.info->context_length) : QString(kNone);
    case lastUsed:
        return file.path == m_loaded ? tr("now") : whenText(known.lastUsed, QDateTime::currentDateTime());
    default:
        return {};
    }
}

QVariant ModelListModel::stateData(const Row& row, int role) const {
    const ModelFolder::File& file = fileOf(row);
    const ModelFolder& folder = m_folders[static_cast<std::size_t>(row.folder)];
    const ModelFacts known = m_facts.value(file.path);
    const bool offline = !file.exists || !folder.isOnline;
    struct State {
        QString text;
        Color ink;
        bool dot;
        const char* icon;
    };
    const State shown = file.path == m_loaded ? State{tr("Loaded"), Color::ok, true, nullptr}
        : file.path == m_loading              ? State{tr("Loading"), Color::accent, true, nullptr}
        : offline                             ? State{tr("Offline"), Color::text3, false, nullptr}
        : !known.error.isEmpty()              ? State{tr("Failed"), Color::error, false, "warning"}
        : !known.info                         ? State{tr("Reading"), Color::text3, false, nullptr}
        : known.info->vocabulary_only         ? State{tr("Vocabulary"), Color::text3, false, nullptr}
        : !known.info->has_chat_template      ? State{tr("No template"), Color::warn, false, "info"}
                                              : State{tr("Ready"), Color::text2, false, nullptr};
    switch (role) {
    case Qt::DisplayRole:
        return shown.text;
    case Qt::ToolTipRole:
        return known.error;
    case kInkRole:
        return int(shown.ink);
    case kDotRole:
        return shown.dot ? QVariant(int(shown.ink)) : QVariant();
    case kIconRole:
        return shown.icon != nullptr ? QVariant(QLatin1String(shown.icon)) : QVariant();
    default:
        return {};
    }
}

QVariant ModelListModel::data(const QModelIndex& index, int role) const {
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    if (row.file < 0)
        return index.column() == 0 ? headingData(row, role) : QVariant();
    const int column = index.column();
    if (role == Qt::TextAlignmentRole)
        return int(column == params || column == size || column == context ? Qt::AlignRight : Qt::AlignLeft);
    if (role == kPathRole)
        return fileOf(row).path;
    if (column == state)
        return stateData(row, role);
    switch (role) {
    case Qt::DisplayRole:
        return text(row, column);
    case Qt::ToolTipRole:
        return column == name ? fileOf(row).path : QVariant();
    case kStrongRole:
        return column == name && fileOf(row).path == m_loaded;
    case kInkRole: {
        const bool grey = !fileOf(row).exists || !m_folders[static_cast<std::size_t>(row.folder)].isOnline;
        return int(grey || column == lastUsed ? Color::text3 : Color::text1);
    }
    default:
        return {};
    }
}

QVariant ModelListModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole) {
        const bool right = section == params || section == size || section == context;
        return int((right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case name:
        return tr("Name");
    case params:
        return tr("Params");
    case quant:
        return tr("Quant");
    case size:
        return tr("Size");
    case context:
        return tr("Context");
    case lastUsed:
        return tr("Last used");
    case state:
        return tr("State");
    default:
        return {};
    }
}

} // namespace vitrine::ui
