// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: the last values of a stream, oldest first.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace vitrine::ui {

/// A value.  Full chunks never change and are shared between copies, so that copying a long history costs pointers and
/// one chunk: what is exported or recorded is copied on the GUI thread and read on another.
/// Invariants: every chunk but the last is full; m_first < kChunk; size() <= capacity().
template <class T>
class HistoryRing {
public:
    explicit HistoryRing(std::size_t capacity) : m_capacity(capacity) {}
    HistoryRing(const HistoryRing& other)
        : m_capacity(other.m_capacity), m_first(other.m_first), m_size(other.m_size), m_chunks(other.m_chunks) {
        if (!m_chunks.empty())
            m_chunks.back() = clone(*m_chunks.back());
    }
    HistoryRing(HistoryRing&& other) noexcept = default;
    HistoryRing& operator=(HistoryRing other) noexcept {
        std::swap(m_capacity, other.m_capacity);
        std::swap(m_first, other.m_first);
        std::swap(m_size, other.m_size);
        m_chunks.swap(other.m_chunks);
        return *this;
    }
    ~HistoryRing() = default;

    void push(const T& value) {
        if (m_chunks.empty() || m_chunks.back()->size() == kChunk)
            m_chunks.push_back(std::make_shared<std::vector<T>>());
        m_chunks.back()->push_back(value);
        if (++m_size <= m_capacity)
            return;
        --m_size;
        if (++m_first == kChunk) {
            m_chunks.erase(m_chunks.begin());
            m_first = 0;
        }
    }
    void clear() {
        m_chunks.clear();
        m_first = 0;
        m_size = 0;
    }
    [[nodiscard]] std::size_t size() const noexcept { return m_size; }
    [[nodiscard]] bool empty() const noexcept { return m_size == 0; }
    [[nodiscard]] std::size_t capacity() const noexcept { return m_capacity; }
    [[nodiscard]] const T& operator[](std::size_t index) const {
        const std::size_t at = m_first + index;
        return (*m_chunks[at / kChunk])[at % kChunk];
    }
    [[nodiscard]] const T& back() const { return m_chunks.back()->back(); }

    static constexpr std::size_t kChunk = 1'024; // values

private:
    static std::shared_ptr<std::vector<T>> clone(const std::vector<T>& chunk) {
        return std::make_shared<std::vector<T>>(chunk);
    }

    std::size_t m_capacity;
    std::size_t m_first = 0; // in the first chunk
    std::size_t m_size = 0;
    std::vector<std::shared_ptr<std::vector<T>>> m_chunks; // the last one is this ring's own
};

} // namespace vitrine::ui
