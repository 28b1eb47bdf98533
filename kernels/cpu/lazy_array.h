// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine kernels/cpu: a large zeroed array whose pages the system hands out when they are first touched: a workspace is sized
// for the largest step, and most steps are small (the logits of 256 rows of a 262,144-word vocabulary alone are 256 MiB).
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace vitrine::kernels::cpu {

template <class T>
class LazyArray {
public:
    /// Replaces the content by `count` zeros; throws std::bad_alloc as a vector does.
    void allocate(std::size_t count) {
        memory_.reset(
            static_cast<T*>(std::calloc(count > 0 ? count : 1, sizeof(T)))); // fresh mappings are zero already
        if (!memory_)
            throw std::bad_alloc();
    }
    [[nodiscard]] T* data() const noexcept { return memory_.get(); }

private:
    struct Free {
        void operator()(T* memory) const noexcept { std::free(memory); }
    };
    std::unique_ptr<T[], Free> memory_;
};

} // namespace vitrine::kernels::cpu
