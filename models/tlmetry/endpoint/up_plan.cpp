// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/endpoint/up_plan.hpp"

#include <tlmetry/base/processor.hpp>

#include <algorithm>
#include <numeric>

namespace tlmetry::endpoint {

namespace {

// No request arrives so long after the first, in fs.
constexpr time_fs longest = time_fs{1} << 50;
int log2_of(std::int64_t power) {
    return __builtin_ctzll(static_cast<std::uint64_t>(power));
}

bool is_power(std::int64_t number) {
    return (number & (number - 1)) == 0;
}

up_plan::Bus bus_of(std::uint32_t regions, bool one_start) {
    up_plan::Bus bus;
    bus.regions = regions;
    bus.skipped = one_start ? regions - 1 : 0;
    bus.shift = log2_of(regions);
    bus.field_bits = static_cast<int>(frame_field_bits(regions));
    bus.ones = 0;
    for (int r = 0; r < static_cast<int>(regions); ++r)
        bus.ones |= std::int64_t{1} << r * bus.field_bits;
    return bus;
}

/// Cycles of P in the common unit of both clocks.
std::int64_t pcie_units(const Edges& pcie, const Edges& dma) {
    return pcie.period_fs() / std::gcd(pcie.period_fs(), dma.period_fs());
}

up_plan::ToPcie crossing_of(const Edges& pcie, const Edges& dma, cycle_t sync_cycles) {
    const time_fs unit = std::gcd(pcie.period_fs(), dma.period_fs());
    const std::int64_t units = pcie_units(pcie, dma);
    up_plan::ToPcie crossing;
    crossing.factor = dma.period_fs() / unit;
    crossing.shift = log2_of(units);
    // Rounded down.
    const time_fs behind = dma.start_fs() - pcie.start_fs();
    crossing.offset = (behind - (behind % unit + unit) % unit) / unit + sync_cycles * units;
    return crossing;
}

up_plan::Rules rules_of(const Config& config, const Edges& pcie, const Edges& dma) {
    up_plan::Rules rules;
    rules.groups_join = config.buses.mvb_up_items > 1;
    rules.dma_start = dma.start_fs();
    rules.dma_period = dma.period_fs();
    rules.up = bus_of(config.buses.up_regions, false);
    rules.to_pcie = crossing_of(pcie, dma, config.ptc.sync_cycles);
    rules.up_cycles = config.ptc.up_cycles;
    rules.header_cycles = config.ptc.header_cycles;
    rules.payload_cycles = config.ptc.payload_cycles;
    rules.most_cycles = UpPlan::most_cycles(config, pcie, dma);
    rules.rq = bus_of(config.buses.rq_regions, config.buses.one_start);
    rules.region_shift = log2_of(config.buses.up_region_items);
    rules.storage_shift = log2_of(config.ptc.word_bytes);
    rules.rcb_shift = log2_of(config.host.rcb);
    rules.read_header = config.buses.rq_read_header;
    rules.write_header = config.buses.rq_write_header;
    rules.read_overhead = config.link.read_overhead;
    rules.write_overhead = config.link.write_overhead;
    rules.padding = config.link.dword_padding ? 3 : 0;
    rules.mps = config.ptc.mps_bytes;
    rules.mrrs = config.ptc.mrrs_bytes;
    return rules;
}

}  // namespace

cycle_t UpPlan::most_cycles(const Config& config, const Edges& pcie, const Edges& dma) {
    // For crossings of the least depth for which anything is passed by.
    constexpr cycle_t least = 64;
    // A word is written each D cycle at most. From the grant of a frame until UP sees its last word gone, so
    // many P cycles pass twice: before RQ begins with it, and while RQ, which may be narrower, takes it. Then
    // both crossings.
    constexpr cycle_t crossings = 32;
    const auto words = static_cast<cycle_t>(config.ptc.up_fifo_words);
    const cycle_t cycles = words * std::min(pcie.period_fs(), dma.period_fs()) / pcie.period_fs() - crossings;
    const cycle_t narrower = std::max(1u, config.buses.up_regions / config.buses.rq_regions);
    return std::max(least, std::min(words / 4, cycles / (1 + narrower)));
}

bool UpPlan::is_possible(const Config& config, const Edges& pcie, const Edges& dma) {
    // Words of all reads of a run must fit their place in needs_row.
    constexpr std::uint32_t least_word_bytes = 16;
    static_assert(most_requests / runs * (4096 / least_word_bytes + 1) <
                  std::size_t{1} << (up_plan::entries_shift - up_plan::words_shift));
    return takes_lanes() && config.ptc.word_bytes >= least_word_bytes && is_power(config.buses.up_regions) &&
           is_power(config.buses.rq_regions) && is_power(pcie_units(pcie, dma));
}

UpPlan::UpPlan(const Config& config, const Edges& pcie, const Edges& dma)
    : m_rules(rules_of(config, pcie, dma)),
      m_queue(config.ptc.header_queue),
      m_left(m_queue),
      m_numbers(row_length * up_plan::row_count) {}

void UpPlan::make(const Request* requests, std::size_t count, const State& state) {
    using up_plan::Job;
    drop();
    m_run = std::min(count, most_requests) / runs / up_plan::block * up_plan::block;
    if (m_run < up_plan::early) return;
    const std::size_t all = runs * m_run;
    const time_fs since = requests[0].arrival - 1 - m_rules.dma_start;
    if (since < 0 || requests[all - 1].arrival - requests[0].arrival >= longest) return;
    Job job;
    job.requests = requests;
    job.run = m_run;
    // An edge before the first arrival, so that all of them are later.
    job.first_cycle = since / m_rules.dma_period;
    // All that crosses does so after the first cycle of P.
    if (m_rules.to_pcie.factor * job.first_cycle + m_rules.to_pcie.offset < 0) return;
    for (std::size_t row = 0; row < up_plan::row_count; ++row)
        job.rows[row] = m_numbers.data() + row * row_length;
    const auto used = [](const OpenWord& word, const up_plan::Bus& bus) {
        return word.used == 0 ? bus.regions : std::int64_t{word.used};
    };
    job.start[Job::mvb_free] = state.mvb_free;
    job.start[Job::up_moved] = state.up.moved;
    job.start[Job::up_used] = used(state.up, m_rules.up);
    job.start[Job::last_grant] = state.last_grant;
    job.start[Job::last_headers] = state.last_headers;
    job.start[Job::rq_moved] = state.rq.moved;
    job.start[Job::rq_used] = used(state.rq, m_rules.rq);
#ifdef __x86_64__
    up_plan::find(m_rules, job);
#endif

    // What comes behind the last is not known: it might join its group.
    m_end = all - 1;
    for (std::size_t run = 0; run < runs; ++run) {
        bool goes_on = true;
        for (std::size_t p = 0; run != 0 && p < Job::positions; ++p)
            goes_on = goes_on && job.begin[p][run] == job.end[p][run - 1];
        const auto bad = static_cast<std::size_t>(job.bad[run]);
        if (goes_on && bad == m_run) continue;
        // The one before may be in one group with it.
        const std::size_t known = run * m_run + (goes_on ? bad : 0);
        m_end = known == 0 ? 0 : known - 1;
        break;
    }
    // The queue before RQ must have room at each grant.
    const std::int64_t* const start = row(up_plan::start_row);
    const std::int64_t* const granted = row(up_plan::granted_row);
    const std::size_t behind = std::min(m_queue, m_end);
    bool full = false;
    for (std::size_t i = 0; i < behind; ++i)
        full |= m_left[i] >= granted[i];
    for (std::size_t i = behind; i < m_end; ++i)
        full |= start[i - behind] >= granted[i];
    if (!full) return;
    std::size_t i = 0;
    while ((i < behind ? m_left[i] : start[i - behind]) < granted[i])
        ++i;
    m_end = i;
}

RequestSum UpPlan::lines(std::size_t count) const {
    const std::uint64_t all = total(up_plan::lines_row, count);
    RequestSum sum;
    sum.lines_written = all & 0xFFFF;
    sum.lines_merged = all >> up_plan::merged_shift & 0xFFFF;
    sum.lines_read = all >> up_plan::read_shift & 0xFFFF;
    sum.lines_snooped = all >> up_plan::snooped_shift;
    return sum;
}

UpPlan::Needs UpPlan::needs(std::size_t count) const {
    const auto frames = [](std::uint64_t fields, std::uint64_t sums) {
        FrameSum sum;
        sum.fields = fields;
        sum.last_items = sums & ((std::uint64_t{1} << up_plan::opened_shift) - 1);
        sum.opened = static_cast<std::uint32_t>(sums >> up_plan::opened_shift &
                                                ((std::uint64_t{1} << up_plan::opened_shift) - 1));
        return sum;
    };
    Needs needs;
    const std::uint64_t all = total(up_plan::needs_row, count);
    needs.bytes = static_cast<std::uint32_t>(all);
    needs.words = static_cast<std::uint32_t>(all >> up_plan::words_shift & 0xFFFF);
    needs.entries = static_cast<std::uint32_t>(all >> up_plan::entries_shift);
    const std::uint64_t up = total(up_plan::up_sums_row, count);
    const std::uint64_t rq = total(up_plan::rq_sums_row, count);
    needs.up_words = static_cast<std::uint32_t>(up >> up_plan::touched_shift);
    needs.rq_words = static_cast<std::uint32_t>(rq >> up_plan::touched_shift);
    needs.up = frames(total(up_plan::up_fields_row, count), up);
    needs.rq = frames(total(up_plan::rq_fields_row, count), rq);
    return needs;
}

}  // namespace tlmetry::endpoint
