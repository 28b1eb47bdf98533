// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/stats: the Chrome trace-event format: complete ("X"), counter ("C") and metadata ("M") events.
#include "engine/stats/trace_export.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <map>

#include "engine/api/event.h"

namespace vitrine::engine {
namespace {

constexpr int kEngine = 1; // process of the step phases
constexpr int kSequences = 2; // process with one thread a sequence
// Its rows stand apart: slices of one thread must nest, and a sequence may end before its last step does.
constexpr int kRows = 3;
constexpr const char* kKindNames[] = {"prefill", "decode", "verify", "preempted", "finished", "queued"};
enum Kind : std::uint8_t { kPrefill, kDecode, kVerify, kPreempted, kFinished, kSubmitted };

std::uint64_t duration(const StepRecord& step) {
    return std::uint64_t{step.draft_us} + step.schedule_us + step.forward_us + step.sample_us + step.commit_us;
}

class TraceWriter {
public:
    TraceWriter() { out_ = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n"; }

    void name(const char* what, int process, std::uint32_t thread, const std::string& text) {
        event("{{\"ph\":\"M\",\"name\":\"{}\",\"pid\":{},\"tid\":{},\"args\":{{\"name\":\"{}\"}}}}", what, process,
            thread, text);
    }
    void phases(const StepRecord& step) {
        const std::pair<const char*, std::uint32_t> parts[] = {{"draft", step.draft_us}, {"schedule", step.schedule_us},
            {"forward", step.forward_us}, {"sample", step.sample_us}, {"commit", step.commit_us}};
        event("{{\"ph\":\"X\",\"name\":\"step {}\",\"pid\":{},\"tid\":1,\"ts\":{},\"dur\":{},\"args\":{{"
              "\"prefill_tokens\":{},\"decode_rows\":{},\"draft_rows\":{},\"accepted\":{},\"emitted\":{},"
              "\"prefix_queries\":{},\"prefix_hits\":{},\"preempted\":{},\"evicted\":{},\"recomputed\":{}}}}}",
            step.step, kEngine, step.start_us, duration(step), step.prefill_tokens, step.decode_rows, step.draft_rows,
            step.accepted, step.emitted, step.prefix_queries, step.prefix_hits, step.preempted, step.blocks_evicted,
            step.recomputed_tokens);
        std::uint64_t start = step.start_us;
        for (const auto& [phase, length] : parts) {
            event("{{\"ph\":\"X\",\"name\":\"{}\",\"pid\":{},\"tid\":2,\"ts\":{},\"dur\":{}}}", phase, kEngine, start,
                length);
            start += length;
        }
    }
    void counters(const StepRecord& step) {
        event("{{\"ph\":\"C\",\"name\":\"KV blocks\",\"pid\":{},\"ts\":{},\"args\":{{\"active\":{},\"cached\":{},"
              "\"free\":{}}}}}",
            kEngine, step.start_us, step.blocks_active, step.blocks_cached, step.blocks_free);
        event("{{\"ph\":\"C\",\"name\":\"sequences\",\"pid\":{},\"ts\":{},\"args\":{{\"running\":{},\"waiting\":{}}}}}",
            kEngine, step.start_us, step.running, step.waiting);
        event("{{\"ph\":\"C\",\"name\":\"rows\",\"pid\":{},\"ts\":{},\"args\":{{\"prefill\":{},\"decode\":{},"
              "\"draft\":{}}}}}",
            kEngine, step.start_us, step.prefill_tokens, step.decode_rows, step.draft_rows);
    }
    void rows(const SequenceLine& line, const StepRecord& step) {
        event("{{\"ph\":\"X\",\"name\":\"{} {}\",\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":{},\"args\":{{\"step\":{},"
              "\"first_position\":{},\"count\":{},\"hit\":{},\"accepted\":{}}}}}",
            kKindNames[line.kind], line.count, kRows, line.sequence, step.start_us, duration(step), line.step,
            line.first_position, line.count, line.hit, line.accepted);
    }
    void span(
        std::uint8_t kind, std::uint32_t sequence, std::uint64_t request, std::uint64_t start, std::uint64_t end) {
        event("{{\"ph\":\"X\",\"name\":\"{}\",\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":{},\"args\":{{\"request\":{}}}}}",
            kKindNames[kind], kSequences, sequence, start, end > start ? end - start : 0, request);
    }
    void finished(const SequenceLine& line) {
        const char* reason = line.finish <= static_cast<int>(FinishReason::error)
            ? finish_reason_name(static_cast<FinishReason>(line.finish))
            : "other";
        event("{{\"ph\":\"i\",\"name\":\"finished\",\"pid\":{},\"tid\":{},\"ts\":{},\"s\":\"t\",\"args\":{{"
              "\"request\":{},\"reason\":\"{}\"}}}}",
            kSequences, line.sequence, line.time_us, line.request, reason);
    }
    std::string finish() {
        out_ += "\n]}\n";
        return std::move(out_);
    }

private:
    template <class... Args>
    void event(fmt::format_string<Args...> format, Args&&... args) {
        if (!first_)
            out_ += ",\n";
        first_ = false;
        fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    }

    std::string out_;
    bool first_ = true;
};

/// The lanes: what each sequence is doing, from one change to the next.
class Lanes {
public:
    explicit Lanes(TraceWriter& writer) : writer_(writer) {}

    void apply(const SequenceLine& line) {
        const auto [found, fresh] = lanes_.try_emplace(line.sequence);
        if (fresh)
            for (const int process : {kSequences, kRows})
                writer_.name("thread_name", process, line.sequence,
                    fmt::format("request {} sequence {}", line.request, line.sequence));
        Lane& lane = found->second;
        const std::uint8_t doing = line.kind == kVerify ? std::uint8_t{kDecode} : line.kind;
        if (!fresh && lane.open && lane.doing == doing)
            return;
        close(line.sequence, lane, line.time_us);
        lane = Lane{line.request, line.time_us, doing, line.kind != kFinished};
        if (line.kind == kFinished)
            writer_.finished(line);
    }
    void close_all(std::uint64_t end) {
        for (auto& [sequence, lane] : lanes_)
            close(sequence, lane, end);
    }

private:
    struct Lane {
        std::uint64_t request = 0;
        std::uint64_t since = 0;
        std::uint8_t doing = kSubmitted;
        bool open = false;
    };
    void close(std::uint32_t sequence, Lane& lane, std::uint64_t end) {
        if (lane.open)
            writer_.span(lane.doing, sequence, lane.request, lane.since, end);
        lane.open = false;
    }

    TraceWriter& writer_;
    std::map<std::uint32_t, Lane> lanes_;
};

} // namespace

std::string export_trace(std::span<const StepRecord> steps, std::span<const SequenceLine> lines) {
    TraceWriter writer;
    writer.name("process_name", kEngine, 0, "Vitrine engine");
    writer.name("thread_name", kEngine, 1, "steps");
    writer.name("thread_name", kEngine, 2, "phases");
    writer.name("process_name", kSequences, 0, "sequences");
    writer.name("process_name", kRows, 0, "rows of sequences");
    for (const StepRecord& step : steps) {
        writer.phases(step);
        writer.counters(step);
    }
    Lanes lanes(writer);
    std::uint64_t end = steps.empty() ? 0 : steps.back().start_us + duration(steps.back());
    for (const SequenceLine& line : lines) {
        if (line.kind > kSubmitted)
            continue;
        end = std::max(end, line.time_us);
        lanes.apply(line);
        if (line.kind > kVerify)
            continue;
        const auto step = std::ranges::lower_bound(steps, line.step, {}, &StepRecord::step);
        if (step != steps.end() && step->step == line.step) // else the ring has lost it: its length is unknown
            writer.rows(line, *step);
    }
    lanes.close_all(end);
    return writer.finish();
}

} // namespace vitrine::engine
