// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/gui: the real endpoint behind the window: what its log tells of a request.
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QPlainTextEdit>
#include <QTableView>
#include <QTest>
#include <QTextBlock>
#include <QTextOption>

#include "tests/gui/window_fixture.h"
#include "ui/bridge/endpoint_control.h"
#include "ui/server/request_sheet.h"
#include "ui/server/server_page.h"
#include "ui/widgets/segmented_control.h"

namespace vitrine::testing {

namespace {

class ServerLogTest : public WindowTest {
protected:
    void serve(const ui::EndpointSettings& settings) {
        launch();
        m_app->endpoint().start(settings);
        ASSERT_TRUE(waitFor([this] { return m_app->endpoint().state() == ui::EndpointControl::State::running; }));
    }
    /// The row of the log that this request made.
    ui::EndpointLogRow post(const QByteArray& body) {
        QNetworkRequest request(m_app->endpoint().url().resolved(QUrl(QStringLiteral("/v1/chat/completions"))));
        request.setHeader(QNetworkRequest::ContentTypeHeader, QStringLiteral("application/json"));
        const std::size_t before = m_app->endpoint().rows().size();
        const std::unique_ptr<QNetworkReply> reply(m_network.post(request, body));
        EXPECT_TRUE(waitFor([&] { return reply->isFinished(); }));
        const auto& rows = m_app->endpoint().rows();
        EXPECT_TRUE(waitFor([&] { return rows.size() > before && rows[rows.size() - 1].finished; }));
        return rows.size() > before ? rows[rows.size() - 1] : ui::EndpointLogRow{};
    }
    static QByteArray chat(const QByteArray& model, const QByteArray& text) {
        return "{\"model\":\"" + model + "\",\"messages\":[{\"role\":\"user\",\"content\":\"" + text + "\"}]}";
    }
    [[nodiscard]] QByteArray model() const {
        return QFileInfo(QString::fromStdString(m_app->client().model()->info.path)).completeBaseName().toUtf8();
    }
    QNetworkAccessManager m_network;
};

TEST_F(ServerLogTest, AFailureIsTheSentenceOfTheError) {
    serve({.port = 0, .localNetwork = false, .apiKey = {}, .allowedOrigins = {}});
    const ui::EndpointLogRow unknown = post(chat("nobody", "hello"));
    EXPECT_EQ(unknown.status, 404);
    EXPECT_TRUE(unknown.error.contains("nobody")) << unknown.error.toStdString();
    EXPECT_FALSE(unknown.error.contains(u'{')) << "a sentence, not JSON: " << unknown.error.toStdString();
    ScriptedAnswer answer;
    answer.rejection =
        Error{ErrorCode::invalid_argument, "the prompt has 9012 tokens, the context is 8192", "Shorten it."};
    m_engine->set_answer(answer);
    const ui::EndpointLogRow refused = post(chat(model(), "hello"));
    EXPECT_GE(refused.status, 400);
    EXPECT_TRUE(refused.error.contains("9012")) << "the log tells why: " << refused.error.toStdString();
}

TEST_F(ServerLogTest, TheSheetOfARequestIsMirroredButItsCodeIsNot) {
    serve({.port = 0, .localNetwork = false, .apiKey = {}, .allowedOrigins = {}});
    qApp->setLayoutDirection(Qt::RightToLeft);
    m_engine->set_answer({});
    post(chat(model(), "\u05e9\u05dc\u05d5\u05dd").chopped(1) + R"(,"stop":["\u05d3\u05d9"]})"); // Hebrew
    ASSERT_TRUE(m_app->window().showPage("server"));
    auto& sheet = part<ui::RequestSheet>();
    auto* log = sheet.window()->findChild<ui::ServerPage*>()->findChild<QTableView*>();
    ASSERT_TRUE(waitFor([&] { return log->model()->rowCount() > 0; }));
    emit log->activated(log->model()->index(0, 0));
    ASSERT_TRUE(waitFor([&] { return sheet.isVisible(); }));
    shot(QStringLiteral("rtl-request"));
    auto& body = *sheet.findChild<QPlainTextEdit*>();
    for (QTextBlock block = body.document()->begin(); block.isValid(); block = block.next())
        EXPECT_EQ(block.textDirection(), Qt::LeftToRight) << block.text().toStdString();
    EXPECT_LT(sheet.mapTo(&m_app->window(), QPoint()).x(), log->mapTo(&m_app->window(), QPoint()).x());
    sheet.findChild<ui::SegmentedControl*>()->setCurrent(1);
    EXPECT_EQ(body.document()->defaultTextOption().textDirection(), Qt::LayoutDirectionAuto)
        << "a paragraph of a prompt goes by its own letters";
    qApp->setLayoutDirection(Qt::LeftToRight);
}

TEST_F(ServerLogTest, ALongRequestIsMarkedAsCut) {
    serve({.port = 0, .localNetwork = false, .apiKey = {}, .allowedOrigins = {}});
    m_engine->set_answer({});
    EXPECT_FALSE(post(chat(model(), "short")).isBodyCut);
    for (const char* start : {"x", "xx"}) { // one of them ends in the middle of a letter
        const ui::EndpointLogRow row = post(chat(model(), start + QByteArray("é").repeated(40'000)));
        EXPECT_TRUE(row.isBodyCut) << row.requestBody.right(8).toStdString();
        EXPECT_FALSE(row.requestBody.contains(QChar(0xFFFD))) << row.requestBody.right(8).toStdString();
    }
}

} // namespace

} // namespace vitrine::testing
