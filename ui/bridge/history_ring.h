// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: a fixed ring whose oldest entries give way; index 0 is the oldest.
#pragma once

#include <cstddef>
#include <vector>

namespace vitrine::ui {

template <class T>
class HistoryRing {
public:
    explicit HistoryRing(std::size_t capacity) : m_capacity(capacity) {}

    void push(const T& value) {
        if (m_values.size() < m_capacity) {
            m_values.push_back(value);
            return;
        }
        m_values[m_first] = value;
        m_first = (m_first + 1) % m_capacity;
    }
    void clear() {
        m_values.clear();
        m_first = 0;
    }
    [[nodiscard]] std::size_t size() const noexcept { return m_values.size(); }
    [[nodiscard]] bool empty() const noexcept { return m_values.empty(); }
    [[nodiscard]] std::size_t capacity() const noexcept { return m_capacity; }
    [[nodiscard]] const T& operator[](std::size_t index) const { return m_values[(m_first + index) % m_values.size()]; }
    [[nodiscard]] const T& back() const { return (*this)[m_values.size() - 1]; }

private:
    std::size_t m_capacity;
    std::size_t m_first = 0;
    std::vector<T> m_values;
};

} // namespace vitrine::ui
