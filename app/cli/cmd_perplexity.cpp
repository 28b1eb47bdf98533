// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: perplexity.
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/open_model.h"
#include "engine/lab/text_scoring.h"

namespace vitrine::app {
namespace {

Result<nlohmann::ordered_json> measure(const PerplexityOptions& options, Console& console) {
    auto text = read_text(options.file, console);
    if (!text)
        return tl::unexpected(text.error());
    ModelOptions reference_options = options.model;
    reference_options.config.device = "ref";
    auto model = open_direct(options.reference ? reference_options : options.model, options.window, 1);
    if (!model)
        return tl::unexpected(model.error());
    auto windows = engine::cut_windows(*model->session().text, *text, options.window, options.max_windows);
    if (!windows)
        return tl::unexpected(windows.error());
    engine::WindowScore total;
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < windows->size(); ++i) {
        auto score = engine::score_window(*model, (*windows)[i]);
        if (!score)
            return tl::unexpected(score.error());
        list.push_back({{"start", i * static_cast<std::size_t>(options.window)}, {"tokens", options.window},
            {"mean_nll", score->mean_nll()}});
        total.nll_sum += score->nll_sum;
        total.num_scored += score->num_scored;
    }
    nlohmann::ordered_json json{{"mean_nll", total.mean_nll()}, {"perplexity", std::exp(total.mean_nll())},
        {"tokens", total.num_scored}, {"windows", list}};
    if (!options.kl)
        return json;
    auto reference = open_direct(reference_options, options.window, 1);
    if (!reference)
        return tl::unexpected(reference.error());
    engine::WindowDivergence divergence;
    for (const auto& window : *windows) {
        auto part = engine::compare_window(*model, *reference, window);
        if (!part)
            return tl::unexpected(part.error());
        divergence.kl_sum += part->kl_sum;
        divergence.same_top += part->same_top;
        divergence.num_positions += part->num_positions;
    }
    json["mean_kl"] = divergence.kl_sum / divergence.num_positions;
    json["top1_agreement"] = static_cast<double>(divergence.same_top) / divergence.num_positions;
    return json;
}

} // namespace

int run_command(const PerplexityOptions& options, Console& console) {
    const auto json = measure(options, console);
    if (!json)
        return console.fail(json.error());
    if (options.model.json) {
        console.json(*json);
        return kExitSuccess;
    }
    console.line(fmt::format("mean NLL {:.6f}  perplexity {:.4f}  over {} tokens", (*json)["mean_nll"].get<double>(),
        (*json)["perplexity"].get<double>(), (*json)["tokens"].get<int>()));
    if (json->contains("mean_kl"))
        console.line(fmt::format("mean KL {:.3e}  same top token {:.2f} %", (*json)["mean_kl"].get<double>(),
            100 * (*json)["top1_agreement"].get<double>()));
    return kExitSuccess;
}

} // namespace vitrine::app
