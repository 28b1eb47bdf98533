// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: snapshots into history.
#include "ui/bridge/session_history.h"

#include "ui/bridge/miss_text.h"
#include "ui/bridge/qt_convert.h"

namespace vitrine::ui {

double snapshotTime(const Snapshot& snapshot) {
    return static_cast<double>(snapshot.engine_us) / 1e6;
}

void SessionHistory::add(const std::shared_ptr<const Snapshot>& snapshot) {
    m_last = snapshot;
    if (!snapshot->model)
        return;
    const double time = snapshotTime(*snapshot);
    m_blocks.add(time, snapshot->block_map);
    if (m_rates.empty() || time > m_rates.back().time)
        m_rates.push({time, snapshot->rates});
    auto next = m_requests.begin(); // they come in the order of the map
    for (const SequenceStatus& status : snapshot->sequences) {
        if (next == m_requests.end() || next->first != status.sequence)
            next = m_requests.try_emplace(status.sequence).first;
        RequestNote& note = next->second;
        ++next;
        if (note.sequence == 0) { // what never changes
            note.sequence = status.sequence;
            note.request = static_cast<quint64>(status.request);
            note.label = toQString(status.label);
            note.source = status.source;
            note.arrival = time - toSeconds(status.age);
        }
        note.promptTokens = status.prompt_tokens;
        note.cachedTokens = status.cached_tokens;
        note.outputTokens = status.output_tokens;
        note.preemptions = status.preemptions;
        note.blocks = std::max(note.blocks, status.num_blocks);
        note.firstToken = toSeconds(status.first_token);
        if (note.miss.isEmpty() && status.miss)
            note.miss = missText(*status.miss);
    }
    while (m_requests.size() > kMaxRequests) // numbers rise, so the first is the oldest
        m_requests.erase(m_requests.begin());
}

} // namespace vitrine::ui
