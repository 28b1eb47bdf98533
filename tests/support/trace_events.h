// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: a strict reader of the Chrome JSON trace-event format ("Trace Event Format", Google, 2016; Perfetto's
// importer reads the same): what an event of each phase must have, and that slices of one thread follow each other or nest.
#pragma once

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace vitrine::testing {

class TraceEventReader {
public:
    /// The first thing wrong with the file; "" when there is none.
    [[nodiscard]] static std::string fault_of(const std::string& text) {
        const auto trace = nlohmann::json::parse(text, nullptr, false);
        if (!trace.is_object() || !trace.contains("traceEvents") || !trace["traceEvents"].is_array())
            return "it is no object with an array traceEvents";
        for (const auto& [key, value] : trace.items())
            if (key != "traceEvents" && !(key == "displayTimeUnit" && (value == "ms" || value == "ns")))
                return "the format has no " + key;
        TraceEventReader reader;
        for (const auto& event : trace["traceEvents"])
            if (std::string fault = reader.take(event); !fault.empty())
                return fault + ": " + event.dump();
        return reader.fault_of_threads();
    }

private:
    using Thread = std::pair<long, long>; // pid, tid

    static Thread thread_of(const nlohmann::json& event) {
        return {event["pid"].get<long>(), event["tid"].get<long>()};
    }

    std::string take(const nlohmann::json& event) {
        static const std::map<std::string, std::set<std::string>> kFields{
            {"X", {"ph", "name", "pid", "tid", "ts", "dur", "args", "cat"}},
            {"C", {"ph", "name", "pid", "ts", "args", "cat"}}, {"M", {"ph", "name", "pid", "tid", "args"}},
            {"i", {"ph", "name", "pid", "tid", "ts", "s", "args", "cat"}}};
        static const std::set<std::string> kOptional{"args", "cat"};
        if (!event.is_object() || !event.contains("ph") || !event["ph"].is_string())
            return "no event with a phase";
        const std::string phase = event["ph"];
        const auto fields = kFields.find(phase);
        if (fields == kFields.end())
            return "phase " + phase + " is not written here";
        for (const auto& [key, value] : event.items())
            if (!fields->second.contains(key))
                return "phase " + phase + " has no " + key;
        for (const std::string& key : fields->second)
            if (!kOptional.contains(key) && !event.contains(key))
                return "no " + key;
        for (const char* key : {"pid", "tid", "ts", "dur"})
            if (event.contains(key) && !event[key].is_number_unsigned())
                return std::string(key) + " is no count";
        if (!event["name"].is_string() || event["name"].get<std::string>().empty())
            return "no name";
        if (event.contains("args") && !event["args"].is_object())
            return "args are no object";
        return phase == "X" ? slice(event)
            : phase == "C"  ? counter(event)
            : phase == "M"  ? metadata(event)
                            : instant(event);
    }

    std::string slice(const nlohmann::json& event) {
        const auto start = event["ts"].get<std::uint64_t>();
        slices_[thread_of(event)].emplace_back(start, start + event["dur"].get<std::uint64_t>());
        return {};
    }
    std::string counter(const nlohmann::json& event) {
        std::set<std::string> series;
        for (const auto& [key, value] : event["args"].items()) {
            if (!value.is_number())
                return "series " + key + " is no number";
            series.insert(key);
        }
        if (series.empty())
            return "a counter without a series";
        const auto [known, fresh] =
            counters_.try_emplace({event["pid"].get<long>(), event["name"].get<std::string>()}, series);
        return fresh || known->second == series ? "" : "a counter whose series change";
    }
    std::string metadata(const nlohmann::json& event) {
        const std::string name = event["name"];
        if (name != "process_name" && name != "thread_name")
            return "no metadata of that name";
        if (!event["args"].contains("name") || !event["args"]["name"].is_string())
            return "no args.name";
        const bool fresh = name == "process_name" ? processes_.insert(event["pid"].get<long>()).second
                                                  : threads_.insert(thread_of(event)).second;
        return fresh ? "" : "named twice";
    }
    static std::string instant(const nlohmann::json& event) {
        const std::string scope = event["s"];
        return scope == "g" || scope == "p" || scope == "t" ? "" : "scope " + scope;
    }

    std::string fault_of_threads() {
        for (auto& [thread, slices] : slices_) {
            const std::string at = std::to_string(thread.first) + "/" + std::to_string(thread.second);
            if (!processes_.contains(thread.first) || !threads_.contains(thread))
                return "thread " + at + " has no name";
            // In order of begin, the longer first: each lies inside the open ones or behind them.
            std::sort(slices.begin(), slices.end(), [](const auto& a, const auto& b) {
                return a.first != b.first ? a.first < b.first : a.second > b.second;
            });
            std::vector<std::uint64_t> open;
            for (const auto& [start, end] : slices) {
                while (!open.empty() && open.back() <= start)
                    open.pop_back();
                if (!open.empty() && end > open.back())
                    return "slices of thread " + at + " overlap at " + std::to_string(start);
                open.push_back(end);
            }
        }
        return {};
    }

    std::map<Thread, std::vector<std::pair<std::uint64_t, std::uint64_t>>> slices_;
    std::map<std::pair<long, std::string>, std::set<std::string>> counters_;
    std::set<long> processes_;
    std::set<Thread> threads_;
};

} // namespace vitrine::testing
