// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/lab: the ablation's table as JSON.
#include <nlohmann/json.hpp>

#include "engine/lab/ablation.h"

namespace vitrine::engine {
namespace {

using OrderedJson = nlohmann::ordered_json;

void add_figures(OrderedJson& json, const AblationFigures& figures) {
    json["tokens_per_s"] = figures.tokens_per_s;
    json["ttft_p50"] = figures.ttft_p50_s;
    json["tpot_p50"] = figures.tpot_p50_s;
    json["itl_p99"] = figures.itl_p99_s;
    json["kv_peak_blocks"] = figures.kv_peak_blocks;
    json["kv_bytes_per_token"] = figures.kv_bytes_per_token;
    json["weight_bytes"] = figures.weight_bytes;
    json["sequences_that_fit"] = figures.sequences_that_fit;
}

OrderedJson row_json(const AblationRow& row) {
    OrderedJson json;
    json["name"] = row.name;
    json["workload"] = row.workload;
    if (!row.error.empty()) {
        json["error"] = row.error;
        return json;
    }
    add_figures(json, row.figures);
    json["speedup"] = row.speedup;
    json["beyond_spread"] = row.beyond_spread; // else the ratio is no more than chance gives
    json["spread"] = row.spread;
    json["ttft_ratio"] = row.ttft_ratio;
    json["itl_p99_ratio"] = row.itl_p99_ratio;
    if (row.exact)
        json["ids_equal"] = row.same_ids;
    else
        json["nll_difference"] = row.nll_difference;
    add_figures(json["full"], row.full);
    return json;
}

} // namespace

std::string ablation_json(const AblationReport& report) {
    OrderedJson json;
    json["model"] = report.model;
    json["device"] = report.device;
    json["rows"] = OrderedJson::array();
    for (const AblationRow& row : report.rows)
        json["rows"].push_back(row_json(row));
    return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace);
}

} // namespace vitrine::engine
