// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/server: the request sheet.
#include "ui/server/request_sheet.h"

#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/segmented_control.h"

#include <QClipboard>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QJsonDocument>
#include <QPlainTextEdit>
#include <QVBoxLayout>

namespace vitrine::ui {
namespace {

QString withSeconds(double seconds) {
    return seconds < 0 ? QString(kNone)
                       : secondsText(seconds) + (seconds < 59.95 ? QString(kNoBreakSpace) + u's' : QString());
}

/// JSON with line breaks, members in the order they were sent (QJsonDocument would sort them).
QString indented(const QString& body) {
    if (QJsonDocument::fromJson(body.toUtf8()).isNull())
        return body;
    QString result;
    int depth = 0;
    bool inText = false;
    const auto newLine = [&] { result += u'\n' + QString(2 * depth, u' '); };
    for (qsizetype i = 0; i < body.size(); ++i) {
        const QChar letter = body[i];
        if (inText) {
            result += letter;
            if (letter == u'\\')
                result += body[++i];
            inText = letter != u'"';
        } else if (letter == u'{' || letter == u'[') {
            result += letter;
            ++depth;
            newLine();
        } else if (letter == u'}' || letter == u']') {
            --depth;
            newLine();
            result += letter;
        } else if (letter == u',') {
            result += letter;
            newLine();
        } else if (letter == u':') {
            result += QStringLiteral(": ");
        } else if (!letter.isSpace()) {
            result += letter;
            inText = letter == u'"';
        }
    }
    return result;
}

} // namespace

RequestSheet::RequestSheet(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_title(makeLabel({}, "strong")), m_status(makeLabel({}, "")), m_who(makeLabel({}, "hint")),
      m_error(makeLabel({}, "")), m_facts(new QGridLayout),
      m_which(new SegmentedControl(theme, {tr("Request"), tr("Prompt"), tr("Response")})), m_body(new QPlainTextEdit) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 12, 16, 12);
    column->setSpacing(12);
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(m_title);
    head->addWidget(m_status);
    head->addWidget(m_who, 1);
    auto* close = new IconButton(theme, QStringLiteral("close"), tr("Close the request"));
    connect(close, &IconButton::clicked, this, &RequestSheet::closed);
    head->addWidget(close);
    column->addLayout(head);
    m_error->setWordWrap(true);
    m_error->setTextInteractionFlags(Qt::TextSelectableByMouse);
    setStyleProperty(m_error, "tone", "error");
    column->addWidget(m_error);
    column->addLayout(m_facts);
    m_which->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_which->setAccessibleName(tr("Part shown"));
    connect(m_which, &SegmentedControl::currentChanged, this, &RequestSheet::refreshBody);
    column->addWidget(m_which);
    auto* frame = new QWidget;
    frame->setAttribute(Qt::WA_StyledBackground);
    frame->setProperty("surface", "well");
    auto* inner = new QVBoxLayout(frame);
    inner->setContentsMargins(8, 6, 4, 6);
    m_body->setReadOnly(true);
    m_body->setFont(theme.font(TextRole::codeSmall));
    m_body->setAccessibleName(tr("Body"));
    m_body->setTabChangesFocus(true);
    connect(&theme, &Theme::changed, m_body, [this, &theme] { m_body->setFont(theme.font(TextRole::codeSmall)); });
    inner->addWidget(m_body);
    column->addWidget(frame, 1);
    auto* buttons = new QHBoxLayout;
    auto* copy = new Button(theme, tr("Copy as curl"), Button::Kind::regular, QStringLiteral("copy"));
    connect(copy, &Button::clicked, this, &RequestSheet::copyAsCurl);
    buttons->addWidget(copy);
    buttons->addStretch();
    column->addLayout(buttons);
}

void RequestSheet::showRow(const EndpointLogRow& row, const QString& baseUrl, const QString& key) {
    m_row = row;
    m_baseUrl = baseUrl;
    m_key = key;
    m_title->setText(tr("Request %1").arg(row.number));
    m_status->setText(row.status > 0 ? plainText(row.status) : tr("running"));
    setStyleProperty(m_status, "tone", row.status >= 400 ? "error" : "ok");
    m_who->setText(
        QStringLiteral("%1 · %2").arg(row.client, row.time.toLocalTime().toString(QStringLiteral("HH:mm:ss"))));
    m_error->setText(row.error);
    m_error->setVisible(!row.error.isEmpty());
    while (QLayoutItem* item = m_facts->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const bool generated = row.promptTokens > 0;
    const QString none(kNone);
    const std::pair<QString, QString> facts[] = {{tr("Queue"), withSeconds(row.queueSeconds)},
        {tr("First token"), withSeconds(row.firstTokenSeconds)}, {tr("Total"), withSeconds(row.totalSeconds)},
        {tr("Speed"), row.tokensPerSecond < 0 ? none : rateText(row.tokensPerSecond) + kNoBreakSpace + tr("tok/s")},
        {tr("Prompt"), generated ? countText(row.promptTokens) : none},
        {tr("From cache"), generated ? countText(row.cachedTokens) : none},
        {tr("Answer"), generated ? countText(row.outputTokens) : none},
        {tr("Finish"), row.finish.isEmpty() ? none : row.finish}};
    for (int i = 0; i < static_cast<int>(std::size(facts)); ++i) {
        auto* cell = new QWidget;
        auto* lines = new QVBoxLayout(cell);
        lines->setContentsMargins(0, 0, 0, 0);
        lines->setSpacing(0);
        lines->addWidget(makeLabel(facts[i].first, "small"));
        lines->addWidget(makeLabel(facts[i].second, ""));
        m_facts->addWidget(cell, i / 4, i % 4);
    }
    refreshBody();
}

void RequestSheet::refreshBody() {
    const QString bodies[] = {indented(m_row.requestBody), m_row.prompt, m_row.response};
    const QString& text = bodies[std::max(0, m_which->current())];
    m_body->setPlainText(text.isEmpty() ? tr("Nothing kept.") : text);
}

void RequestSheet::copyAsCurl() {
    QString root = m_baseUrl;
    if (root.endsWith(QLatin1String("/v1")))
        root.chop(3);
    QString text = QStringLiteral("curl -X %1 %2%3").arg(m_row.method, root, m_row.route);
    if (!m_key.isEmpty())
        text += QStringLiteral(" \\\n  -H 'Authorization: Bearer %1'").arg(m_key);
    if (!m_row.requestBody.isEmpty())
        text += QStringLiteral(" \\\n  -H 'Content-Type: application/json' \\\n  -d '%1'")
                    .arg(QString(m_row.requestBody).replace(u'\'', QLatin1String("'\\''")));
    QGuiApplication::clipboard()->setText(text);
}

} // namespace vitrine::ui
