// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/host/root_complex.hpp"

#include "tlmetry/host/lines.hpp"

#include <tlmetry/base/choose.hpp>
#include <tlmetry/base/error.hpp>
#include <tlmetry/base/quantity.hpp>
#include <tlmetry/base/random.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace tlmetry::host {

using endpoint::Arrival;

namespace {

constexpr std::uint64_t place_salt = 0xD6E8'FEB8'6659'FD93;
constexpr std::uint64_t loss_salt = 0xC2B2'AE3D'27D4'EB4F;

std::uint64_t limit_of(std::uint32_t ppm) {
    return (std::uint64_t{ppm} << 32) / million;
}

std::uint32_t snooped(const Arrival& arrival, std::uint32_t lines) {
    return (arrival.flags & no_snoop) != 0 ? 0 : lines;
}

/// What the fastest place adds.
time_fs least_added(const Config& config) {
    time_fs least = never;
    if (config.cache_ppm != 0) least = std::min(least, config.cache_added_fs);
    if (config.remote_ppm != 0) least = std::min(least, config.remote_added_fs);
    if (config.cache_ppm + config.remote_ppm != million) least = std::min(least, config.memory_added_fs);
    return least;
}

}  // namespace

RootComplex::RootComplex(const Config& config, std::uint32_t endpoints, std::uint64_t seed,
                         std::string_view name)
    : m_iotlb(0, config.iotlb_page_bytes), m_walks(0) {
    const Change first = checked(0, config);
    for (std::uint32_t e = 0; e < endpoints; ++e)
        m_ports.emplace_back(config.lines_in_flight);
    std::uint64_t key = Random(seed, name).next();
    for (Port& port : m_ports) {
        port.key = key;
        key = random_bits(key);
    }
    apply(first);
    m_least = first.latency.least() + least_added(config);
}

RootComplex::Change RootComplex::checked(time_fs at, const Config& config) {
    config.validate();
    Change change{at, config, LatencyTable(config)};
    const time_fs least = change.latency.least() + least_added(config);
    if (least < 0) {
        throw UserError(
            "host.latency: expected at least 0s with what is added for the fastest place, found " +
            format_time(least));
    }
    std::vector<std::uint64_t>& lost = change.config.lost_reads;
    std::sort(lost.begin(), lost.end());
    return change;
}

void RootComplex::change_at(time_fs at, const Config& config) {
    Change change = checked(at, config);
    m_least = std::min(m_least, change.latency.least() + least_added(config));
    const auto place = std::upper_bound(m_changes.begin(), m_changes.end(), at,
                                        [](time_fs t, const Change& c) { return t < c.at; });
    m_changes.insert(place, std::move(change));
    m_next_change = m_changes.front().at;
}

void RootComplex::apply_changes(time_fs t) {
    while (!m_changes.empty() && m_changes.front().at <= t) {
        apply(m_changes.front());
        m_changes.pop_front();
    }
    m_next_change = m_changes.empty() ? never : m_changes.front().at;
}

void RootComplex::apply(const Change& change) {
    m_config = change.config;
    m_latency = change.latency;
    for (Port& port : m_ports)
        draw_latencies(port);
    m_added = {m_config.memory_added_fs, m_config.cache_added_fs, m_config.remote_added_fs};
    m_cache_limit = limit_of(m_config.cache_ppm);
    m_remote_limit = limit_of(m_config.cache_ppm + m_config.remote_ppm);
    m_memory.set_rate(m_config.memory_bytes_per_s, m_config.read_weight, m_config.write_weight);
    m_memory_reads.set_rate(m_config.memory_read_bytes_per_s);
    m_memory_writes.set_rate(m_config.memory_write_bytes_per_s);
    if (m_config.iotlb_entries != m_iotlb.entries() || m_config.iotlb_page_bytes != m_iotlb.page_bytes())
        m_iotlb = IoTlb(m_config.iotlb_entries, m_config.iotlb_page_bytes);
    if (m_config.iotlb_walks != m_walks.count()) m_walks = Slots(m_config.iotlb_walks);
    for (Port& port : m_ports) {
        if (m_config.lines_in_flight != port.lines.count()) port.lines = Slots(m_config.lines_in_flight);
    }
    const std::vector<std::uint64_t>& listed = m_config.lost_reads;
    m_next_lost =
        static_cast<std::size_t>(std::lower_bound(listed.begin(), listed.end(), m_reads) - listed.begin());

    m_limited = m_memory.limits() || m_memory_reads.limits() || m_memory_writes.limits();
    m_one_place = m_config.cache_ppm == 0 && m_config.remote_ppm == 0;
    m_writes_plain = !m_limited && m_config.iotlb_entries == 0;
    m_plain = m_writes_plain && m_one_place && !m_config.ordered && m_config.lines_in_flight == 0 &&
              m_config.lost_ppb == 0 && listed.empty();
}

time_fs RootComplex::read(std::uint32_t endpoint, const Arrival& arrival) {
    if (arrival.at >= m_next_change) return read_after_changes(endpoint, arrival);
    Port& port = m_ports[endpoint];
    const time_fs latency = next_latency(port);
    const std::uint32_t lines = Lines(arrival.address, arrival.length).touched;
    Statistics& statistics = port.statistics;
    ++statistics.reads;
    statistics.lines_snooped += snooped(arrival, lines);
    if (!m_plain) return constrained_read(port, arrival, lines, latency);
    const time_fs whole = latency + m_added[memory];
    statistics.lines_read += lines;
    statistics.read_latency_fs += static_cast<std::uint64_t>(whole);
    m_last.ready = arrival.at + whole;
    return m_last.ready;
}

std::size_t RootComplex::serve(std::uint32_t endpoint, const Arrival* first, const Arrival* last,
                               endpoint::Answer* answers) {
    if (first == last) return 0;
    Port& port = m_ports[endpoint];
    // A write commits its latency after its arrival if none before it commits later.
    const bool plain = m_plain && m_config.write_cost_fs == 0 && last[-1].at < m_next_change &&
                       port.writes_committed <= first->at + m_config.commit_latency_fs;
    return plain ? serve_plain(port, first, last, answers) : HostModel::serve(endpoint, first, last, answers);
}

/// The short way of requests that nothing but their latency concerns.
std::size_t RootComplex::serve_plain(Port& port, const Arrival* first, const Arrival* last,
                                     endpoint::Answer* answers) {
    std::size_t count = 0;
    // Of writes and of reads.
    std::array<std::uint64_t, 2> lines_touched{};
    std::array<std::uint64_t, 2> bytes{};
    std::uint64_t lines_merged = 0;
    std::uint64_t lines_not_snooped = 0;
    std::uint64_t dropped = 0;
    std::size_t dropped_reads = 0;
    time_fs latencies = 0;
    time_fs last_write = 0;
    // Without branches that depend on requests: they are as good as random.
    for (const Arrival* arrival = first; arrival != last; ++arrival) {
        const bool read = arrival->read;
        if (arrival->malformed) {
            answers[count] = {arrival->tag, never};
            count += read;
            dropped_reads += read;
            if (!read) port.statistics.write_bytes_malformed += arrival->length;
            ++dropped;
            continue;
        }
        const Lines lines(arrival->address, arrival->length);
        lines_touched[read] += lines.touched;
        bytes[read] += arrival->length;
        lines_not_snooped += lines.touched - snooped(*arrival, lines.touched);
        lines_merged += only_if(!read, lines.partial);
        const time_fs latency = latency_ahead(port) + m_added[memory];
        port.reads += read;
        latencies += only_if(read, latency);
        last_write = choose(read, last_write, arrival->at);
        answers[count] = {arrival->tag, arrival->at + latency};
        count += read;
    }
    const auto reads = count - dropped_reads;
    m_reads += reads;
    const std::uint64_t writes = static_cast<std::uint64_t>(last - first) - dropped - reads;
    Statistics& statistics = port.statistics;
    statistics.reads += reads;
    statistics.read_latency_fs += static_cast<std::uint64_t>(latencies);
    statistics.writes += writes;
    statistics.write_bytes += bytes[0];
    statistics.write_commit_fs += writes * static_cast<std::uint64_t>(m_config.commit_latency_fs);
    statistics.lines_snooped += lines_touched[0] + lines_touched[1] - lines_not_snooped;
    statistics.lines_read += lines_touched[1];
    statistics.lines_merged += lines_merged;
    statistics.lines_written += lines_touched[0];
    if (writes != 0) port.last_commit = port.writes_committed = last_write + m_config.commit_latency_fs;
    return count;
}

bool RootComplex::takes_sums(time_fs from, time_fs before) const {
    // A write commits its latency after its arrival if none before it commits later.
    return m_plain && m_config.write_cost_fs == 0 && before <= m_next_change &&
           std::all_of(m_ports.begin(), m_ports.end(), [&](const Port& port) {
               return port.writes_committed <= from + m_config.commit_latency_fs;
           });
}

void RootComplex::serve_sum(std::uint32_t endpoint, const endpoint::RequestSum& sum,
                            const endpoint::ReadArrival* reads, std::size_t count,
                            endpoint::Answer* answers) {
    Port& port = m_ports[endpoint];
    time_fs latencies = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const time_fs latency = latency_ahead(port) + m_added[memory];
        ++port.reads;
        latencies += latency;
        answers[i] = {reads[i].tag, reads[i].at + latency};
    }
    m_reads += count;
    Statistics& statistics = port.statistics;
    statistics.reads += count;
    statistics.read_latency_fs += static_cast<std::uint64_t>(latencies);
    statistics.writes += sum.writes;
    statistics.write_bytes += sum.write_bytes;
    statistics.write_commit_fs += sum.writes * static_cast<std::uint64_t>(m_config.commit_latency_fs);
    statistics.lines_snooped += sum.lines_snooped;
    statistics.lines_read += sum.lines_read;
    statistics.lines_merged += sum.lines_merged;
    statistics.lines_written += sum.lines_written;
    if (sum.writes != 0)
        port.last_commit = port.writes_committed = sum.last_write + m_config.commit_latency_fs;
}

void RootComplex::draw_latencies(Port& port) const {
    const std::uint64_t first = port.reads - port.reads % port.latencies.size();
    std::array<time_fs, std::tuple_size_v<decltype(port.latencies)>> block;
    for (std::size_t i = 0; i < block.size(); ++i)
        block[i] = m_latency.draw(word(port, first + i));
    port.latencies = block;
    port.drawn = first + block.size();
}

/// Out of line, like everything that is rare, to keep read() short.
time_fs RootComplex::read_after_changes(std::uint32_t endpoint, const Arrival& arrival) {
    apply_changes(arrival.at);
    return read(endpoint, arrival);
}

time_fs RootComplex::constrained_read(Port& port, const Arrival& arrival, std::uint32_t lines,
                                      time_fs latency) {
    const std::uint64_t random = word(port, port.reads - 1);
    Statistics& statistics = port.statistics;
    const Place place = m_one_place ? memory : place_of(random);
    m_last.latency = latency + m_added[place];
    m_last.from_memory = place != cache;
    m_last.translated = m_iotlb.entries() == 0 ? arrival.at : translate(statistics, arrival);
    m_last.not_before = m_config.ordered ? port.reads_ready : 0;
    if (place == cache) {
        ++statistics.reads_cached;
        statistics.lines_cached += lines;
    } else {
        statistics.reads_remote += place == remote ? 1 : 0;
        statistics.lines_read += lines;
        if (m_limited) {
            if (m_memory_reads.limits()) m_memory_reads.take(arrival.at, lines);
            if (m_memory.limits()) m_memory.take(SharedCeiling::read, arrival.at, lines);
        }
    }
    if (m_config.lines_in_flight != 0) {
        if (m_line_starts.size() < lines) m_line_starts.resize(lines);
        time_fs start = m_last.translated;
        for (std::uint32_t line = 0; line < lines; ++line) {
            start = port.lines.start(std::max(start, memory_start(line)), m_config.line_service_fs);
            m_line_starts[line] = start;
        }
    }
    m_last.ready = constrained_line_ready(0);
    if (m_config.ordered) port.reads_ready = std::max(port.reads_ready, constrained_line_ready(lines - 1));
    if (lost(random)) {
        ++statistics.reads_lost;
        return never;
    }
    const time_fs whole = m_last.ready - arrival.at;
    statistics.read_latency_fs += static_cast<std::uint64_t>(whole);
    statistics.read_wait_fs += static_cast<std::uint64_t>(whole - m_last.latency);
    return m_last.ready;
}

/// When the address of a request is known. All of it is in one page.
time_fs RootComplex::translate(Statistics& statistics, const Arrival& arrival) {
    bool hit = false;
    IoTlb::Translation& translation = m_iotlb.use(arrival.address, hit);
    if (hit) {
        ++statistics.iotlb_hits;
        // Its walk may still be under way.
        return std::max(arrival.at, translation.valid_from);
    }
    ++statistics.iotlb_misses;
    translation.valid_from = m_walks.start(arrival.at, m_config.iotlb_miss_fs) + m_config.iotlb_miss_fs;
    return translation.valid_from;
}

RootComplex::Place RootComplex::place_of(std::uint64_t random) const {
    const std::uint64_t bits = random_bits(random ^ place_salt) >> 32;
    if (bits < m_cache_limit) return cache;
    return bits < m_remote_limit ? remote : memory;
}

/// When the ceilings let a line of the last read begin.
time_fs RootComplex::memory_start(std::uint32_t line) const {
    if (!m_limited || !m_last.from_memory) return 0;
    time_fs start = 0;
    if (m_memory_reads.limits()) start = m_memory_reads.start(line);
    if (m_memory.limits()) start = std::max(start, m_memory.start(line));
    return start;
}

/// When a line of the last read is started.
time_fs RootComplex::line_start(std::uint32_t line) const {
    return m_config.lines_in_flight != 0 ? m_line_starts[line]
                                         : std::max(m_last.translated, memory_start(line));
}

time_fs RootComplex::constrained_line_ready(std::uint32_t line) const {
    return std::max(line_start(line) + m_last.latency, m_last.not_before);
}

time_fs RootComplex::freed(std::uint32_t endpoint, const Arrival& arrival) {
    if (!arrival.read) return m_ports[endpoint].last_commit;
    if (m_plain) return arrival.at;
    return line_start(Lines(arrival.address, arrival.length).touched - 1);
}

bool RootComplex::lost(std::uint64_t random) {
    const std::uint64_t number = m_reads - 1;
    constexpr std::uint64_t billion = 1'000'000'000;
    const std::vector<std::uint64_t>& listed = m_config.lost_reads;
    bool result =
        m_config.lost_ppb != 0 &&
        static_cast<std::uint64_t>(Wide{random_bits(random ^ loss_salt)} * billion >> 64) < m_config.lost_ppb;
    while (m_next_lost < listed.size() && listed[m_next_lost] <= number) {
        result = result || listed[m_next_lost] == number;
        ++m_next_lost;
    }
    return result;
}

void RootComplex::write(std::uint32_t endpoint, const Arrival& arrival) {
    if (arrival.at >= m_next_change) apply_changes(arrival.at);
    Port& port = m_ports[endpoint];
    Statistics& statistics = port.statistics;
    const Lines lines(arrival.address, arrival.length);
    ++statistics.writes;
    statistics.write_bytes += arrival.length;
    statistics.lines_snooped += snooped(arrival, lines.touched);
    statistics.lines_merged += lines.partial;
    statistics.lines_written += lines.touched;

    time_fs start = arrival.at;
    if (!m_writes_plain) {
        if (m_iotlb.entries() != 0) start = translate(statistics, arrival);
        if (m_memory_reads.limits() && lines.partial != 0) {
            m_memory_reads.take(arrival.at, lines.partial);
            start = std::max(start, m_memory_reads.start(lines.partial - 1));
        }
        if (m_memory_writes.limits()) {
            m_memory_writes.take(arrival.at, lines.touched);
            start = std::max(start, m_memory_writes.start(lines.touched - 1));
        }
        if (m_memory.limits()) {
            const std::uint32_t all = lines.touched + lines.partial;
            m_memory.take(SharedCeiling::write, arrival.at, all);
            start = std::max(start, m_memory.start(all - 1));
        }
    }
    port.last_commit = start + m_config.commit_latency_fs;
    if ((arrival.flags & relaxed_ordering) == 0)
        port.last_commit = std::max(port.last_commit, port.writes_committed + m_config.write_cost_fs);
    port.writes_committed = std::max(port.writes_committed, port.last_commit);
    if (port.last_commit > arrival.at + m_config.commit_latency_fs)
        port.backlog.add(arrival.at, port.last_commit, arrival.length);
    statistics.write_commit_fs += static_cast<std::uint64_t>(port.last_commit - arrival.at);
}

void RootComplex::dropped(std::uint32_t endpoint, const Arrival& arrival) {
    if (!arrival.read) m_ports[endpoint].statistics.write_bytes_malformed += arrival.length;
}

Statistics RootComplex::total() const {
    Statistics sum;
    for (const Port& port : m_ports) {
        for (const StatisticField& field : statistic_fields)
            sum.*field.value += port.statistics.*field.value;
    }
    return sum;
}

}  // namespace tlmetry::host
