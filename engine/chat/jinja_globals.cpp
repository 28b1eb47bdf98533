// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/chat: global functions and strftime in the C locale.
#include "engine/chat/jinja_builtins.h"
#include "engine/chat/jinja_eval.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <unordered_map>

namespace vitrine::engine {
namespace {

using Value = JinjaValue;

constexpr std::array<std::string_view, 12> kMonths = {"January", "February", "March", "April", "May", "June", "July",
    "August", "September", "October", "November", "December"};
constexpr std::array<std::string_view, 7> kDays = {
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};

struct DayOf {
    int year; // 1..366
    int week; // 0 Sunday
};

DayOf day_of(const TemplateTime& time) {
    using namespace std::chrono;
    const sys_days day = year(time.year) / month(static_cast<unsigned>(time.month)) / time.day;
    const sys_days first = year(time.year) / January / 1;
    return {static_cast<int>((day - first).count()) + 1, static_cast<int>(weekday(day).c_encoding())};
}

std::string strftime_text(const TemplateTime& time, std::string_view format);

/// One directive; flag '-' drops padding, '_' pads with spaces, '^' raises.
std::string directive(const TemplateTime& time, char letter, char flag) {
    const auto number = [&](int value, int width) {
        if (flag == '-')
            return std::to_string(value);
        return flag == '_' ? fmt::format("{:{}}", value, width) : fmt::format("{:0{}}", value, width);
    };
    const auto name = [&](std::string_view text, std::size_t length) {
        std::string result(text.substr(0, length));
        if (flag == '^')
            std::transform(result.begin(), result.end(), result.begin(),
                [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
        return result;
    };
    const DayOf day = day_of(time);
    const std::string_view month = kMonths[static_cast<std::size_t>(time.month - 1)];
    const std::string_view weekday = kDays[static_cast<std::size_t>(day.week)];
    const int hour12 = time.hour % 12 == 0 ? 12 : time.hour % 12;
    switch (letter) {
    case 'Y':
        return std::to_string(time.year);
    case 'y':
        return number(time.year % 100, 2);
    case 'C':
        return number(time.year / 100, 2);
    case 'm':
        return number(time.month, 2);
    case 'd':
        return number(time.day, 2);
    case 'e':
        return flag == '-' ? std::to_string(time.day) : fmt::format("{:2}", time.day);
    case 'H':
        return number(time.hour, 2);
    case 'I':
        return number(hour12, 2);
    case 'M':
        return number(time.minute, 2);
    case 'S':
        return number(time.second, 2);
    case 'f':
        return "000000";
    case 'j':
        return number(day.year, 3);
    case 'p':
        return time.hour < 12 ? "AM" : "PM";
    case 'B':
        return name(month, month.size());
    case 'b':
    case 'h':
        return name(month, 3);
    case 'A':
        return name(weekday, weekday.size());
    case 'a':
        return name(weekday, 3);
    case 'u':
        return std::to_string(day.week == 0 ? 7 : day.week);
    case 'w':
        return std::to_string(day.week);
    case 'U':
        return number((day.year + 6 - day.week) / 7, 2);
    case 'W':
        return number((day.year + 6 - (day.week + 6) % 7) / 7, 2);
    case 'n':
        return "\n";
    case 't':
        return "\t";
    case 'z':
    case 'Z':
        return {}; // a naive datetime
    case 'F':
        return strftime_text(time, "%Y-%m-%d");
    case 'T':
    case 'X':
        return strftime_text(time, "%H:%M:%S");
    case 'R':
        return strftime_text(time, "%H:%M");
    case 'r':
        return strftime_text(time, "%I:%M:%S %p");
    case 'D':
    case 'x':
        return strftime_text(time, "%m/%d/%y");
    case 'c':
        return strftime_text(time, "%a %b %e %H:%M:%S %Y");
    case '%':
        return "%";
    default:
        return flag != '\0' ? std::string{'%', flag, letter} : std::string{'%', letter};
    }
}

std::string strftime_text(const TemplateTime& time, std::string_view format) {
    std::string out;
    for (std::size_t i = 0; i < format.size(); ++i) {
        if (format[i] != '%' || i + 1 >= format.size()) {
            out.push_back(format[i]);
            continue;
        }
        char flag = '\0';
        if (std::string_view("-_0^#").find(format[i + 1]) != std::string_view::npos && i + 2 < format.size())
            flag = format[++i];
        out += directive(time, format[++i], flag);
    }
    return out;
}

Value raise_exception(JinjaEvaluator& /*evaluator*/, const Value& /*self*/, JinjaArgs& args) {
    const auto bound = jinja_bind("raise_exception", args, {"message"});
    throw JinjaError{bound[0] ? jinja_str(*bound[0]).bytes : std::string("the template raised an exception")};
}

Value strftime_now(JinjaEvaluator& evaluator, const Value& /*self*/, JinjaArgs& args) {
    const auto bound = jinja_bind("strftime_now", args, {"format"});
    if (!bound[0] || !bound[0]->is_text())
        throw JinjaError{"TypeError: strftime_now needs a format text"};
    return evaluator.make(JinjaText(strftime_text(evaluator.now(), bound[0]->as_text().bytes)));
}

Value make_range(JinjaEvaluator& evaluator, const Value& /*self*/, JinjaArgs& args) {
    const auto bound = jinja_bind("range", args, {"start", "stop", "step"});
    if (!bound[0])
        throw JinjaError{"TypeError: range expected at least 1 argument, got 0"};
    const std::int64_t begin = bound[1] ? jinja_integer(*bound[0]) : 0;
    const std::int64_t end = jinja_integer(bound[1] ? *bound[1] : *bound[0]);
    const std::int64_t step = bound[2] ? jinja_integer(*bound[2]) : 1;
    if (step == 0)
        throw JinjaError{"ValueError: range() arg 3 must not be zero"};
    auto list = std::make_shared<JinjaList>();
    list->kind = JinjaListKind::range;
    list->range_repr =
        step == 1 ? fmt::format("range({}, {})", begin, end) : fmt::format("range({}, {}, {})", begin, end, step);
    for (std::int64_t i = begin; step > 0 ? i < end : i > end;) {
        if (static_cast<std::int64_t>(list->items.size()) >= JinjaLimits::kMaxRange)
            throw JinjaError{fmt::format(
                "OverflowError: Range too big. The sandbox blocks ranges larger than {}.", JinjaLimits::kMaxRange)};
        list->items.emplace_back(i);
        if (__builtin_add_overflow(i, step, &i))
            break;
    }
    evaluator.charge(static_cast<std::int64_t>(list->items.size() / 16));
    return Value(std::move(list));
}

void fill_map(JinjaMap& map, JinjaArgs& args) {
    if (!args.positional.empty()) {
        const Value& source = args.positional[0];
        if (source.is_map()) {
            for (const auto& [key, value] : source.as_map()->entries)
                map.set(key, value);
        } else {
            for (const Value& pair : jinja_iterate(source)) {
                const std::vector<Value> items = jinja_iterate(pair);
                if (items.size() != 2)
                    throw JinjaError{"ValueError: dictionary update sequence element has no length of 2"};
                map.set(items[0], items[1]);
            }
        }
    }
    for (auto& [name, value] : args.keywords)
        map.set(name, value);
}

Value make_dict(JinjaEvaluator& /*evaluator*/, const Value& /*self*/, JinjaArgs& args) {
    auto map = std::make_shared<JinjaMap>();
    fill_map(*map, args);
    return Value(std::move(map));
}

Value make_namespace(JinjaEvaluator& evaluator, const Value& /*self*/, JinjaArgs& args) {
    auto names = std::make_shared<JinjaNamespace>();
    fill_map(names->values, args);
    Value value{JinjaValue::Object(std::move(names))};
    evaluator.track(value);
    return value;
}

/// cycler(...): next(), current, reset().
class Cycler final : public JinjaObject {
public:
    explicit Cycler(std::vector<Value> items) : items_(std::move(items)) {}
    [[nodiscard]] Value attribute(JinjaEvaluator& evaluator, std::string_view name) override;
    [[nodiscard]] std::string repr() const override { return "<Cycler>"; }
    Value next() { return items_[position_++ % items_.size()]; }
    void reset() { position_ = 0; }
    std::weak_ptr<JinjaObject> self;

private:
    std::vector<Value> items_;
    std::size_t position_ = 0;
};

Value cycler_next(JinjaEvaluator& /*evaluator*/, const Value& self, JinjaArgs& /*args*/) {
    return static_cast<Cycler&>(*self.as_object()).next();
}

Value cycler_reset(JinjaEvaluator& /*evaluator*/, const Value& self, JinjaArgs& /*args*/) {
    static_cast<Cycler&>(*self.as_object()).reset();
    return {};
}

Value Cycler::attribute(JinjaEvaluator& evaluator, std::string_view name) {
    if (name == "current")
        return items_[position_ % items_.size()];
    if (name == "next" || name == "reset")
        return Value(
            std::make_shared<JinjaNative>(name, name == "next" ? cycler_next : cycler_reset, Value(self.lock())));
    return JinjaObject::attribute(evaluator, name);
}

Value make_cycler(JinjaEvaluator& /*evaluator*/, const Value& /*self*/, JinjaArgs& args) {
    if (args.positional.empty())
        throw JinjaError{"RuntimeError: at least one item has to be provided"};
    auto cycler = std::make_shared<Cycler>(args.positional);
    cycler->self = cycler;
    return Value(JinjaValue::Object(std::move(cycler)));
}

/// joiner(sep): nothing at the first call, sep at the others.
class Joiner final : public JinjaObject {
public:
    explicit Joiner(Value separator) : separator_(std::move(separator)) {}
    [[nodiscard]] bool callable() const override { return true; }
    [[nodiscard]] Value call(JinjaEvaluator& /*evaluator*/, JinjaArgs& /*args*/) override {
        return std::exchange(used_, true) ? separator_ : Value::text("");
    }
    [[nodiscard]] std::string repr() const override { return "<Joiner>"; }

private:
    Value separator_;
    bool used_ = false;
};

Value make_joiner(JinjaEvaluator& /*evaluator*/, const Value& /*self*/, JinjaArgs& args) {
    const auto bound = jinja_bind("joiner", args, {"sep"});
    return Value(std::make_shared<Joiner>(bound[0].value_or(Value::text(", "))));
}

} // namespace

JinjaValue jinja_find_global(std::string_view name) {
    static const std::unordered_map<std::string_view, JinjaNative::Function> table = {{"range", make_range},
        {"dict", make_dict}, {"namespace", make_namespace}, {"raise_exception", raise_exception},
        {"strftime_now", strftime_now}, {"cycler", make_cycler}, {"joiner", make_joiner}};
    const auto found = table.find(name);
    if (found == table.end())
        return JinjaValue::undefined("no such function");
    return JinjaValue(std::make_shared<JinjaNative>(name, found->second, JinjaValue()));
}

std::vector<std::optional<JinjaValue>> jinja_bind(
    std::string_view function, JinjaArgs& args, std::initializer_list<std::string_view> names) {
    if (args.positional.size() > names.size())
        throw JinjaError{fmt::format(
            "TypeError: {}() takes at most {} argument(s), {} given", function, names.size(), args.positional.size())};
    std::vector<std::optional<JinjaValue>> bound(names.size());
    for (std::size_t i = 0; i < args.positional.size(); ++i)
        bound[i] = args.positional[i];
    for (const auto& [name, value] : args.keywords) {
        const auto* const place = std::find(names.begin(), names.end(), name);
        if (place == names.end())
            throw JinjaError{fmt::format("TypeError: {}() got an unexpected keyword argument '{}'", function, name)};
        bound[static_cast<std::size_t>(place - names.begin())] = value;
    }
    return bound;
}

} // namespace vitrine::engine
