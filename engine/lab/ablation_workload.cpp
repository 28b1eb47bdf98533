// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/lab: the loads of the ablation.
#include "engine/lab/ablation_workload.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <random>

namespace vitrine::engine {
namespace {

constexpr int kSinglePrompt = 32;
constexpr int kSingleOutput = 64;
constexpr int kScored = 256;

/// Plain statements, so that a small model finds them likely; numbers keep the sentences apart.
constexpr const char* kSentences[] = {"The harbour master writes the name of ship {} into the book before noon.",
    "In room {} the children learn to read a map and to find the river on it.",
    "A baker who gets up at four can sell {} loaves before the school opens.",
    "Because of the rain, the train from platform {} left an hour late.",
    "Line {} of the report says that the bridge needs new bolts and a coat of paint.",
    "The garden behind house {} has apples in autumn and snowdrops in February.",
    "When the clock struck {}, the library closed its doors and the lamps went out."};

class Cutter {
public:
    explicit Cutter(const AblationLoads& loads) : loads_(loads), random_(loads.seed) {}

    /// `length` tokens of the text; unlike each other from the first token on.
    TokenPrompt prompt(int length) {
        const auto size = std::min(static_cast<std::size_t>(std::max(length, 1)), loads_.text.size());
        next_ = (next_ + 97) % (loads_.text.size() - size + 1);
        const auto begin = loads_.text.begin() + static_cast<std::ptrdiff_t>(next_);
        return TokenPrompt{{begin, begin + static_cast<std::ptrdiff_t>(size)}};
    }
    int length(int low, int high) { return low + static_cast<int>(random_() % static_cast<unsigned>(high - low + 1)); }
    /// Exponential, so that the arrivals are a Poisson process.
    std::chrono::microseconds gap() {
        const double u = (static_cast<double>(random_()) + 0.5) / 4294967296.0;
        return std::chrono::microseconds(std::llround(-std::log(u) * loads_.mean_gap_s * 1e6));
    }

private:
    const AblationLoads& loads_;
    std::mt19937 random_;
    std::size_t next_ = 0;
};

TimedRequest timed(TokenPrompt prompt, int output) {
    TimedRequest one;
    one.request.source = RequestSource::lab;
    one.request.label = "ablation";
    one.request.prompt = std::move(prompt);
    one.request.sampling.temperature = 0;
    one.request.stop.max_tokens = output;
    one.request.stop.ignore_eos = true;
    return one;
}

std::vector<TimedRequest> mixed_load(const AblationLoads& loads, bool at_random) {
    Cutter cutter(loads);
    std::vector<TimedRequest> load;
    std::chrono::microseconds arrival{0};
    for (int i = 0; i < loads.num_requests; ++i) {
        const int prompt = cutter.length(8, 64);
        load.push_back(timed(cutter.prompt(prompt), cutter.length(8, 48)));
        load.back().arrival = arrival;
        if (at_random)
            arrival += cutter.gap();
    }
    return load;
}

std::vector<TimedRequest> shared_head_load(const AblationLoads& loads) {
    Cutter cutter(loads);
    const std::vector<TokenId> head = cutter.prompt(loads.context / 4).ids;
    std::vector<TimedRequest> load;
    for (int i = 0; i < loads.num_requests; ++i) {
        TokenPrompt prompt = cutter.prompt(32);
        prompt.ids.insert(prompt.ids.begin(), head.begin(), head.end());
        load.push_back(timed(std::move(prompt), 16));
    }
    return load;
}

/// A quarter of the requests are long prompts, which arrive while the others decode.
std::vector<TimedRequest> long_prompt_load(const AblationLoads& loads) {
    Cutter cutter(loads);
    std::vector<TimedRequest> load;
    for (int i = 0; i < std::max(1, loads.num_requests / 2); ++i)
        load.push_back(timed(cutter.prompt(16), 96));
    const auto gap = std::chrono::microseconds(std::llround(4 * loads.mean_gap_s * 1e6));
    for (int i = 0; i < std::max(1, loads.num_requests / 8); ++i) {
        load.push_back(timed(cutter.prompt(loads.context - 16), 4));
        load.back().arrival = gap * (i + 1);
    }
    return load;
}

/// A passage, the passage again, and its beginning: what comes next is in the prompt.
std::vector<TimedRequest> copy_load(const AblationLoads& loads) {
    Cutter cutter(loads);
    std::vector<TimedRequest> load;
    for (int i = 0; i < std::max(1, loads.num_requests / 4); ++i) {
        const std::vector<TokenId> passage = cutter.prompt(112).ids;
        TokenPrompt prompt{passage};
        prompt.ids.insert(prompt.ids.end(), passage.begin(), passage.end());
        prompt.ids.insert(prompt.ids.end(), passage.begin(), passage.begin() + 16);
        load.push_back(timed(std::move(prompt), 80));
    }
    return load;
}

} // namespace

WorkloadFigures workload_figures(AblationLoad load, const AblationLoads& loads) {
    const int n = loads.num_requests;
    switch (load) {
    case AblationLoad::single:
        return {.load = load, .requests = 1, .prompt_tokens = kSinglePrompt, .output_tokens = kSingleOutput};
    case AblationLoad::mixed:
        return {.load = load, .requests = n};
    case AblationLoad::arrivals:
        return {.load = load, .requests = n, .gap_ms = loads.mean_gap_s * 1000};
    case AblationLoad::shared_head:
        return {
            .load = load, .requests = n, .prompt_tokens = loads.context / 4 + 32, .shared_tokens = loads.context / 4};
    case AblationLoad::long_prompts:
        return {.load = load,
            .requests = std::max(1, n / 2),
            .prompt_tokens = loads.context - 16,
            .long_prompts = std::max(1, n / 8)};
    case AblationLoad::copying:
        return {.load = load, .requests = std::max(1, n / 4)};
    case AblationLoad::long_context:
        break;
    }
    return {.load = load, .requests = std::max(1, n / 2), .prompt_tokens = loads.context / 4};
}

std::string describe(const WorkloadFigures& figures) {
    const int n = figures.requests;
    switch (figures.load) {
    case AblationLoad::single:
        return fmt::format("1 request, prompt {}, answer {} tokens", figures.prompt_tokens, figures.output_tokens);
    case AblationLoad::mixed:
        return fmt::format("{} requests at once, prompts of 8 to 64, answers of 8 to 48 tokens", n);
    case AblationLoad::arrivals:
        return fmt::format("the same {} requests, arriving at random every {:.0f} ms", n, figures.gap_ms);
    case AblationLoad::shared_head:
        return fmt::format(
            "{} requests that share {} of {} prompt tokens", n, figures.shared_tokens, figures.prompt_tokens);
    case AblationLoad::long_prompts:
        return figures.long_prompts == 1
            ? fmt::format("{} requests decode while a prompt of {} tokens arrives", n, figures.prompt_tokens)
            : fmt::format("{} requests decode while {} prompts of {} tokens arrive", n, figures.long_prompts,
                  figures.prompt_tokens);
    case AblationLoad::copying:
        return fmt::format(
            "{} whose answer is in the prompt, greedy", n == 1 ? "1 request" : fmt::format("{} requests", n));
    case AblationLoad::long_context:
        break;
    }
    return fmt::format("{} requests with prompts of {} tokens", n, figures.prompt_tokens);
}

std::vector<TimedRequest> make_load(AblationLoad load, const AblationLoads& loads) {
    Cutter cutter(loads);
    std::vector<TimedRequest> made;
    switch (load) {
    case AblationLoad::single:
        return {timed(cutter.prompt(kSinglePrompt), kSingleOutput)};
    case AblationLoad::mixed:
    case AblationLoad::arrivals:
        return mixed_load(loads, load == AblationLoad::arrivals);
    case AblationLoad::shared_head:
        return shared_head_load(loads);
    case AblationLoad::long_prompts:
        return long_prompt_load(loads);
    case AblationLoad::copying:
        return copy_load(loads);
    case AblationLoad::long_context:
        for (int i = 0; i < std::max(1, loads.num_requests / 2); ++i)
            made.push_back(timed(cutter.prompt(loads.context / 4), 32));
        break;
    }
    return made;
}

std::vector<TimedRequest> make_scoring(const AblationLoads& loads) {
    std::vector<TokenId> ids = loads.text;
    ids.resize(std::min<std::size_t>(ids.size(), kScored));
    TimedRequest scoring = timed(TokenPrompt{std::move(ids)}, 0);
    scoring.request.echo_prompt_logprobs = true;
    scoring.request.num_logprobs = 0;
    return {std::move(scoring)};
}

std::vector<TokenId> ablation_text(const TextModel& model, int num_tokens, std::uint64_t seed) {
    std::mt19937 random(seed);
    std::vector<TokenId> ids;
    while (static_cast<int>(ids.size()) < num_tokens) {
        const auto sentence = kSentences[random() % std::size(kSentences)];
        const auto tokens =
            model.tokenize(fmt::format(fmt::runtime(sentence), random() % 900 + 100) + " ", false, false);
        if (!tokens || tokens->empty())
            break; // no tokenizer
        ids.insert(ids.end(), tokens->begin(), tokens->end());
    }
    while (static_cast<int>(ids.size()) < num_tokens)
        ids.push_back(static_cast<TokenId>(random() % static_cast<unsigned>(model.vocab_size())));
    ids.resize(static_cast<std::size_t>(num_tokens));
    return ids;
}

} // namespace vitrine::engine
