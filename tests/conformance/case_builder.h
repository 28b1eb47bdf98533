// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/conformance: small programs with random weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/api/program.h"
#include "tests/support/random_weights.h"

namespace vitrine::testing {

struct Case {
    Program program;
    std::vector<std::vector<std::vector<std::byte>>> bytes; // [group][member]
};

/// What the rows of an input table look like.
enum class Inputs : std::uint8_t {
    gaussian,
    int8_exact, // whole multiples of a power of two per 32 values, the largest 127: int8, f16 and bf16 hold them
    outlier, // Gaussian, one channel fifty times larger
    all_equal,
};

/// Adds parts to a program; ids come back in the order of the calls.
class CaseBuilder {
public:
    explicit CaseBuilder(unsigned seed) : random_(seed) {}

    [[nodiscard]] ActivationId activation(std::string name, std::int64_t dim);
    /// F32 rows.
    WeightGroupId table(WeightRole role, std::int64_t num_rows, std::int64_t dim, const std::vector<float>& values);
    /// One member per format and out_dim.
    [[nodiscard]] WeightGroupId matrices(WeightRole role, const std::vector<WeightFormat>& formats,
        const std::vector<std::int64_t>& out_dims, std::int64_t in_dim);
    [[nodiscard]] WeightGroupId matrix(WeightRole role, WeightFormat format, std::int64_t out_dim, std::int64_t in_dim);
    [[nodiscard]] WeightGroupId vector(std::int64_t dim, float mean, float spread);
    [[nodiscard]] RmsNormPrologue norm(std::int64_t dim) { return {vector(dim, 1, 0.2F), 1e-5F}; }
    [[nodiscard]] RopeId rope(RopeStyle style, int rotary_dim);
    /// `group`: whose block tables the layer's blocks are in.
    [[nodiscard]] LayerId layer(int num_kv_heads, int head_dim, int group = 0);
    void op(Op op) { case_.program.ops.push_back(std::move(op)); }

    /// Gathers row `token` of a random f32 table, [num_rows, dim], into a new activation.
    [[nodiscard]] ActivationId input(Inputs kind, std::int64_t num_rows, std::int64_t dim);
    /// Makes `watched` the logits: an f32 unit matrix as head, and sampling.  Ends the program.
    void observe(ActivationId watched);
    /// A head of `vocab` rows over `input`, then sampling.  Ends the program.
    void head(ActivationId input, WeightFormat format, std::int64_t vocab, bool norm, float scale, float softcap);

    [[nodiscard]] Case finish() { return std::move(case_); }

private:
    WeightGroupId add(WeightGroupSpec spec, std::vector<std::vector<std::byte>> bytes);
    void end_with(ActivationId input, WeightGroupId weights, std::int64_t vocab, bool norm, float scale, float softcap);

    Random random_;
    Case case_;
};

} // namespace vitrine::testing
