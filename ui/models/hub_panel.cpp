// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/models: search, repositories, files, downloads.
#include "ui/models/hub_panel.h"

#include "ui/bridge/engine_client.h"
#include "ui/models/download_row.h"
#include "ui/theme/theme.h"
#include "ui/widgets/error_banner.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/table_delegate.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLocale>
#include <QStandardItemModel>
#include <QStorageInfo>
#include <QTableView>
#include <QVBoxLayout>

namespace vitrine::ui {
namespace {

constexpr double kScratchShare = 0.15; // rough: what a model needs beside its weights, before its plan is known
enum Role : int { kRepoRole = Qt::UserRole + 40, kGatedRole };

QStandardItem* cell(const QString& text, bool isRight = false, Color ink = Color::text1) {
    auto* item = new QStandardItem(text);
    item->setData(int(isRight ? Qt::AlignRight : Qt::AlignLeft), Qt::TextAlignmentRole);
    item->setData(int(ink), kInkRole);
    return item;
}

} // namespace

struct HubPanel::Parts {
    const Theme& theme;
    Downloads& downloads;
    HubClient hub{HubClient::baseFromEnvironment(), downloads.network()};
    qint64 memoryFree = -1; // of the best device
    QString repo; // whose files are shown
    QString asked; // whose files are asked for; empty: a search
    QList<HubFile> files;
    QStandardItemModel repoRows, fileRows;

    SearchField* search = nullptr;
    ErrorBanner* banner = nullptr;
    QTableView *repos = nullptr, *filesView = nullptr;
    QLabel *filesTitle = nullptr, *note = nullptr, *disk = nullptr;
    Button* download = nullptr;
    QVBoxLayout* rows = nullptr;
    QVBoxLayout* column = nullptr;

    Parts(const Theme& theTheme, Downloads& theDownloads) : theme(theTheme), downloads(theDownloads) {}
};

HubPanel::HubPanel(const Theme& theme, EngineClient& client, Downloads& downloads, QWidget* parent)
    : QWidget(parent), m(std::make_unique<Parts>(theme, downloads)) {
    m->column = new QVBoxLayout(this);
    m->column->setContentsMargins(0, 0, 0, 0);
    m->column->setSpacing(0);
    buildHead();
    buildResults();
    buildDownloads();
    connect(&m->hub, &HubClient::found, this, &HubPanel::showRepos);
    connect(&m->hub, &HubClient::listed, this, &HubPanel::showFiles);
    connect(&m->hub, &HubClient::failed, this, [this](const QString& what, const QString& remedy) {
        m->note->hide();
        m->banner->showMessage(ErrorBanner::Kind::warning, what, remedy, {tr("Try again")});
    });
    connect(m->banner, &ErrorBanner::actionTriggered, this, [this](int) {
        if (m->asked.isEmpty())
            search();
        else
            askForFiles(m->asked);
    });
    connect(&client, &EngineClient::devicesProbed, this, [this](const QList<DeviceChoice>& devices) {
        for (const DeviceChoice& device : devices)
            if (device.unusableReason.isEmpty())
                m->memoryFree = std::max<qint64>(m->memoryFree, device.info.memory_free_bytes);
    });
    downloads.findUnfinished();
    for (DownloadJob* job : downloads.jobs())
        addRow(*job);
    connect(&downloads, &Downloads::added, this, [this](DownloadJob* job) { addRow(*job); });
    connect(&downloads, &Downloads::finished, this, &HubPanel::refreshDisk);
}

HubPanel::~HubPanel() = default;

void HubPanel::buildHead() {
    QWidget* header = makeHeaderBar(m->theme);
    auto* row = new QHBoxLayout(header);
    row->setContentsMargins(16, 0, 12, 0);
    row->addWidget(makeLabel(tr("Get a model"), "section"));
    row->addStretch();
    auto* close = new IconButton(m->theme, QStringLiteral("close"), tr("Back to the details"));
    connect(close, &IconButton::clicked, this, &HubPanel::closed);
    row->addWidget(close);
    m->column->addWidget(header);
    m->column->addWidget(new Hairline(m->theme));
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(16, 12, 16, 8);
    bar->setSpacing(8);
    m->search = new SearchField(m->theme, tr("Name of a model, for example qwen3 0.6b"));
    m->search->setAccessibleName(tr("Search the Hugging Face Hub"));
    connect(m->search, &QLineEdit::returnPressed, this, &HubPanel::search);
    bar->addWidget(m->search, 1);
    auto* go = new Button(m->theme, tr("Search"));
    connect(go, &Button::clicked, this, &HubPanel::search);
    bar->addWidget(go);
    m->column->addLayout(bar);
}

void HubPanel::buildResults() {
    auto* box = new QVBoxLayout;
    box->setContentsMargins(16, 0, 16, 8);
    m->banner = new ErrorBanner(m->theme);
    box->addWidget(m->banner);
    m->note =
        makeLabel(tr("Searches %1 for GGUF files. Nothing is sent before you press Enter.").arg(m->hub.host()), "hint");
    m->note->setWordWrap(true);
    box->addWidget(m->note);
    m->column->addLayout(box);
    const auto makeTable = [this](QStandardItemModel& model, const QString& name, const QStringList& heads) {
        model.setHorizontalHeaderLabels(heads);
        for (int i = 1; i < heads.size(); ++i)
            model.horizontalHeaderItem(i)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        model.horizontalHeaderItem(0)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
        auto* table = new QTableView;
        table->setModel(&model);
        table->setAccessibleName(name);
        setUpTable(*table, m->theme, Measure::kLogRow);
        table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
        table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
        table->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents); // as tall as its rows, then it scrolls
        table->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);
        table->hide();
        return table;
    };
    m->repos = makeTable(m->repoRows, tr("Repositories"), {tr("Repository"), tr("Downloads"), tr("Updated")});
    m->column->addWidget(m->repos, 3);
    m->filesTitle = makeLabel({}, "strong");
    m->filesTitle->setContentsMargins(16, 12, 16, 4);
    m->filesTitle->hide();
    m->column->addWidget(m->filesTitle);
    m->filesView = makeTable(m->fileRows, tr("Files"), {tr("File"), tr("Size"), tr("Memory here")});
    m->column->addWidget(m->filesView, 2);
    m->column->addStretch(1);
    connect(m->repos->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& row) {
        if (const QString repo = row.siblingAtColumn(0).data(kRepoRole).toString(); !repo.isEmpty())
            askForFiles(repo);
    });
    connect(m->filesView->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        [this](const QModelIndex& row) { m->download->setEnabled(row.isValid()); });
    connect(m->filesView, &QTableView::activated, this, &HubPanel::download);
}

void HubPanel::buildDownloads() {
    m->rows = new QVBoxLayout;
    m->rows->setContentsMargins(16, 8, 16, 0);
    m->rows->setSpacing(0);
    m->column->addLayout(m->rows);
    m->column->addWidget(new Hairline(m->theme));
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(16, 10, 16, 10);
    m->download = new Button(m->theme, tr("Download"), Button::Kind::primary, QStringLiteral("download"));
    m->download->setEnabled(false);
    connect(m->download, &Button::clicked, this, &HubPanel::download);
    foot->addWidget(m->download);
    foot->addStretch();
    m->disk = makeLabel({}, "small");
    foot->addWidget(m->disk);
    m->column->addLayout(foot);
}

void HubPanel::showEvent(QShowEvent*) {
    refreshDisk();
    m->search->setFocus();
}

void HubPanel::refreshDisk() {
    const QString folder = m->downloads.folder();
    const qint64 left = QStorageInfo(QFileInfo::exists(folder) ? folder : QFileInfo(folder).path()).bytesAvailable();
    m->disk->setText(left < 0 ? QString() : tr("%1 disk left").arg(bytesText(static_cast<double>(left))));
}

/// The files of another repository would stand under the chosen one until the answer is there, or for good if none comes.
void HubPanel::askForFiles(const QString& repo) {
    m->asked = repo;
    m->banner->dismiss();
    clearFiles();
    m->hub.listFiles(repo);
}

void HubPanel::clearFiles() {
    m->files.clear();
    m->fileRows.removeRows(0, m->fileRows.rowCount());
    m->filesView->hide();
    m->filesTitle->hide();
    m->download->setEnabled(false);
}

void HubPanel::search() {
    const QString query = m->search->text().trimmed();
    m->banner->dismiss();
    if (query.isEmpty())
        return;
    m->asked.clear();
    m->note->setText(tr("Asking %1…").arg(m->hub.host()));
    m->note->show();
    m->hub.search(query);
}

void HubPanel::showRepos(const QList<HubRepo>& repos) {
    m->repoRows.removeRows(0, m->repoRows.rowCount());
    clearFiles();
    for (const HubRepo& repo : repos) {
        QStandardItem* name = cell(repo.isGated ? tr("%1 (asks for a login)").arg(repo.id) : repo.id);
        name->setData(repo.id, kRepoRole);
        name->setToolTip(repo.id);
        m->repoRows.appendRow(
            {name, cell(countText(repo.downloads), true), cell(dayText(repo.updated), true, Color::text3)});
    }
    m->repos->setVisible(!repos.isEmpty()); // its header shares the width by itself
    m->note->setVisible(repos.isEmpty());
    m->note->setText(
        tr("Nothing with GGUF files is called “%1” on %2.").arg(m->search->text().trimmed(), m->hub.host()));
}

void HubPanel::showFiles(const QString& repo, const QList<HubFile>& files) {
    m->repo = repo;
    m->files = files;
    m->fileRows.removeRows(0, m->fileRows.rowCount());
    m->filesTitle->setText(files.isEmpty() ? tr("%1 has no GGUF file").arg(repo) : repo);
    m->filesTitle->show();
    for (const HubFile& file : files) {
        const double needed = static_cast<double>(file.bytes) * (1 + kScratchShare);
        const bool fits = m->memoryFree < 0 || needed <= static_cast<double>(m->memoryFree);
        const QString verdict = m->memoryFree < 0 ? QString(kNone)
            : fits                                ? tr("fits")
                   : tr("%1 over").arg(bytesText(needed - static_cast<double>(m->memoryFree)));
        QStandardItem* name = cell(file.path);
        name->setToolTip(file.path);
        m->fileRows.appendRow({name, cell(bytesText(static_cast<double>(file.bytes)), true),
            cell(verdict, true, fits ? Color::ok : Color::warn)});
    }
    m->filesView->setVisible(!files.isEmpty());
    m->download->setEnabled(false);
}

void HubPanel::download() {
    const int row = m->filesView->currentIndex().row();
    if (row < 0 || row >= m->files.size())
        return;
    const HubFile& file = m->files[row];
    const QString name = QFileInfo(file.path).fileName(); // a name only: no path from outside
    m->downloads.start(
        {m->hub.fileUrl(m->repo, file.path), file.bytes, file.sha256, m->downloads.folder() + u'/' + name});
}

void HubPanel::addRow(DownloadJob& job) {
    auto* row = new DownloadRow(m->theme, job);
    m->rows->addWidget(row);
    connect(row, &DownloadRow::showRequested, this, [this, &job] { emit openRequested(job.spec().target); });
    connect(row, &DownloadRow::removeRequested, this, [this, &job, row] {
        row->deleteLater();
        m->downloads.remove(job);
        refreshDisk();
    });
}

} // namespace vitrine::ui
