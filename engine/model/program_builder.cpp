// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: program construction.
#include "engine/model/program_builder.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "engine/quant/row_quantizer.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {

using namespace kernels;

namespace {

// Read elsewhere, or of no meaning for the result.
constexpr std::array<std::string_view, 5> kNotComputed{
    "rope_freqs.weight", "rope_factors_long.weight", "rope_factors_short.weight", "token_types.weight", "rope_freqs"};

/// "blk.31.x" of a model with 31 layers: a head that predicts further tokens, not part of the model proper.
bool lies_behind_the_layers(std::string_view name, int num_layers) {
    if (!name.starts_with("blk."))
        return false;
    int layer = 0;
    std::from_chars(name.data() + 4, name.data() + name.size(), layer);
    return layer >= num_layers;
}

} // namespace

ProgramBuilder::ProgramBuilder(const gguf::File& file, const ModelConfig& config, BuilderOptions options)
    : file_(file), config_(config), options_(std::move(options)) {
    program_.vocab_size = config.vocab_size;
    program_.max_positions = options_.max_positions;
}

std::int64_t ProgramBuilder::rows_of(const std::string& name) const {
    const gguf::Tensor* tensor = file_.find_tensor(name);
    return tensor ? tensor->out_dim() : 0;
}

std::int64_t ProgramBuilder::width_of(const std::string& name) const {
    const gguf::Tensor* tensor = file_.find_tensor(name);
    return tensor ? tensor->in_dim() : 0;
}

ActivationId ProgramBuilder::activation(std::string_view name, std::int64_t dim) {
    const auto known = activations_.find(name);
    if (known != activations_.end())
        return known->second;
    const ActivationId id{static_cast<std::int32_t>(program_.activations.size())};
    program_.activations.push_back(Activation{std::string(name), dim});
    activations_.emplace(name, id);
    return id;
}

WeightGroupId ProgramBuilder::matrices(WeightRole role, std::int64_t in_dim, const std::vector<TensorNeed>& needs) {
    WeightGroupSpec group{role, {}};
    for (const TensorNeed& need : needs) {
        auto found = member(need, in_dim);
        if (!found)
            return {};
        if (need.name.find("ffn_gate_inp") == std::string::npos) // routers are small and decide everything
            found->format = stored_format(found->format, in_dim, role);
        group.members.push_back(*std::move(found));
    }
    program_.weights.push_back(std::move(group));
    return WeightGroupId{static_cast<std::int32_t>(program_.weights.size()) - 1};
}

WeightGroupId ProgramBuilder::vector(
    const std::string& name, std::int64_t dim, std::int64_t first, std::int64_t total) {
    if (const auto known = vectors_.find({name, first}); known != vectors_.end())
        return known->second;
    const gguf::Tensor* tensor = usable(name);
    if (!tensor)
        return {};
    const std::int64_t found = tensor->in_dim() * tensor->out_dim();
    const std::int64_t needed = total > 0 ? total : dim;
    if (found != needed) {
        keep(make_error(ErrorCode::bad_file, say(Sentence::tensor_of_wrong_length, file_.path(), name, found, needed),
            say(Sentence::fetch_damaged_again)));
        return {};
    }
    const WeightGroupId id{static_cast<std::int32_t>(program_.weights.size())};
    program_.weights.push_back(WeightGroupSpec{WeightRole::vector, {{name, 1, dim, *tensor->format, first}}});
    vectors_.emplace(std::pair(name, first), id);
    return id;
}

WeightGroupId ProgramBuilder::optional_vector(
    const std::string& name, std::int64_t dim, std::int64_t first, std::int64_t total) {
    return has(name) ? vector(name, dim, first, total) : WeightGroupId{};
}

RmsNormPrologue ProgramBuilder::norm(const std::string& name, std::int64_t dim) {
    return RmsNormPrologue{vector(name, dim), config_.norm_eps};
}

RopeId ProgramBuilder::add_rope(const RopeConfig& rope, bool with_factors) {
    const auto factors = with_factors ? std::span<const float>(options_.rope_factors) : std::span<const float>{};
    program_.ropes.push_back(make_rope(rope, options_.rope_style, factors, config_.context_length));
    return RopeId{static_cast<std::int32_t>(program_.ropes.size()) - 1};
}

LayerId ProgramBuilder::add_kv_layer(const HeadLayout& heads) {
    program_.kv_layers.push_back(KvLayer{heads.num_kv_heads, heads.head_dim});
    return LayerId{static_cast<std::int32_t>(program_.kv_layers.size()) - 1};
}

Result<Program> ProgramBuilder::finish() {
    if (!error_)
        error_ = unread_tensor();
    if (error_)
        return tl::unexpected(*error_);
    return std::move(program_);
}

std::optional<Error> ProgramBuilder::unread_tensor() const {
    for (const gguf::Tensor& tensor : file_.tensors()) {
        const std::string_view name = tensor.name;
        const bool ignored = std::find(kNotComputed.begin(), kNotComputed.end(), name) != kNotComputed.end() ||
            name.find(".attn_rot_embd") != name.npos || name.ends_with(".rope_freqs.weight") ||
            lies_behind_the_layers(name, config_.num_layers);
        if (!ignored && !read_.contains(tensor.name))
            return make_error(ErrorCode::unsupported,
                say(Sentence::tensor_without_place, file_.path(), name, config_.architecture),
                say(Sentence::choose_other_file));
    }
    return std::nullopt;
}

const gguf::Tensor* ProgramBuilder::usable(const std::string& name) {
    const gguf::Tensor* tensor = file_.find_tensor(name);
    if (!tensor) {
        keep(make_error(ErrorCode::bad_file, say(Sentence::tensor_missing, file_.path(), name),
            say(Sentence::fetch_text_model_again)));
        return nullptr;
    }
    if (!tensor->format) {
        keep(make_error(ErrorCode::unsupported,
            say(Sentence::tensor_of_unknown_type, file_.path(), name, std::to_string(tensor->type)),
            say(Sentence::choose_common_type)));
        return nullptr;
    }
    read_.insert(name);
    return tensor;
}

std::optional<WeightMember> ProgramBuilder::member(const TensorNeed& need, std::int64_t in_dim) {
    const gguf::Tensor* tensor = usable(need.name);
    if (!tensor)
        return std::nullopt;
    const std::int64_t num_rows = need.num_rows > 0 ? need.num_rows : need.out_dim;
    if (tensor->in_dim() != in_dim || tensor->out_dim() != num_rows) {
        keep(make_error(ErrorCode::bad_file,
            say(Sentence::tensor_of_wrong_shape, file_.path(), need.name, tensor->in_dim(), tensor->out_dim(), in_dim,
                num_rows),
            say(Sentence::fetch_damaged_again)));
        return std::nullopt;
    }
    return WeightMember{need.name, need.out_dim, in_dim, *tensor->format, need.first_row * in_dim};
}

WeightFormat ProgramBuilder::stored_format(WeightFormat in_file, std::int64_t in_dim, WeightRole role) const {
    if (!options_.target)
        return in_file;
    const bool vocabulary = role == WeightRole::embedding || role == WeightRole::head || role == WeightRole::tied_head;
    const auto wanted = fallback_format(*options_.target, in_dim);
    // Embedding and head decide every token: below 8 bits they cost quality out of proportion to their size.
    if (vocabulary && row_bytes(wanted, in_dim) < row_bytes(WeightFormat::q8_0, in_dim))
        return row_bytes(in_file, in_dim) <= row_bytes(WeightFormat::q8_0, in_dim) ? in_file : WeightFormat::q8_0;
    return wanted;
}

void ProgramBuilder::keep(Error error) {
    if (!error_)
        error_ = std::move(error);
}

} // namespace vitrine::engine
