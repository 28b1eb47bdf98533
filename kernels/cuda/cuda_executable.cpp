// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/cuda_executable.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "kernels/api/resolve.h"
#include "kernels/cuda/fault_injection.h"

namespace vitrine::kernels {
namespace {

constexpr int kGraphRows = 256; // larger steps are not decode steps
constexpr std::size_t kMaxGraphs = 256;

std::size_t at(std::int64_t index) {
    return static_cast<std::size_t>(index);
}

ActivationId logits_of(const Program& program) {
    for (const Op& op : program.ops) {
        if (const auto* sampling = std::get_if<SamplingOp>(&op))
            return sampling->logits;
    }
    return {};
}

std::int64_t max_depth(const Program& program) {
    constexpr std::int64_t kChunk = 256;
    std::int64_t depth = kChunk;
    for (const WeightGroupSpec& group : program.weights) {
        for (const WeightMember& member : group.members) {
            if (group.role != WeightRole::vector && group.role != WeightRole::embedding)
                depth = std::max(depth, (member.in_dim + kChunk - 1) / kChunk * kChunk);
        }
    }
    return depth;
}

/// Largest K or V row of all layers.
std::int64_t max_kv_dim(const Program& program) {
    std::int64_t dim = 0;
    for (const KvLayer& layer : program.kv_layers)
        dim = std::max(dim, std::int64_t{layer.num_kv_heads} * layer.head_dim);
    return dim;
}

std::int64_t activation_rows(const Program& program, std::size_t index, const StepLimits& limits) {
    return static_cast<std::int32_t>(index) == logits_of(program).value ? limits.max_logit_rows : limits.max_rows;
}

bool is_wide(KvType type) {
    return type == KvType::f16 || type == KvType::bf16;
}

} // namespace

std::int64_t feed_image_bytes(int padded_dim, int max_rows) {
    if (max_rows <= kSmallRows)
        return std::int64_t{padded_dim} * kSmallRows * 2;
    const int rows = std::min(max_rows, kPanelRows);
    const int width = panel_width(rows);
    return (rows + width - 1) / width *
        std::max(column_block_bytes(width, padded_dim), column_block_bytes(kSmallRows, padded_dim));
}

namespace {

/// Of what ops leave for the next one, at most.
std::int64_t feed_bytes(const Program& program, const StepLimits& limits) {
    std::set<std::int32_t> fed;
    for (const Op& op : program.ops) {
        if (const auto* linear = std::get_if<LinearOp>(&op); linear != nullptr && linear->rows == RowSet::all)
            fed.insert(linear->input.value);
    }
    std::int64_t bytes = static_cast<std::int64_t>(program.ops.size()) * kPanelRows * 4;
    for (const std::int32_t id : fed) {
        const auto dim = static_cast<int>(program.activations[at(id)].dim);
        bytes += feed_image_bytes(dim, std::max(limits.max_rows, kSmallRows + 1)) +
            std::int64_t{dim} * (kPanelRows + kSmallRows) / kTileRows * 4;
    }
    return bytes;
}

} // namespace

std::int64_t workspace_bytes(const Program& program, const StepLimits& limits) {
    std::int64_t floats = 2 * limits.max_rows * max_kv_dim(program);
    for (std::size_t i = 0; i < program.activations.size(); ++i)
        floats += activation_rows(program, i, limits) * program.activations[i].dim;
    for (const RopeSpec& rope : program.ropes)
        floats += std::int64_t{std::min(program.max_positions, limits.max_context)} * rope.rotary_dim;
    const std::int64_t sampling = std::int64_t{std::min(limits.max_logit_rows, kSamplingRows)} * kNearTokens * 8;
    return floats * 4 + sampling + feed_bytes(program, limits) + expert_bytes(program, limits.max_rows) +
        LinearRunner::workspace_bytes({limits.max_rows, static_cast<int>(max_depth(program))});
}

Result<std::unique_ptr<CudaExecutable>> CudaExecutable::make(const Program& program, const CudaWeights& weights,
    CudaKvPool& pool, const StepLimits& limits, Numerics mode, std::shared_ptr<CudaStream> stream) {
    VT_TRY(stream->use());
    std::unique_ptr<CudaExecutable> executable(new CudaExecutable(program, weights, pool, limits, std::move(stream)));
    VT_TRY(executable->prepare(mode));
    return executable;
}

Result<void> CudaExecutable::prepare(Numerics mode) {
    for (const Op& op : program_.ops)
        kernels_.push_back({describe(program_, op), kernel_name(program_, op), true, {}});
    logits_ = logits_of(program_);
    auto linear = LinearRunner::make(stream_,
        {std::max(limits_.max_rows, limits_.max_logit_rows), static_cast<int>(max_depth(program_)),
            mode == Numerics::invariant, mode == Numerics::fast});
    VT_TRY(linear);
    linear_ = std::move(*linear);
    VT_TRY(make_activations());
    VT_TRY(make_feeds());
    VT_TRY(make_experts());
    VT_TRY(make_ropes());
    VT_TRY(make_attention(mode));
    if (mode == Numerics::fast)
        VT_TRY(make_chain());
    return make_slots();
}

Result<void> CudaExecutable::make_chain() {
    const auto* gather = program_.ops.empty() ? nullptr : std::get_if<GatherOp>(&program_.ops.front());
    if (gather == nullptr || program_.ropes.size() > 1)
        return {};
    const ChainMemory memory{values(gather->output), ropes_.empty() ? nullptr : ropes_.front().as<float2>()};
    auto chain = CudaChain::make(program_, weights_, pool_, *stream_, memory);
    VT_TRY(chain);
    chain_ = std::move(*chain);
    return {};
}

Result<void> CudaExecutable::make_activations() {
    for (std::size_t i = 0; i < program_.activations.size(); ++i) {
        const Activation& activation = program_.activations[i];
        auto buffer = DeviceBuffer::make(at(activation_rows(program_, i, limits_) * activation.dim) * sizeof(float),
            "Activation " + activation.name);
        VT_TRY(buffer);
        activations_.push_back(std::move(*buffer));
    }
    return {};
}

Result<void> CudaExecutable::make_ropes() {
    const int positions = std::max(std::min(program_.max_positions, limits_.max_context), 1);
    for (const RopeSpec& rope : program_.ropes) {
        const int half = rope.rotary_dim / 2;
        auto table = DeviceBuffer::make(at(positions) * at(half) * sizeof(float2), "The rope table");
        VT_TRY(table);
        auto frequencies = DeviceBuffer::make(rope.inv_freq.size() * sizeof(double), "Rope frequencies");
        VT_TRY(frequencies);
        VT_TRY(cuda_result(cudaMemcpyAsync(frequencies->as<double>(), rope.inv_freq.data(),
                               rope.inv_freq.size() * sizeof(double), cudaMemcpyHostToDevice, stream_->get()),
            "Copying rope frequencies"));
        VT_TRY(cuda_result(launch_rope_table(frequencies->as<double>(), rope.attention_factor, half, positions,
                               table->as<float2>(), stream_->get()),
            "Making the rope table"));
        VT_TRY(stream_->synchronize());
        ropes_.push_back(std::move(*table));
    }
    return {};
}

Result<void> CudaExecutable::make_attention(Numerics mode) {
    std::set<int> groups;
    int max_kv_heads = 1;
    for (const Op& op : program_.ops) {
        if (const auto* attention = std::get_if<AttentionOp>(&op);
            attention != nullptr && !needs_plain_attention(*attention)) {
            groups.insert(attention->heads.num_heads / attention->heads.num_kv_heads);
            max_kv_heads = std::max(max_kv_heads, attention->heads.num_kv_heads);
        }
    }
    auto step = StepBuffers::make(limits_, pool_.spec().block_tokens, kv_num_groups(pool_.spec()),
        {groups.begin(), groups.end()},
        {max_kv_heads, stream_->num_sms(), stream_->max_cluster(), mode == Numerics::invariant});
    VT_TRY(step);
    step_ = std::move(*step);
    if (!is_wide(pool_.spec().type)) {
        const std::size_t bytes = at(limits_.max_rows) * at(max_kv_dim(program_)) * sizeof(float);
        auto keys = DeviceBuffer::make(bytes, "Keys of a step");
        VT_TRY(keys);
        keys_ = std::move(*keys);
        auto values = DeviceBuffer::make(bytes, "Values of a step");
        VT_TRY(values);
        values_ = std::move(*values);
    }
    return {};
}

Result<void> CudaExecutable::make_slots() {
    const std::size_t rows = at(std::max(limits_.max_logit_rows, 1));
    auto best = DeviceBuffer::make(rows * sizeof(int), "Chosen tokens");
    VT_TRY(best);
    best_ = std::move(*best);
    auto parts = DeviceBuffer::make(rows * kArgmaxBlocks * 2 * sizeof(float), "Chosen tokens");
    VT_TRY(parts);
    best_parts_ = std::move(*parts);
    if (logits_.valid())
        sampler_ = std::make_unique<DeviceSampler>(stream_, dim(logits_));
    for (Slot& slot : slots_) {
        for (cudaEvent_t* event : {&slot.start, &slot.forwarded, &slot.end})
            VT_TRY(cuda_result(cudaEventCreate(event), "Making an event"));
        auto tokens = PinnedBuffer::make(rows * sizeof(int), "Reserving page-locked memory");
        VT_TRY(tokens);
        slot.tokens = std::move(*tokens);
        for (const auto& [id, buffer] : {std::pair{program_.input, &slot.input}, {program_.output, &slot.output}}) {
            if (!id.valid())
                continue;
            auto made =
                PinnedBuffer::make(at(limits_.max_rows) * at(dim(id)) * sizeof(float), "Rows of another device");
            VT_TRY(made);
            *buffer = std::move(*made);
        }
    }
    return {};
}

CudaExecutable::~CudaExecutable() {
    (void)stream_->use();
    (void)stream_->synchronize();
    for (const auto& [shape, graph] : graphs_)
        (void)cudaGraphExecDestroy(graph);
    for (const Slot& slot : slots_) {
        for (cudaEvent_t event : {slot.start, slot.forwarded, slot.end}) {
            if (event != nullptr)
                (void)cudaEventDestroy(event);
        }
    }
}

Result<void> CudaExecutable::validate(const StepArgs& step) const {
    const auto refuse = [](const std::string& what) {
        return fail(ErrorCode::invalid_argument, "Step arguments: " + what + ".", "This is a bug of the caller.");
    };
    const std::size_t rows = step.tokens.size();
    const std::size_t seqs = step.context_lens.size();
    if (rows == 0 || rows > at(limits_.max_rows) || seqs > at(limits_.max_seqs) ||
        step.logit_rows.size() > at(limits_.max_logit_rows))
        return refuse("no rows, or more rows or sequences than the limits of compile()");
    const std::size_t groups = at(kv_num_groups(pool_.spec()));
    if (step.positions.size() != rows || step.slots.size() != groups * rows || step.query_starts.size() != seqs + 1 ||
        step.input.size() != (program_.input.valid() ? rows * at(dim(program_.input)) : 0) ||
        step.block_tables.size() != groups * seqs * at(step.max_blocks))
        return refuse("arrays of different lengths");
    const auto inside = [](std::int32_t value, std::int64_t end) { return value >= 0 && value < end; };
    const KvGeometry geometry = pool_.geometry();
    const int positions = std::max(std::min(program_.max_positions, limits_.max_context), 1);
    for (std::size_t row = 0; row < rows; ++row) {
        if (!is_token(step.tokens[row]))
            return refuse("token " + std::to_string(step.tokens[row]) + " is not in the vocabulary");
        if (!program_.ropes.empty() && !inside(step.positions[row], positions))
            return refuse("position " + std::to_string(step.positions[row]) + " is beyond the longest context");
    }
    for (const std::int32_t slot : step.slots) {
        if (!inside(slot, std::int64_t{geometry.num_blocks} * geometry.block_tokens))
            return refuse("slot " + std::to_string(slot) + " is outside the pool");
    }
    for (std::size_t seq = 0; seq < seqs; ++seq) {
        if (step.context_lens[seq] > std::min(step.max_blocks, step_.arrays().table_stride) * geometry.block_tokens)
            return refuse("a context longer than its block table");
    }
    for (const std::int32_t block : step.block_tables) {
        if (!inside(block, geometry.num_blocks))
            return refuse("block " + std::to_string(block) + " is outside the pool");
    }
    for (const std::int32_t row : step.logit_rows) {
        if (!inside(row, static_cast<std::int64_t>(rows)))
            return refuse("a logit row outside the step");
    }
    for (const SamplingSequence& sequence : step.sampling) {
        if (sequence.logit_row < 0 || at(sequence.logit_row) + sequence.drafts.size() >= step.logit_rows.size())
            return refuse("a sampling sequence without its logit rows");
        const std::size_t width = at(dim(logits_));
        if ((!sequence.allowed.empty() &&
                sequence.allowed.size() != (sequence.drafts.size() + 1) * ((width + 31) / 32)) ||
            (!sequence.draft_probs.empty() && sequence.draft_probs.size() != sequence.drafts.size() * width))
            return refuse("a mask or draft probabilities that do not fit the vocabulary");
    }
    return {};
}

Result<Ticket> CudaExecutable::submit(const StepArgs& step) {
    VT_TRY(validate(step));
    if (num_submitted_ - num_waited_ >= kStepsInFlight)
        return fail(ErrorCode::busy, "Two steps are in flight already.", "Wait for the older one.");
    VT_TRY(stream_->use());
    const auto index = static_cast<int>(num_submitted_ % kStepsInFlight);
    Slot& slot = slots_[at(index)];
    StepArgs placed = step;
    placed.tokens = placed_tokens(step.tokens);
    keeps_tokens_ = false;
    auto shape = step_.fill(placed, index, *stream_);
    VT_TRY(shape);
    slot.greedy = !step.sampling.empty() && std::all_of(step.sampling.begin(), step.sampling.end(), is_plainly_greedy);
    slot.want_logits = step.want_logits;
    slot.num_logit_rows = step.logit_rows.size();
    slot.num_rows = step.tokens.size();
    shape->greedy = slot.greedy;
    VT_TRY(cuda_result(cudaEventRecord(slot.start, stream_->get()), "Timing a step"));
    VT_TRY(take_input(slot, step.input));
    auto replayed = forward(*shape);
    VT_TRY(replayed);
    slot.graph_replayed = *replayed;
    VT_TRY(fault_in_launch(stream_->get()));
    VT_TRY(cuda_result(cudaEventRecord(slot.forwarded, stream_->get()), "Timing a step"));
    VT_TRY(sample(index, step.sampling));
    VT_TRY(copy_results(slot, *shape));
    VT_TRY(cuda_result(cudaEventRecord(slot.end, stream_->get()), "Timing a step"));
    note_tokens(slot, step.sampling);
    return Ticket{++num_submitted_};
}

bool CudaExecutable::is_token(std::int32_t token) const noexcept {
    if (token >= 0)
        return token < program_.vocab_size;
    return keeps_tokens_ && -1 - std::int64_t{token} < static_cast<std::int64_t>(token_places_.size());
}

std::span<const std::int32_t> CudaExecutable::placed_tokens(std::span<const std::int32_t> tokens) {
    placed_tokens_.assign(tokens.begin(), tokens.end());
    for (std::int32_t& token : placed_tokens_) {
        if (token < 0)
            token = -1 - token_places_[at(-1 - std::int64_t{token})];
    }
    return placed_tokens_;
}

void CudaExecutable::note_tokens(const Slot& slot, std::span<const SamplingSequence> sequences) {
    token_places_.clear();
    keeps_tokens_ = !sequences.empty() && (slot.greedy || slot.sampling.empty()); // none is sampled on the host
    for (const SamplingSequence& sequence : sequences) {
        keeps_tokens_ = keeps_tokens_ && sequence.drafts.empty(); // else the last one is known behind the verdicts
        token_places_.push_back(sequence.logit_row);
    }
}

/// True: as a recorded graph.
Result<bool> CudaExecutable::forward(const StepShape& shape) {
    const auto launch = [&]() -> Result<bool> {
        VT_TRY(launch_all(shape));
        return false;
    };
    if (!limits_.graphs || shape.num_prefill_tiles > 0 || shape.num_rows > kGraphRows)
        return launch();
    auto found = graphs_.find(shape);
    if (found == graphs_.end()) {
        if (graphs_.size() >= kMaxGraphs || seen_.insert(shape).second)
            return launch();
        auto graph = capture(shape);
        VT_TRY(graph);
        found = graphs_.emplace(shape, *graph).first;
    }
    VT_TRY(cuda_result(cudaGraphLaunch(found->second, stream_->get()), "Starting a step"));
    return true;
}

Result<cudaGraphExec_t> CudaExecutable::capture(const StepShape& shape) {
    VT_TRY(cuda_result(cudaStreamBeginCapture(stream_->get(), cudaStreamCaptureModeThreadLocal), "Recording a step"));
    const Result<void> launched = launch_all(shape);
    cudaGraph_t graph = nullptr;
    const cudaError_t ended = cudaStreamEndCapture(stream_->get(), &graph);
    VT_TRY(launched);
    VT_TRY(cuda_result(ended, "Recording a step"));
    cudaGraphExec_t executable = nullptr;
    const cudaError_t made = cudaGraphInstantiate(&executable, graph, 0);
    (void)cudaGraphDestroy(graph);
    VT_TRY(cuda_result(made, "Recording a step"));
    return executable;
}

bool CudaExecutable::feeds_panels(int num_rows) const {
    return std::any_of(feeds_.begin(), feeds_.end(),
        [&](const Feed& feed) { return feed.padded_dim > 0 && linear_->reads_panels(feed.padded_dim, num_rows); });
}

Result<void> CudaExecutable::launch_all(const StepShape& shape) {
    shape_ = shape;
    if (feeds_panels(shape.num_rows))
        VT_TRY(cuda_result(
            cudaMemsetAsync(largest_.as<int>(), 0, program_.ops.size() * kPanelRows * sizeof(int), stream_->get()),
            "Clearing what rows hold"));
    for (running_ = 0; running_ < program_.ops.size(); ++running_) {
        if (chains() && running_ == chain_->first_op()) {
            VT_TRY(chain_->run(step_.arrays(), *stream_));
            running_ = chain_->end_op();
        }
        VT_TRY(std::visit([this](const auto& entry) { return run(entry); }, program_.ops[running_]));
    }
    return {};
}

/// Queues what chooses the tokens of a step that is not greedy as a whole; argmax is part of the forward pass.
Result<void> CudaExecutable::sample(int index, std::span<const SamplingSequence> sequences) {
    Slot& slot = slots_[at(index)];
    slot.sampling.clear();
    slot.on_device.clear();
    std::vector<const SamplingSequence*> on_device;
    for (const SamplingSequence& sequence : sequences) {
        const bool here = !slot.greedy && samples_on_device(sequence, dim(logits_));
        if (here)
            on_device.push_back(&sequence);
        else
            slot.sampling.emplace_back(sequence);
        if (!slot.greedy)
            slot.on_device.push_back(here);
    }
    return sampler_ ? sampler_->submit(index, on_device, values(logits_), best_.as<int>()) : Result<void>{};
}

Result<void> CudaExecutable::take_input(Slot& slot, std::span<const float> input) {
    if (input.empty())
        return {};
    std::copy(input.begin(), input.end(), slot.input.as<float>());
    return cuda_result(cudaMemcpyAsync(values(program_.input), slot.input.as<float>(), input.size_bytes(),
                           cudaMemcpyHostToDevice, stream_->get()),
        "Copying rows of another device");
}

Result<void> CudaExecutable::copy_results(Slot& slot, const StepShape& shape) {
    if (program_.output.valid())
        VT_TRY(cuda_result(
            cudaMemcpyAsync(slot.output.as<float>(), values(program_.output),
                slot.num_rows * at(dim(program_.output)) * sizeof(float), cudaMemcpyDeviceToHost, stream_->get()),
            "Copying rows for another device"));
    return copy_tokens_and_logits(slot, shape);
}

Result<void> CudaExecutable::copy_tokens_and_logits(Slot& slot, const StepShape& shape) {
    if (shape.greedy)
        VT_TRY(cuda_result(cudaMemcpyAsync(slot.tokens.as<int>(), best_.as<int>(), slot.num_logit_rows * sizeof(int),
                               cudaMemcpyDeviceToHost, stream_->get()),
            "Copying tokens"));
    if (!slot.want_logits && (slot.greedy || slot.sampling.empty()))
        return {};
    const std::size_t width = at(dim(logits_));
    const std::size_t count = slot.num_logit_rows * width;
    if (slot.logits_capacity < count) {
        auto buffer = PinnedBuffer::make(count * sizeof(float), "Reserving page-locked memory for logits");
        VT_TRY(buffer);
        slot.logits = std::move(*buffer);
        slot.logits_capacity = count;
    }
    const auto copy = [&](std::size_t first_row, std::size_t num_rows) {
        return cuda_result(
            cudaMemcpyAsync(slot.logits.as<float>() + first_row * width, values(logits_) + first_row * width,
                num_rows * width * sizeof(float), cudaMemcpyDeviceToHost, stream_->get()),
            "Copying logits");
    };
    if (slot.want_logits)
        return copy(0, slot.num_logit_rows);
    for (const OwnedSampling& sequence : slot.sampling)
        VT_TRY(copy(at(sequence.plain.logit_row), sequence.drafts.size() + 1));
    return {};
}

std::vector<SamplingOutcome> CudaExecutable::outcomes_of(int index) {
    Slot& slot = slots_[at(index)];
    std::vector<SamplingOutcome> outcomes;
    if (slot.greedy) {
        const std::span<const std::int32_t> best(slot.tokens.as<int>(), slot.num_logit_rows);
        for (const OwnedSampling& sequence : slot.sampling)
            outcomes.push_back(greedy_outcome(sequence, best));
        return outcomes;
    }
    if (slot.on_device.empty())
        return outcomes;
    std::vector<SamplingOutcome> from_device = sampler_->collect(index);
    const std::size_t width = at(dim(logits_));
    auto next_device = from_device.begin();
    auto next_host = slot.sampling.begin();
    for (const bool on_device : slot.on_device) {
        if (on_device) {
            outcomes.push_back(std::move(*next_device++));
            continue;
        }
        const std::span<const float> rows(
            slot.logits.as<float>() + at(next_host->plain.logit_row) * width, (next_host->drafts.size() + 1) * width);
        outcomes.push_back(sample_sequence(rows, static_cast<std::int64_t>(width), next_host->view(), scratch_));
        ++next_host;
    }
    return outcomes;
}

Result<StepResult> CudaExecutable::wait(Ticket ticket) {
    if (ticket.step != num_waited_ + 1 || ticket.step > num_submitted_)
        return fail(ErrorCode::internal, "Step " + std::to_string(ticket.step) + " is not the next one to wait for.");
    const auto index = static_cast<int>(num_waited_ % kStepsInFlight);
    Slot& slot = slots_[at(index)];
    ++num_waited_;
    VT_TRY(stream_->use());
    VT_TRY(cuda_result(cudaEventSynchronize(slot.end), "A GPU step"));
    VT_TRY(fault_in_wait());
    StepResult result;
    result.graph_replayed = slot.graph_replayed;
    const auto time_between = [](cudaEvent_t from, cudaEvent_t to) -> Result<std::chrono::nanoseconds> {
        float milliseconds = 0;
        VT_TRY(cuda_result(cudaEventElapsedTime(&milliseconds, from, to), "Timing a step"));
        return std::chrono::nanoseconds(static_cast<std::int64_t>(static_cast<double>(milliseconds) * 1e6));
    };
    auto forward_time = time_between(slot.start, slot.forwarded);
    VT_TRY(forward_time);
    auto sample_time = time_between(slot.forwarded, slot.end);
    VT_TRY(sample_time);
    result.forward_time = *forward_time;
    const auto begin = std::chrono::steady_clock::now();
    result.sampled = outcomes_of(index);
    if (slot.want_logits)
        result.logits.assign(slot.logits.as<float>(), slot.logits.as<float>() + slot.num_logit_rows * at(dim(logits_)));
    if (program_.output.valid())
        result.output = {slot.output.as<float>(), slot.num_rows * at(dim(program_.output))};
    result.sample_time = *sample_time + (std::chrono::steady_clock::now() - begin);
    return result;
}

} // namespace vitrine::kernels
