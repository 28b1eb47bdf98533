// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/frame: the window.
#include "ui/frame/main_window.h"

#include "ui/bridge/endpoint_control.h"
#include "ui/bridge/engine_client.h"
#include "ui/bridge/qt_convert.h"
#include "ui/bridge/snapshot_feed.h"
#include "ui/chat/chat_page.h"
#include "ui/engine/engine_page.h"
#include "ui/frame/command_palette.h"
#include "ui/frame/engine_picker.h"
#include "ui/frame/navigation_rail.h"
#include "ui/frame/pulse_strip.h"
#include "ui/frame/running_work.h"
#include "ui/lab/lab_page.h"
#include "ui/models/model_list_model.h"
#include "ui/models/models_page.h"
#include "ui/server/server_page.h"
#include "ui/settings/settings_page.h"
#include "ui/store/settings.h"
#include "ui/theme/theme.h"
#include "ui/widgets/focus_ring.h"
#include "ui/widgets/sequence_index.h"
#include "ui/widgets/shortcut_registry.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QHBoxLayout>
#include <QMimeData>
#include <QScreen>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace vitrine::ui {
namespace {

constexpr QSize kDefaultSize(1280, 800), kMinimumSize(640, 480);
constexpr QSize kMinimumGrowth(384, 190); // at twice the text
constexpr int kTextStep = 10; // percent
constexpr int kFrameBars = 40; // pixels of a title bar and borders, about
const QString kChat = QStringLiteral("chat"), kModels = QStringLiteral("models"), kEngine = QStringLiteral("engine"),
              kLab = QStringLiteral("lab"), kServer = QStringLiteral("server"), kSettings = QStringLiteral("settings");
const QString kShortcutsName = QStringLiteral("shortcuts"); // object: action -> keys
const QString kPatternsName = QStringLiteral("appearance.sequence_patterns");

/// The first model file among what is dragged, or empty.
QString modelFileOf(const QMimeData* data) {
    for (const QUrl& url : data->urls())
        if (url.isLocalFile() && url.toLocalFile().endsWith(QLatin1String(".gguf"), Qt::CaseInsensitive))
            return url.toLocalFile();
    return {};
}

} // namespace

/// Chat is there from the start.  The others are made when they are first shown or asked for something: a window that
/// opens does not wait for what it does not show.
struct MainWindow::Pages {
    struct Page {
        QString name;
        std::function<QWidget*()> make;
        QWidget* widget = nullptr; // null: not made yet
    };
    std::vector<Page> all;
    std::vector<PaletteEntry> actions; // of the palette
};

MainWindow::MainWindow(const Context& context)
    : m_context(context), m_sequences(std::make_unique<SequenceIndex>()),
      m_shortcuts(std::make_unique<ShortcutRegistry>()), m_pages(std::make_unique<Pages>()) {
    setWindowTitle(QStringLiteral("Vitrine"));
    setAcceptDrops(true);
    qApp->installEventFilter(this);
    applySettings();
    // First of all listeners: letters are given before anyone asks for one.
    connect(&context.snapshots, &SnapshotFeed::updated, this, [this](const std::shared_ptr<const Snapshot>& snapshot) {
        std::vector<std::uint32_t> alive;
        for (const SequenceStatus& sequence : snapshot->sequences)
            alive.push_back(sequence.sequence);
        m_sequences->update(alive);
    });
    auto* body = new QWidget;
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* row = new QHBoxLayout;
    row->setSpacing(0);
    m_rail = new NavigationRail(context.theme);
    row->addWidget(m_rail);
    m_stack = new QStackedWidget;
    row->addWidget(m_stack, 1);
    column->addLayout(row, 1);
    m_pulse = new PulseStrip(context.theme, context.client, context.snapshots, context.endpoint, *m_sequences);
    column->addWidget(m_pulse);
    setCentralWidget(body);
    m_palette = new CommandPalette(context.theme, this, [this] { return paletteEntries(); });
    buildPages();
    buildActions();
    new FocusRing(context.theme, this);

    connect(&context.settings, &Settings::changed, this, &MainWindow::applySettings);
    const auto markServer = [this] {
        m_rail->setDot(kServer, m_context.endpoint.state() == EndpointControl::State::running);
    };
    connect(&context.endpoint, &EndpointControl::stateChanged, this, markServer);
    markServer(); // it runs on while a window is made anew
    // On a small screen the strip at the bottom must be seen too; the frame's bars take some of what is there.  What has
    // no room for the smallest window is no desktop but a screen without a display.
    const QSize room = screen()->availableSize() - QSize(0, kFrameBars);
    const bool isDesktop = room.width() >= kMinimumSize.width() && room.height() >= kMinimumSize.height();
    resize(isDesktop ? kDefaultSize.boundedTo(room) : kDefaultSize);
    const bool isRestored =
        restoreGeometry(QByteArray::fromBase64(context.settings.value(keys::kWindowGeometry).toLatin1()));
    if (isDesktop && !isMaximized() && !isFullScreen()) { // it may have been closed on a larger one
        resize(size().boundedTo(room));
        const QRect all = screen()->availableGeometry();
        const QPoint last(all.left() + room.width() - width(), all.top() + room.height() - height());
        const QPoint now = geometry().topLeft();
        const QPoint whole(std::clamp(now.x(), all.left(), last.x()), std::clamp(now.y(), all.top(), last.y()));
        if (isRestored && whole != now) // by its inside, as it was restored: the frame's bars are not known yet
            setGeometry(QRect(whole, size()));
    }
    if (!showPage(context.settings.value(keys::kLastPage)))
        showPage(kChat);
}

MainWindow::~MainWindow() = default;

template <class T>
T& MainWindow::page(const QString& name) {
    return static_cast<T&>(*widgetOf(name));
}

QWidget* MainWindow::widgetOf(const QString& name) {
    for (Pages::Page& known : m_pages->all) {
        if (known.name != name)
            continue;
        if (known.widget == nullptr) {
            known.widget = known.make();
            m_stack->addWidget(known.widget);
        }
        return known.widget;
    }
    return nullptr;
}

void MainWindow::buildPages() {
    const Context& c = m_context;
    const auto add = [this](const QString& name, const QString& word, const QString& keys,
                         std::function<QWidget*()> make, bool bottom = false) {
        m_pages->all.push_back({name, std::move(make)});
        m_rail->addPage(name, name, word, keys, bottom); // icons are named like their pages
        addShortcut(name, word, name, keys, [this, name] { showPage(name); });
    };
    if (c.remote != nullptr) {
        m_picker = new EnginePicker(c.theme, *c.remote, c.dialogs, this);
        connect(m_picker, &EnginePicker::modelsRequested, this, &MainWindow::showModels);
    }
    add(kChat, tr("Chat"), QStringLiteral("Ctrl+1"), [this] { return makeChatPage(); });
    add(kModels, tr("Models"), QStringLiteral("Ctrl+2"), [this] { return makeModelsPage(); });
    add(kEngine, tr("Engine"), QStringLiteral("Ctrl+3"), [this] { return makeEnginePage(); });
    add(kLab, tr("Lab"), QStringLiteral("Ctrl+4"), [&c] {
        return new LabPage({c.theme, c.client, c.steps, c.dialogs, c.work.lab});
    });
    add(kServer, tr("Server"), QStringLiteral("Ctrl+5"), [this] { return makeServerPage(); });
    const auto makeSettings = [this, &c] {
        return new SettingsPage({c.theme, c.client, c.store, c.settings, c.dialogs, *m_shortcuts, c.dataDir});
    };
    add(kSettings, tr("Settings"), QStringLiteral("Ctrl+,"), makeSettings, true);
    m_chat = &page<ChatPage>(kChat);
    connect(m_rail, &NavigationRail::pageRequested, this, &MainWindow::showPage);
    connect(m_pulse, &PulseStrip::segmentActivated, this, &MainWindow::showSegment);
}

QWidget* MainWindow::makeChatPage() {
    const Context& c = m_context;
    auto* chat = new ChatPage({c.theme, c.client, c.snapshots, c.store, c.settings, c.dialogs, c.work.chats});
    connect(chat, &ChatPage::modelPickerRequested, this, &MainWindow::showModels);
    connect(chat, &ChatPage::downloadRequested, this, [this] {
        showModels();
        page<ModelsPage>(kModels).showHub();
    });
    connect(chat, &ChatPage::enginePickerRequested, this, &MainWindow::pickEngine);
    connect(chat, &ChatPage::openModelFileRequested, this, &MainWindow::askForModelFile);
    connect(chat, &ChatPage::engineRequested, this, [this] { showTrack(EnginePage::Track::requests); });
    return chat;
}

QWidget* MainWindow::makeModelsPage() {
    const Context& c = m_context;
    auto* models = new ModelsPage({c.theme, c.client, c.settings, c.dialogs, c.dataDir, c.work.downloads,
        c.work.quantization, c.work.openedModels});
    // Files are found and read one after another: an open palette follows.
    connect(&models->list(), &QAbstractItemModel::modelReset, m_palette, &CommandPalette::refresh);
    connect(&models->list(), &QAbstractItemModel::dataChanged, m_palette, &CommandPalette::refresh);
    return models;
}

QWidget* MainWindow::makeEnginePage() {
    const Context& c = m_context;
    auto* engine = new EnginePage({c.theme, c.client, c.snapshots, c.steps, *m_sequences, c.dialogs, c.work.recording});
    connect(engine, &EnginePage::enginePickerRequested, this, &MainWindow::pickEngine);
    connect(engine, &EnginePage::modelsRequested, this, &MainWindow::showModels);
    connect(engine, &EnginePage::experimentRequested, this, [this, engine](const QString& experiment) {
        showPage(kLab);
        auto& lab = page<LabPage>(kLab);
        lab.showExperiment(experiment);
        if (engine->isRecording()) // the question arose there
            lab.useRecording(engine->recording(), engine->recordingName());
    });
    return engine;
}

QWidget* MainWindow::makeServerPage() {
    const Context& c = m_context;
    auto* server = new ServerPage({c.theme, c.client, c.endpoint, c.settings, c.dialogs});
    connect(server, &ServerPage::engineRequested, this, [this] { showTrack(EnginePage::Track::requests); });
    connect(server, &ServerPage::modelsRequested, this, &MainWindow::showModels);
    return server;
}

void MainWindow::showModels() {
    showPage(kModels);
}

void MainWindow::pickEngine(const QPoint& below) {
    if (m_picker != nullptr)
        m_picker->popUp(below);
    else
        showModels();
}

void MainWindow::showTrack(EnginePage::Track track) {
    showPage(kEngine);
    page<EnginePage>(kEngine).showTrack(track);
}

void MainWindow::showSegment(PulseStrip::Segment segment) {
    switch (segment) {
    case PulseStrip::Segment::model:
        return showModels();
    case PulseStrip::Segment::openModel:
        return askForModelFile();
    case PulseStrip::Segment::cancelLoad:
        return m_context.client.cancelLoad();
    case PulseStrip::Segment::kv:
        return showTrack(EnginePage::Track::kv);
    case PulseStrip::Segment::requests:
        return showTrack(EnginePage::Track::requests);
    case PulseStrip::Segment::rate:
        return showTrack(EnginePage::Track::rate);
    case PulseStrip::Segment::prefix:
        return showTrack(EnginePage::Track::prefix);
    case PulseStrip::Segment::accept:
        return showTrack(EnginePage::Track::batch);
    case PulseStrip::Segment::server:
        showPage(kServer);
        return;
    }
}

QAction* MainWindow::addShortcut(
    const QString& id, const QString& name, const QString& icon, const QString& keys, std::function<void()> run) {
    auto* action = new QAction(name, this);
    action->setShortcuts(QKeySequence::listFromString(keys));
    connect(action, &QAction::triggered, this, [run] { run(); });
    addAction(action);
    m_shortcuts->add(id, action);
    m_pages->actions.push_back({name, id, icon, std::move(run)});
    return action;
}

std::vector<PaletteEntry> MainWindow::paletteEntries() {
    std::vector<PaletteEntry> entries = m_pages->actions;
    for (PaletteEntry& entry : entries) // kept by id: the keys may have changed
        entry.detail = m_shortcuts->keysText(entry.detail);
    const std::pair<QString, QString> schemes[] = {{QStringLiteral("system"), tr("Appearance: like the system")},
        {QStringLiteral("light"), tr("Appearance: light")}, {QStringLiteral("dark"), tr("Appearance: dark")},
        {QStringLiteral("contrast"), tr("Appearance: high contrast")}};
    for (const auto& [scheme, name] : schemes)
        entries.push_back({name, {}, QStringLiteral("eye"),
            [this, scheme = scheme] { m_context.settings.set(keys::kTheme, scheme); }});
    const std::pair<QString, QString> sections[] = {{QStringLiteral("general"), tr("Settings: language, start, close")},
        {QStringLiteral("chat"), tr("Settings: system prompt, temperature")},
        {QStringLiteral("engine"), tr("Settings: device, unload when idle")},
        {QStringLiteral("storage"), tr("Settings: folders, backup")}, {QStringLiteral("about"), tr("About Vitrine")}};
    for (const auto& [section, name] : sections)
        entries.push_back({name, {}, kSettings, [this, section = section] {
                               showPage(kSettings);
                               page<SettingsPage>(kSettings).showSection(section);
                           }});
    ModelListModel& list = page<ModelsPage>(kModels).list();
    for (const QString& path : list.paths())
        entries.push_back({tr("Model %1").arg(modelName(path, list.facts(path).info)), path, kModels,
            [this, path] { openModelFile(path); }});
    return entries;
}

void MainWindow::buildActions() {
    const auto chat = [this](void (ChatPage::*slot)()) {
        return [this, slot] {
            showPage(kChat);
            (m_chat->*slot)();
        };
    };
    addShortcut(QStringLiteral("new-chat"), tr("New chat"), QStringLiteral("new-chat"), QStringLiteral("Ctrl+N"),
        chat(&ChatPage::newChat));
    addShortcut(QStringLiteral("new-temporary-chat"), tr("New temporary chat"), QStringLiteral("new-chat"),
        QStringLiteral("Ctrl+Shift+N"), chat(&ChatPage::newTemporaryChat));
    addShortcut(QStringLiteral("find-in-this-chat"), tr("Find in this chat"), QStringLiteral("search"),
        QStringLiteral("Ctrl+F"), chat(&ChatPage::findInChat));
    addShortcut(QStringLiteral("find-in-all-chats"), tr("Find in all chats"), QStringLiteral("search"),
        QStringLiteral("Ctrl+Shift+F"), chat(&ChatPage::findInAllChats));
    addShortcut(QStringLiteral("regenerate-the-answer"), tr("Regenerate the answer"), QStringLiteral("regenerate"),
        QStringLiteral("Ctrl+R"), chat(&ChatPage::regenerateLast));
    addShortcut(QStringLiteral("previous-branch"), tr("Previous branch"), QStringLiteral("branch-left"),
        QStringLiteral("Alt+Left"), chat(&ChatPage::showPreviousBranch));
    addShortcut(QStringLiteral("next-branch"), tr("Next branch"), QStringLiteral("branch-right"),
        QStringLiteral("Alt+Right"), chat(&ChatPage::showNextBranch));
    addShortcut(QStringLiteral("copy-the-last-answer"), tr("Copy the last answer"), QStringLiteral("copy"),
        QStringLiteral("Ctrl+Shift+C"), chat(&ChatPage::copyLastAnswer));
    addShortcut(QStringLiteral("copy-the-last-code-block"), tr("Copy the last code block"), QStringLiteral("copy"),
        QStringLiteral("Ctrl+Shift+;"), chat(&ChatPage::copyLastCodeBlock));
    addShortcut(QStringLiteral("show-or-hide-the-inspector"), tr("Show or hide the inspector"),
        QStringLiteral("panel-right"), QStringLiteral("Ctrl+I"), chat(&ChatPage::toggleInspector));
    addShortcut(QStringLiteral("show-or-hide-the-chat-list"), tr("Show or hide the chat list"),
        QStringLiteral("panel-left"), QStringLiteral("Ctrl+B"), chat(&ChatPage::toggleChatList));
    addShortcut(QStringLiteral("second-chat"), tr("Second chat beside this one"), QStringLiteral("split"),
        QStringLiteral("Ctrl+\\"), [this] {
            showPage(kChat);
            m_chat->showBeside(0);
        });
    addShortcut(QStringLiteral("import-chats"), tr("Import chats"), QStringLiteral("open"), QString(),
        chat(&ChatPage::importChats));
    addShortcut(QStringLiteral("choose-a-model"), tr("Choose a model"), QStringLiteral("models"),
        QStringLiteral("Ctrl+L"), [this] { showModels(); });
    addShortcut(QStringLiteral("open-a-model-file"), tr("Open a model file"), QStringLiteral("file"),
        QStringLiteral("Ctrl+O"), [this] { askForModelFile(); });
    addShortcut(QStringLiteral("unload-the-model"), tr("Unload the model"), QStringLiteral("close"), QString(),
        [this] { m_context.client.unload(); });
    if (m_picker != nullptr)
        addShortcut(QStringLiteral("add-a-server"), tr("Add a server"), QStringLiteral("server"), QString(),
            [this] { m_picker->addServer(); });
    addShortcut(QStringLiteral("forget-cached-prefixes"), tr("Forget cached prefixes"), QStringLiteral("trash"),
        QString(), [this] { m_context.client.resetPrefixCache(); });
    addShortcut(QStringLiteral("server-on-or-off"), tr("Server on or off"), QStringLiteral("server"),
        QStringLiteral("Ctrl+Shift+S"), [this] { page<ServerPage>(kServer).toggle(); });
    addShortcut(QStringLiteral("keyboard-shortcuts"), tr("Keyboard shortcuts"), QStringLiteral("key"),
        QStringLiteral("F1"), [this] {
            showPage(kSettings);
            page<SettingsPage>(kSettings).showSection(QStringLiteral("shortcuts"));
        });
    const auto scaleText = [this](int step) {
        Settings& settings = m_context.settings;
        settings.set(keys::kTextSizePercent, step == 0 ? 100 : settings.value(keys::kTextSizePercent) + step);
    };
    addShortcut(QStringLiteral("text-larger"), tr("Text larger"), QStringLiteral("plus"),
        QStringLiteral("Ctrl++; Ctrl+="), [scaleText] { scaleText(kTextStep); });
    addShortcut(QStringLiteral("text-smaller"), tr("Text smaller"), QStringLiteral("settings"),
        QStringLiteral("Ctrl+-"), [scaleText] { scaleText(-kTextStep); });
    addShortcut(QStringLiteral("text-at-100"), tr("Text at 100 %"), QStringLiteral("settings"),
        QStringLiteral("Ctrl+0"), [scaleText] { scaleText(0); });
    addShortcut(QStringLiteral("quit"), tr("Quit"), QStringLiteral("close"), QStringLiteral("Ctrl+Q"),
        [this] { emit quitRequested(); });
    // Opened by its key only; it need not list itself.
    auto* palette = new QAction(tr("Command palette"), this);
    palette->setShortcut(QKeySequence(QStringLiteral("Ctrl+K")));
    m_shortcuts->add(QStringLiteral("palette"), palette);
    connect(palette, &QAction::triggered, this,
        [this] { m_palette->openOver(QRect(0, 0, width(), height() - m_pulse->height())); });
    addAction(palette);
    m_shortcuts->applyChanges(m_context.settings.raw(kShortcutsName).toObject());
    connect(m_shortcuts.get(), &ShortcutRegistry::changed, this,
        [this] { m_context.settings.setRaw(kShortcutsName, m_shortcuts->changes()); });
}

void MainWindow::applySettings() {
    Theme& theme = m_context.theme;
    const Settings& settings = m_context.settings;
    theme.setChoice(static_cast<SchemeChoice>(schemeChoiceIndex(settings.value(keys::kTheme))));
    theme.setTextPercent(settings.value(keys::kTextSizePercent));
    setMinimumSize(kMinimumSize + kMinimumGrowth * (std::max(0, theme.textPercent() - 100) / 100.0));
    theme.setLessMotion(settings.value(keys::kReducedMotion));
    theme.setSequencePatterns(settings.raw(kPatternsName).toBool(true));
}

bool MainWindow::showPage(const QString& name) {
    QWidget* shown = widgetOf(name);
    if (shown == nullptr)
        return false;
    m_stack->setCurrentWidget(shown);
    shown->setFocus();
    m_rail->setCurrent(name);
    if (m_context.settings.value(keys::kLastPage) != name)
        m_context.settings.set(keys::kLastPage, name);
    return true;
}

QString MainWindow::page() const {
    for (const Pages::Page& known : m_pages->all)
        if (known.widget == m_stack->currentWidget())
            return known.name;
    return {};
}

void MainWindow::openModelFile(const QString& path) {
    showModels();
    page<ModelsPage>(kModels).openFile(path);
}

void MainWindow::askForModelFile() {
    showModels();
    page<ModelsPage>(kModels).askForFile();
}

void MainWindow::rememberPlace() {
    m_context.settings.set(keys::kWindowGeometry, QString::fromLatin1(saveGeometry().toBase64()));
}

void MainWindow::closeEvent(QCloseEvent* event) {
    rememberPlace();
    event->ignore(); // what closing means is not the window's to say
    emit closeRequested();
}

void MainWindow::showEvent(QShowEvent* event) {
    QMainWindow::showEvent(event);
    emit visibilityChanged(!isMinimized());
}

void MainWindow::hideEvent(QHideEvent* event) {
    QMainWindow::hideEvent(event);
    emit visibilityChanged(false);
}

void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::WindowStateChange)
        emit visibilityChanged(isVisible() && !isMinimized());
}

/// Before the widget under the pointer: fields would take the name of a model file as text, or refuse it as an attachment.
bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
    const bool isDrop = event->type() == QEvent::Drop;
    if (!isDrop && event->type() != QEvent::DragEnter && event->type() != QEvent::DragMove)
        return false;
    const auto* widget = qobject_cast<QWidget*>(watched);
    auto& drop = static_cast<QDropEvent&>(*event);
    const QString path = widget != nullptr && widget->window() == this ? modelFileOf(drop.mimeData()) : QString();
    if (path.isEmpty())
        return false;
    drop.acceptProposedAction();
    if (isDrop)
        openModelFile(path);
    return true;
}

/// What no widget took: a control that had the focus may have gone.
void MainWindow::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && page() == kChat && m_chat->isGenerating())
        return m_chat->stop();
    QMainWindow::keyPressEvent(event);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    if (m_palette->isVisible())
        m_palette->hide();
}

} // namespace vitrine::ui
