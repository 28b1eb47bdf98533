// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: block frames.
#include "ui/bridge/block_history.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace vitrine::ui {
namespace {

constexpr std::size_t kBatch = 8; // blocks compared between two branches
using Words = std::array<quint64, 2>;
static_assert(sizeof(BlockStatus) == sizeof(Words) && offsetof(BlockStatus, last_used_ms) == 8);

/// All bits of the named fields, none of the age and of the bytes between fields.
constexpr Words useMask() {
    struct Bytes {
        unsigned char state, gap, references[2], owner[4], age[4], group, freed, tail[2];
    };
    return std::bit_cast<Words>(
        Bytes{0xFF, 0, {0xFF, 0xFF}, {0xFF, 0xFF, 0xFF, 0xFF}, {0, 0, 0, 0}, 0xFF, 0xFF, {0, 0}});
}

constexpr quint32 kUseTolerance = 60; // ms: ages are rounded and polled, so equal moments differ a little

/// `nowMs`: whole milliseconds, since ages are: a rounding a block would cost more than everything else here.
quint32 momentOf(quint32 nowMs, const BlockStatus& block) {
    return block.state == BlockState::free || block.last_used_ms >= nowMs ? 0 : nowMs - block.last_used_ms;
}

void momentsToAges(BlockFrame& frame) {
    const auto now = static_cast<quint32>(std::llround(frame.time * 1000));
    for (BlockStatus& block : frame.blocks)
        block.last_used_ms = block.last_used_ms == 0 || block.last_used_ms > now ? 0 : now - block.last_used_ms;
}

/// Not zero if the block is another one than `last`, in its use or in the moment of it.
quint64 difference(const BlockStatus& now, const BlockStatus& last, quint32 nowMs) {
    const quint32 moved = momentOf(nowMs, now) - last.last_used_ms + kUseTolerance; // backwards too
    return useDifference(now, last) | static_cast<quint64>(moved > 2 * kUseTolerance);
}

#ifdef __SSE2__
// One block is one register: 65,536 of them are compared twice in every refresh, and that was a sixth of its cost.
using Register = __m128i;

Register blockAt(const BlockStatus* block) {
    return _mm_loadu_si128(reinterpret_cast<const Register*>(block));
}
bool isZero(Register value) {
    return _mm_movemask_epi8(_mm_cmpeq_epi32(value, _mm_setzero_si128())) == 0xFFFF;
}
Register maskOfUse() {
    static constexpr Words kMask = useMask();
    return _mm_loadu_si128(reinterpret_cast<const Register*>(&kMask));
}

/// Whether none of `kBatch` blocks differs in use.
bool isSameBatch(const BlockStatus* a, const BlockStatus* b) {
    Register any = _mm_setzero_si128();
    for (std::size_t k = 0; k < kBatch; ++k)
        any = _mm_or_si128(any, _mm_xor_si128(blockAt(a + k), blockAt(b + k)));
    return isZero(_mm_and_si128(any, maskOfUse()));
}

/// difference() of `kBatch` blocks at once.  Ages are unsigned; SSE2 compares signed, hence the bias.
bool isUnchangedBatch(const BlockStatus* now, const BlockStatus* last, quint32 nowMs) {
    static_assert(static_cast<int>(BlockState::free) == 0);
    const auto all = [](quint32 value) { return _mm_set1_epi32(static_cast<int>(value)); };
    constexpr quint32 kBias = 0x8000'0000U;
    const Register bias = all(kBias), nowAll = all(nowMs), nowBiased = all(nowMs ^ kBias);
    const Register tolerance = all(kUseTolerance), most = all((2 * kUseTolerance) ^ kBias);
    const Register onlyState = _mm_set_epi32(0, 0, 0, 0xFF), onlyAge = _mm_set_epi32(0, -1, 0, 0);
    Register other = _mm_setzero_si128(), moved = other;
    for (std::size_t k = 0; k < kBatch; ++k) {
        const Register a = blockAt(now + k), b = blockAt(last + k);
        other = _mm_or_si128(other, _mm_xor_si128(a, b));
        const Register state = _mm_shuffle_epi32(_mm_and_si128(a, onlyState), 0);
        const Register isFree = _mm_cmpeq_epi32(state, _mm_setzero_si128());
        const Register isYounger = _mm_cmpgt_epi32(nowBiased, _mm_xor_si128(a, bias)); // than the clock
        const Register moment = _mm_and_si128(_mm_andnot_si128(isFree, _mm_sub_epi32(nowAll, a)), isYounger);
        const Register change = _mm_add_epi32(_mm_sub_epi32(moment, b), tolerance);
        moved = _mm_or_si128(moved, _mm_cmpgt_epi32(_mm_xor_si128(change, bias), most));
    }
    return isZero(_mm_or_si128(_mm_and_si128(other, maskOfUse()), _mm_and_si128(moved, onlyAge)));
}
#else
bool isSameBatch(const BlockStatus* a, const BlockStatus* b) {
    quint64 any = 0;
    for (std::size_t k = 0; k < kBatch; ++k)
        any |= useDifference(a[k], b[k]);
    return any == 0;
}

bool isUnchangedBatch(const BlockStatus* now, const BlockStatus* last, quint32 nowMs) {
    quint64 any = 0;
    for (std::size_t k = 0; k < kBatch; ++k)
        any |= difference(now[k], last[k], nowMs);
    return any == 0;
}
#endif

std::size_t firstDifference(
    const BlockStatus* now, const BlockStatus* last, std::size_t from, std::size_t count, quint32 nowMs) {
    std::size_t i = from;
    while (i + kBatch <= count && isUnchangedBatch(now + i, last + i, nowMs))
        i += kBatch;
    while (i < count && difference(now[i], last[i], nowMs) == 0)
        ++i;
    return i;
}

} // namespace

quint64 useDifference(const BlockStatus& a, const BlockStatus& b) noexcept {
    static constexpr Words kMask = useMask();
    Words left, right;
    std::memcpy(&left, &a, sizeof left);
    std::memcpy(&right, &b, sizeof right);
    return ((left[0] ^ right[0]) & kMask[0]) | ((left[1] ^ right[1]) & kMask[1]);
}

std::size_t firstOtherUse(const BlockStatus* a, const BlockStatus* b, std::size_t from, std::size_t count) noexcept {
    std::size_t i = from;
    while (i + kBatch <= count && isSameBatch(a + i, b + i))
        i += kBatch;
    while (i < count && useDifference(a[i], b[i]) == 0)
        ++i;
    return i;
}

void BlockHistory::add(double time, const std::vector<BlockStatus>& blocks) {
    if (blocks.empty() || (!empty() && time <= lastTime()))
        return;
    const bool isKey = empty() || blocks.size() != m_last.size() || m_open.frames.size() >= kFramesPerKey;
    Frame frame{time, {}};
    m_last.resize(blocks.size());
    const auto nowMs = static_cast<quint32>(std::llround(time * 1000));
    const std::size_t count = blocks.size();
    const auto next = [&](std::size_t from) {
        return isKey ? from : firstDifference(blocks.data(), m_last.data(), from, count, nowMs);
    };
    for (std::size_t i = next(0); i < count; i = next(i + 1)) {
        m_last[i] = blocks[i];
        m_last[i].last_used_ms = momentOf(nowMs, blocks[i]);
        if (!isKey)
            frame.changes.push_back({static_cast<quint32>(i), m_last[i]});
    }
    if (isKey) {
        if (!empty())
            m_complete.push_back(std::make_shared<const Group>(std::move(m_open)));
        m_open = {m_last, {}, m_last.size() * sizeof(BlockStatus)};
        m_bytes += m_open.bytes;
    }
    const std::size_t size = sizeof(Frame) + frame.changes.size() * sizeof(Change);
    m_open.frames.push_back(std::move(frame));
    m_open.bytes += size;
    m_bytes += size;
    while (m_bytes > kMaxBytes && !m_complete.empty()) {
        m_bytes -= m_complete.front()->bytes;
        m_complete.pop_front();
    }
}

std::optional<BlockFrame> BlockHistory::at(double time) const {
    std::size_t after = 0, end = numGroups(); // the first group that begins after `time`
    while (after < end) {
        const std::size_t middle = (after + end) / 2;
        if (groupAt(middle).frames.front().time <= time)
            after = middle + 1;
        else
            end = middle;
    }
    if (after == 0)
        return std::nullopt;
    const Group& group = groupAt(after - 1);
    BlockFrame result{group.frames.front().time, group.key};
    for (std::size_t i = 1; i < group.frames.size() && group.frames[i].time <= time; ++i) {
        for (const Change& change : group.frames[i].changes)
            result.blocks[change.index] = change.status;
        result.time = group.frames[i].time;
    }
    momentsToAges(result);
    return result;
}

std::optional<std::vector<quint32>> BlockHistory::changesBetween(double before, double now) const {
    const auto& frames = m_open.frames;
    if (frames.size() < 2 || frames.back().time != now || frames[frames.size() - 2].time != before)
        return std::nullopt;
    std::vector<quint32> blocks;
    for (const Change& change : frames.back().changes)
        blocks.push_back(change.index);
    return blocks;
}

void BlockHistory::forEachFrame(const std::function<void(const BlockFrame&)>& visit) const {
    for (std::size_t g = 0; g < numGroups(); ++g) {
        const Group& group = groupAt(g);
        std::vector<BlockStatus> moments = group.key;
        for (const Frame& frame : group.frames) {
            for (const Change& change : frame.changes)
                moments[change.index] = change.status;
            BlockFrame result{frame.time, moments};
            momentsToAges(result);
            visit(result);
        }
    }
}

} // namespace vitrine::ui
