// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/app/remote: what Vitrine sees of a server that really runs; by hand, against vLLM, SGLang, llama-server,
// llama-cpp-python and other Vitrines.  Usage: remote_probe URL [KEY] [SECONDS]
#include "app/remote/remote_engine.h"
#include "app/remote/server_inquiry.h"
#include "ui/bridge/qt_convert.h"
#include "ui/bridge/remote_control.h"

#include <QCoreApplication>
#include <QNetworkAccessManager>
#include <QTest>

#include <cstdio>

using namespace vitrine;
using namespace vitrine::app;

namespace {

/// Prints how an answer goes.
class Printer final : public engine::EventSink {
public:
    void on_events(std::span<const engine::Event> events) override {
        for (const engine::Event& event : events) {
            if (const auto* delta = std::get_if<engine::Delta>(&event.what)) {
                m_text += delta->text;
                ++m_numDeltas;
            } else if (const auto* finished = std::get_if<engine::Finished>(&event.what)) {
                std::printf("answer: %d pieces, %d tokens of %d, first after %.3f s, %s\n  %.120s\n", m_numDeltas,
                    finished->usage.output_tokens, finished->usage.prompt_tokens,
                    ui::toSeconds(finished->timings.first_token), engine::finish_reason_name(finished->reason),
                    m_text.c_str());
                if (finished->error)
                    std::printf("  %s | %s\n", finished->error->message.c_str(), finished->error->remedy.c_str());
                done = true;
            } else if (const auto* rejected = std::get_if<engine::Rejected>(&event.what)) {
                std::printf("refused: %s | %s\n", rejected->error.message.c_str(), rejected->error.remedy.c_str());
                done = true;
            }
        }
        std::fflush(stdout);
    }
    std::atomic<bool> done{false};

private:
    std::string m_text;
    int m_numDeltas = 0;
};

void print(const ui::ServerReading& reading) {
    std::printf("%6.1f s%s%s:", reading.time, reading.restarted ? " restarted" : "", reading.own ? " own" : "");
    const auto number = [](const char* name, double value) {
        if (!std::isnan(value))
            std::printf(" %s %g", name, value);
    };
    ui::forEachGauge(reading, number);
    ui::forEachCounter(reading, number);
    ui::forEachHistogram(reading, [](const char* name, const ui::ServerHistogram& histogram) {
        if (!histogram.empty())
            std::printf(" %s[%g]", name, histogram.total());
    });
    std::printf("\n");
    std::fflush(stdout);
}

std::optional<InquiryResult> inquire(QNetworkAccessManager& network, const ServerAddress& server) {
    auto* inquiry = new ServerInquiry(network, server); // deletes itself
    std::optional<InquiryResult> found;
    QObject::connect(
        inquiry, &ServerInquiry::finished, inquiry, [&found](const InquiryResult& result) { found = result; });
    inquiry->start();
    return QTest::qWaitFor([&found] { return found.has_value(); }, 60'000) ? found : std::nullopt;
}

} // namespace

int main(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    const auto url = ui::serverUrl(arguments.value(1));
    if (!url) {
        std::printf("%s | %s\n", url.error().message.c_str(), url.error().remedy.c_str());
        return 2;
    }
    const ServerAddress server{url->authority(), *url, arguments.value(2)};
    QNetworkAccessManager network;
    const auto found = inquire(network, server);
    if (!found || !found->error.message.empty()) {
        std::printf("no: %s | %s\n", found ? found->error.message.c_str() : "no word",
            found ? found->error.remedy.c_str() : "");
        return 1;
    }
    const OfferedModel& model = found->models.first();
    std::printf("%s %s: model %s, context %d, of %lld\nmetrics: %s\n",
        qPrintable(ui::serverKindName(found->facts.kind)), qPrintable(found->facts.version), qPrintable(model.id),
        model.context, static_cast<long long>(found->models.size()),
        found->facts.metricsProblem.isEmpty() ? "yes" : qPrintable(found->facts.metricsProblem));
    RemoteEngine engine(RemoteTarget{server, model.id, model.context, found->facts});
    QObject::connect(&engine, &RemoteEngine::readingTaken, &application, print);
    QObject::connect(&engine, &RemoteEngine::factsChanged, &application, [](const ui::ServerFacts& facts) {
        std::printf("metrics now: %s\n", facts.metricsProblem.isEmpty() ? "yes" : qPrintable(facts.metricsProblem));
        std::fflush(stdout);
    });
    auto printer = std::make_shared<Printer>();
    ui::Request request;
    ui::ChatPrompt prompt;
    prompt.messages_json = R"([{"role":"user","content":"Tell me a long story about a lighthouse."}])";
    request.prompt = std::move(prompt);
    request.stop.max_tokens = 120;
    if (const auto id = engine.submit(request, printer); !id)
        std::printf("not sent: %s\n", id.error().message.c_str());
    const int seconds = std::max(2, arguments.value(3, QStringLiteral("6")).toInt());
    for (int tick = 0; tick < seconds * 10; ++tick) {
        static_cast<void>(engine.snapshot()); // somebody looks
        QTest::qWait(100);
    }
    const auto last = engine.snapshot();
    std::printf("snapshot: %d run, %d wait, decode %.1f tok/s, TTFT p50 %.3f s, blocks %d of %d\n", last->running,
        last->waiting, last->rates.decode_tokens_per_s, last->rates.ttft_s[0], last->blocks.active, last->blocks.total);
    engine.stop();
    return printer->done ? 0 : 3;
}
