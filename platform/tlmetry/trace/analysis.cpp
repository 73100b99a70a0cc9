// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/trace/analysis.hpp"

#include <algorithm>

namespace tlmetry::trace {

namespace {

using tlp::Kind;

/// Place of a length among Analysis::sizes.
std::size_t size_place(std::uint32_t length_dwords) {
    return length_dwords <= 1 ? 0 : 32U - static_cast<unsigned>(__builtin_clz(length_dwords - 1));
}

}  // namespace

Analysis::Analysis(time_fs tick_fs, const DeviceLimits& limits)
    : m_tick_fs(tick_fs), m_limits(limits), m_matcher(tick_fs, m_log) {}

void Analysis::add(const ptt::TracedTlp& tlp) {
    const tlp::Header& h = tlp.header;
    if (m_tlps == 0) m_begin = m_last = m_before = tlp.time;
    if (tlp.time < m_before) m_log.add(Violation::time_went_back, tlp);
    m_before = tlp.time;
    m_last = std::max(m_last, tlp.time);
    ++m_tlps;

    KindCounts& counts = m_kinds[static_cast<unsigned>(h.kind)];
    ++counts.tlps;
    counts.payload_bytes += h.payload_bytes();
    counts.poisoned += h.poisoned ? 1 : 0;
    switch (h.kind) {
        case Kind::memory_read:
        case Kind::memory_read_locked:
            ++m_sizes[0][size_place(h.length_dwords)];
            break;
        case Kind::memory_write:
            ++m_sizes[1][size_place(h.length_dwords)];
            break;
        case Kind::completion_data:
        case Kind::completion_locked_data:
            ++m_sizes[2][size_place(h.length_dwords)];
            break;
        default:
            break;
    }
    m_timeline.add(tlp.time - std::min(tlp.time, m_begin), h);
    check_tlp(tlp, m_limits, m_log);
    m_matcher.add(tlp);
}

}  // namespace tlmetry::trace
