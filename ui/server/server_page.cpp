// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/server: the page.
#include "ui/server/server_page.h"

#include "ui/bridge/engine_client.h"
#include "ui/bridge/qt_convert.h"
#include "ui/server/origin_list.h"
#include "ui/server/request_log_model.h"
#include "ui/server/request_sheet.h"
#include "ui/server/snippets.h"
#include "ui/store/settings.h"
#include "ui/theme/theme.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/error_banner.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/fold_layout.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/switch.h"
#include "ui/widgets/table_delegate.h"

#include <QButtonGroup>
#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QRandomGenerator>
#include <QScrollArea>
#include <QSpinBox>
#include <QTableView>
#include <QTcpServer>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace vitrine::ui {
namespace {

constexpr int kSideWidth = 424, kSideMinimum = 300, kFormWidth = 600, kSideFrom = 900;
constexpr int kUrlWidth = 260;
constexpr int kNameWidth = 108, kRouteWidth = 150;
constexpr int kControlRoom = 220; // beside the names of the form
constexpr int kChipRoom = 360; // of title and filters, beside search and pause
constexpr int kLogHeight = 220; // where the page scrolls
constexpr int kPortsTried = 50;

/// The next port nobody listens on, for the offer beside "port in use".
quint16 nextFreePort(quint16 taken) {
    for (int step = 1; step <= kPortsTried && taken + step < 65536; ++step) {
        QTcpServer probe;
        if (const auto port = static_cast<quint16>(taken + step); probe.listen(QHostAddress::LocalHost, port))
            return port;
    }
    return 0;
}

QString rowName(int row) {
    const QString names[] = {ServerPage::tr("Base URL"), ServerPage::tr("Reachable from"), ServerPage::tr("API key"),
        ServerPage::tr("Web pages"), ServerPage::tr("Chats here")};
    return names[row];
}
enum Row : int { kUrlRow, kReachRow, kKeyRow, kPagesRow, kChatsRow, kNumRows };

/// Of all names, so that the controls stand below each other in every language.
int nameWidth(const Theme& theme, const QFont& font) {
    int width = theme.px(kNameWidth);
    for (int row = 0; row < kNumRows; ++row)
        width = std::max(width, QFontMetrics(font).horizontalAdvance(rowName(row)) + 2);
    return width;
}

/// A name beside its controls; controls without room go to the next line, and below the name at last.
QWidget* formRow(const Theme& theme, Row name, const QList<QWidget*>& controls, QWidget* end) {
    auto* row = new QWidget;
    auto* layout = new FoldLayout(12, FoldLayout::Grows::second, row);
    layout->setContentsMargins(0, 6, 0, 6);
    layout->setAlignsTops(true);
    auto* label = makeLabel(rowName(name), "label");
    auto* rest = new FlowLayout(12);
    const auto resize = [row, layout, label, rest, &theme] {
        row->setMinimumHeight(theme.px(44));
        label->setMinimumHeight(theme.px(Measure::kField));
        rest->setLineHeight(theme.px(Measure::kField)); // words alone stand beside the name too
        layout->setFirstWidth(nameWidth(theme, label->font()));
        layout->setRoom(theme.px(kControlRoom));
    };
    resize();
    QObject::connect(&theme, &Theme::changed, row, resize);
    layout->addWidget(label);
    for (QWidget* control : controls)
        rest->addWidget(control);
    if (end != nullptr)
        rest->addWidget(end);
    rest->setEndsAtEdge(end != nullptr);
    layout->addPart(rest);
    return row;
}

} // namespace

struct ServerPage::Parts {
    Context context;
    RequestLogModel log;
    quint16 offeredPort = 0;
    bool logPaused = false;
    bool restarting = false; // stopped in order to start with other settings

    Switch* onOff = nullptr;
    QLabel *state = nullptr, *since = nullptr, *keyText = nullptr, *keyPlace = nullptr, *snippet = nullptr,
           *emptyLog = nullptr;
    ErrorBanner* banner = nullptr;
    QLineEdit* url = nullptr;
    QSpinBox* port = nullptr;
    SegmentedControl *reach = nullptr, *language = nullptr;
    Button *createKey = nullptr, *copyKey = nullptr, *removeKey = nullptr;
    QTableView* table = nullptr;
    RequestSheet* sheet = nullptr;
    QScrollArea* left = nullptr;
    QVBoxLayout* column = nullptr; // of the left side
    QWidget *edge = nullptr, *side = nullptr, *snippetSide = nullptr, *logBox = nullptr;
    bool isWide = true; // the snippet stands beside the form, not below it
    std::array<Chip*, 4> chips{};
    SearchField* search = nullptr;

    explicit Parts(const Context& theContext) : context(theContext) {}
};

ServerPage::ServerPage(const Context& context, QWidget* parent) : QWidget(parent), m(std::make_unique<Parts>(context)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(buildHeader());
    column->addWidget(new Hairline(context.theme));
    auto* body = new QHBoxLayout;
    body->setSpacing(0);
    m->left = new QScrollArea;
    m->left->setWidgetResizable(true);
    m->left->setFocusPolicy(Qt::NoFocus);
    m->left->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* content = new QWidget;
    content->setProperty("surface", "page");
    m->column = new QVBoxLayout(content);
    m->column->setContentsMargins(0, 0, 0, 0);
    m->column->setSpacing(0);
    m->column->addWidget(buildForm());
    m->column->addWidget(new Hairline(context.theme));
    m->column->addWidget(buildLog(), 1);
    m->left->setWidget(content);
    body->addWidget(m->left, 1);
    m->edge = new Hairline(context.theme, Qt::Vertical);
    body->addWidget(m->edge);
    m->side = new QWidget;
    auto* side = new QVBoxLayout(m->side);
    side->setContentsMargins(0, 0, 0, 0);
    side->setSpacing(0);
    m->snippetSide = buildSnippet();
    side->addWidget(m->snippetSide);
    m->sheet = new RequestSheet(context.theme);
    m->sheet->hide();
    connect(m->sheet, &RequestSheet::closed, this, [this] {
        m->sheet->hide();
        m->table->clearSelection();
        m->table->setCurrentIndex({}); // so that the same row opens again
        arrange();
        m->table->setFocus();
    });
    connect(m->sheet, &RequestSheet::engineRequested, this, &ServerPage::engineRequested);
    side->addWidget(m->sheet, 1);
    side->addStretch(0);
    body->addWidget(m->side);
    column->addLayout(body, 1);
    connect(&context.endpoint, &EndpointControl::stateChanged, this, [this] {
        if (m->restarting && m->context.endpoint.state() == EndpointControl::State::off) {
            m->restarting = false;
            m->context.endpoint.start(endpointSettings());
        }
        refreshState();
    });
    connect(&context.endpoint, &EndpointControl::rowsChanged, this, &ServerPage::refreshLog);
    connect(&context.client, &EngineClient::modelChanged, this, &ServerPage::refreshSnippet);
    refreshState();
    refreshLog();
}

ServerPage::~ServerPage() = default;

QWidget* ServerPage::buildHeader() {
    const Theme& theme = m->context.theme;
    QWidget* header = makeHeaderBar(theme);
    auto* row = new QHBoxLayout(header);
    row->setContentsMargins(16, 0, 16, 0);
    row->setSpacing(10);
    row->addWidget(makeLabel(tr("Server"), "title"));
    row->addSpacing(12);
    m->onOff = new Switch(theme, Switch::Size::large);
    m->onOff->setAccessibleName(tr("Server on"));
    m->onOff->setToolTip(tr("Serve the loaded model over HTTP (Ctrl+Shift+S)"));
    connect(m->onOff, &Switch::clicked, this, [this](bool on) {
        m->context.settings.set(keys::kServerEnabled, on);
        if (on)
            m->context.endpoint.start(endpointSettings());
        else
            m->context.endpoint.stop();
        refreshState();
    });
    row->addWidget(m->onOff);
    m->state = makeLabel({}, "strong");
    row->addWidget(m->state);
    m->since = makeLabel({}, "hint");
    row->addWidget(m->since, 1);
    return header;
}

QWidget* ServerPage::buildForm() {
    const Theme& theme = m->context.theme;
    Settings& settings = m->context.settings;
    auto* form = new QWidget;
    auto* column = new QVBoxLayout(form);
    column->setContentsMargins(16, 6, 24, 4);
    column->setSpacing(0);
    m->banner = new ErrorBanner(theme);
    connect(m->banner, &ErrorBanner::actionTriggered, this, [this](int) {
        if (m->offeredPort == 0)
            return;
        m->port->setValue(m->offeredPort);
        m->context.endpoint.start(endpointSettings());
    });
    column->addWidget(m->banner);
    m->url = new QLineEdit;
    m->url->setReadOnly(true);
    m->url->setFont(theme.font(TextRole::code));
    connect(&theme, &Theme::changed, m->url, [this, &theme] {
        m->url->setFont(theme.font(TextRole::code));
        m->url->setFixedWidth(theme.px(kUrlWidth));
        m->port->setMinimumWidth(theme.px(84));
    });
    m->url->setAccessibleName(tr("Base URL"));
    m->url->setFixedWidth(theme.px(kUrlWidth));
    auto* copyUrl = new IconButton(theme, QStringLiteral("copy"), tr("Copy the base URL"));
    connect(copyUrl, &IconButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m->url->text()); });
    column->addWidget(formRow(theme, kUrlRow, {m->url, copyUrl}, nullptr));
    column->addWidget(new Hairline(theme));
    m->port = new QSpinBox;
    m->port->setRange(1, 65535);
    m->port->setValue(settings.value(keys::kServerPort));
    m->port->setGroupSeparatorShown(false);
    m->port->setAccessibleName(tr("Port"));
    m->port->setMinimumWidth(theme.px(84));
    m->port->setKeyboardTracking(false);
    connect(m->port, &QSpinBox::valueChanged, this, [this](int port) {
        m->context.settings.set(keys::kServerPort, port);
        restartIfRunning();
        refreshState();
    });
    m->reach = new SegmentedControl(theme, {tr("This computer"), tr("Local network")});
    m->reach->setAccessibleName(tr("Reachable from"));
    m->reach->setCurrent(settings.value(keys::kServerLocalNetwork) ? 1 : 0);
    connect(m->reach, &SegmentedControl::currentChanged, this, [this](int index) {
        m->context.settings.set(keys::kServerLocalNetwork, index == 1);
        if (index == 1 && m->context.settings.value(keys::kServerKey).isEmpty())
            createKey(); // a network address demands one
        restartIfRunning();
    });
    auto* port = new QWidget; // the word stays with its field
    auto* words = new QHBoxLayout(port);
    words->setContentsMargins(0, 0, 0, 0);
    words->setSpacing(12);
    words->addWidget(makeLabel(tr("Port"), "label"));
    words->addWidget(m->port);
    column->addWidget(formRow(theme, kReachRow, {m->reach, port}, nullptr));
    column->addWidget(new Hairline(theme));
    m->createKey = new Button(theme, tr("Create key"), Button::Kind::regular, QStringLiteral("key"));
    connect(m->createKey, &Button::clicked, this, &ServerPage::createKey);
    m->copyKey = new Button(theme, tr("Copy"), Button::Kind::link);
    connect(m->copyKey, &Button::clicked, this,
        [this] { QGuiApplication::clipboard()->setText(m->context.settings.value(keys::kServerKey)); });
    m->removeKey = new Button(theme, tr("Remove"), Button::Kind::link);
    connect(m->removeKey, &Button::clicked, this, [this] {
        m->context.settings.set(keys::kServerKey, QString());
        restartIfRunning();
        refreshState();
    });
    m->keyText = makeLabel({}, "hint");
    m->keyPlace = makeLabel(tr("kept in settings.json, readable by you alone"), "small");
    m->keyPlace->setToolTip(tr("Not encrypted: whoever can read the files of this account can read the key."));
    column->addWidget(formRow(theme, kKeyRow, {m->createKey, m->keyText, m->copyKey, m->removeKey}, m->keyPlace));
    column->addWidget(new Hairline(theme));
    auto* origins = new OriginList(theme, m->context.dialogs);
    origins->setOrigins(settings.value(keys::kServerOrigins));
    connect(origins, &OriginList::edited, this, [this](const QStringList& allowed) {
        m->context.settings.set(keys::kServerOrigins, allowed);
        restartIfRunning();
    });
    column->addWidget(formRow(theme, kPagesRow, {origins}, makeLabel(tr("✓ Host header always checked"), "small")));
    column->addWidget(new Hairline(theme));
    auto* chatFirst = new Switch(theme);
    chatFirst->setChecked(settings.value(keys::kChatFirst));
    chatFirst->setAccessibleName(tr("This window's chats go first"));
    chatFirst->setToolTip(tr("A request that has waited a minute goes first all the same"));
    connect(chatFirst, &Switch::clicked, this, [this](bool on) { m->context.settings.set(keys::kChatFirst, on); });
    column->addWidget(
        formRow(theme, kChatsRow, {chatFirst, makeLabel(tr("go before waiting requests"), "hint")}, nullptr));
    return form;
}

QWidget* ServerPage::buildSnippet() {
    const Theme& theme = m->context.theme;
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(16, 14, 16, 16);
    column->setSpacing(12);
    auto* head = new QHBoxLayout;
    head->addWidget(makeLabel(tr("Try it"), "strong"));
    head->addStretch();
    m->language = new SegmentedControl(theme, {QStringLiteral("curl"), QStringLiteral("Python"), QStringLiteral("JS")});
    m->language->setAccessibleName(tr("Language of the snippet"));
    connect(m->language, &SegmentedControl::currentChanged, this, &ServerPage::refreshSnippet);
    head->addWidget(m->language);
    auto* copy = new IconButton(theme, QStringLiteral("copy"), tr("Copy the snippet"));
    connect(copy, &IconButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m->snippet->text()); });
    head->addWidget(copy);
    column->addLayout(head);
    auto* well = new QWidget;
    well->setAttribute(Qt::WA_StyledBackground);
    well->setProperty("surface", "well");
    auto* inner = new QVBoxLayout(well);
    inner->setContentsMargins(12, 10, 12, 10);
    m->snippet = makeLabel({}, "codeSmall");
    m->snippet->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m->snippet->setMinimumWidth(1);
    m->snippet->setWordWrap(true);
    m->snippet->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m->snippet->setLayoutDirection(Qt::LeftToRight); // code, in every language
    inner->addWidget(m->snippet);
    column->addWidget(well);
    return box;
}

QWidget* ServerPage::buildLog() {
    const Theme& theme = m->context.theme;
    auto* box = new QWidget;
    m->logBox = box;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* bar = new FoldLayout(16, FoldLayout::Grows::first);
    bar->setContentsMargins(16, 8, 16, 8);
    auto* chips = new FlowLayout(8);
    chips->addWidget(makeLabel(tr("Requests"), "section"));
    auto* group = new QButtonGroup(box);
    for (std::size_t i = 0; i < m->chips.size(); ++i) {
        m->chips[i] = new Chip(theme, QString());
        m->chips[i]->setCheckable(true);
        group->addButton(m->chips[i], static_cast<int>(i));
        chips->addWidget(m->chips[i]);
    }
    m->chips[0]->setChecked(true);
    bar->addPart(chips);
    auto* tools = new QHBoxLayout;
    tools->setSpacing(8);
    m->search = new SearchField(theme, tr("Client, route, text"));
    m->search->setProperty("size", "toolbar");
    tools->addWidget(m->search, 1);
    auto* pause = new IconButton(theme, QStringLiteral("pause"), tr("Hold the log still"));
    pause->setCheckable(true);
    connect(pause, &IconButton::toggled, this, [this](bool on) {
        m->logPaused = on;
        refreshLog();
    });
    tools->addWidget(pause);
    bar->addPart(tools);
    const auto resize = [this, bar, &theme] {
        m->search->setMinimumWidth(theme.px(168));
        bar->setRoom(theme.px(kChipRoom));
    };
    resize();
    connect(&theme, &Theme::changed, box, resize);
    column->addLayout(bar);
    column->addWidget(new Hairline(theme));
    const auto filter = [this, group] {
        m->log.setFilter(
            static_cast<RequestLogModel::Filter>(std::max(0, group->checkedId())), m->search->text().trimmed());
    };
    connect(group, &QButtonGroup::idToggled, this, filter);
    connect(m->search, &QLineEdit::textChanged, this, filter);
    m->table = new QTableView;
    m->table->setModel(&m->log);
    m->table->setAccessibleName(tr("Request log"));
    setUpTable(*m->table, theme, Measure::kLogRow);
    m->table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m->table->horizontalHeader()->setSectionResizeMode(RequestLogModel::route, QHeaderView::Stretch);
    // Arrow keys go on through the log: where a request covers it, Enter or a click opens one.
    connect(
        m->table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
            if (m->isWide)
                showRequest(index);
        });
    using Log = RequestLogModel;
    keepCellsWhole(*m->table, theme, {Log::route, kRouteWidth},
        {{Log::queue, QStringLiteral("00.00")}, {Log::rate, QStringLiteral("000")},
            {Log::first, QStringLiteral("00.00")}, {Log::finish, QStringLiteral("cancelled")},
            {Log::client, QStringLiteral("openai-python")}, {Log::tokens, QStringLiteral("0,000 / 0,000 / 0,000")},
            {Log::status, QStringLiteral("000")}, {Log::time, QStringLiteral("00:00:00")}});
    connect(m->table, &QTableView::activated, this, &ServerPage::showRequest);
    connect(m->table, &QTableView::clicked, this, &ServerPage::showRequest);
    column->addWidget(m->table, 1);
    m->emptyLog = makeLabel({}, "hint");
    m->emptyLog->setAlignment(Qt::AlignCenter);
    column->addWidget(m->emptyLog, 1);
    return box;
}

EndpointSettings ServerPage::endpointSettings() const {
    const Settings& settings = m->context.settings;
    EndpointSettings result;
    result.port = static_cast<quint16>(settings.value(keys::kServerPort));
    result.localNetwork = settings.value(keys::kServerLocalNetwork);
    result.apiKey = settings.value(keys::kServerKey);
    result.allowedOrigins = settings.value(keys::kServerOrigins);
    return result;
}

void ServerPage::restartIfRunning() {
    if (m->context.endpoint.state() == EndpointControl::State::running) {
        m->restarting = true;
        m->context.endpoint.stop();
    }
    refreshState();
}

void ServerPage::showRequest(const QModelIndex& index) {
    if (!index.isValid())
        return;
    m->sheet->showRow(m->log.row(index.row()), m->url->text(), m->context.settings.value(keys::kServerKey));
    m->sheet->show();
    arrange();
    if (!m->isWide)
        m->sheet->setFocus();
}

/// An open request goes on while one looks at it.
void ServerPage::followRequest() {
    if (m->sheet->isHidden())
        return;
    const auto& rows = m->context.endpoint.rows();
    for (std::size_t i = rows.size(); i > 0; --i) { // the newest state of a request is the last row of its number
        const EndpointLogRow& row = rows[i - 1];
        if (row.number != m->sheet->number())
            continue;
        if (!m->sheet->shows(row))
            m->sheet->showRow(row, m->url->text(), m->context.settings.value(keys::kServerKey));
        return;
    }
}

void ServerPage::createKey() {
    quint32 words[6];
    QRandomGenerator::system()->fillRange(words);
    const QByteArray bytes(reinterpret_cast<const char*>(words), sizeof words);
    const QString key = QStringLiteral("vt-") +
        QString::fromLatin1(bytes.toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals));
    m->context.settings.set(keys::kServerKey, key);
    restartIfRunning();
}

void ServerPage::refreshState() {
    const EndpointControl& endpoint = m->context.endpoint;
    using State = EndpointControl::State;
    const State state = endpoint.state();
    m->onOff->setEnabled(endpoint.isAvailable() && state != State::stopping);
    m->onOff->setChecked(state == State::running || state == State::starting);
    switch (state) {
    case State::off:
        m->state->setText(tr("Off"));
        break;
    case State::starting:
        m->state->setText(tr("Starting"));
        break;
    case State::running:
        m->state->setText(tr("On"));
        break;
    case State::stopping:
        m->state->setText(tr("Stopping"));
        break;
    case State::failed:
        m->state->setText(tr("Not started"));
        break;
    }
    const quint16 port =
        state == State::running ? endpoint.port() : static_cast<quint16>(m->context.settings.value(keys::kServerPort));
    m->url->setText(state == State::running && !endpoint.url().isEmpty()
            ? endpoint.url().toString(QUrl::StripTrailingSlash) + QStringLiteral("/v1")
            : QStringLiteral("http://127.0.0.1:%1/v1").arg(port));
    const QString key = m->context.settings.value(keys::kServerKey);
    const bool network = m->context.settings.value(keys::kServerLocalNetwork);
    m->createKey->setVisible(key.isEmpty());
    m->copyKey->setVisible(!key.isEmpty());
    m->removeKey->setVisible(!key.isEmpty() && !network);
    m->keyPlace->setVisible(!key.isEmpty());
    m->keyText->setText(!key.isEmpty() ? key.left(7) + QStringLiteral("…")
            : network                  ? tr("a network address needs one")
                                       : tr("none, not needed on this computer"));
    showError();
    refreshSnippet();
    refreshLog();
}

void ServerPage::showError() {
    const EndpointControl& endpoint = m->context.endpoint;
    if (!endpoint.isAvailable())
        return m->banner->showMessage(
            ErrorBanner::Kind::info, tr("No server in this build."), toQString(endpoint.error().message));
    if (endpoint.state() != EndpointControl::State::failed)
        return m->banner->dismiss();
    const Error error = endpoint.error();
    const auto port = static_cast<quint16>(m->context.settings.value(keys::kServerPort));
    m->offeredPort = error.code == ErrorCode::io || error.code == ErrorCode::busy ? nextFreePort(port) : 0;
    m->banner->showMessage(ErrorBanner::Kind::error, toQString(error.message), toQString(error.remedy),
        m->offeredPort > 0 ? QStringList{tr("Use port %1").arg(m->offeredPort)} : QStringList());
}

void ServerPage::refreshSnippet() {
    const auto model = m->context.client.labModel(); // the endpoint serves this computer's
    const QString name = model ? QFileInfo(toQString(model->info.path)).completeBaseName() : QStringLiteral("default");
    m->snippet->setText(makeSnippet(static_cast<SnippetLanguage>(std::max(0, m->language->current())), m->url->text(),
        name, m->context.settings.value(keys::kServerKey)));
}

void ServerPage::refreshLog() {
    if (!isVisible())
        return; // showEvent catches up
    if (!m->logPaused) {
        m->log.update(m->context.endpoint.rows());
        followRequest();
    }
    const QString names[] = {tr("All %1"), tr("Running %1"), tr("Errors %1"), tr("Missed prefix %1")};
    for (std::size_t i = 0; i < m->chips.size(); ++i) {
        const QString text = names[i].arg(m->log.count(static_cast<RequestLogModel::Filter>(i)));
        if (text != m->chips[i]->text()) {
            m->chips[i]->setText(text);
            m->chips[i]->updateGeometry();
        }
    }
    const bool empty = m->log.count(RequestLogModel::Filter::all) == 0;
    const bool running = m->context.endpoint.state() == EndpointControl::State::running;
    m->table->setVisible(!empty);
    m->emptyLog->setVisible(empty);
    m->emptyLog->setText(running ? tr("No request yet. Paste the snippet into a terminal.")
                                 : tr("The server is off. Requests appear here."));
    m->since->setText(
        running ? tr("%1 in the log").arg(countText(m->log.count(RequestLogModel::Filter::all))) : QString());
}

void ServerPage::toggle() {
    m->onOff->click();
}

void ServerPage::showEvent(QShowEvent*) {
    refreshState();
}

void ServerPage::resizeEvent(QResizeEvent*) {
    arrange();
}

/// Wide: form and log, snippet and open request beside them.  Narrow: one column that scrolls; a request covers it.
void ServerPage::arrange() {
    const Theme& theme = m->context.theme;
    const int room = width() * 100 / theme.textPercent();
    const bool isWide = room >= kSideFrom, isOpen = !m->sheet->isHidden();
    if (isWide != m->isWide) { // the snippet changes its place
        m->isWide = isWide;
        auto* side = static_cast<QVBoxLayout*>(m->side->layout());
        if (isWide)
            side->insertWidget(0, m->snippetSide);
        else
            m->column->insertWidget(2, m->snippetSide);
    }
    m->logBox->setMinimumHeight(isWide ? 0 : theme.px(kLogHeight));
    m->left->setVisible(isWide || !isOpen);
    m->edge->setVisible(isWide);
    m->side->setVisible(isWide || isOpen);
    const int side = theme.px(std::clamp(room - kFormWidth, kSideMinimum, kSideWidth));
    m->side->setMinimumWidth(isWide ? side : 0);
    m->side->setMaximumWidth(isWide ? side : QWIDGETSIZE_MAX);
}

} // namespace vitrine::ui
