// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/server: the page.
#include "ui/server/server_page.h"

#include "ui/bridge/engine_client.h"
#include "ui/bridge/qt_convert.h"
#include "ui/server/request_sheet.h"
#include "ui/server/server_page_parts.h"
#include "ui/server/snippets.h"
#include "ui/store/settings.h"
#include "ui/theme/theme.h"
#include "ui/widgets/error_banner.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/switch.h"

#include <QFileInfo>
#include <QRandomGenerator>
#include <QScrollArea>
#include <QTableView>
#include <QTcpServer>
#include <QVBoxLayout>

#include <algorithm>

namespace vitrine::ui {
namespace {

constexpr int kSideWidth = 424, kSideMinimum = 300, kFormWidth = 600, kSideFrom = 900;
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

} // namespace

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
            m->context.endpoint.start(endpointSettings(m->context.settings));
        }
        refreshState();
    });
    connect(&context.endpoint, &EndpointControl::rowsChanged, this, &ServerPage::refreshLog);
    connect(&context.client, &EngineClient::modelChanged, this, &ServerPage::refreshSnippet);
    refreshState();
    refreshLog();
}

ServerPage::~ServerPage() = default;

EndpointSettings ServerPage::endpointSettings(const Settings& settings) {
    EndpointSettings result;
    result.port = static_cast<quint16>(settings.value(keys::kServerPort));
    result.localNetwork = settings.value(keys::kServerLocalNetwork);
    result.apiKey = settings.value(keys::kServerKey);
    result.allowedOrigins = settings.value(keys::kServerOrigins);
    result.maxWaiting = settings.value(keys::kServerMaxWaiting);
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
