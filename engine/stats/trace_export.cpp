// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/stats: the Chrome trace-event format: complete ("X"), counter ("C") and metadata ("M") events.
#include "engine/stats/trace_export.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <set>

#include "engine/api/event.h"

namespace vitrine::engine {
namespace {

constexpr int kEngine = 1; // process of the step phases
constexpr int kSequences = 2; // process with one thread a sequence
constexpr const char* kKindNames[] = {"prefill", "decode", "verify", "preempted", "finished"};

class TraceWriter {
public:
    TraceWriter() { out_ = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n"; }

    void name(const char* what, int process, std::uint32_t thread, const std::string& text) {
        event("{{\"ph\":\"M\",\"name\":\"{}\",\"pid\":{},\"tid\":{},\"args\":{{\"name\":\"{}\"}}}}", what, process,
            thread, text);
    }
    void phases(const StepRecord& step) {
        const std::pair<const char*, std::uint32_t> parts[] = {{"schedule", step.schedule_us},
            {"forward", step.forward_us}, {"sample", step.sample_us}, {"commit", step.commit_us}};
        event("{{\"ph\":\"X\",\"name\":\"step {}\",\"pid\":{},\"tid\":1,\"ts\":{},\"dur\":{},\"args\":{{"
              "\"prefill_tokens\":{},\"decode_rows\":{},\"draft_rows\":{},\"accepted\":{},\"emitted\":{},"
              "\"prefix_queries\":{},\"prefix_hits\":{},\"preempted\":{},\"evicted\":{}}}}}",
            step.step, kEngine, step.start_us, duration(step), step.prefill_tokens, step.decode_rows, step.draft_rows,
            step.accepted, step.emitted, step.prefix_queries, step.prefix_hits, step.preempted, step.blocks_evicted);
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
    }
    void line(const SequenceLine& line, const StepRecord& step) {
        const char* kind = line.kind < std::size(kKindNames) ? kKindNames[line.kind] : "other";
        const bool instant = line.kind >= 3;
        event("{{\"ph\":\"{}\",\"name\":\"{}\",\"pid\":{},\"tid\":{},\"ts\":{},{}\"args\":{{\"step\":{},\"request\":{},"
              "\"first_position\":{},\"count\":{},\"hit\":{},\"accepted\":{}{}}}}}",
            instant ? "i" : "X", kind, kSequences, line.sequence, step.start_us + (instant ? duration(step) : 0),
            instant ? std::string("\"s\":\"t\",") : fmt::format("\"dur\":{},", duration(step)), line.step, line.request,
            line.first_position, line.count, line.hit, line.accepted, finish_text(line));
    }
    std::string finish() {
        out_ += "\n]}\n";
        return std::move(out_);
    }

private:
    static std::uint64_t duration(const StepRecord& step) {
        return std::uint64_t{step.schedule_us} + step.forward_us + step.sample_us + step.commit_us;
    }
    static std::string finish_text(const SequenceLine& line) {
        if (line.kind != 4 || line.finish > static_cast<int>(FinishReason::error))
            return {};
        return fmt::format(",\"reason\":\"{}\"", finish_reason_name(static_cast<FinishReason>(line.finish)));
    }
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

} // namespace

std::string export_trace(std::span<const StepRecord> steps, std::span<const SequenceLine> lines) {
    TraceWriter writer;
    writer.name("process_name", kEngine, 0, "Vitrine engine");
    writer.name("thread_name", kEngine, 1, "steps");
    writer.name("thread_name", kEngine, 2, "phases");
    writer.name("process_name", kSequences, 0, "sequences");
    for (const StepRecord& step : steps) {
        writer.phases(step);
        writer.counters(step);
    }
    std::set<std::uint32_t> named;
    for (const SequenceLine& line : lines) {
        const auto step = std::ranges::lower_bound(steps, line.step, {}, &StepRecord::step);
        if (step == steps.end() || step->step != line.step)
            continue; // the ring has lost the step: a line without a time says nothing
        if (named.insert(line.sequence).second)
            writer.name("thread_name", kSequences, line.sequence,
                fmt::format("request {} sequence {}", line.request, line.sequence));
        writer.line(line, *step);
    }
    return writer.finish();
}

} // namespace vitrine::engine
