// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/lab: quality reports.
#include "engine/lab/quality_report.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/format.h"
#include "engine/lab/direct_model.h"
#include "engine/lab/evaluation_text.h"
#include "engine/lab/text_scoring.h"
#include "engine/model/model_inspection.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kChunkRows = 32; // of logits of both models at once
constexpr int kAnswerTokens = 48;

tl::unexpected<Error> stopped() {
    return fail(ErrorCode::cancelled, say(Sentence::comparison_stopped), say(Sentence::models_are_untouched));
}

/// What the comparison of every position adds up to.
struct Comparison {
    std::vector<double> kl; // of each position
    double reference_nll = 0, candidate_nll = 0;
    int num_scored = 0;
    int same_top = 0;
};

void compare_position(
    std::span<const float> p, std::span<const float> q, std::optional<TokenId> next, Comparison& total) {
    const double p_norm = log_sum_exp(p), q_norm = log_sum_exp(q);
    double kl = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const double log_p = static_cast<double>(p[i]) - p_norm;
        kl += std::exp(log_p) * (log_p - (static_cast<double>(q[i]) - q_norm));
    }
    total.kl.push_back(std::max(kl, 0.0)); // below 0 is rounding
    const auto top = [](std::span<const float> x) { return std::max_element(x.begin(), x.end()) - x.begin(); };
    total.same_top += top(p) == top(q) ? 1 : 0;
    if (!next)
        return;
    const auto token = static_cast<std::size_t>(*next);
    total.reference_nll += p_norm - static_cast<double>(p[token]);
    total.candidate_nll += q_norm - static_cast<double>(q[token]);
    ++total.num_scored;
}

Result<void> compare_windows(DirectModel& reference, DirectModel& candidate,
    const std::vector<std::vector<TokenId>>& windows, const QualityRun& run, Comparison& total) {
    const auto vocab = static_cast<std::size_t>(reference.vocab_size());
    std::vector<float> expected;
    for (const auto& window : windows) {
        for (std::size_t begin = 0; begin < window.size(); begin += kChunkRows) {
            if (run.stop.stop_requested())
                return stopped();
            const auto part = std::span(window).subspan(begin, std::min(kChunkRows, window.size() - begin));
            expected.assign(part.size() * vocab, 0);
            const auto first = static_cast<int>(begin);
            VT_TRY(reference.feed(0, first, part, [&](int position, std::span<const float> logits) {
                std::copy(logits.begin(), logits.end(),
                    expected.begin() + (position - first) * static_cast<std::ptrdiff_t>(vocab));
            }));
            VT_TRY(candidate.feed(0, first, part, [&](int position, std::span<const float> logits) {
                const auto at = static_cast<std::size_t>(position);
                compare_position(std::span<const float>(expected).subspan((at - begin) * vocab, vocab), logits,
                    at + 1 < window.size() ? std::optional(window[at + 1]) : std::nullopt, total);
            }));
            if (run.progress)
                run.progress(std::ssize(total.kl), std::ssize(windows) * std::ssize(windows.front()));
        }
    }
    return {};
}

Result<std::vector<TokenId>> prompt_ids(const LoadedText& text, std::string_view prompt) {
    if (!text.has_template())
        return text.tokenize(prompt, true, true);
    ChatPrompt chat;
    chat.messages_json = ordered_json::array({{{"role", "user"}, {"content", prompt}}}).dump();
    auto encoded = text.encode_chat(chat);
    VT_TRY(encoded);
    return std::move(encoded->ids);
}

/// Greedy, to the end token or kAnswerTokens.
Result<std::string> answer(DirectModel& model, const std::vector<TokenId>& prompt) {
    TokenId next = 0;
    VT_TRY(model.feed(0, 0, prompt, [&](int position, std::span<const float> logits) {
        if (position + 1 == static_cast<int>(prompt.size()))
            next = static_cast<TokenId>(std::max_element(logits.begin(), logits.end()) - logits.begin());
    }));
    const LoadedText& text = *model.session().text;
    const auto ends = text.tokenizer()->eog_ids();
    std::vector<TokenId> ids;
    auto position = static_cast<int>(prompt.size());
    while (std::find(ends.begin(), ends.end(), next) == ends.end()) {
        ids.push_back(next);
        if (static_cast<int>(ids.size()) == kAnswerTokens)
            break;
        const std::array last{next};
        const auto decoded = model.decode(last, position++);
        VT_TRY(decoded);
        next = decoded->front();
    }
    return text.detokenize(ids, false);
}

QualityReport::Side side_of(const DirectModel& model, double nll_sum, int num_scored) {
    const ModelInfo& info = model.session().model->info;
    const std::int64_t stored = stored_weight_bytes(info);
    const double bits =
        info.parameters > 0 ? 8.0 * static_cast<double>(stored) / static_cast<double>(info.parameters) : 0;
    return {info.path, stored, bits, num_scored > 0 ? nll_sum / num_scored : 0};
}

/// Whole windows as asked; a shorter text is one window.
Result<std::vector<std::vector<TokenId>>> windows_of(const LoadedText& model, const QualityText& text) {
    const auto ids = model.tokenize(text.text, true, false);
    VT_TRY(ids);
    const int window = std::min(text.window, static_cast<int>(ids->size()));
    return cut_windows(model, text.text, std::max(window, 2), text.max_windows);
}

ordered_json side_json(const QualityReport::Side& side) {
    return {{"path", side.path}, {"weight_bytes", side.weight_bytes}, {"bits_per_weight", side.bits_per_weight},
        {"mean_nll", side.mean_nll}, {"perplexity", std::exp(side.mean_nll)}};
}

std::string one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    std::string out;
    for (const char c : text)
        out += c == '|' ? std::string("\\|") : std::string(1, c);
    return out;
}

} // namespace

std::int64_t stored_weight_bytes(const ModelInfo& info) noexcept {
    return std::min(info.weight_bytes, info.file_bytes);
}

QualityText built_in_quality_text() {
    return {"a built-in text", std::string(evaluation_text())};
}

Result<QualityReport> compare_quality(const QualityPair& models, const QualityText& text, const QualityRun& run) {
    EngineConfig reference_config = models.config;
    reference_config.quantize.clear();
    constexpr int kLeastContext = 256; // prompts of the answers
    const int context = std::max(text.window, kLeastContext);
    auto reference = DirectModel::open(models.reference, reference_config, context, 1);
    VT_TRY(reference);
    auto candidate = DirectModel::open(models.candidate, models.config, context, 1);
    VT_TRY(candidate);
    if (reference->vocab_size() != candidate->vocab_size())
        return fail(ErrorCode::invalid_argument,
            say(Sentence::vocabularies_differ, models.candidate, candidate->vocab_size(), models.reference,
                reference->vocab_size()),
            say(Sentence::compare_with_source));
    const LoadedText& words = *reference->session().text;
    if (words.tokenizer() == nullptr)
        return fail(ErrorCode::invalid_argument, say(Sentence::model_without_tokenizer, models.reference),
            say(Sentence::compare_with_vocabularies));
    const auto windows = windows_of(words, text);
    VT_TRY(windows);
    Comparison total;
    VT_TRY(compare_windows(*reference, *candidate, *windows, run, total));
    QualityReport report;
    report.reference = side_of(*reference, total.reference_nll, total.num_scored);
    report.candidate = side_of(*candidate, total.candidate_nll, total.num_scored);
    report.text_name = text.name;
    report.num_positions = static_cast<int>(total.kl.size());
    std::sort(total.kl.begin(), total.kl.end());
    const auto count = static_cast<double>(total.kl.size());
    for (const double kl : total.kl)
        report.mean_kl += kl / count;
    report.kl_999 = total.kl[static_cast<std::size_t>(std::ceil(0.999 * count)) - 1];
    report.largest_kl = total.kl.back();
    report.top1_agreement = total.same_top / count;
    for (const std::string_view prompt : kSamplePrompts) {
        if (run.stop.stop_requested())
            return stopped();
        const auto ids = prompt_ids(words, prompt);
        VT_TRY(ids);
        const auto before = answer(*reference, *ids);
        VT_TRY(before);
        const auto after = answer(*candidate, *ids);
        VT_TRY(after);
        report.answers.push_back({std::string(prompt), *before, *after});
    }
    return report;
}

ordered_json to_json(const QualityReport& report) {
    ordered_json json{{"reference", side_json(report.reference)}, {"candidate", side_json(report.candidate)},
        {"text", report.text_name}, {"positions", report.num_positions}, {"mean_kl", report.mean_kl},
        {"kl_99_9", report.kl_999}, {"max_kl", report.largest_kl}, {"top1_agreement", report.top1_agreement},
        {"perplexity", std::exp(report.candidate.mean_nll)}, {"answers", ordered_json::array()}};
    for (const QualityReport::Answer& answer : report.answers)
        json["answers"].push_back(
            {{"prompt", answer.prompt}, {"reference", answer.reference}, {"candidate", answer.candidate}});
    return json;
}

ordered_json report_json(const QuantizeReport& report, bool with_tensors, const QualityReport* quality) {
    ordered_json json{{"bytes_before", report.bytes_before}, {"bytes_after", report.bytes_after},
        {"bits_per_weight", report.bits_per_weight}, {"weighted_tensors", report.weighted_tensors}};
    if (with_tensors) {
        json["tensors"] = ordered_json::array();
        for (const QuantizedTensor& tensor : report.tensors)
            json["tensors"].push_back({{"name", tensor.name}, {"from", tensor.from}, {"to", tensor.to},
                {"bytes", tensor.bytes}, {"relative_error", tensor.relative_error}});
    }
    if (quality != nullptr)
        json["quality"] = to_json(*quality);
    return {{"report", json}};
}

std::string to_json_text(const QuantizeReport& report, const QualityReport* quality) {
    return report_json(report, true, quality).dump(2) + "\n";
}

std::string to_markdown(const QuantizeReport* tensors, const QualityReport* quality) {
    std::string text = "# Quantization report\n";
    if (quality != nullptr) {
        const auto row = [&](const char* what, const QualityReport::Side& side) {
            text += fmt::format("| {} | {} | {} | {:.2f} | {:.4f} |\n", what, one_line(side.path),
                format_bytes(side.weight_bytes), side.bits_per_weight, std::exp(side.mean_nll));
        };
        text += "\n| | file | weights | bits per weight | perplexity |\n|---|---|---|---|---|\n";
        row("reference", quality->reference);
        row("quantized", quality->candidate);
        text +=
            fmt::format("\nOver {} positions of {}: mean KL {:.3e}, 99.9 % KL {:.3e}, largest {:.3e}, same top token "
                        "{:.2f} %.\n",
                quality->num_positions, quality->text_name, quality->mean_kl, quality->kl_999, quality->largest_kl,
                100 * quality->top1_agreement);
        text += "\n| prompt | reference | quantized |\n|---|---|---|\n";
        for (const QualityReport::Answer& answer : quality->answers)
            text += fmt::format(
                "| {} | {} | {} |\n", one_line(answer.prompt), one_line(answer.reference), one_line(answer.candidate));
    }
    if (tensors != nullptr) {
        text += fmt::format(
            "\n{} to {}, {:.2f} bits per weight.\n\n| tensor | from | to | relative error |\n|---|---|---|---|\n",
            format_bytes(tensors->bytes_before), format_bytes(tensors->bytes_after), tensors->bits_per_weight);
        for (const QuantizedTensor& tensor : tensors->tensors)
            text +=
                fmt::format("| {} | {} | {} | {:.5f} |\n", tensor.name, tensor.from, tensor.to, tensor.relative_error);
    }
    return text;
}

Result<void> write_markdown(const std::string& file, const QuantizeReport* tensors, const QualityReport* quality) {
    if (!file.empty() && !(std::ofstream(file) << to_markdown(tensors, quality)))
        return fail(ErrorCode::io, say(Sentence::file_not_written, file, std::generic_category().message(errno)),
            say(Sentence::check_folder));
    return {};
}

} // namespace vitrine::engine
