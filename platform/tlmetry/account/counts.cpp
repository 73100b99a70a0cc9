// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/account/counts.hpp"

namespace tlmetry::account {

namespace {

template <class F>
void each(DirectionCounts& a, const DirectionCounts& b, const F& f) {
    f(a.all_bytes, b.all_bytes);
    f(a.first_bytes, b.first_bytes);
    f(a.cpu_bytes, b.cpu_bytes);
    f(a.repeated_bytes, b.repeated_bytes);
    f(a.dllp_bytes, b.dllp_bytes);
    f(a.payload_bytes, b.payload_bytes);
    f(a.useful_bytes, b.useful_bytes);
    f(a.under_way_bytes, b.under_way_bytes);
    f(a.lost_bytes, b.lost_bytes);
}

/// All counts, but not what the endpoints have.
template <class F>
void each(EndpointCounts& a, const EndpointCounts& b, const F& f) {
    f(a.capacity.raw, b.capacity.raw);
    f(a.capacity.data, b.capacity.data);
    f(a.capacity.down_s, b.capacity.down_s);
    each(a.up, b.up, f);
    each(a.down, b.down, f);
    f(a.reads, b.reads);
    f(a.read_bytes, b.read_bytes);
    f(a.writes, b.writes);
    f(a.completions, b.completions);
    f(a.reads_done, b.reads_done);
    f(a.reads_timed_out, b.reads_timed_out);
    f(a.malformed, b.malformed);
    f(a.cycles, b.cycles);
    f(a.grants.groups, b.grants.groups);
    for (std::size_t w = 0; w < a.grants.waited.size(); ++w)
        f(a.grants.waited[w], b.grants.waited[w]);
    f(a.grants.hold_cycles, b.grants.hold_cycles);
    f(a.grants.tag_cycles, b.grants.tag_cycles);
    for (const host::StatisticField& field : host::statistic_fields)
        f(a.host.*field.value, b.host.*field.value);
}

DirectionCounts of_link(const endpoint::LinkDirection::Statistics& link) {
    DirectionCounts counts;
    counts.all_bytes = link.all_bytes;
    counts.first_bytes = link.sent_bytes;
    counts.repeated_bytes = link.repeated_bytes;
    counts.dllp_bytes = link.dllp_bytes;
    return counts;
}

}  // namespace

EndpointCounts& operator+=(EndpointCounts& sum, const EndpointCounts& other) {
    each(sum, other, [](auto& a, const auto& b) { a += b; });
    sum.reads_lost += other.reads_lost;
    sum.tags += other.tags;
    sum.words += other.words;
    sum.tags_held += other.tags_held;
    sum.words_held += other.words_held;
    return sum;
}

EndpointCounts Meter::look(std::uint32_t e, time_fs t) const {
    const endpoint::Endpoint& endpoint = m_card.endpoint(e);
    const endpoint::Endpoint::Statistics& s = endpoint.statistics();
    const host::Statistics& host = m_card.host().statistics(e);
    const endpoint::DownStream& down = endpoint.down_stream();
    EndpointCounts counts;
    counts.up = of_link(endpoint.link_up().statistics());
    counts.up.cpu_bytes = endpoint.native_bytes_up();
    counts.up.payload_bytes = s.write_bytes;
    counts.up.useful_bytes = m_card.host().committed_bytes(e, t);
    counts.up.under_way_bytes = static_cast<std::int64_t>(endpoint.write_bytes_under_way() +
                                                          host.write_bytes - counts.up.useful_bytes);
    counts.up.lost_bytes = s.write_bytes_dropped + host.write_bytes_malformed;
    counts.down = of_link(endpoint.link_down().statistics());
    counts.down.cpu_bytes = endpoint.native_bytes_down();
    counts.down.payload_bytes = s.completion_bytes;
    counts.down.useful_bytes = down.delivered_bytes();
    counts.down.under_way_bytes = static_cast<std::int64_t>(down.held_bytes());
    counts.down.lost_bytes = down.lost_bytes() + s.completion_bytes_lost;
    counts.reads = s.reads;
    counts.read_bytes = s.read_bytes;
    counts.writes = s.writes;
    counts.completions = s.completions;
    counts.reads_done = s.reads_done;
    counts.reads_timed_out = s.reads_timed_out;
    counts.malformed = s.malformed;
    counts.reads_lost = host.reads_lost;
    const cycle_t now = endpoint.pcie().first_at_or_after(t);
    counts.cycles = static_cast<std::uint64_t>(now);
    counts.grants = endpoint.tag_manager().statistics(now);
    counts.tags = endpoint.config().ptc.tags;
    counts.words = endpoint.config().ptc.storage_words;
    counts.tags_held = static_cast<std::uint64_t>(endpoint.tag_manager().tags_held());
    counts.words_held = static_cast<std::uint64_t>(endpoint.tag_manager().words_held());
    counts.host = host;
    return counts;
}

void Meter::start(time_fs t) {
    m_from = t;
    m_before.clear();
    for (std::uint32_t e = 0; e < m_card.endpoints(); ++e)
        m_before.push_back(look(e, t));
}

std::vector<EndpointCounts> Meter::counts(time_fs t) const {
    std::vector<EndpointCounts> result;
    for (std::uint32_t e = 0; e < m_card.endpoints(); ++e) {
        EndpointCounts& counts = result.emplace_back(look(e, t));
        each(counts, m_before[e], [](auto& a, const auto& b) { a -= b; });
        counts.capacity = link_capacity(m_config, m_from, t);
    }
    return result;
}

}  // namespace tlmetry::account
