// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/bench: what the Engine page costs with 65,536 blocks and 256 sequences that verify drafts: share of a
// core that the GUI thread takes while the event loop runs in real time at 20 Hz, with the page shown and hidden.
// Usage: engine_page_bench [--seconds S] [--steps PER SECOND] [--span INDEX] [--tall] [--shown] [--dark] [--picture F]
//        QT_QPA_PLATFORM=offscreen       INDEX: 0 10 s, 1 one minute, 2 ten minutes; --shown: for a profiler
#include "tests/ui/support/stage.h"
#include "ui/engine/engine_page.h"
#include "ui/widgets/segmented_control.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QStandardPaths>
#include <QTest>
#include <QTimer>

#include <cstdio>
#include <ctime>

using namespace vitrine;

namespace {

constexpr int kBlocks = 65'536, kSequences = 256, kBlocksEach = 200, kDrafts = 4;
constexpr int kTickMs = 50;
constexpr std::uint64_t kWarmUpSeconds = 70; // of steps, so that the minute before is there

/// Of the calling thread: what the engine's and the pool's threads take is not the page's.
double threadSeconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

void fill(engine::Snapshot& snapshot) {
    snapshot.block_map.assign(kBlocks, {});
    snapshot.sequences.clear();
    for (int i = 0; i < kSequences; ++i) {
        engine::SequenceStatus status;
        status.sequence = static_cast<std::uint32_t>(1000 + i);
        status.request = engine::RequestId{static_cast<std::uint64_t>(1000 + i)};
        status.label = "Request " + std::to_string(i);
        status.state = engine::SequenceState::decode;
        status.prompt_tokens = 3000;
        status.cached_tokens = i % 2 == 0 ? 2048 : 0;
        snapshot.sequences.push_back(status);
        for (int block = 0; block < kBlocksEach; ++block)
            snapshot.block_map[static_cast<std::size_t>(block * kSequences + i)] = {
                engine::BlockState::active, static_cast<std::uint16_t>(block < 20 ? 8 : 1), status.sequence, 10};
    }
    snapshot.running = kSequences;
}

/// The engine: steps of equal length, each with a line a sequence, and a snapshot every 50 ms.
class Load {
public:
    Load(testing::Stage& stage, int stepsPerSecond) : m_stage(stage), m_stepUs(1'000'000 / stepsPerSecond) {}

    /// What came in `seconds` is there at once; the feed reads it as it would have.
    void warmUp(std::uint64_t seconds) {
        for (std::uint64_t at = 0; at < seconds * 1'000'000; at += kTickMs * 1000)
            tick(), m_stage.snapshots.pollNow();
    }
    void tick() {
        const double start = threadSeconds();
        m_us += kTickMs * 1000;
        while (m_stepEnd + m_stepUs <= m_us)
            step();
        m_stage.engine.change([this](engine::Snapshot& snapshot) { advance(snapshot); });
        m_stage.engine.forget_until(m_step > 100 ? m_step - 100 : 0);
        m_cost += threadSeconds() - start;
    }
    [[nodiscard]] double cost() const { return m_cost; } // of the engine's part, seconds of processor time

private:
    void step() {
        engine::StepRecord record;
        const auto& known = m_stage.steps.steps();
        if (m_step == 0) {
            m_step = known.empty() ? 1 : known.back().step;
            m_origin = known.empty() ? 0 : known.back().start_us + 1'000'000;
        }
        record.step = ++m_step;
        record.start_us = m_origin + m_stepEnd;
        record.schedule_us = 700;
        record.sample_us = 500;
        record.commit_us = 800;
        record.forward_us = static_cast<std::uint32_t>(m_stepUs - 2'000 - m_step * 37 % 600);
        record.decode_rows = record.verify_seqs = record.running = kSequences;
        record.draft_rows = kSequences * kDrafts;
        record.accepted = kSequences * 2;
        record.emitted = kSequences * 3;
        record.accepted_per_position[0] = record.accepted_per_position[1] = kSequences;
        record.blocks_active = static_cast<std::uint32_t>(kBlocksEach * kSequences);
        record.blocks_shared = 20 * kSequences;
        record.blocks_free = kBlocks - record.blocks_active;
        record.num_lines = kSequences;
        m_stage.engine.add_step(record);
        std::vector<engine::SequenceLine> lines(kSequences);
        for (std::uint32_t i = 0; i < kSequences; ++i) {
            lines[i].time_us = record.start_us;
            lines[i].request = lines[i].sequence = 1000 + i;
            lines[i].kind = 2;
            lines[i].count = kDrafts + 1;
            lines[i].accepted = 2;
        }
        m_stage.engine.add_lines(lines);
        m_stepEnd += m_stepUs;
    }
    /// 16 sequences take a block each, as many are freed.
    void advance(engine::Snapshot& snapshot) {
        snapshot.engine_us = m_origin + m_us;
        snapshot.last_step = m_step;
        snapshot.counters.steps = m_step;
        snapshot.rates.decode_tokens_per_s = 15'000 + static_cast<double>(m_us / 50'000 % 97);
        snapshot.rates.itl_s = {0.05, 0.052 + static_cast<double>(m_us / 50'000 % 7) / 1e4, 0.06};
        for (engine::SequenceStatus& status : snapshot.sequences) {
            status.output_tokens += 3;
            status.age += std::chrono::milliseconds(kTickMs);
        }
        for (engine::BlockStatus& block : snapshot.block_map) // ages grow, moments of use stand
            block.last_used_ms += block.state == engine::BlockState::free ? 0 : kTickMs;
        constexpr int kTail = kBlocks - kBlocksEach * kSequences;
        for (int i = 0; i < kSequences / 16; ++i, ++m_taken) {
            snapshot.block_map[static_cast<std::size_t>(kBlocksEach * kSequences + m_taken % kTail)] = {
                engine::BlockState::active, 1, static_cast<std::uint32_t>(1000 + m_taken * 7 % kSequences), 0};
            snapshot.block_map[static_cast<std::size_t>(kBlocksEach * kSequences + (m_taken + kTail / 2) % kTail)] = {};
        }
    }

    testing::Stage& m_stage;
    std::uint64_t m_stepUs, m_us = 0, m_stepEnd = 0, m_step = 0, m_origin = 0;
    int m_taken = 0;
    double m_cost = 0;
};

/// Share of a core, percent, while the loop runs.
double measure(Load& load, int seconds) {
    QElapsedTimer wall;
    wall.start();
    const double start = threadSeconds() - load.cost();
    QTimer timer;
    timer.setTimerType(Qt::PreciseTimer);
    QObject::connect(&timer, &QTimer::timeout, [&load] { load.tick(); });
    timer.start(kTickMs);
    QEventLoop loop;
    QTimer::singleShot(seconds * 1000, &loop, &QEventLoop::quit);
    loop.exec();
    timer.stop();
    return (threadSeconds() - load.cost() - start) / (static_cast<double>(wall.nsecsElapsed()) / 1e9) * 100;
}

} // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QStandardPaths::setTestModeEnabled(true);
    QApplication application(argc, argv);
    QCommandLineParser parser;
    const QCommandLineOption seconds(QStringLiteral("seconds"), {}, QStringLiteral("s"), QStringLiteral("5")),
        steps(QStringLiteral("steps"), {}, QStringLiteral("n"), QStringLiteral("20")),
        span(QStringLiteral("span"), {}, QStringLiteral("index"), QStringLiteral("-1")), tall(QStringLiteral("tall")),
        shown(QStringLiteral("shown")), dark(QStringLiteral("dark")),
        picture(QStringLiteral("picture"), {}, QStringLiteral("file.png"));
    parser.addOptions({seconds, steps, span, tall, shown, dark, picture});
    parser.process(application);
    const int length = std::max(1, parser.value(seconds).toInt()), only = parser.value(span).toInt();
    if (only > 2) {
        std::fprintf(stderr, "--span %d: 0 is 10 s, 1 one minute, 2 ten minutes\n", only);
        return 2;
    }
    testing::Stage stage;
    if (parser.isSet(dark))
        stage.theme.setChoice(ui::SchemeChoice::dark);
    ui::OpenRecording recording;
    ui::EnginePage page(
        {stage.theme, stage.client, stage.snapshots, stage.steps, stage.sequences, stage.dialogs, recording});
    stage.snapshots.pollNow();
    stage.engine.change(fill);
    Load load(stage, std::clamp(parser.value(steps).toInt(), 1, 1000));
    load.warmUp(kWarmUpSeconds);
    page.resize(parser.isSet(tall) ? QSize(1856, 1400) : QSize(1216, 760));
    stage.snapshots.setWindowVisible(true);
    std::printf("blocks %d  sequences %d  steps/s %s  page %dx%d  GUI thread, %% of a core\n", kBlocks, kSequences,
        qPrintable(parser.value(steps)), page.width(), page.height());
    for (int index = only < 0 ? 0 : only; index <= (only < 0 ? 2 : only); ++index) {
        page.show();
        page.findChild<ui::SegmentedControl*>()->setCurrent(index);
        QTest::qWait(300);
        const int before = page.refreshCount();
        const double with = measure(load, length);
        const double rate = static_cast<double>(page.refreshCount() - before) / length;
        if (parser.isSet(picture)) // after moving for a while: strips must not show
            page.grab().save(parser.value(picture));
        page.hide();
        const double without = parser.isSet(shown) ? 0 : measure(load, length);
        std::printf("span %d  shown %5.2f  hidden %5.2f  page %5.2f   at %.1f refreshes/s\n", index, with, without,
            with - without, rate);
        std::fflush(stdout);
    }
    return 0;
}
