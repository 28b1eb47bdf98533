// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/frame: one server elsewhere.
#include "ui/frame/server_dialog.h"

#include "ui/bridge/qt_convert.h"
#include "ui/theme/theme.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/selectable_text.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QScreen>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace vitrine::ui {

namespace {

constexpr int kWidth = 480;

QString kindText(const ServerFacts& facts) {
    const QString name = serverKindName(facts.kind);
    return name.isEmpty() ? ServerDialog::tr("a server with OpenAI's API") : (name + u' ' + facts.version).trimmed();
}

bool isLoopback(const QString& host) {
    return host == QLatin1String("localhost") || host == QLatin1String("::1") || host.startsWith(QLatin1String("127."));
}

} // namespace

ServerDialog::ServerDialog(const Theme& theme, RemoteControl& remote, const RemoteServer& server, QWidget* parent)
    : QDialog(parent), m_remote(remote), m_server(server) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(server.id.isEmpty() ? tr("Add a server") : tr("Change %1").arg(server.name));
    build(theme);
    connect(&remote, &RemoteControl::probed, this, &ServerDialog::onProbed);
    warnOfOpenKey();
}

void ServerDialog::build(const Theme& theme) {
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 20);
    outer->setSpacing(0);
    m_content = new QWidget;
    m_content->setProperty("surface", QStringLiteral("none"));
    auto* area = new QScrollArea; // with large text on a small screen
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidget(m_content);
    outer->addWidget(area, 1);
    auto* column = new QVBoxLayout(m_content);
    column->setContentsMargins(24, 20, 24, Measure::kSpace4);
    column->setSpacing(Measure::kSpace4);
    QLabel* intro = makeLabel(tr("Chats are answered by this server, and the Engine page shows what it tells about "
                                 "itself. vLLM, SGLang, llama-server, TensorRT-LLM, another Vitrine, and others with "
                                 "OpenAI's API."),
        "hint");
    intro->setWordWrap(true);
    column->addWidget(intro);
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(Measure::kSpace4);
    form->setVerticalSpacing(Measure::kSpace2);
    const auto field = [&](const QString& label, const QString& text, const QString& placeholder) {
        auto* edit = new QLineEdit(text);
        edit->setPlaceholderText(placeholder);
        edit->setAccessibleName(label);
        form->addRow(label, edit);
        return edit;
    };
    m_url = field(tr("Address"), m_server.url.toString(), QStringLiteral("http://gpu7:8000"));
    m_key = field(tr("Key"), m_server.key, tr("if the server asks for one"));
    m_key->setEchoMode(QLineEdit::Password);
    m_name = field(tr("Name"), m_server.name, tr("as it is called here"));
    m_model = new QComboBox;
    m_model->setEditable(true);
    m_model->setAccessibleName(tr("Model"));
    m_model->lineEdit()->setPlaceholderText(tr("the first it offers"));
    m_model->setCurrentText(m_server.model);
    form->addRow(tr("Model"), m_model);
    column->addLayout(form);
    auto* kept =
        makeLabel(tr("A key is kept in settings.json of the data folder, not encrypted, in a file that only you "
                     "can read."),
            "small");
    kept->setWordWrap(true);
    column->addWidget(kept);
    m_openKey = makeLabel(tr("Over http the key can be read on the way; https would hide it."), "hint");
    m_openKey->setWordWrap(true);
    setStyleProperty(m_openKey, "tone", "warn");
    column->addWidget(m_openKey);
    m_answer = makeLabel({}, "hint");
    m_answer->setWordWrap(true);
    makeSelectable(*m_answer);
    m_answer->hide();
    column->addWidget(m_answer);
    column->addStretch();
    auto* row = m_buttons = new FlowLayout(Measure::kSpace2);
    row->setContentsMargins(24, 0, 24, 0);
    row->setEndsAtEdge(true);
    m_ask = new Button(theme, tr("Ask the server"));
    m_ask->setObjectName(QStringLiteral("askServer"));
    connect(m_ask, &Button::clicked, this, &ServerDialog::ask);
    row->addWidget(m_ask);
    if (!m_server.id.isEmpty()) {
        auto* remove = new Button(theme, tr("Remove"), Button::Kind::destructive);
        connect(remove, &Button::clicked, this, [this] {
            m_remote.remove(m_server.id);
            accept();
        });
        row->addWidget(remove);
    }
    auto* keep = new Button(theme, tr("Save"));
    connect(keep, &Button::clicked, this, [this] { save(false); });
    row->addWidget(keep);
    auto* use = new Button(theme, tr("Save and use"), Button::Kind::primary);
    use->setDefault(true);
    connect(use, &Button::clicked, this, [this] { save(true); });
    row->addWidget(use);
    outer->addLayout(row);
    for (QLineEdit* edit : {m_url, m_key})
        connect(edit, &QLineEdit::textChanged, this, &ServerDialog::warnOfOpenKey);
    setMinimumWidth(theme.px(kWidth));
}

RemoteServer ServerDialog::entered() const {
    RemoteServer server = m_server;
    server.url = QUrl(m_url->text().trimmed());
    if (const Result<QUrl> url = serverUrl(m_url->text()))
        server.url = *url;
    server.name = m_name->text().trimmed();
    server.key = m_key->text().trimmed();
    server.model = m_model->currentText().trimmed();
    return server;
}

void ServerDialog::warnOfOpenKey() {
    const Result<QUrl> url = serverUrl(m_url->text());
    m_openKey->setVisible(
        url && url->scheme() == QLatin1String("http") && !m_key->text().isEmpty() && !isLoopback(url->host()));
    makeRoom();
}

/// Dialogs do not grow by themselves for words that wrap: the fields would be pressed together instead.
void ServerDialog::makeRoom() {
    m_content->layout()->activate();
    const int width = isVisible() ? this->width() : minimumWidth();
    const int content = m_content->layout()->totalHeightForWidth(width);
    const int buttons = m_buttons->heightForWidth(width) + layout()->contentsMargins().bottom();
    const QWidget* behind = parentWidget() != nullptr ? parentWidget()->window() : nullptr;
    const int most = behind != nullptr ? behind->height() : screen()->availableSize().height();
    const int needed = std::min(content + buttons, most); // more scrolls
    setMinimumHeight(needed);
    if (height() < needed)
        resize(width, needed);
}

void ServerDialog::tell(const QString& text, const char* tone) {
    m_answer->setText(text.left(1).toUpper() + text.mid(1)); // errors of the network begin in the middle of a sentence
    m_answer->show();
    setStyleProperty(m_answer, "tone", tone);
    makeRoom();
}

void ServerDialog::ask() {
    if (const Result<QUrl> url = serverUrl(m_url->text()); !url)
        return tell(toQString(url.error().message) + u' ' + toQString(url.error().remedy), "error");
    m_ticket = m_remote.probe(entered());
    m_ask->setEnabled(false);
    tell(tr("Asking %1…").arg(entered().url.authority()), "");
}

void ServerDialog::onProbed(const ServerProbe& probe) {
    if (probe.ticket != m_ticket)
        return;
    m_ticket = 0;
    m_ask->setEnabled(true);
    if (!probe.error.message.empty())
        return tell(toQString(probe.error.message) + QStringLiteral(". ") + toQString(probe.error.remedy), "error");
    const QString wanted = m_model->currentText();
    m_model->clear();
    m_model->addItems(probe.models);
    if (!wanted.isEmpty())
        m_model->setCurrentText(wanted);
    QString text = tr("It is %1 and offers %n model(s).", nullptr, static_cast<int>(probe.models.size()))
                       .arg(kindText(probe.facts));
    text += u' ';
    text += probe.facts.metricsProblem.isEmpty()
        ? tr("Its metrics can be read.")
        : tr("Plots show this program's own requests only: %1").arg(probe.facts.metricsProblem);
    tell(text, "ok");
}

void ServerDialog::save(bool use) {
    const Result<QUrl> url = serverUrl(m_url->text());
    if (!url)
        return tell(toQString(url.error().message) + u' ' + toQString(url.error().remedy), "error");
    const Result<QString> id = m_remote.save(entered());
    if (!id)
        return tell(toQString(id.error().message), "error");
    if (use || *id == m_remote.current())
        m_remote.use(*id);
    accept();
}

} // namespace vitrine::ui
