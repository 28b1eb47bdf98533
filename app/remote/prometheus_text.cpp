// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/remote: pages in Prometheus' text exposition format 0.0.4.
#include "app/remote/prometheus_text.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace vitrine::app {
namespace {

bool isNameStart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':';
}
bool isName(char c) {
    return isNameStart(c) || (c >= '0' && c <= '9');
}
bool isBlank(char c) {
    return c == ' ' || c == '\t';
}

/// Reads one line from its start.  Every function returns what is wrong, or null.
class LineReader {
public:
    explicit LineReader(std::string_view line) : m_rest(line) {}

    const char* sample(MetricSample& into) {
        if (const char* wrong = name(into.name, true))
            return wrong;
        if (const char* wrong = labels(into))
            return wrong;
        if (const char* wrong = number(into.value))
            return wrong;
        return tail();
    }

private:
    void skipBlanks() {
        while (!m_rest.empty() && isBlank(m_rest.front()))
            m_rest.remove_prefix(1);
    }
    bool take(char c) {
        if (m_rest.empty() || m_rest.front() != c)
            return false;
        m_rest.remove_prefix(1);
        return true;
    }
    const char* name(std::string& into, bool colons) {
        std::size_t length = 0;
        while (length < m_rest.size() && isName(m_rest[length]) && (colons || m_rest[length] != ':'))
            ++length;
        if (length == 0 || !isNameStart(m_rest.front()))
            return colons ? "no name of a metric" : "no name of a label";
        into.assign(m_rest.substr(0, length));
        m_rest.remove_prefix(length);
        return nullptr;
    }
    const char* labels(MetricSample& into) {
        skipBlanks();
        if (!take('{'))
            return nullptr;
        while (true) {
            skipBlanks();
            if (take('}'))
                return nullptr; // a comma may stand behind the last label
            std::pair<std::string, std::string> label;
            if (const char* wrong = name(label.first, false))
                return wrong;
            skipBlanks();
            if (!take('='))
                return "a label without '='";
            skipBlanks();
            if (const char* wrong = quoted(label.second))
                return wrong;
            into.labels.push_back(std::move(label));
            skipBlanks();
            if (!take(',') && (m_rest.empty() || m_rest.front() != '}'))
                return "labels that no '}' ends";
        }
    }
    const char* quoted(std::string& into) {
        if (!take('"'))
            return "a label's value without quotes";
        while (!m_rest.empty()) {
            const char c = m_rest.front();
            m_rest.remove_prefix(1);
            if (c == '"')
                return nullptr;
            if (c != '\\') {
                into.push_back(c);
                continue;
            }
            if (m_rest.empty())
                break;
            const char escaped = m_rest.front();
            m_rest.remove_prefix(1);
            if (escaped != '\\' && escaped != '"' && escaped != 'n')
                return "an escape that is none of \\\\, \\\" and \\n";
            into.push_back(escaped == 'n' ? '\n' : escaped);
        }
        return "a label's value without end";
    }
    const char* number(double& into) {
        skipBlanks();
        std::size_t length = 0;
        while (length < m_rest.size() && !isBlank(m_rest[length]))
            ++length;
        const std::string_view text = m_rest.substr(0, length);
        m_rest.remove_prefix(length);
        return parse(text, into) ? nullptr : "no number";
    }
    /// As Go's ParseFloat, which the format names: "+Inf", "NaN", "+1.5e+06"; from_chars takes no '+' in front.
    static bool parse(std::string_view text, double& into) {
        if (!text.empty() && text.front() == '+')
            text.remove_prefix(1);
        if (text.empty() || text.front() == '+')
            return false;
        const char* end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, into);
        if (error == std::errc::result_out_of_range) {
            const bool isTiny = text.find("e-") != std::string_view::npos || text.find("E-") != std::string_view::npos;
            into = isTiny ? 0 : std::copysign(std::numeric_limits<double>::infinity(), text.front() == '-' ? -1 : 1);
        }
        return (error == std::errc{} || error == std::errc::result_out_of_range) && stop == end;
    }
    /// A timestamp in milliseconds, an exemplar, or nothing.
    const char* tail() {
        skipBlanks();
        if (m_rest.empty() || m_rest.front() == '#')
            return nullptr;
        double timestamp = 0;
        if (number(timestamp) != nullptr)
            return "something behind the value that is no timestamp";
        skipBlanks();
        return m_rest.empty() || m_rest.front() == '#' ? nullptr : "something behind the timestamp";
    }

    std::string_view m_rest;
};

std::string_view trimmed(std::string_view line) {
    while (!line.empty() && (isBlank(line.back()) || line.back() == '\r'))
        line.remove_suffix(1);
    while (!line.empty() && isBlank(line.front()))
        line.remove_prefix(1);
    return line;
}

} // namespace

const std::string* MetricSample::label(std::string_view wanted) const {
    for (const auto& [key, text] : labels)
        if (key == wanted)
            return &text;
    return nullptr;
}

Result<std::vector<MetricSample>> parseMetrics(std::string_view page) {
    std::vector<MetricSample> samples;
    std::size_t number = 0;
    while (!page.empty()) {
        const std::size_t end = page.find('\n');
        const std::string_view line = trimmed(page.substr(0, end));
        page.remove_prefix(end == std::string_view::npos ? page.size() : end + 1);
        ++number;
        if (line.empty() || line.front() == '#')
            continue; // HELP, TYPE and comments: names alone tell what a sample is
        const auto refuse = [&](const char* wrong) {
            return fail(ErrorCode::bad_file,
                "line " + std::to_string(number) + " of the metrics page has " + wrong + ": \"" +
                    std::string(line.substr(0, 80)) + "\"",
                "See that the address is the one of the server itself, not of a proxy before it.");
        };
        if (samples.size() == kMaxMetricSamples)
            return refuse("more samples than the 200,000 that are read");
        MetricSample sample;
        if (const char* wrong = LineReader(line).sample(sample))
            return refuse(wrong);
        samples.push_back(std::move(sample));
    }
    return samples;
}

} // namespace vitrine::app
