// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/server: the Server page put together.
#include "ui/server/origin_list.h"
#include "ui/server/server_page_parts.h"
#include "ui/store/settings.h"
#include "ui/theme/theme.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/error_banner.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/fold_layout.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/switch.h"
#include "ui/widgets/table_delegate.h"

#include <QButtonGroup>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QSpinBox>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace vitrine::ui {
namespace {

constexpr int kUrlWidth = 260, kNumberWidth = 84;
constexpr int kNameWidth = 108, kRouteWidth = 150;
constexpr int kControlRoom = 220; // beside the names of the form
constexpr int kChipRoom = 360; // of title and filters, beside search and pause

QString rowName(int row) {
    const QString names[] = {ServerPage::tr("Base URL"), ServerPage::tr("Reachable from"), ServerPage::tr("API key"),
        ServerPage::tr("Web pages"), ServerPage::tr("Limit"), ServerPage::tr("Chats here")};
    return names[row];
}
enum Row : int { kUrlRow, kReachRow, kKeyRow, kPagesRow, kLimitRow, kChatsRow, kNumRows };

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
            m->context.endpoint.start(endpointSettings(m->context.settings));
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
        m->context.endpoint.start(endpointSettings(m->context.settings));
    });
    column->addWidget(m->banner);
    m->url = new QLineEdit;
    m->url->setReadOnly(true);
    m->url->setFont(theme.font(TextRole::code));
    connect(&theme, &Theme::changed, m->url, [this, &theme] {
        m->url->setFont(theme.font(TextRole::code));
        m->url->setFixedWidth(theme.px(kUrlWidth));
        m->port->setMinimumWidth(theme.px(kNumberWidth));
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
    m->port->setMinimumWidth(theme.px(kNumberWidth));
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
    column->addWidget(formRow(
        theme, kLimitRow, {buildLimit(), makeLabel(tr("requests may wait, the next get 429"), "hint")}, nullptr));
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

QWidget* ServerPage::buildLimit() {
    const Theme& theme = m->context.theme;
    const auto& key = keys::kServerMaxWaiting;
    auto* limit = new QSpinBox;
    limit->setRange(key.minimum, key.maximum);
    limit->setValue(m->context.settings.value(key));
    limit->setGroupSeparatorShown(false);
    limit->setAccessibleName(tr("Requests that may wait"));
    limit->setToolTip(
        tr("Beyond those that the model answers at once; it takes %1 unless told otherwise").arg(key.fallback));
    limit->setKeyboardTracking(false);
    const auto resize = [limit, &theme] { limit->setMinimumWidth(theme.px(kNumberWidth)); };
    resize();
    connect(&theme, &Theme::changed, limit, resize);
    connect(limit, &QSpinBox::valueChanged, this, [this](int count) {
        m->context.settings.set(keys::kServerMaxWaiting, count);
        restartIfRunning();
    });
    return limit;
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

} // namespace vitrine::ui
