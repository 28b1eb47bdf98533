// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/server: the request sheet.
#include "ui/server/request_sheet.h"

#include "ui/server/json_highlighter.h"
#include "ui/server/snippets.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/selectable_text.h"
#include "ui/widgets/tile_layout.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QJsonDocument>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QPainter>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QStyle>
#include <QTextOption>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <tuple>

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

constexpr int kFactColumns = 4, kBodyLines = 6;
constexpr int kReplayTimeoutMs = 10 * 60 * 1'000;

} // namespace

/// Queue, prompt and answer as shares of the total time.
class TimingBar final : public QWidget {
public:
    explicit TimingBar(const Theme& theme) : m_theme(theme) { setFixedHeight(12); }
    void setRow(const EndpointLogRow& row) {
        const double queue = std::max(row.queueSeconds, 0.0);
        const double first = std::max(row.firstTokenSeconds, queue);
        m_parts = {queue, first - queue, std::max(row.totalSeconds - first, 0.0)};
        setVisible(row.firstTokenSeconds >= 0 && row.totalSeconds > 0);
        setToolTip(RequestSheet::tr("waiting %1, prompt %2, answer %3")
                       .arg(withSeconds(m_parts[0]), withSeconds(m_parts[1]), withSeconds(m_parts[2])));
        setAccessibleName(toolTip());
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        const Color colors[] = {Color::queued, Color::prefill, Color::decode};
        const double total = m_parts[0] + m_parts[1] + m_parts[2];
        double x = 0;
        for (std::size_t i = 0; i < m_parts.size() && total > 0; ++i) {
            const double share = m_parts[i] / total * width();
            const QRectF part(x, 0, std::max(share - 1, m_parts[i] > 0 ? 2.0 : 0.0), height());
            painter.fillRect(QStyle::visualRect(layoutDirection(), rect(), part.toRect()), m_theme.color(colors[i]));
            x += share;
        }
    }

private:
    const Theme& m_theme;
    std::array<double, 3> m_parts{}; // seconds
};

RequestSheet::RequestSheet(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_title(makeLabel({}, "strong")), m_status(makeLabel({}, "")), m_who(makeLabel({}, "hint")),
      m_error(makeLabel({}, "")), m_facts(new TileLayout(kFactColumns, 12, 6)),
      m_which(new SegmentedControl(theme, {tr("Request"), tr("Prompt"), tr("Response")})), m_body(new QPlainTextEdit),
      m_highlighter(new JsonHighlighter(theme, m_body->document())), m_timing(new TimingBar(theme)),
      m_copy(new Button(theme, tr("Copy as curl"), Button::Kind::regular, QStringLiteral("copy"))),
      m_replay(new Button(theme, tr("Replay"), Button::Kind::regular, QStringLiteral("regenerate"))),
      m_replayed(makeLabel({}, "small")) {
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(16, 12, 12, 0);
    head->setSpacing(8);
    auto* words = new FlowLayout(8);
    for (QLabel* label : {m_title, m_status, m_who})
        words->addWidget(label);
    head->addLayout(words, 1);
    auto* close = new IconButton(theme, QStringLiteral("close"), tr("Close the request"));
    connect(close, &IconButton::clicked, this, &RequestSheet::closed);
    head->addWidget(close, 0, Qt::AlignTop);
    close->setObjectName(QStringLiteral("closeRequest"));
    setFocusProxy(close);
    outer->addLayout(head);
    auto* content = new QWidget; // scrolls in a low window
    content->setProperty("surface", "page");
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(16, 12, 16, 12);
    column->setSpacing(12);
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(content);
    outer->addWidget(scroll, 1);
    m_error->setWordWrap(true);
    m_error->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // a long word does not widen the panel
    makeSelectable(*m_error);
    setStyleProperty(m_error, "tone", "error");
    column->addWidget(m_error);
    column->addWidget(m_timing);
    column->addLayout(m_facts);
    m_which->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_which->setAccessibleName(tr("Part shown"));
    m_which->setWraps(true);
    connect(m_which, &SegmentedControl::currentChanged, this, &RequestSheet::refreshBody);
    column->addWidget(m_which);
    auto* frame = new QWidget;
    frame->setAttribute(Qt::WA_StyledBackground);
    frame->setProperty("surface", "well");
    auto* inner = new QVBoxLayout(frame);
    inner->setContentsMargins(8, 6, 4, 6);
    m_body->setReadOnly(true);
    m_body->setAccessibleName(tr("Body"));
    m_body->setTabChangesFocus(true);
    const auto resize = [this, &theme] {
        m_body->setFont(theme.font(TextRole::codeSmall));
        m_body->setMinimumHeight(kBodyLines * theme.lineHeight(TextRole::codeSmall));
    };
    resize();
    connect(&theme, &Theme::changed, m_body, resize);
    inner->addWidget(m_body);
    column->addWidget(frame, 1);
    auto* buttons = new FlowLayout(8);
    auto* engine = new Button(theme, tr("Show in Engine"));
    connect(engine, &Button::clicked, this, &RequestSheet::engineRequested);
    connect(m_copy, &Button::clicked, this, &RequestSheet::copyAsCurl);
    connect(m_replay, &Button::clicked, this, &RequestSheet::replay);
    for (Button* button : {engine, m_copy, m_replay}) {
        button->setProperty("size", QStringLiteral("toolbar"));
        buttons->addWidget(button);
    }
    m_replayed->setWordWrap(true);
    m_replayed->hide();
    column->addWidget(m_replayed);
    buttons->setContentsMargins(16, 0, 16, 12);
    outer->addLayout(buttons);
}

void RequestSheet::showRow(const EndpointLogRow& row, const QString& baseUrl, const QString& key) {
    if (row.number != m_row.number)
        m_replayed->hide();
    m_row = row;
    m_timing->setRow(row);
    const bool isWhole = !row.isBodyCut && (!row.requestBody.isEmpty() || row.method == QLatin1String("GET"));
    const QString why = row.isBodyCut
        ? tr("The log keeps 64 KiB of a request, this one was longer: send it from its program")
        : tr("The log keeps no more of this request: send it from its program");
    m_replay->setToolTip(isWhole ? tr("Sends the same request to this server again") : why);
    m_copy->setToolTip(isWhole ? QString() : why);
    m_replay->setEnabled(isWhole);
    m_copy->setEnabled(isWhole);
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
    for (const auto& [name, value] : facts) {
        auto* cell = new QWidget;
        auto* lines = new QVBoxLayout(cell);
        lines->setContentsMargins(0, 0, 0, 0);
        lines->setSpacing(0);
        lines->addWidget(makeLabel(name, "small"));
        lines->addWidget(makeLabel(value, ""));
        m_facts->addWidget(cell);
    }
    refreshBody();
}

bool RequestSheet::shows(const EndpointLogRow& row) const {
    const auto state = [](const EndpointLogRow& one) {
        return std::tuple(one.number, one.finished, one.status, one.firstTokenSeconds, one.totalSeconds,
            one.promptTokens, one.outputTokens, one.response.size());
    };
    return state(row) == state(m_row);
}

void RequestSheet::refreshBody() {
    const QString bodies[] = {indented(m_row.requestBody), m_row.prompt, m_row.response};
    const int which = std::max(0, m_which->current());
    const QString& text = bodies[which];
    m_highlighter->setActive(which == 0);
    QTextOption option = m_body->document()->defaultTextOption();
    // Code runs one way in every language; a line of nothing but brackets would follow the window.
    option.setTextDirection(which == 0 ? Qt::LeftToRight : Qt::LayoutDirectionAuto);
    m_body->document()->setDefaultTextOption(option);
    m_body->setPlainText(text.isEmpty() ? tr("Nothing kept.") : text);
}

QString RequestSheet::target() const {
    QString root = m_baseUrl;
    if (root.endsWith(QLatin1String("/v1")))
        root.chop(3);
    return root + m_row.route;
}

void RequestSheet::replay() {
    if (m_network == nullptr)
        m_network = new QNetworkAccessManager(this);
    QNetworkRequest request{QUrl(target())};
    request.setTransferTimeout(kReplayTimeoutMs);
    request.setHeader(QNetworkRequest::ContentTypeHeader, QStringLiteral("application/json"));
    request.setHeader(QNetworkRequest::UserAgentHeader, QStringLiteral("vitrine-replay"));
    if (!m_key.isEmpty())
        request.setRawHeader("Authorization", "Bearer " + m_key.toUtf8());
    QNetworkReply* reply = m_network->sendCustomRequest(request, m_row.method.toLatin1(), m_row.requestBody.toUtf8());
    m_replay->setEnabled(false);
    showReplay(tr("Sent again; the new row is in the log."), false);
    connect(reply, &QNetworkReply::readyRead, reply, [reply] { reply->readAll(); }); // the log keeps the answer
    connect(reply, &QNetworkReply::finished, this, [this, reply, number = m_row.number] {
        reply->deleteLater();
        if (number != m_row.number)
            return;
        m_replay->setEnabled(true);
        const int status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
        if (status == 0)
            return showReplay(tr("Not sent: %1. Switch the server on first.").arg(reply->errorString()), true);
        showReplay(tr("Sent again, answered with %1.").arg(plainText(status)), status >= 400);
    });
}

void RequestSheet::showReplay(const QString& text, bool isError) {
    m_replayed->setText(text);
    setStyleProperty(m_replayed, "tone", isError ? "error" : "ok");
    m_replayed->show();
}

void RequestSheet::copyAsCurl() {
    QGuiApplication::clipboard()->setText(curlOf(m_row.method, target(), m_key, m_row.requestBody));
}

} // namespace vitrine::ui
