// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/engine: the page over servers elsewhere, read over HTTP as the program reads them: recorded pages of
// vLLM and SGLang, and another Vitrine; in light and dark.  People look at the pictures (VITRINE_SHOTS=FOLDER keeps them),
// the test at figures.
#pragma push_macro("slots")
#undef slots
#include "app/endpoint/endpoint.h"
#pragma pop_macro("slots")
#include "app/remote/remote_engine.h"
#include "app/remote/server_inquiry.h"
#include "tests/app/remote/recorded_pages.h"
#include "tests/app/remote/scripted_server.h"
#include "tests/support/scripted_engine.h"
#include "tests/ui/support/stage.h"
#include "ui/engine/engine_page.h"
#include "ui/engine/engine_tracks.h"
#include "ui/engine/server_panel.h"
#include "ui/widgets/live_plot.h"

#include <QNetworkAccessManager>
#include <QPixmap>
#include <QTest>
#include <QTimer>

#include <gtest/gtest.h>

namespace vitrine::ui {
namespace {

using namespace vitrine::testing;

constexpr double kStart = 3370; // half a minute before the clock of the scripted engine
constexpr int kReadings = 6;

class RemotePictures : public ::testing::Test {
protected:
    RemotePictures()
        : m_page({m_stage.theme, m_stage.client, m_stage.snapshots, m_stage.steps, m_stage.sequences, m_stage.dialogs,
              m_recording}) {
        m_page.resize(1216, 900);
        m_page.show();
        m_stage.snapshots.pollNow();
    }
    /// Asks who the server is, then takes its readings, one a second, as long as the page is looked at.
    void lookAt(const QUrl& url, const QString& name) {
        QNetworkAccessManager network;
        auto* inquiry = new app::ServerInquiry(network, {name, url, {}}); // deletes itself
        app::InquiryResult found;
        bool answered = false;
        QObject::connect(inquiry, &app::ServerInquiry::finished, inquiry, [&](const app::InquiryResult& result) {
            found = result;
            answered = true;
        });
        inquiry->start();
        ASSERT_TRUE(QTest::qWaitFor([&] { return answered; }, 15'000));
        ASSERT_EQ(found.error.message, "");
        m_stage.steps.restart(found.facts);
        app::RemoteEngine engine({{name, url, {}}, found.models.first().id, found.models.first().context, found.facts});
        int taken = 0;
        QObject::connect(&engine, &app::RemoteEngine::readingTaken, &m_page, [&](ServerReading reading) {
            reading.time = kStart + 5 * ++taken; // on the clock of the stage
            m_stage.steps.addReading(reading);
        });
        ASSERT_TRUE(QTest::qWaitFor(
            [&] {
                static_cast<void>(engine.snapshot()); // somebody looks
                return taken >= kReadings;
            },
            30'000));
        engine.stop();
        QTest::qWait(300);
    }
    void shoot(const QString& name) {
        for (const auto& [choice, scheme] :
            {std::pair(SchemeChoice::light, "light"), std::pair(SchemeChoice::dark, "dark")}) {
            m_stage.theme.setChoice(choice);
            QTest::qWait(150);
            const QString folder = qEnvironmentVariable("VITRINE_SHOTS", m_stage.dir.path());
            const QPixmap picture = m_page.grab();
            EXPECT_TRUE(picture.save(QStringLiteral("%1/remote-%2-%3.png").arg(folder, name, QLatin1String(scheme))));
        }
    }
    QString figure(EngineTracks::Track track) {
        return m_page.findChild<EngineTracks*>()->plot(track)->accessibleDescription();
    }
    QString panel() { return m_page.findChild<ServerPanel*>()->accessibleDescription(); }

    Stage m_stage;
    OpenRecording m_recording;
    EnginePage m_page;
};

/// A page a second, each as it was a second later.
class RecordedServer {
public:
    RecordedServer(QByteArray (*page)(int), const char* owner) : m_page(page) {
        ScriptedReply models;
        models.pieces = {QByteArray(R"({"object":"list","data":[{"id":")") + kRecordedModel + R"(","owned_by":")" +
            owner + R"(","max_model_len":131072}]})"};
        m_server.replies[QStringLiteral("/v1/models")] = models;
        turn();
        QObject::connect(&m_timer, &QTimer::timeout, &m_server, [this] { turn(); });
        m_timer.start(1'000);
    }
    [[nodiscard]] QUrl url() const { return m_server.url(); }

private:
    void turn() {
        ScriptedReply reply;
        reply.type = "text/plain";
        reply.pieces = {m_page(++m_second)};
        m_server.replies[QStringLiteral("/metrics")] = reply;
    }
    QByteArray (*m_page)(int);
    ScriptedServer m_server;
    QTimer m_timer;
    int m_second = 0;
};

TEST_F(RemotePictures, OfVllm) {
    RecordedServer server(vllmPage, "vllm");
    lookAt(server.url(), QStringLiteral("cluster"));
    EXPECT_EQ(figure(EngineTracks::batch), QStringLiteral("22 running 3 waiting"));
    EXPECT_TRUE(panel().startsWith(QStringLiteral("cluster · vLLM\n"))) << qPrintable(panel());
    EXPECT_EQ(m_page.findChild<EngineTracks*>()->plot(EngineTracks::kv)->legendText(), QStringLiteral("in use"))
        << "cached and shared are not told";
    EXPECT_EQ(panel().count(server.url().authority()), 1) << qPrintable(panel());
    shoot(QStringLiteral("vllm"));
}

TEST_F(RemotePictures, OfSglangThatIsCalledByItsAddress) {
    RecordedServer server(sglangPage, "sglang");
    lookAt(server.url(), server.url().authority());
    EXPECT_EQ(figure(EngineTracks::batch), QStringLiteral("162 running "));
    EXPECT_EQ(panel().count(server.url().authority()), 1) << qPrintable(panel());
    shoot(QStringLiteral("sglang"));
}

TEST_F(RemotePictures, OfAnotherVitrine) {
    ScriptedEngine other;
    app::Endpoint endpoint(other);
    app::EndpointConfig config;
    config.port = 0;
    ASSERT_TRUE(endpoint.start(config));
    lookAt(QUrl(QStringLiteral("http://127.0.0.1:%1").arg(endpoint.port())), QStringLiteral("Study"));
    EXPECT_TRUE(panel().startsWith(QStringLiteral("Study · Vitrine"))) << qPrintable(panel());
    EXPECT_TRUE(figure(EngineTracks::batch).startsWith(QStringLiteral("0 running")))
        << qPrintable(figure(EngineTracks::batch));
    shoot(QStringLiteral("vitrine"));
}

} // namespace
} // namespace vitrine::ui
