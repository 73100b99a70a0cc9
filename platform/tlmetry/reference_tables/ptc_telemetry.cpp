// SPDX-License-Identifier: BSD-3-Clause
// Counters of the telemetry around the whole PTC, over a window of cycles, with sources that saturate.
#include "tlmetry/reference_tables/simulation.hpp"
#include "tlmetry/reference_tables/tables.hpp"

#include <tlmetry/endpoint_telemetry/telemetry_feed.hpp>
#include <tlmetry/telemetry/telemetry.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <vector>

namespace tlmetry::reference_tables {

namespace {

namespace channel = telemetry::bus_channel;

constexpr double fs_at_1_mhz = 1e9;  // period
// From the end of reset to the beginning of the warm-up of the measured part.
constexpr cycle_t setup_cycles = 20;
constexpr cycle_t long_window = 10000;
constexpr cycle_t long_warm_up = 6000;
constexpr cycle_t short_warm_up = 5000;
// Two words of an MVB of two headers, and what they stand for on an MFB.
constexpr double two_words = 2;
constexpr double four_headers = 4;
constexpr double two_words_of_items = 32;

endpoint::Config configuration(const Row& row, time_fs pcie_period_fs) {
    endpoint::Config config;
    endpoint::Buses& buses = config.buses;
    buses.up_regions = buses.rq_regions = 2;
    buses.rc_regions = buses.down_regions = 4;
    buses.up_region_items = 8;
    buses.down_region_items = 4;
    buses.mvb_up_items = 2;
    buses.mvb_down_items = 4;
    buses.rq_write_header = buses.rq_read_header = 4;
    buses.rc_header = 3;
    config.ptc.rx_cycles = 0;
    config.link.tx_buffer_bytes = 1 << 24;  // no link limit
    config.host.completion_bytes = row.whole("completion_max_B");
    // Accepted in cycle c, the first word of the answer moves in c + latency.
    config.host.least_latency_fs = row.whole("host_latency_pcie_cycles") * pcie_period_fs - 1;
    config.rq = {row.whole("rq_ready_pct"), 100};
    config.down_mfb = config.down_mvb = {row.whole("down_ready_pct"), 100};
    return config;
}

std::vector<endpoint::Request> one_round(const Row& row) {
    endpoint::Request write;
    write.length = row.whole("write_B");
    endpoint::Request read;
    read.length = row.whole("read_B");
    read.address = row.whole("addr_off_B");
    read.read = true;
    std::vector<endpoint::Request> round(row.whole("wr_per_group"), write);
    round.resize(round.size() + row.whole("rd_per_group"), read);
    return round;
}

/// The telemetry component of this shape.
telemetry::Config component_of(const endpoint::Buses& buses) {
    constexpr std::uint32_t item_bytes = 4;
    telemetry::Config config;
    // The measured counters have none of the regions that a bus lacks.
    config.padding = telemetry::Padding::documented;
    config.pcie_rq_mfb_regions = buses.rq_regions;
    config.pcie_rc_mfb_regions = buses.rc_regions;
    config.dma_up_mfb_regions = buses.up_regions;
    config.dma_down_mfb_regions = buses.down_regions;
    config.pcie_rq_mfb_region_bytes = config.dma_up_mfb_region_bytes = item_bytes * buses.up_region_items;
    config.pcie_rc_mfb_region_bytes = config.dma_down_mfb_region_bytes = item_bytes * buses.down_region_items;
    return config;
}

telemetry::Clocks clocks_of(time_fs pcie_period_fs, time_fs dma_period_fs) {
    // The accumulator only has to keep up.
    const time_fs mi_period_fs = std::min(pcie_period_fs, dma_period_fs);
    return {ClockDomain(mi_period_fs, 0), ClockDomain(dma_period_fs, 0), {ClockDomain(pcie_period_fs, 0)}};
}

/// The part in simulation, its telemetry, and what the table asks beside: when reads were answered.
class Measurement {
public:
    Measurement(const endpoint::Config& config, time_fs pcie_period_fs, time_fs dma_period_fs,
                RoundsOfRequests source)
        : m_clocks(clocks_of(pcie_period_fs, dma_period_fs)),
          m_telemetry(component_of(config.buses), m_clocks),
          m_simulation(config, pcie_period_fs, dma_period_fs, std::move(source)),
          m_feed(m_simulation.endpoint(), m_telemetry, 0) {
        m_telemetry.on_look([this](time_fs t) {
            m_simulation.advance(t);
            note_completions(t);
            m_feed.commit(t);
        });
    }

    using Counters = std::vector<std::uint64_t>;
    /// All counters of all edges before `t`. Times must not go back.
    Counters counters(time_fs t) {
        m_telemetry.advance_to(t);
        if (m_telemetry.dropped_deltas() != 0) throw std::runtime_error("the telemetry lost deltas");
        Counters counters;
        for (std::uint32_t entry = 0; entry < m_telemetry.layout().channels_per_endpoint; ++entry)
            counters.push_back(m_telemetry.counted(entry));
        return counters;
    }

    const telemetry::Layout& layout() const { return m_telemetry.layout(); }
    /// P cycles before the last look in which reads were accepted on RQ, and in which completions ended on
    /// RC.
    std::vector<cycle_t> accepted() const {
        std::vector<cycle_t> cycles;
        for (const time_fs at : m_simulation.reads()) {
            const cycle_t cycle = m_clocks.pcie[0].first_at_or_after(at);
            if (cycle < m_noted) cycles.push_back(cycle);
        }
        return cycles;
    }
    const std::vector<cycle_t>& completions() const { return m_completions; }

private:
    /// Takes the ends of completions before `t` from the log before the telemetry does.
    void note_completions(time_fs t) {
        const cycle_t end = m_clocks.pcie[0].first_at_or_after(t);
        endpoint::Endpoint& endpoint = m_simulation.endpoint();
        const std::uint32_t regions = endpoint.config().buses.rc_regions;
        const endpoint::MfbLog& rc = endpoint.rc();
        for (std::size_t i = 0; i < rc.size(); ++i) {
            const cycle_t ended = rc[i].moved + (rc[i].first_region + rc[i].regions - 1) / regions;
            if (rc[i].eof() && ended >= m_noted && ended < end) m_completions.push_back(ended);
        }
        m_noted = end;
    }

    telemetry::Clocks m_clocks;
    telemetry::Telemetry m_telemetry;
    Simulation m_simulation;
    endpoint_telemetry::TelemetryFeed m_feed;
    std::vector<cycle_t> m_completions;
    cycle_t m_noted = 0;
};

/// Most reads that were accepted on RQ and not answered to the end, after a cycle. Answers come in the order
/// of the reads, each in `parts` completions.
int most_outstanding(const Measurement& measurement, std::uint32_t parts) {
    std::map<cycle_t, int> steps;
    for (const cycle_t accepted : measurement.accepted())
        ++steps[accepted];
    const std::vector<cycle_t>& completions = measurement.completions();
    for (std::size_t last = parts - 1; last < completions.size(); last += parts)
        --steps[completions[last]];
    int outstanding = 0;
    int most = 0;
    for (const auto& [cycle, step] : steps) {
        outstanding += step;
        most = std::max(most, outstanding);
    }
    return most;
}

/// A bus of the table: its counters over the window.
class Bus {
public:
    Bus(std::string name, const std::uint64_t* before, const std::uint64_t* after, std::uint32_t regions,
        double window_ns, double percent)
        : m_name(std::move(name)),
          m_before(before),
          m_after(after),
          m_regions(regions),
          m_window_ns(window_ns),
          m_percent(percent) {}

    void compare(Outcome& outcome) const {
        constexpr double item_bits = 32;
        compare(outcome, "_words", channel::words, two_words);
        compare(outcome, "_mfb_stall", channel::stalled, two_words);
        compare(outcome, "_sof", channel::transactions, four_headers);
        compare(outcome, "_mvb_items", channel::mvb_items, four_headers);
        compare(outcome, "_mvb_stall", channel::mvb_stalled, two_words);
        compare(outcome, "_mfb_items", channel::items, two_words_of_items);
        for (std::uint32_t r = 0; r < m_regions; ++r)
            compare(outcome, "_region" + std::to_string(r), channel::region0 + r, two_words);
        const double gbps_of_items = item_bits / m_window_ns;
        outcome.compare(m_name + "_Gbps", counted(channel::items) * gbps_of_items, m_percent,
                        two_words_of_items * gbps_of_items);
    }
    double counted(std::uint32_t of) const { return static_cast<double>(m_after[of] - m_before[of]); }

private:
    void compare(Outcome& outcome, const std::string& column, std::uint32_t of, double absolute) const {
        outcome.compare(m_name + column, counted(of), m_percent, absolute);
    }

    std::string m_name;
    const std::uint64_t* m_before;
    const std::uint64_t* m_after;
    std::uint32_t m_regions;
    double m_window_ns;
    double m_percent;
};

void run_ptc_telemetry(const Row& row, Outcome& outcome) {
    if (row.whole("wr_per_group") + row.whole("rd_per_group") == 0) {
        outcome.cannot_run("a group has no request");
        return;
    }
    const auto pcie_period = static_cast<time_fs>(std::llround(fs_at_1_mhz / row.number("pcie_MHz")));
    const auto dma_period = static_cast<time_fs>(std::llround(fs_at_1_mhz / row.number("dma_MHz")));
    const endpoint::Config config = configuration(row, pcie_period);
    const std::vector<endpoint::Request> round = one_round(row);

    const cycle_t pcie_cycles = row.whole("pcie_cycles");
    const cycle_t dma_cycles = row.whole("dma_cycles");
    const cycle_t pcie_first = setup_cycles + (pcie_cycles >= long_window ? long_warm_up : short_warm_up);
    const cycle_t pcie_end = pcie_first + pcie_cycles;
    const cycle_t dma_first = pcie_first * pcie_period / dma_period;
    const time_fs start = pcie_first * pcie_period;
    const time_fs pcie_stop = pcie_end * pcie_period;
    const time_fs dma_stop = (dma_first + dma_cycles) * dma_period;

    // More than the UP MVB can carry until then.
    const std::uint64_t requests =
        config.buses.mvb_up_items * static_cast<std::uint64_t>(std::max(pcie_stop, dma_stop) / dma_period);
    Measurement measurement(config, pcie_period, dma_period, {round, requests / round.size() + 1});
    using Counters = Measurement::Counters;
    // Both windows begin together; edge 0 of both clocks is one.
    const Counters before = measurement.counters(start);
    const Counters first_stop = measurement.counters(std::min(pcie_stop, dma_stop));
    const Counters last_stop = measurement.counters(std::max(pcie_stop, dma_stop));
    const Counters& pcie_after = pcie_stop <= dma_stop ? first_stop : last_stop;
    const Counters& dma_after = pcie_stop <= dma_stop ? last_stop : first_stop;

    const endpoint::Buses& buses = config.buses;
    const double pcie_ns = static_cast<double>(pcie_cycles * pcie_period) / fs_per_ns;
    const double dma_ns = static_cast<double>(dma_cycles * dma_period) / fs_per_ns;
    constexpr double percent = 2;
    constexpr double rc_percent = 3;
    const telemetry::ProbeShape& pcie = measurement.layout().pcie;
    const telemetry::ProbeShape& dma = measurement.layout().dma;
    const auto bus = [&](const char* name, const Counters& after, std::uint32_t base, std::uint32_t regions,
                         double window_ns, double allowed) {
        return Bus(name, &before[base], &after[base], regions, window_ns, allowed);
    };
    const Bus rc = bus("RC", pcie_after, pcie.bus_base(1), buses.rc_regions, pcie_ns, rc_percent);
    bus("RQ", pcie_after, pcie.bus_base(0), buses.rq_regions, pcie_ns, percent).compare(outcome);
    rc.compare(outcome);
    bus("UP", dma_after, pcie.channels + dma.bus_base(0), buses.up_regions, dma_ns, percent).compare(outcome);
    bus("DOWN", dma_after, pcie.channels + dma.bus_base(1), buses.down_regions, dma_ns, percent)
        .compare(outcome);
    outcome.compare("rc_not_ready_cycles", rc.counted(channel::stalled), rc_percent, two_words);

    const std::vector<cycle_t> accepted = measurement.accepted();
    const auto reads = std::count_if(accepted.begin(), accepted.end(),
                                     [&](cycle_t cycle) { return cycle >= pcie_first && cycle < pcie_end; });
    outcome.compare("RQ_reads", static_cast<double>(reads), percent, four_headers);
    const std::uint32_t cut = config.host.completion_bytes;
    const std::uint32_t parts = (row.whole("addr_off_B") % cut + row.whole("read_B") + cut - 1) / cut;
    outcome.compare("max_outstanding_reads", most_outstanding(measurement, parts), percent, two_words);
}

}  // namespace

Table ptc_telemetry_table() {
    Table table;
    table.name = "ptc_full_rtl_telemetry";
    table.title = "telemetry counters of the whole PTC, UltraScale+ shape";
    table.tolerance = "2 % or two MVB words, whichever is more; RC 3 %";
    table.run = run_ptc_telemetry;
    std::vector<Column>& columns = table.columns;
    columns = {whole("wr_per_group", 0, 1000),      whole("rd_per_group", 0, 1000),
               whole("write_B", 1, 4096),           whole("read_B", 1, 4096),
               whole("addr_off_B", 0, 4095),        whole("host_latency_pcie_cycles", 1, 100000),
               whole("completion_max_B", 64, 4096), whole("rq_ready_pct", 1, 100),
               whole("down_ready_pct", 1, 100),     whole("pcie_MHz", 1, 2000),
               whole("dma_MHz", 1, 2000),           whole("pcie_cycles", 1, 1000000),
               whole("dma_cycles", 1, 1000000),     number("max_outstanding_reads"),
               number("rc_not_ready_cycles"),       number("RQ_reads")};
    const struct {
        std::string name;
        int regions;
    } buses[] = {{"RQ", 2}, {"RC", 4}, {"UP", 2}, {"DOWN", 4}};
    for (const auto& bus : buses) {
        for (const char* counter :
             {"_words", "_mfb_stall", "_sof", "_mvb_items", "_mvb_stall", "_mfb_items", "_Gbps"})
            columns.push_back(number(bus.name + counter));
        for (int r = 0; r < bus.regions; ++r)
            columns.push_back(number(bus.name + "_region" + std::to_string(r)));
    }
    return table;
}

}  // namespace tlmetry::reference_tables
