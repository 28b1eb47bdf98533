// SPDX-License-Identifier: GPL-3.0-or-later
// std::exp on every token of a large vocabulary was most of a sampling step (measured, 49,152 tokens: 0.4 of 0.5 ms).
#include "kernels/ref/exp_sum.h"

#include <cstring>
#include <limits>

namespace vitrine::kernels {
namespace {

// Vector types of GCC and clang.
using Float4 = float __attribute__((vector_size(16)));
using Int4 = int __attribute__((vector_size(16)));
using Double4 = double __attribute__((vector_size(32)));

/// exp of four values in [-80, 0]: 2^n times a polynomial on +-ln2/2 (coefficients: Cephes, expf).
void exp4(const Float4& x, Float4& result) {
    constexpr float kMagic = 12582912.0F; // 1.5 * 2^23: adding it rounds to a whole number
    const Float4 n = (x * 1.44269504F + kMagic) - kMagic;
    const Float4 r = x - n * 0.693359375F + n * 2.12194440e-4F;
    Float4 p = r * 1.9875691500e-4F + 1.3981999507e-3F;
    p = p * r + 8.3334519073e-3F;
    p = p * r + 4.1665795894e-2F;
    p = p * r + 1.6666665459e-1F;
    p = p * r + 5.0000001201e-1F;
    p = p * r * r + r + 1.0F;
    const Int4 power = (__builtin_convertvector(n, Int4) + 127) << 23;
    Float4 scale;
    std::memcpy(&scale, &power, sizeof scale);
    result = p * scale;
}

} // namespace

double sum_of_exp(std::span<const float> logits, float temperature, float max) noexcept {
    constexpr std::size_t kLanes = 4;
    Double4 sums = {};
    for (std::size_t start = 0; start < logits.size(); start += kLanes) {
        Float4 x = Float4{} - std::numeric_limits<float>::infinity();
        if (start + kLanes <= logits.size())
            std::memcpy(&x, logits.data() + start, sizeof x);
        else
            std::memcpy(&x, logits.data() + start, (logits.size() - start) * sizeof(float));
        x = x / temperature - max;
        const Int4 counts = x > -80.0F; // false for NaN and -inf
        Int4 bits;
        std::memcpy(&bits, &x, sizeof bits);
        bits &= counts; // others become 0, whose exp is then masked too
        std::memcpy(&x, &bits, sizeof x);
        Float4 mass;
        exp4(x, mass);
        std::memcpy(&bits, &mass, sizeof bits);
        bits &= counts;
        std::memcpy(&mass, &bits, sizeof mass);
        sums += __builtin_convertvector(mass, Double4);
    }
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

} // namespace vitrine::kernels
