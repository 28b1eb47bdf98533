// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/cli: logits.
#include <algorithm>
#include <fstream>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/open_model.h"
#include "engine/lab/direct_model.h"

namespace vitrine::app {
namespace {

/// Ids of the `count` highest logits, ties to the lower id.
std::vector<int> top_ids(std::span<const float> logits, int count) {
    std::vector<int> ids(logits.size());
    std::iota(ids.begin(), ids.end(), 0);
    const auto middle = ids.begin() + std::clamp(count, 0, static_cast<int>(ids.size()));
    std::partial_sort(ids.begin(), middle, ids.end(), [&](int a, int b) {
        const float x = logits[static_cast<std::size_t>(a)], y = logits[static_cast<std::size_t>(b)];
        return x > y || (x == y && a < b);
    });
    ids.erase(middle, ids.end());
    return ids;
}

} // namespace

int run_command(const LogitsOptions& options, Console& console) {
    std::ofstream raw;
    if (!options.raw_file.empty())
        raw.open(options.raw_file, std::ios::binary); // before the work: a bad path is said at once
    const auto raw_failed = [&] {
        return console.fail(Error{ErrorCode::io, fmt::format("{} cannot be written", options.raw_file),
            "Give a file in a folder that exists and has room."});
    };
    if (!raw)
        return raw_failed();
    auto model = open_direct(options.model, static_cast<int>(options.ids.size()), 1);
    if (!model)
        return console.fail(model.error());
    std::vector<engine::TokenId> ids;
    for (const std::int64_t id : options.ids) {
        if (id < 0 || id >= model->vocab_size())
            return console.fail(Error{ErrorCode::invalid_argument,
                fmt::format("token id {} is outside the vocabulary of {}", id, model->vocab_size()),
                "Use ids of the model."});
        ids.push_back(static_cast<engine::TokenId>(id));
    }
    nlohmann::ordered_json argmax = nlohmann::ordered_json::array();
    nlohmann::ordered_json top = nlohmann::ordered_json::array();
    std::string plain;
    const auto fed = model->feed(0, 0, ids, [&](int position, std::span<const float> logits) {
        if (raw.is_open())
            raw.write(reinterpret_cast<const char*>(logits.data()), static_cast<std::streamsize>(logits.size_bytes()));
        argmax.push_back(top_ids(logits, 1).front());
        if (position + 1 < static_cast<int>(ids.size()))
            return;
        for (const int id : top_ids(logits, options.top)) {
            top.push_back({id, logits[static_cast<std::size_t>(id)]});
            plain += fmt::format("{:>8} {:10.4f}\n", id, logits[static_cast<std::size_t>(id)]);
        }
    });
    if (!fed)
        return console.fail(fed.error());
    if (raw.is_open() && !raw.flush())
        return raw_failed();
    if (options.model.json)
        console.json({{"top", top}, {"argmax_each", argmax}});
    else
        console.write(plain);
    return kExitSuccess;
}

} // namespace vitrine::app
