// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/lab: what the prefix cache finds again, and where a prompt begins to differ.
#include "ui/bridge/lab_bench.h"
#include "ui/bridge/qt_convert.h"
#include "ui/lab/experiment.h"
#include "ui/widgets/numbers.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace vitrine::ui {
namespace {

constexpr int kLongContext = 8192; // tokens; without a model all lengths are offered
constexpr int kOtherTokens = 100; // of the questions, the reply and the chat template

struct Turn {
    const char* role;
    QString text;
};

Request chatRequest(const std::vector<Turn>& turns, const QString& label) {
    QJsonArray messages;
    for (const Turn& turn : turns)
        messages.append(
            QJsonObject{{QStringLiteral("role"), QLatin1String(turn.role)}, {QStringLiteral("content"), turn.text}});
    Request request;
    ChatPrompt prompt;
    prompt.messages_json = QJsonDocument(messages).toJson(QJsonDocument::Compact).toStdString();
    request.prompt = std::move(prompt);
    request.label = toStdString(label);
    request.sampling.temperature = 0;
    request.stop.max_tokens = 4;
    return request;
}

std::size_t sharedHead(const std::vector<TokenId>& a, const std::vector<TokenId>& b) {
    return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

class PrefixExperiment final : public Experiment {
public:
    QString name() const override { return QStringLiteral("prefix"); }
    QString title() const override { return Lab::tr("Prefix cache"); }
    QString question() const override {
        return Lab::tr(
            "Five chats in turn on the loaded model: a first one, the same again, another question under the "
            "same system "
            "prompt, an edited earlier turn, and another system prompt. How many prompt tokens of each are "
            "found in the cache, "
            "and at which token does a prompt begin to differ?");
    }
    std::vector<LabControl> controls(const LabFacts& facts) const override {
        // Both, the questions and the template's words fit the context; the fifth that is left is for "about".
        const int context = facts.model ? facts.model->context : kLongContext;
        const double system = std::clamp((context - kOtherTokens) * 6 / 10, 32, 4000);
        const double turn = std::clamp((context - kOtherTokens) * 2 / 10, 16, 2000);
        return {{QStringLiteral("system"), Lab::tr("System prompt"), Lab::tr("tokens, about"), std::min(400.0, system),
                    32, system, 32, 0, {}},
            {QStringLiteral("turn"), Lab::tr("Earlier turn"), Lab::tr("tokens, about"), std::min(100.0, turn), 16, turn,
                16, 0, {}}};
    }
    std::vector<LabGuess> guesses() const override {
        return {
            {QStringLiteral("same"), Lab::tr("The same chat again: how much is reused?"), QStringLiteral("%"), {}, 100},
            {QStringLiteral("question"), Lab::tr("Another question, same system prompt?"), QStringLiteral("%"), {},
                100},
            {QStringLiteral("edited"), Lab::tr("An edited earlier turn?"), QStringLiteral("%"), {}, 100},
            {QStringLiteral("system"), Lab::tr("Another system prompt?"), QStringLiteral("%"), {}, 100}};
    }
    QString missing(const LabFacts& facts) const override {
        if (!facts.model)
            return Lab::tr("No model is loaded. Load one, then run the experiment.");
        return facts.model->config.prefix_cache
            ? QString()
            : Lab::tr("The model is loaded without its prefix cache. Load it with the cache on.").text();
    }
    Result<LabResult> run(const LabRun& run) const override;
};

struct Variant {
    const char* key; // of the guess; empty: the first
    LabText name;
    std::vector<Turn> turns;
};

Result<std::vector<Variant>> variantsOf(const LabRun& run) {
    // Another system text in every run, so that what is cached from an earlier run cannot help.
    const int salt = static_cast<int>(QDateTime::currentMSecsSinceEpoch() % 8'000);
    const auto system = textOfTokens(*run.bench, run.integer("system"), salt);
    const auto otherSystem = textOfTokens(*run.bench, run.integer("system"), salt + 2);
    const auto turn = textOfTokens(*run.bench, run.integer("turn"), salt + 1);
    for (const auto* text : {&system, &otherSystem, &turn})
        if (!*text)
            return tl::unexpected(text->error());
    const QString edited = QStringLiteral("Edited. ") + *turn;
    const QString reply = QStringLiteral("Noted.");
    const QString ask = QStringLiteral("Which items were in order?"),
                  other = QStringLiteral("How many items are there?");
    const auto chat = [&](const QString& head, const QString& first, const QString& last) {
        return std::vector<Turn>{{"system", head}, {"user", first}, {"assistant", reply}, {"user", last}};
    };
    return std::vector<Variant>{{"", Lab::tr("First chat"), chat(*system, *turn, ask)},
        {"same", Lab::tr("The same again"), chat(*system, *turn, ask)},
        {"question", Lab::tr("Another question"), chat(*system, *turn, other)},
        {"edited", Lab::tr("Edited earlier turn"), chat(*system, edited, ask)},
        {"system", Lab::tr("Another system prompt"), chat(*otherSystem, *turn, ask)}};
}

Result<LabResult> PrefixExperiment::run(const LabRun& run) const {
    const auto made = variantsOf(run);
    if (!made)
        return tl::unexpected(made.error());
    const std::vector<Variant>& variants = *made;
    LabResult result;
    result.columns = {Lab::tr("Prompt"), Lab::tr("Reused"), Lab::tr("Share"), Lab::tr("First token")};
    LabTable differences{Lab::tr("Where each prompt leaves the first one"),
        {Lab::tr("Chat"), Lab::tr("First differing token"), Lab::tr("Was"), Lab::tr("Is")}, {}};
    LabChart chart;
    chart.kind = LabChart::Kind::bars;
    chart.title = Lab::tr("Prompt tokens");
    LabSeries reused{Lab::tr("reused"), {}, false}, read{Lab::tr("read"), {}, false};
    std::vector<TokenId> first;
    for (std::size_t i = 0; i < variants.size(); ++i) {
        const Variant& variant = variants[i];
        run.progress(variant.name, double(i) / double(variants.size()));
        const auto answer = run.bench->run(chatRequest(variant.turns, Lab::tr("Lab: %1").arg(variant.name)));
        if (!answer)
            return tl::unexpected(answer.error());
        const int prompt = answer->usage.prompt_tokens, cached = answer->usage.cached_tokens;
        const double share = prompt > 0 ? 100.0 * cached / prompt : 0;
        LabMeasure row;
        row.name = variant.name;
        row.values = {countNumber(prompt), countNumber(cached), fixedNumber(share, 0) + kNoBreakSpace + u'%',
            timeNumber(toSeconds(answer->timings.first_token))};
        if (*variant.key != 0) { // within ten points of a share, not within a quarter of it: shares may be 0
            const QString text = run.guesses.value(QLatin1String(variant.key));
            bool isNumber = false;
            const double guess = text.toDouble(&isNumber);
            if (isNumber) {
                row.guess = guessNumber(text) + kNoBreakSpace + u'%';
                row.right = std::abs(guess - share) <= 10;
                row.verdict = *row.right ? Lab::tr("within 10 points")
                    : guess > share      ? Lab::tr("guessed too high")
                                         : Lab::tr("guessed too low");
            }
        }
        result.measures.push_back(std::move(row));
        chart.categories += variant.name;
        reused.points.emplace_back(double(i), cached);
        read.points.emplace_back(double(i), prompt - cached);
        if (i == 0) {
            first = answer->promptIds;
            continue;
        }
        const std::size_t at = sharedHead(first, answer->promptIds);
        const auto word = [&](const std::vector<TokenId>& ids) {
            return at < ids.size() ? LabText(u'“' + run.bench->tokenText(ids[at]) + u'”')
                                   : Lab::tr("end of the prompt");
        };
        const bool same = at == first.size() && at == answer->promptIds.size();
        differences.rows.push_back({variant.name, same ? Lab::tr("none") : countNumber(static_cast<qint64>(at)),
            same ? LabText(kNone) : word(first), same ? LabText(kNone) : word(answer->promptIds)});
    }
    chart.series = {reused, read};
    result.charts = {chart};
    result.tables = {differences};
    const int block = run.facts.model->plan.block_tokens;
    result.notes = {Lab::tr(
        "Whole blocks of %1 tokens are found, and the last block of a prompt is always computed: its last token's "
        "logits are needed.")
                        .arg(block)};
    result.conclusion =
        Lab::tr("The same chat again: %1 of %2 tokens reused; an edit ends the reuse at the block that holds token %3.")
            .arg(result.measures[1].values[1], result.measures[1].values[0], differences.rows[2][1]);
    return result;
}

} // namespace

std::unique_ptr<Experiment> makePrefixExperiment() {
    return std::make_unique<PrefixExperiment>();
}

} // namespace vitrine::ui
