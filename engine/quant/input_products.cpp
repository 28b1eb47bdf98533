// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/quant/input_products.h"

#include <algorithm>

namespace vitrine::engine {

void InputProductCollector::watch(std::set<std::string> tensors) {
    watched_ = std::move(tensors);
    entries_.clear();
}

void InputProductCollector::on_input(
    const kernels::WeightGroupSpec& group, int /*expert*/, int num_experts, std::span<const float> x) {
    if (num_experts != 1)
        return;
    std::shared_ptr<Entry> shared;
    for (const kernels::WeightMember& member : group.members) {
        if (!watched_.contains(member.name))
            continue;
        std::shared_ptr<Entry>& entry = entries_[member.name];
        if (!entry && shared)
            entry = shared;
        if (!entry) {
            const auto d = static_cast<std::int64_t>(x.size());
            entry = std::make_shared<Entry>(Entry{
                std::make_shared<InputProducts>(InputProducts{DenseMatrix(d, d), 0}), DenseMatrix(kBufferRows, d), 0});
        }
        if (entry == shared) // counted with the first member
            continue;
        shared = entry;
        std::copy(x.begin(), x.end(), entry->rows.row(entry->buffered));
        if (++entry->buffered == kBufferRows)
            flush(*entry);
    }
}

void InputProductCollector::flush(Entry& entry) {
    add_products(entry.rows, entry.buffered, entry.products->sums, num_threads_);
    entry.products->num_rows += entry.buffered;
    entry.buffered = 0;
}

std::map<std::string, std::shared_ptr<const InputProducts>> InputProductCollector::finish() {
    std::map<std::string, std::shared_ptr<const InputProducts>> result;
    std::set<const Entry*> done;
    for (auto& [name, entry] : entries_) {
        if (done.insert(entry.get()).second) {
            flush(*entry);
            mirror(entry->products->sums);
        }
        result.emplace(name, entry->products);
    }
    entries_.clear();
    return result;
}

} // namespace vitrine::engine
