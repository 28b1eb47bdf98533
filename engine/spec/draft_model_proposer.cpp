// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/spec: keeps a small model in step with the text and lets it write ahead.
#include "engine/spec/draft_model_proposer.h"

#include <algorithm>
#include <limits>

#include "engine/base/check.h"

namespace vitrine::engine {
namespace {

std::span<const TokenId> first_block(std::span<const TokenId> tokens, int block_tokens) {
    return tokens.first(std::min(tokens.size(), static_cast<std::size_t>(block_tokens)));
}

bool ends(const SamplerState& sampler, TokenId token) {
    const auto& end_tokens = sampler.options().end_tokens;
    return std::ranges::find(end_tokens, token) != end_tokens.end();
}

} // namespace

DraftModelProposer::DraftModelProposer(Parts parts) : parts_(std::move(parts)), kv_(parts_.kv) {
    row_.resize(static_cast<std::size_t>(parts_.target_vocab_size));
    probs_.resize(row_.size());
}

void DraftModelProposer::forget(SequenceId sequence) {
    const auto found = followers_.find(sequence);
    if (found == followers_.end())
        return;
    kv_.release(found->second.table);
    followers_.erase(found);
}

Result<std::vector<Draft>> DraftModelProposer::propose(std::span<const DraftRequest> requests) {
    std::vector<Draft> drafts(requests.size());
    std::vector<Run> runs = start(requests, drafts);
    while (!runs.empty()) {
        VT_TRY(run_round(runs));
        std::erase_if(runs, [](const Run& run) { return run.num_rows == 0; });
    }
    return drafts;
}

/// Who takes part, and what each reads in the first round.
std::vector<DraftModelProposer::Run> DraftModelProposer::start(
    std::span<const DraftRequest> requests, std::span<Draft> drafts) {
    std::vector<Run> runs;
    std::vector<std::span<const TokenId>> fresh_heads;
    int rows_left = parts_.limits.max_rows;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const DraftRequest& request = requests[i];
        if (rows_left == 0 ||
            static_cast<int>(runs.size()) == std::min(parts_.limits.max_seqs, parts_.limits.max_logit_rows))
            break;
        Follower* follower = follow(request, fresh_heads);
        if (follower == nullptr)
            continue;
        Run run{&request, follower, &drafts[i], {}, 0, 0};
        const int missing = static_cast<int>(request.tokens.size() - follower->fed.size());
        run.num_rows = std::min(missing, rows_left);
        // d(gamma) is not fed: the last position written is that of d(gamma - 1).
        const int room = parts_.limits.max_context - static_cast<int>(request.tokens.size()) + 1;
        if (run.num_rows == missing)
            run.max_drafts = std::clamp(request.max_drafts, 0, std::max(room, 0));
        const int num_slots = static_cast<int>(follower->fed.size()) + run.num_rows + std::max(run.max_drafts - 1, 0);
        if (num_slots > parts_.limits.max_context ||
            !kv_.extend(follower->table, static_cast<int>(follower->fed.size()), num_slots))
            continue;
        rows_left -= run.num_rows;
        drafts[i].num_followed = run.num_rows - 1;
        runs.push_back(std::move(run));
    }
    return runs;
}

/// The follower of a sequence, with what it was fed cut to what still holds; nullptr: not now.
DraftModelProposer::Follower* DraftModelProposer::follow(
    const DraftRequest& request, std::vector<std::span<const TokenId>>& fresh_heads) {
    const auto known = [&](TokenId token) { return token < parts_.vocab_size; };
    const auto found = followers_.find(request.sequence);
    if (found == followers_.end()) {
        // Of several new sequences with one head the first reads it, the others find it in the cache next time.
        const auto head = first_block(request.tokens, kv_.block_tokens());
        const auto same = [&](std::span<const TokenId> other) { return std::ranges::equal(other, head); };
        if (std::ranges::any_of(fresh_heads, same) || !std::ranges::all_of(request.tokens, known))
            return nullptr;
        fresh_heads.push_back(head);
        Follower fresh;
        const PrefixMatch match = kv_.look_up(request.tokens, *request.extras, true);
        if (!kv_.admit(fresh.table, match, match.hit_tokens, false))
            return nullptr;
        fresh.fed.assign(request.tokens.begin(), request.tokens.begin() + match.hit_tokens);
        return &followers_.emplace(request.sequence, std::move(fresh)).first->second;
    }
    Follower& follower = found->second;
    const auto held = std::ranges::mismatch(follower.fed, request.tokens).in1 - follower.fed.begin();
    // The last token is always fed: its logits are the first guess.
    const auto kept = std::min(static_cast<std::size_t>(held), request.tokens.size() - 1);
    follower.fed.resize(kept);
    kv_.enter_full_blocks(follower.table, request.tokens, static_cast<int>(kept), *request.extras);
    return std::ranges::all_of(request.tokens.subspan(kept), known) ? &follower : nullptr;
}

/// Feeds what each run has to read, then draws one more draft of those that may.  num_rows 0 afterwards: done.
Result<void> DraftModelProposer::run_round(std::vector<Run>& runs) {
    batch_ = Batch{};
    batch_.starts.push_back(0);
    for (const Run& run : runs)
        batch_.max_blocks = std::max(batch_.max_blocks, run.follower->table.num_blocks());
    for (const Run& run : runs)
        add_rows(run);
    add_tables(runs);
    kernels::StepArgs args;
    args.tokens = batch_.tokens;
    args.positions = batch_.positions;
    args.slots = batch_.slots;
    args.query_starts = batch_.starts;
    args.context_lens = batch_.lens;
    args.block_tables = batch_.tables;
    args.max_blocks = batch_.max_blocks;
    args.logit_rows = batch_.logit_rows;
    args.want_logits = true;
    auto ticket = parts_.executable->submit(args);
    if (!ticket)
        return tl::unexpected(ticket.error());
    auto step = parts_.executable->wait(*ticket);
    if (!step)
        return tl::unexpected(step.error());
    const auto width = static_cast<std::size_t>(parts_.vocab_size);
    std::size_t row = 0;
    for (Run& run : runs) {
        const std::span<const TokenId> text = run.request->tokens;
        Follower& follower = *run.follower;
        for (; run.num_rows > 0; --run.num_rows) {
            const std::size_t place = follower.fed.size();
            follower.fed.push_back(place < text.size() ? text[place] : run.draft->tokens[place - text.size()]);
        }
        if (run.max_drafts > 0)
            draw(run, std::span<const float>(step->logits).subspan(width * row++, width));
    }
    return {};
}

void DraftModelProposer::add_rows(const Run& run) {
    const std::span<const TokenId> text = run.request->tokens;
    const int begin = static_cast<int>(run.follower->fed.size());
    for (int position = begin; position < begin + run.num_rows; ++position) {
        const auto place = static_cast<std::size_t>(position);
        batch_.tokens.push_back(place < text.size() ? text[place] : run.draft->tokens[place - text.size()]);
        batch_.positions.push_back(position);
    }
    if (run.max_drafts > 0)
        batch_.logit_rows.push_back(static_cast<std::int32_t>(batch_.tokens.size()) - 1);
    batch_.starts.push_back(static_cast<std::int32_t>(batch_.tokens.size()));
    batch_.lens.push_back(begin + run.num_rows);
}

/// Slots and tables, group by group.
void DraftModelProposer::add_tables(std::span<const Run> runs) {
    const std::size_t num_groups = kv_.groups().size();
    batch_.tables.resize(num_groups * runs.size() * static_cast<std::size_t>(batch_.max_blocks), 0);
    auto row = batch_.tables.begin();
    for (std::size_t group = 0; group < num_groups; ++group) {
        for (const Run& run : runs) {
            const BlockTable& table = run.follower->table;
            const int begin = static_cast<int>(run.follower->fed.size());
            for (int position = begin; position < begin + run.num_rows; ++position)
                batch_.slots.push_back(table.slot(position, kv_.block_tokens(), group));
            std::ranges::transform(table.groups[group].blocks, row, &BlockId::value);
            row += batch_.max_blocks;
        }
    }
}

/// One more draft, from the target's own chain of filters with the drafter's noise (RandomPurpose::draft).
void DraftModelProposer::draw(Run& run, std::span<const float> logits) {
    // Both vocabularies agree on every real token; what only one of them has is padding.
    std::ranges::fill(row_, -std::numeric_limits<float>::infinity());
    std::ranges::copy(logits.first(std::min(logits.size(), row_.size())), row_.begin());
    Draft& draft = *run.draft;
    const SamplerState& sampler = *run.request->sampler;
    if (run.request->mask != nullptr) {
        const auto allowed = run.request->mask->after(draft.tokens);
        run.masks.insert(run.masks.end(), allowed.begin(), allowed.end());
    }
    const auto sequence = sampler.row(0, draft.tokens, run.masks);
    const auto num_drafts = static_cast<std::int32_t>(draft.tokens.size());
    const TokenId token = kernels::draft_token(row_, sequence, num_drafts, scratch_, probs_);
    if (token < 0) // the draft model sees no legal token: nothing to guess
        return;
    draft.tokens.push_back(token);
    if (!sampler.greedy()) // greedy drafts are certain, like an n-gram's
        draft.probs.insert(draft.probs.end(), probs_.begin(), probs_.end());
    const bool goes_on = static_cast<int>(draft.tokens.size()) < run.max_drafts && !ends(sampler, token);
    run.num_rows = goes_on ? 1 : 0;
}

} // namespace vitrine::engine
