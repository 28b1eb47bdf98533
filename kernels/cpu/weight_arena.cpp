// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/weight_arena.h"

#include <cstdint>
#include <string>
#include <sys/mman.h>
#include <utility>

#include "kernels/api/sentence.h"

namespace vitrine::kernels::cpu {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

} // namespace

Result<WeightArena> WeightArena::create(std::size_t bytes, bool huge_pages) {
    // Small arenas share no huge page with others: below one page the usual pages do.
    const bool huge = huge_pages && bytes >= kHugePage;
    const std::size_t mapped = bytes + (huge ? kHugePage : 64) + 64; // slack: kernels may read a vector past the end
    void* mapping = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED)
        return fail(ErrorCode::out_of_memory, say(Sentence::memory_refused, mapped), say(Sentence::close_programs));
    const std::size_t alignment = huge ? kHugePage : 64;
    const auto address = reinterpret_cast<std::uintptr_t>(mapping);
    WeightArena arena;
    arena.mapping_ = mapping;
    arena.mapped_bytes_ = mapped;
    arena.data_ = static_cast<std::uint8_t*>(mapping) + ((alignment - address % alignment) % alignment);
    arena.bytes_ = bytes;
    if (huge)
        madvise(arena.data_, bytes, MADV_HUGEPAGE);
    return arena;
}

WeightArena::~WeightArena() {
    release();
}

WeightArena::WeightArena(WeightArena&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)),
      mapping_(std::exchange(other.mapping_, nullptr)), mapped_bytes_(std::exchange(other.mapped_bytes_, 0)) {}

WeightArena& WeightArena::operator=(WeightArena&& other) noexcept {
    if (this != &other) {
        release();
        data_ = std::exchange(other.data_, nullptr);
        bytes_ = std::exchange(other.bytes_, 0);
        mapping_ = std::exchange(other.mapping_, nullptr);
        mapped_bytes_ = std::exchange(other.mapped_bytes_, 0);
    }
    return *this;
}

void WeightArena::release() noexcept {
    if (mapping_ != nullptr)
        munmap(mapping_, mapped_bytes_);
    mapping_ = nullptr;
}

} // namespace vitrine::kernels::cpu
