// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/models: the page.
#include "ui/models/models_page.h"

#include "ui/bridge/qt_convert.h"
#include "ui/models/hub_panel.h"
#include "ui/models/model_details.h"
#include "ui/models/model_list_model.h"
#include "ui/models/quantize_panel.h"
#include "ui/store/settings.h"
#include "ui/theme/theme.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/table_delegate.h"

#include <QDesktopServices>
#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace vitrine::ui {
namespace {

constexpr int kDetailWidth = 440, kDetailMinimum = 360;
constexpr std::int64_t kDraftRatio = 3; // times smaller
constexpr std::size_t kMaxDrafts = 4;
constexpr int kNarrowHead = 640; // the buttons above the table lose their words
constexpr int kNameWidth = 150; // of models in the table, at least
constexpr int kCellExtra = 40; // icon and padding of a cell
constexpr int kBesideFrom = 920; // list and details stand beside each other; below one of them has the page

Dialogs::FileFilter ggufFilter() {
    return {ModelsPage::tr("GGUF models"), {QStringLiteral("*.gguf")}};
}

} // namespace

struct ModelsPage::Parts {
    Context context;
    ModelFolders folders;
    ModelListModel model;
    QString wanted; // to be chosen once its row exists
    bool isSearched = false; // the folders, at least once
    QHash<quint64, QString> inspections;
    QTableView* table = nullptr;
    QWidget *listSide = nullptr, *empty = nullptr; // what stands in the middle of an empty list
    QLabel *emptyTitle = nullptr, *emptyText = nullptr;
    QWidget* emptyActions = nullptr;
    ModelDetails* details = nullptr;
    HubPanel* hub = nullptr;
    QuantizePanel* quantize = nullptr;
    QStackedWidget* right = nullptr; // details, hub, quantize
    QSplitter* splitter = nullptr;
    bool isNarrow = false; // one side at a time
    Side side = Side::list; // that one
    Button *getModels = nullptr, *addFolder = nullptr, *openFile = nullptr;
    bool hasWords = true; // in the buttons above the table; icons alone when it is narrow or the text large

    explicit Parts(const Context& theContext) : context(theContext) {}
};

ModelsPage::ModelsPage(const Context& context, QWidget* parent) : QWidget(parent), m(std::make_unique<Parts>(context)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    buildList();
    m->details = new ModelDetails(context.theme, context.client, context.settings);
    buildHub();
    buildQuantize();
    auto* splitter = m->splitter = new QSplitter(Qt::Horizontal);
    splitter->setHandleWidth(1);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(m->listSide);
    splitter->addWidget(m->right);
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 0);
    splitter->setSizes({776, kDetailWidth});
    row->addWidget(splitter);
    connect(m->details, &ModelDetails::backRequested, this, [this] {
        showSide(Side::list);
        m->table->setFocus();
    });
    connect(m->details, &ModelDetails::folderRequested, this,
        [](const QString& path) { QDesktopServices::openUrl(QUrl::fromLocalFile(path)); });

    connect(&m->folders, &ModelFolders::found, this, [this](const std::vector<ModelFolder>& found) {
        const QString chosen = m->wanted.isEmpty() ? m->details->path() : m->wanted;
        m->model.setFolders(found);
        inspectUnknown();
        choose(chosen);
        m->isSearched = true;
        refreshState();
        refreshEmpty();
    });
    connect(&context.client, &EngineClient::inspected, this, [this](const Inspection& inspection) {
        if (m->inspections.remove(inspection.ticket) == 0)
            return;
        ModelFacts facts;
        facts.lastUsed = m->context.settings.modelLastUsed(inspection.path);
        if (inspection.info) {
            facts.info = *inspection.info;
        } else {
            facts.error = toQString(inspection.info.error().message);
            facts.remedy = toQString(inspection.info.error().remedy);
        }
        m->model.setFacts(inspection.path, facts);
        if (!m->details->path().isEmpty()) // itself, or one that may draft for it
            showDetails(m->details->path());
    });
    connect(&context.client, &EngineClient::modelChanged, this, &ModelsPage::refreshState);
    connect(&context.client, &EngineClient::loadChanged, this, &ModelsPage::refreshState);
    m->details->showNothing();
    if (QFileInfo::exists(context.opened.chosen))
        m->wanted = context.opened.chosen;
    rescan();
    refreshState();
}

ModelsPage::~ModelsPage() = default;

void ModelsPage::refreshState() {
    const auto model = m->context.client.labModel(); // a file of this computer, whoever answers
    const QString loaded = model ? toQString(model->info.path) : QString();
    const QString loading = m->context.client.isLoading() ? m->context.client.loadState().path : QString();
    for (const QString& path : {loaded, loading}) // named on the command line, or by the Chat page: from any folder
        if (m->isSearched && !path.isEmpty() && !m->model.paths().contains(path) &&
            !m->context.opened.files.contains(path)) {
            m->context.opened.files.prepend(path);
            rescan();
        }
    m->model.setLoaded(loaded);
    m->model.setLoading(loading);
    if (model && m->details->path().isEmpty() && m->wanted.isEmpty()) {
        m->wanted = loaded;
        choose(loaded);
    }
}

void ModelsPage::buildHub() {
    m->hub = new HubPanel(m->context.theme, m->context.client, m->context.downloads);
    m->right = new QStackedWidget;
    m->right->addWidget(m->details);
    m->right->addWidget(m->hub);
    connect(m->getModels, &Button::clicked, this, &ModelsPage::showHub);
    connect(m->hub, &HubPanel::closed, this, [this] {
        m->right->setCurrentWidget(m->details);
        showSide(Side::list); // where it was opened
    });
    connect(&m->context.downloads, &Downloads::finished, this, [this] { rescan(); });
    connect(m->hub, &HubPanel::openRequested, this, &ModelsPage::openFile);
    connect(&m->context.downloads, &Downloads::countChanged, this, &ModelsPage::nameButtons);
    nameButtons();
}

void ModelsPage::buildQuantize() {
    m->quantize = new QuantizePanel(m->context.theme, m->context.dialogs,
        QDir(m->context.dataDir).filePath(QStringLiteral("models")), m->context.quantization);
    m->right->addWidget(m->quantize);
    connect(m->details, &ModelDetails::quantizeRequested, this, [this](const QString& path) {
        if (const ModelFacts facts = m->model.facts(path); facts.info)
            m->quantize->setSource(path, *facts.info);
        m->right->setCurrentWidget(m->quantize);
    });
    connect(m->quantize, &QuantizePanel::closed, this, [this] { m->right->setCurrentWidget(m->details); });
    connect(m->quantize, &QuantizePanel::written, this, [this](const QString& path) {
        if (!m->context.opened.files.contains(path))
            m->context.opened.files.prepend(path);
        rescan();
    });
}

void ModelsPage::nameButtons() {
    const int count = m->context.downloads.numUnfinished();
    const std::pair<Button*, QString> names[] = {
        {m->getModels, count > 0 ? tr("Get models (%1)").arg(count) : tr("Get models")},
        {m->addFolder, tr("Add folder")}, {m->openFile, tr("Open file")}};
    for (const auto& [button, name] : names) {
        button->setText(m->hasWords ? name : QString());
        button->setToolTip(m->hasWords ? QString() : name);
        button->setAccessibleName(name);
    }
}

void ModelsPage::buildList() {
    const Theme& theme = m->context.theme;
    m->listSide = new QWidget;
    m->listSide->installEventFilter(this);
    auto* column = new QVBoxLayout(m->listSide);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    QWidget* header = makeHeaderBar(theme);
    auto* row = new QHBoxLayout(header);
    row->setContentsMargins(16, 0, 12, 0);
    row->setSpacing(8);
    row->addWidget(makeLabel(tr("Models"), "title"));
    row->addStretch();
    auto* search = new SearchField(theme, tr("Search models"));
    search->setProperty("size", "toolbar");
    search->setMaximumWidth(theme.px(220));
    connect(search, &QLineEdit::textChanged, this, [this](const QString& text) {
        m->model.setFilter(text.trimmed());
        choose(m->details->path());
        refreshEmpty();
    });
    row->addWidget(search, 1);
    m->addFolder = new Button(theme, tr("Add folder"), Button::Kind::regular, QStringLiteral("folder"));
    m->openFile = new Button(theme, tr("Open file"), Button::Kind::regular, QStringLiteral("file"));
    m->getModels = new Button(theme, tr("Get models"), Button::Kind::regular, QStringLiteral("download"));
    m->getModels->setObjectName(QStringLiteral("getModels"));
    m->addFolder->setObjectName(QStringLiteral("addFolder"));
    m->openFile->setObjectName(QStringLiteral("openFile"));
    for (Button* button : {m->getModels, m->addFolder, m->openFile}) {
        button->setProperty("size", "toolbar");
        row->addWidget(button);
    }
    connect(m->openFile, &Button::clicked, this, &ModelsPage::askForFile);
    connect(m->addFolder, &Button::clicked, this, &ModelsPage::askForFolder);
    column->addWidget(header);
    column->addWidget(new Hairline(theme));
    m->table = new QTableView;
    m->table->setModel(&m->model);
    m->table->setAccessibleName(tr("Model files"));
    setUpTable(*m->table, theme, Measure::kTableRow);
    auto* head = m->table->horizontalHeader();
    head->setSectionResizeMode(QHeaderView::ResizeToContents);
    head->setSectionResizeMode(ModelListModel::name, QHeaderView::Stretch);
    head->setMinimumSectionSize(theme.px(72));
    column->addWidget(m->table, 1);
    buildEmpty();
    column->addWidget(m->empty, 4);
    connect(&m->model, &QAbstractItemModel::modelReset, this, &ModelsPage::refreshSpans);
    connect(&m->model, &QAbstractItemModel::modelReset, this, &ModelsPage::fitColumns);
    connect(&m->model, &QAbstractItemModel::dataChanged, this, &ModelsPage::fitColumns);
    connect(
        m->table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
            const QString path = m->model.pathAt(index.row());
            if (!path.isEmpty() && path != m->details->path())
                showDetails(path);
            if (!path.isEmpty() && m->table->hasFocus())
                m->right->setCurrentWidget(m->details);
        });
    connect(m->table, &QTableView::activated, this, [this](const QModelIndex& index) {
        if (m->model.pathAt(index.row()).isEmpty())
            return;
        if (m->isNarrow)
            showSide(Side::right); // its options first
        else
            m->details->load();
    });
    connect(m->table, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (!m->model.pathAt(index.row()).isEmpty())
            showSide(Side::right);
    });
}

void ModelsPage::showHub() {
    m->right->setCurrentWidget(m->hub);
    showSide(Side::right);
}

/// Matters in a narrow page alone.
void ModelsPage::showSide(Side side) {
    m->side = side;
    arrange();
}

void ModelsPage::arrange() {
    const bool isNarrow = width() * 100 / m->context.theme.textPercent() < kBesideFrom;
    const bool becameWide = m->isNarrow && !isNarrow;
    m->isNarrow = isNarrow;
    m->listSide->setVisible(!isNarrow || m->side == Side::list);
    m->right->setVisible(!isNarrow || m->side == Side::right);
    m->details->setBackVisible(isNarrow);
    m->right->setMinimumWidth(isNarrow ? 0 : m->context.theme.px(kDetailMinimum));
    if (becameWide)
        m->splitter->setSizes({width() - m->context.theme.px(kDetailWidth), m->context.theme.px(kDetailWidth)});
}

void ModelsPage::buildEmpty() {
    const Theme& theme = m->context.theme;
    m->empty = new QWidget;
    auto* column = new QVBoxLayout(m->empty);
    column->setContentsMargins(Measure::kSpace6, Measure::kSpace4, Measure::kSpace6, Measure::kSpace4);
    column->setSpacing(Measure::kSpace2);
    m->emptyTitle = makeLabel({}, "section");
    m->emptyText = makeLabel({}, "label");
    for (QLabel* label : {m->emptyTitle, m->emptyText}) {
        label->setAlignment(Qt::AlignCenter);
        label->setWordWrap(true);
    }
    m->emptyActions = new QWidget;
    auto* row = new QHBoxLayout(m->emptyActions);
    row->setContentsMargins(0, Measure::kSpace2, 0, 0);
    row->setSpacing(Measure::kSpace2);
    auto* get = new Button(theme, tr("Get a model"), Button::Kind::primary, QStringLiteral("download"));
    auto* open = new Button(theme, tr("Open a file"));
    auto* add = new Button(theme, tr("Add a folder"));
    connect(get, &Button::clicked, this, &ModelsPage::showHub);
    connect(open, &Button::clicked, this, &ModelsPage::askForFile);
    connect(add, &Button::clicked, this, &ModelsPage::askForFolder);
    row->addStretch();
    for (Button* button : {get, open, add})
        row->addWidget(button);
    row->addStretch();
    column->addStretch(2);
    column->addWidget(m->emptyTitle);
    column->addWidget(m->emptyText);
    column->addWidget(m->emptyActions);
    column->addStretch(3);
    m->empty->hide();
}

void ModelsPage::refreshEmpty() {
    const bool hasFiles = !m->model.paths().isEmpty();
    const QString filter = m->model.filter();
    const bool isEmpty = m->isSearched && (!hasFiles || (!filter.isEmpty() && m->model.rowCount() == 0));
    m->empty->setVisible(isEmpty);
    if (!isEmpty)
        return;
    m->emptyActions->setVisible(!hasFiles);
    m->emptyTitle->setText(hasFiles ? tr("No model is called “%1”").arg(filter) : tr("No model yet"));
    m->emptyText->setText(hasFiles ? tr("Names, paths and quantizations are searched.")
                                   : tr("Models are .gguf files. Those of LM Studio, Ollama and the Hugging Face cache "
                                        "are found and used where they are."));
}

void ModelsPage::refreshSpans() {
    m->table->clearSpans();
    for (int row = 0; row < m->model.rowCount(); ++row) {
        if (!m->model.isHeading(row))
            continue;
        m->table->setSpan(row, 0, 1, ModelListModel::numColumns);
        m->table->setRowHeight(row, m->context.theme.px(Measure::kListRow));
    }
}

void ModelsPage::choose(const QString& path) {
    const int row = m->model.rowOf(path);
    if (row < 0)
        return;
    m->wanted.clear();
    m->table->selectRow(row);
    m->table->scrollTo(m->model.index(row, 0));
    showDetails(path);
}

void ModelsPage::showDetails(const QString& path) {
    const ModelFacts facts = m->model.facts(path);
    m->context.opened.chosen = path;
    m->details->showModel(path, facts);
    if (!facts.info)
        return;
    // A draft pays only when it is much smaller; the best few by size are asked about.
    std::vector<std::pair<qint64, DraftPicker::Candidate>> smaller;
    for (const QString& other : m->model.paths()) {
        const ModelFacts known = m->model.facts(other);
        if (known.info && !known.info->vocabulary_only && known.info->parameters > 0 &&
            known.info->parameters * kDraftRatio <= facts.info->parameters)
            smaller.push_back({known.info->parameters,
                {other, modelName(other, known.info) + u' ' + toQString(known.info->quantization)}});
    }
    std::sort(smaller.begin(), smaller.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<DraftPicker::Candidate> candidates;
    for (std::size_t i = 0; i < std::min(smaller.size(), kMaxDrafts); ++i)
        candidates.push_back(smaller[i].second);
    m->details->setDraftCandidates(candidates);
}

void ModelsPage::inspectUnknown() {
    for (const QString& path : m->model.paths()) {
        const ModelFacts known = m->model.facts(path);
        if (known.info || !known.error.isEmpty())
            continue;
        ModelFacts facts;
        facts.lastUsed = m->context.settings.modelLastUsed(path);
        m->model.setFacts(path, facts);
        m->inspections.insert(m->context.client.inspect(path), path);
    }
}

void ModelsPage::openFile(const QString& path) {
    if (!m->context.opened.files.contains(path))
        m->context.opened.files.prepend(path);
    m->wanted = path;
    m->right->setCurrentWidget(m->details);
    showSide(Side::right);
    rescan();
}

void ModelsPage::askForFile() {
    m->context.dialogs.openFiles(this, tr("Open a model"), ggufFilter(), false, [this](const QStringList& files) {
        if (!files.isEmpty())
            openFile(files.first());
    });
}

void ModelsPage::askForFolder() {
    m->context.dialogs.openFolder(this, tr("Add a folder with models"), [this](const QString& path) {
        QStringList folders = m->context.settings.value(keys::kModelFolders);
        if (path.isEmpty() || folders.contains(path))
            return;
        folders += path;
        m->context.settings.set(keys::kModelFolders, folders);
        rescan();
    });
}

void ModelsPage::rescan() {
    const QString own = QDir(m->context.dataDir).filePath(QStringLiteral("models"));
    QDir().mkpath(own); // on the first start it is empty, not offline
    QStringList folders{own};
    folders += m->context.settings.value(keys::kModelFolders);
    QStringList singles = m->context.opened.files + m->context.settings.value(keys::kRecentModels);
    if (const auto model = m->context.client.labModel())
        singles.prepend(toQString(model->info.path)); // by this name it is marked as loaded
    m->folders.search(folders, singles, otherAppsPlaces(m->context.settings));
}

ModelListModel& ModelsPage::list() {
    return m->model;
}
ModelDetails& ModelsPage::details() {
    return *m->details;
}

void ModelsPage::showEvent(QShowEvent*) {
    rescan();
}

void ModelsPage::resizeEvent(QResizeEvent*) {
    arrange();
}

bool ModelsPage::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m->listSide || event->type() != QEvent::Resize)
        return QWidget::eventFilter(watched, event);
    const int room = m->listSide->width() * 100 / m->context.theme.textPercent();
    if (const bool hasWords = room >= kNarrowHead; m->hub != nullptr && hasWords != m->hasWords) {
        m->hasWords = hasWords;
        nameButtons();
    }
    fitColumns();
    return false;
}

/// Columns leave one by one before the names lose their room or the table scrolls sideways.
void ModelsPage::fitColumns() {
    const QHeaderView& head = *m->table->horizontalHeader();
    int needed = m->context.theme.px(kNameWidth);
    const QFontMetrics metrics(m->context.theme.font(TextRole::base));
    const auto width = [&](int column) { // of its head, and of the widest cell with icon and padding
        int widest = 0;
        for (int row = 0; row < m->model.rowCount(); ++row)
            if (!m->model.isHeading(row))
                widest = std::max(widest, metrics.horizontalAdvance(m->model.index(row, column).data().toString()));
        return std::max(head.sectionSizeHint(column), widest + m->context.theme.px(kCellExtra));
    };
    for (int column = 1; column < ModelListModel::numColumns; ++column)
        needed += width(column);
    for (const int column : {ModelListModel::lastUsed, ModelListModel::params, ModelListModel::context,
             ModelListModel::quant, ModelListModel::state}) {
        const bool leaves = needed > m->table->viewport()->width();
        if (leaves)
            needed -= width(column);
        if (m->table->isColumnHidden(column) != leaves)
            m->table->setColumnHidden(column, leaves);
    }
}

} // namespace vitrine::ui
