// SPDX-License-Identifier: GPL-3.0-or-later
// Keys and values on their way into the cache.
#include "kernels/cpu/body/entries.h"
#include "kernels/cpu/body/kv_codec.h"
#include "kernels/cpu/head_limits.h"

namespace vitrine::kernels::cpu::VITRINE_ISA {
namespace {

float amax_of(const float* x, int count) {
    float best = 0;
    for (int i = 0; i < count; ++i)
        best = __builtin_fabsf(x[i]) > best ? __builtin_fabsf(x[i]) : best;
    return best;
}

/// Elements as they lie in the pool, one after the other.
void encode(const KvWriteArgs& args, float scale, std::uint8_t* out) {
    auto* wide = reinterpret_cast<std::uint16_t*>(out);
    switch (args.type) {
    case KvType::f16: {
        float tail[kLanes] = {};
        for (int i = 0; i < args.count; i += kLanes) {
            for (int k = i; i + kLanes > args.count && k < args.count; ++k)
                tail[k - i] = args.x[k];
            store_f16(wide + i, load(i + kLanes > args.count ? tail : args.x + i));
        }
        return;
    }
    case KvType::bf16:
        for (int i = 0; i < args.count; ++i)
            wide[i] = bf16_of(args.x[i]);
        return;
    case KvType::int8:
    case KvType::int8_head:
        for (int i = 0; i < args.count; ++i)
            out[i] = scale > 0 ? int8_of(args.x[i] / scale) : std::uint8_t{0};
        return;
    case KvType::fp8_e4m3:
        for (int i = 0; i < args.count; ++i)
            out[i] = scale > 0 ? fp8_of(args.x[i] / scale) : std::uint8_t{0};
        return;
    }
}

void kv_write(const KvWriteArgs& args) {
    float* scales = args.is_key ? args.head.key_scales : args.head.value_scales;
    float scale = 1;
    if (args.type == KvType::int8) {
        scale = amax_of(args.x, args.count) / 127.0F;
        scales[args.offset] = scale;
    } else if (scales != nullptr) {
        scale = scales[0];
    }
    alignas(64) std::uint8_t encoded[2 * kMaxHeadDim + 64]; // whole vectors are stored
    encode(args, scale, encoded);
    const bool wide = args.type == KvType::f16 || args.type == KvType::bf16;
    if (!args.is_key) {
        const int bytes = wide ? 2 : 1;
        std::uint8_t* out = args.head.values + (args.offset * args.head_dim + args.first) * bytes;
        __builtin_memcpy(out, encoded, static_cast<std::size_t>(args.count * bytes));
    } else if (wide) {
        auto* out = reinterpret_cast<std::uint16_t*>(args.head.keys) + args.first * args.block_tokens + args.offset;
        const auto* in = reinterpret_cast<const std::uint16_t*>(encoded);
        for (int d = 0; d < args.count; ++d)
            out[d * args.block_tokens] = in[d];
    } else {
        std::uint8_t* out = args.head.keys + args.first * args.block_tokens + args.offset;
        for (int d = 0; d < args.count; ++d)
            out[d * args.block_tokens] = encoded[d];
    }
}

} // namespace

void add_kv_write(IsaTable& table) {
    table.kv_write = kv_write;
}

} // namespace vitrine::kernels::cpu::VITRINE_ISA
