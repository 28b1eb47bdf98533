// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/model: weight upload.
#include "engine/model/weight_loader.h"

#include <array>
#include <vector>

#include "engine/base/check.h"
#include "engine/quant/convert_rows.h"
#include "kernels/api/sentence.h"

namespace vitrine::engine {
namespace {

using kernels::Program;
using kernels::WeightGroupId;
using kernels::WeightGroupSpec;
using kernels::WeightMember;

/// The bytes of a group's members, converted where the program wants another format.
struct GroupBytes {
    std::vector<std::vector<std::byte>> converted; // owns what is not in the file as it is
    std::vector<std::span<const std::byte>> members;
};

/// The member's part of a tensor that may hold several.
std::span<const std::byte> bytes_of(const gguf::Tensor& tensor, const WeightMember& member) {
    if (tensor.bytes.empty()) // a vocabulary-only file
        return {};
    const auto first = static_cast<std::size_t>(kernels::row_bytes(*tensor.format, member.first_weight));
    const auto count = static_cast<std::size_t>(kernels::row_bytes(*tensor.format, member.in_dim) * member.out_dim);
    return tensor.bytes.subspan(first, count);
}

Result<GroupBytes> read_group(const gguf::File& file, const WeightGroupSpec& group, int num_threads) {
    GroupBytes bytes;
    bytes.converted.reserve(group.members.size()); // spans into it must stay valid
    for (const WeightMember& member : group.members) {
        const gguf::Tensor* tensor = file.find_tensor(member.name);
        VT_CHECK(tensor && tensor->format); // build_program() saw it
        if (tensor->bytes.empty())
            return fail(ErrorCode::bad_file, say(Sentence::tensor_without_data, file.path(), member.name),
                say(Sentence::choose_whole_for_vocabulary));
        const std::span<const std::byte> rows = bytes_of(*tensor, member);
        if (*tensor->format == member.format) {
            bytes.members.push_back(rows);
            continue;
        }
        auto converted =
            convert_rows(*tensor->format, rows, member.format, {member.out_dim, member.in_dim}, num_threads);
        if (!converted)
            return tl::unexpected(wrapped(converted.error(),
                say(Sentence::tensor_refused, file.path(), member.name, cause_of(converted.error()))));
        bytes.converted.push_back(*std::move(converted));
        bytes.members.push_back(bytes.converted.back());
    }
    return bytes;
}

std::int64_t file_bytes_of(const gguf::File& file, const WeightGroupSpec& group) {
    std::int64_t bytes = 0;
    for (const WeightMember& member : group.members)
        if (const auto* tensor = file.find_tensor(member.name))
            bytes += static_cast<std::int64_t>(bytes_of(*tensor, member).size());
    return bytes;
}

} // namespace

Result<std::int64_t> load_weights(
    const gguf::File& file, const Program& program, kernels::Backend& backend, const WeightLoad& load) {
    std::int64_t total = 0;
    for (const WeightGroupSpec& group : program.weights)
        total += file_bytes_of(file, group);
    std::int64_t done = 0;
    std::int64_t uploaded = 0;
    const std::size_t in_file = program.weights.size() - load.behind.size();
    for (std::size_t i = 0; i < in_file; ++i) {
        if (load.stop.stop_requested())
            return fail(ErrorCode::cancelled, say(Sentence::load_cancelled, file.path()));
        const WeightGroupSpec& group = program.weights[i];
        auto bytes = read_group(file, group, load.num_threads);
        if (!bytes)
            return tl::unexpected(bytes.error());
        VT_TRY(backend.upload(program, WeightGroupId{static_cast<std::int32_t>(i)}, bytes->members));
        for (const auto& member : bytes->members)
            uploaded += static_cast<std::int64_t>(member.size());
        for (const WeightMember& member : group.members)
            if (const auto* tensor = file.find_tensor(member.name))
                file.drop_pages(*tensor);
        done += file_bytes_of(file, group);
        if (load.progress)
            load.progress(done, total);
    }
    for (std::size_t i = in_file; i < program.weights.size(); ++i) {
        const std::vector<std::byte>& bytes = load.behind[i - in_file];
        const std::array members{std::span<const std::byte>(bytes)};
        VT_TRY(backend.upload(program, WeightGroupId{static_cast<std::int32_t>(i)}, members));
        uploaded += std::ssize(bytes);
    }
    return uploaded;
}

} // namespace vitrine::engine
