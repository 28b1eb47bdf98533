// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: chat in the terminal.
#include <chrono>
#include <condition_variable>
#include <mutex>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/device_watch.h"
#include "app/cli/interrupt.h"
#include "app/cli/open_model.h"
#include "engine/base/format.h"

namespace vitrine::app {
namespace {

constexpr std::chrono::milliseconds kSignalCheck{100};
constexpr std::string_view kHelp =
    "/help this text   /reset forget the conversation   /exit leave   Ctrl-C stop the answer";

/// Hands text from the engine thread to the terminal's.
class StreamingSink final : public engine::EventSink {
public:
    struct News {
        std::string text;
        std::string reasoning;
        bool done = false;
    };
    void on_events(std::span<const engine::Event> events) override {
        const std::scoped_lock lock(mutex_);
        for (const engine::Event& event : events) {
            if (const auto* delta = std::get_if<engine::Delta>(&event.what)) {
                news_.text += delta->text;
                news_.reasoning += delta->reasoning;
            } else if (const auto* finished = std::get_if<engine::Finished>(&event.what)) {
                finished_ = *finished;
                news_.done = true;
            } else if (const auto* rejected = std::get_if<engine::Rejected>(&event.what)) {
                error_ = rejected->error;
                news_.done = true;
            }
        }
        changed_.notify_all();
    }
    News take() {
        std::unique_lock lock(mutex_);
        changed_.wait_for(
            lock, kSignalCheck, [this] { return news_.done || !news_.text.empty() || !news_.reasoning.empty(); });
        News taken = news_;
        news_.text.clear();
        news_.reasoning.clear();
        return taken;
    }
    [[nodiscard]] std::optional<Error> error() const { return finished_.error ? finished_.error : error_; }
    [[nodiscard]] const engine::Finished& finished() const { return finished_; }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    News news_;
    engine::Finished finished_;
    std::optional<Error> error_;
};

class ChatLoop {
public:
    ChatLoop(engine::Engine& engine, const ChatOptions& options, Console& console)
        : engine_(engine), options_(options), console_(console), device_(engine) {
        reset();
    }

    int run() {
        console_.note(kHelp);
        std::string line;
        while (true) {
            console_.write("> ");
            if (!console_.read_line(line) || line == "/exit")
                return kExitSuccess;
            if (line.empty())
                continue;
            if (line == "/help")
                console_.note(kHelp);
            else if (line == "/reset")
                reset();
            else if (const auto error = answer(line)) {
                if (error->code != ErrorCode::device)
                    return console_.fail(*error);
                console_.note(fmt::format("{} {}", error->message, error->remedy));
                messages_.erase(messages_.size() - 1); // the question may be asked again
            }
            if (const auto news = device_.news())
                console_.note(*news);
        }
    }

private:
    void reset() {
        messages_ = nlohmann::ordered_json::array();
        if (!options_.system.empty())
            messages_.push_back({{"role", "system"}, {"content", options_.system}});
    }

    std::optional<Error> answer(const std::string& question) {
        messages_.push_back({{"role", "user"}, {"content", question}});
        engine::Request request;
        request.label = "vitrine-cli chat";
        request.sampling = options_.sampling;
        request.sampling.seed = options_.model.seed;
        request.stop.max_tokens = options_.max_tokens;
        engine::ChatPrompt prompt;
        prompt.messages_json = messages_.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
        request.prompt = std::move(prompt);
        const auto sink = std::make_shared<StreamingSink>();
        const auto id = engine_.submit(std::move(request), sink);
        if (!id)
            return id.error();
        std::string text;
        for (bool done = false; !done;) {
            const StreamingSink::News news = sink->take();
            console_.write(news.reasoning);
            console_.write(news.text);
            text += news.text;
            done = news.done;
            if (take_interrupt())
                engine_.cancel(*id);
        }
        console_.write("\n");
        if (const auto error = sink->error())
            return error;
        const engine::Finished& finished = sink->finished();
        console_.note(fmt::format("({} tokens, first after {}, {})", finished.usage.output_tokens,
            engine::format_duration(finished.timings.first_token), engine::finish_reason_name(finished.reason)));
        messages_.push_back({{"role", "assistant"}, {"content", text}});
        return std::nullopt;
    }

    engine::Engine& engine_;
    const ChatOptions& options_;
    Console& console_;
    DeviceWatch device_;
    nlohmann::ordered_json messages_;
};

} // namespace

int run_command(const ChatOptions& options, Console& console) {
    auto engine = open_engine(options.model);
    if (!engine)
        return console.fail(engine.error());
    catch_interrupts();
    return ChatLoop(**engine, options, console).run();
}

} // namespace vitrine::app
