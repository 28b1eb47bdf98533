// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine engine/gguf: writes a GGUF v3 file, tensors streamed one after another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/gguf/file.h"
#include "kernels/api/weight_format.h"

namespace vitrine::engine::gguf {

/// Order of calls: set() and declare() in any order, begin(), write() until every tensor's bytes are there in the order
/// declared, finish().  Written beside the target under a temporary name and renamed by finish(); without finish() (error,
/// cancel) the destructor removes it.  Every failure (disk full too) names the file.  Thread: one.
class Writer {
public:
    explicit Writer(std::string path);
    ~Writer();
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    /// Integers that fit are written as u32 / i32 and arrays of them as i32, reals as f32, as readers expect; a key set
    /// twice keeps the last value.  `general.alignment` is the writer's own: 32.
    void set(std::string key, Value value);
    /// All metadata of another file, tensors not.
    void copy_metadata(const File& source);
    /// dims in file order, dims[0] = in_dim.  Fails on an in_dim that the format's block does not divide.
    [[nodiscard]] Result<void> declare(std::string name, std::vector<std::int64_t> dims, kernels::WeightFormat format);

    [[nodiscard]] Result<void> begin(); // header and tensor table
    [[nodiscard]] Result<void> write(std::span<const std::byte> bytes);
    [[nodiscard]] Result<void> finish(); // fsync, rename over the target
    [[nodiscard]] std::int64_t total_bytes() const noexcept; // of the finished file, once begin() ran

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace vitrine::engine::gguf
