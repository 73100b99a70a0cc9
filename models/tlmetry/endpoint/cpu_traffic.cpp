// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/endpoint/cpu_traffic.hpp"

#include <algorithm>

namespace tlmetry::endpoint {

CpuTraffic::Stream::Stream(std::uint64_t per_s, std::uint32_t size, const Cpu& config)
    : interval(per_s == 0 ? never : fs_per_s / static_cast<time_fs>(per_s)),
      bytes(size),
      window(config.window),
      next(interval) {}

std::uint64_t CpuTraffic::Stream::take(time_fs at) {
    next = at + interval;
    const std::uint64_t address = window + offset;
    offset = (offset + bytes) % Cpu::window_bytes;
    return address;
}

CpuTraffic::CpuTraffic(const Cpu& config)
    : m_writes(config.writes_per_s, config.write_bytes, config),
      m_reads(config.reads_per_s, config.read_bytes, config),
      m_first_tag(config.first_tag),
      m_tag_free(config.tags) {}

std::uint64_t CpuTraffic::write(time_fs at) {
    ++m_statistics.writes;
    return m_writes.take(at);
}

std::uint64_t CpuTraffic::read(time_fs at, std::uint16_t& tag) {
    ++m_statistics.reads;
    tag = static_cast<std::uint16_t>(m_first_tag + m_tag);
    m_tag_free[m_tag] = never;
    find_tag();
    return m_reads.take(at);
}

void CpuTraffic::answered(std::uint32_t tag, time_fs at, time_fs known) {
    ++m_statistics.reads_done;
    m_answers.push({at, tag - m_first_tag});
    m_tag_free[tag - m_first_tag] = known;
    find_tag();
}

void CpuTraffic::interrupt(time_fs t, time_fs until, time_fs timeout) {
    for (time_fs& free : m_tag_free) {
        if (free != never) continue;
        free = t + timeout;
        ++m_statistics.reads_lost;
    }
    for (const Answer& answer : m_answers) {
        if (answer.at < t) continue;
        m_tag_free[answer.tag] = t + timeout;
        --m_statistics.reads_done;
        ++m_statistics.reads_lost;
    }
    m_answers.clear();
    find_tag();
    for (Stream* stream : {&m_writes, &m_reads})
        stream->next = std::max(stream->next, until);
}

std::uint64_t CpuTraffic::reads_under_way() const {
    return static_cast<std::uint64_t>(std::count(m_tag_free.begin(), m_tag_free.end(), never));
}

void CpuTraffic::find_tag() {
    const auto first = std::min_element(m_tag_free.begin(), m_tag_free.end());
    m_tag = static_cast<std::size_t>(first - m_tag_free.begin());
}

}  // namespace tlmetry::endpoint
