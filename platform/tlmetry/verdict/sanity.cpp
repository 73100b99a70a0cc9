// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/verdict/sanity.hpp"

#include <tlmetry/report/arithmetic.hpp>
#include <tlmetry/report/shares.hpp>
#include <tlmetry/verdict/evidence.hpp>

#include <algorithm>
#include <numeric>

namespace tlmetry::verdict {
namespace {

using report::percent_sign;

using driver::EndpointCounts;
using driver::Measurement;
using report::fixed;

constexpr double slowest_clock_hz = 10e6;
constexpr double fastest_clock_hz = 2e9;
constexpr double fewest_periods = 16;        // one of them is then 6 % of a count
constexpr std::uint32_t unset_tags = 0x7ff;  // of 11 bits; words have 16
constexpr std::uint32_t unset = 0xffff;
constexpr double visible_share = 0.01;

/// The checks of one endpoint.
class EndpointChecks {
public:
    EndpointChecks(const Evidence& evidence, std::vector<Doubt>& doubts)
        : m_evidence(evidence),
          m_counts(evidence.counts),
          m_layout(evidence.measurement.layout),
          m_slack(count_slack(m_layout)),
          m_doubts(doubts) {}

    void run() {
        // Nothing else about such numbers is worth saying.
        if (went_backwards()) return;
        link_down();
        stopped_clocks();
        clocks();
        levels("PCIe tags", m_counts.tags, m_layout.tag_capacity, 0);
        levels("storage FIFO words", m_counts.stfifo, m_layout.stfifo_capacity, 1);
        link_rate("towards the host", m_evidence.up, m_evidence.write_bytes,
                  (m_evidence.reads + m_evidence.writes) * m_evidence.facts.request_overhead());
        link_rate("from the host", m_evidence.down, m_evidence.completion_bytes,
                  m_evidence.completions * m_evidence.facts.completion_overhead());
        // Where deltas are missing, counters do not go together, and that has been said.
        const driver::Status& status = m_evidence.measurement.status;
        if (status.lost_deltas || status.readout_overrun) return;
        for (const BusUse& bus : m_evidence.buses) {
            bus_cycles(bus);
            bus_regions(bus);
            bus_frames(bus);
            bus_items(bus);
        }
        reasons();
        histograms();
    }

private:
    void add(std::string_view id, bool wrong, std::string sentence) {
        m_doubts.push_back({id, wrong, m_evidence.index, std::move(sentence)});
    }

    bool went_backwards() {
        // A difference modulo 2^width of a counter that went back is near the end of its range.
        const std::uint64_t half = std::uint64_t{1} << (m_layout.counter_width - 1);
        std::string first;
        std::size_t found = 0;
        const auto look = [&](std::uint64_t count, const std::string& name) {
            if (count < half) return;
            if (found++ == 0) first = name;
        };
        look(m_counts.pcie_cycles, "PCIe clock cycles");
        look(m_counts.dma_cycles, "DMA clock cycles");
        for (std::size_t i = 0; i < m_counts.reasons.size(); ++i)
            look(m_counts.reasons[i], "reason " + std::to_string(i));
        for (const driver::Histogram& histogram : m_counts.histograms)
            for (const std::uint64_t band : histogram.bands)
                look(band, "a histogram");
        for (const driver::BusCounts& bus : m_counts.buses) {
            for (const std::uint64_t count :
                 {bus.words, bus.stalled, bus.transactions, bus.mvb_items, bus.mvb_stalled, bus.items})
                look(count, bus.name);
            for (const std::uint64_t count : bus.regions)
                look(count, bus.name);
        }
        if (found == 0) return false;
        add("backwards", true,
            std::to_string(found) + (found == 1 ? " counter" : " counters") + " (first: " + first +
                ") went backwards: more than half of the range of " + std::to_string(m_layout.counter_width) +
                " bits. The counters were cleared or reset during the interval.");
        return true;
    }

    void link_down() {
        if (m_counts.link_up) return;
        add("link_down", false,
            std::string("The link is down") +
                (m_counts.pcie_cycles == 0 ? ", and the PCIe clock did not run." : ".") +
                " Nothing can be said about bandwidth.");
    }

    void stopped_clocks() {
        const auto stopped = [&](const char* name) {
            add("zero_counters", true,
                std::string("No ") + name + " clock cycle was counted" +
                    (m_counts.link_up ? " though the link is up" : "") +
                    ": the clock stands, its reset is on, or the probe is not connected.");
        };
        // Without a link the PCIe clock may stand: link_down says so.
        if (m_counts.pcie_cycles == 0 && m_counts.link_up) stopped("PCIe");
        if (m_counts.dma_cycles == 0) stopped("DMA");
    }

    void clocks() {
        const auto clock = [&](const char* name, std::uint64_t cycles) {
            if (cycles == 0) return;
            if (number(cycles) < fewest_periods * drain_period(m_layout))
                add("short_interval", false,
                    std::string("Only ") + std::to_string(cycles) + " " + name +
                        " clock cycles: the counters are read out every " + fixed(drain_period(m_layout), 0) +
                        " cycles, so that a count may be " +
                        percent_sign(100 * drain_period(m_layout) / number(cycles)) + " off.");
            else if (m_evidence.measurement.seconds) {
                const double hz = number(cycles) / *m_evidence.measurement.seconds;
                if (hz < slowest_clock_hz || hz > fastest_clock_hz)
                    add("clock", true,
                        std::string("The ") + name + " clock comes out at " + fixed(hz / 1e6, 3) +
                            " MHz: the interval is not the one that was counted.");
            }
        };
        clock("PCIe", m_counts.pcie_cycles);
        clock("DMA", m_counts.dma_cycles);
    }

    void bus_cycles(const BusUse& bus) {
        const auto exceed = [&](const char* what, double count) {
            if (count > bus.cycles + m_slack)
                add("bus_cycles", true,
                    bus.counts->name + ": " + what + " make " + fixed(count, 0) + " of " +
                        fixed(bus.cycles, 0) + " cycles.");
        };
        exceed("cycles with a word and stalled cycles",
               number(bus.counts->words) + number(bus.counts->stalled));
        exceed("stalled cycles of the MVB", number(bus.counts->mvb_stalled));
    }

    void bus_regions(const BusUse& bus) {
        for (std::size_t r = 0; r < bus.counts->regions.size(); ++r)
            if (number(bus.counts->regions[r]) > number(bus.counts->words) + m_slack) {
                add("regions", true,
                    bus.counts->name + ": region " + std::to_string(r) + " carried data in " +
                        std::to_string(bus.counts->regions[r]) + " cycles, a word moved in " +
                        std::to_string(bus.counts->words) + ".");
                return;
            }
    }

    void bus_frames(const BusUse& bus) {
        const double regions = std::accumulate(bus.counts->regions.begin(), bus.counts->regions.end(), 0.0);
        const double lanes = static_cast<double>(bus.counts->regions.size());
        if (bus.frames > regions + m_slack * lanes)
            add("frames", true,
                bus.counts->name + ": " + std::to_string(bus.counts->transactions) + " frames in " +
                    fixed(regions, 0) + " regions with data.");
        else if (bus.counts->dma_up && bus.frames > bus.requests + m_slack * lanes)
            add("frames", true,
                bus.counts->name + ": " + std::to_string(bus.counts->transactions) +
                    " frames with payload, but headers of " + std::to_string(bus.counts->mvb_items) +
                    " requests.");
    }

    void bus_items(const BusUse& bus) {
        const double region_items = static_cast<double>(bus.counts->region_bytes) / m_layout.item_bytes;
        const double regions = std::accumulate(bus.counts->regions.begin(), bus.counts->regions.end(), 0.0);
        const double lanes = static_cast<double>(bus.counts->regions.size());
        const double items = number(bus.counts->items);
        const double probe_lanes = (bus.counts->pcie_clock ? m_layout.pcie : m_layout.dma).regions;
        const double room = bus.narrow ? number(bus.counts->words) * probe_lanes : regions;
        if (items > (room + m_slack * std::max(lanes, probe_lanes)) * region_items)
            add("items", true,
                bus.counts->name + ": " + std::to_string(bus.counts->items) + " items in " + fixed(room, 0) +
                    " regions of " + fixed(region_items, 0) + ".");
        else if (bus.narrow && bus.counts->items != 0)
            add("narrow_bus", false,
                bus.counts->name + ": the hardware counts items that do not exist, because its probe has " +
                    fixed(probe_lanes, 0) + " regions and the bus " + fixed(lanes, 0) +
                    ". Its bytes are bounds from frames and regions here.");
    }

    void reasons() {
        for (std::size_t i = 0; i < m_counts.reasons.size(); ++i)
            if (number(m_counts.reasons[i]) > number(m_counts.pcie_cycles) + m_slack) {
                add("reason_cycles", true,
                    "Reason " + std::to_string(i) + " was on in " + std::to_string(m_counts.reasons[i]) +
                        " of " + std::to_string(m_counts.pcie_cycles) + " PCIe clock cycles.");
                return;
            }
    }

    void histograms() {
        for (std::size_t i = 0; i < m_counts.histograms.size(); ++i) {
            const driver::Histogram& histogram = m_counts.histograms[i];
            if (histogram.bands.empty()) continue;
            const double cycles = number(m_counts.cycles(histogram.pcie_clock));
            const double sum = std::accumulate(histogram.bands.begin(), histogram.bands.end(), 0.0);
            if (sum > cycles + m_slack || sum < cycles - m_slack)
                add("histogram", true,
                    "The bands of histogram " + std::to_string(i) + " make " + fixed(sum, 0) + " of " +
                        fixed(cycles, 0) + " cycles.");
        }
    }

    /// `histogram` is the number of the one of the same resource.
    void levels(const char* name, driver::Level level, std::uint32_t capacity, std::size_t histogram) {
        const std::string free = std::string(name) + " free: ";
        if (level.lowest > level.now && (level.lowest == unset || level.lowest == unset_tags)) {
            add("marks_unset", false,
                free + "no lowest value has been seen since it was cleared last (it reads " +
                    std::to_string(level.lowest) + ").");
        } else if (std::max(level.now, level.lowest) > capacity) {
            add("level_capacity", true,
                free + std::to_string(std::max(level.now, level.lowest)) + " of " + std::to_string(capacity) +
                    ". The capacity that the component was built with is not that of the PTC, so that the "
                    "bands "
                    "of the histogram are none of it either.");
        } else if (level.lowest > level.now) {
            add("level_order", true,
                free + std::to_string(level.now) + " now, but " + std::to_string(level.lowest) +
                    " as the lowest value.");
        } else if (histogram < m_counts.histograms.size() && level.lowest > 0) {
            const driver::Histogram& bands = m_counts.histograms[histogram];
            const double exhausted = bands.bands.empty() ? 0 : number(bands.bands[0]);
            if (exhausted > m_slack + visible_share * number(m_counts.pcie_cycles))
                add("level_histogram", false,
                    free + "never below " + std::to_string(level.lowest) +
                        " by the lowest value, but none for " +
                        percent_sign(100 * exhausted / number(m_counts.pcie_cycles)) +
                        " of the time by the histogram. Either the lowest value was cleared in between, or "
                        "one of them is "
                        "wrong.");
        }
    }

    void link_rate(const char* direction, const std::optional<LinkUse>& use, Bounds payload, double headers) {
        if (!use || m_counts.dma_cycles == 0) return;
        const double room = use->line_gbytes * (1 - use->encoding) * 1e9 * *m_evidence.measurement.seconds;
        if (payload.low + headers > room * (1 + m_slack / number(m_counts.dma_cycles)))
            add("link_rate", true,
                std::string("A ") + m_evidence.facts.trained->name() + " link carries " +
                    fixed(use->line_gbytes * (1 - use->encoding), 3) + " GB/s in each direction, but " +
                    fixed((payload.low + headers) / 1e9 / *m_evidence.measurement.seconds, 3) +
                    " GB/s went " + direction + ": it is wider or faster, or the interval was longer.");
    }

    const Evidence& m_evidence;
    const EndpointCounts& m_counts;
    const driver::Layout& m_layout;
    double m_slack;
    std::vector<Doubt>& m_doubts;
};

}  // namespace

std::vector<Doubt> check(const Measurement& measurement, const LinkFacts& facts) {
    std::vector<Doubt> doubts;
    const auto add = [&](std::string_view id, bool wrong, const char* sentence) {
        doubts.push_back({id, wrong, std::nullopt, sentence});
    };
    if (measurement.status.lost_deltas)
        add("lost_deltas", true,
            "Deltas were lost on their way into the counters: every count is too low by an unknown part.");
    if (measurement.status.readout_overrun)
        add("readout_overrun", true,
            "A read-out began before the one in front of it had ended: the counts are not exact.");
    if (measurement.cleared)
        add("cleared", false,
            "The counters were cleared during the interval: these are the totals since then, and their "
            "length "
            "is not known.");
    else if (!measurement.seconds)
        add("no_interval", false,
            "These are totals since the last clear, whose length is not known: there are shares, but no "
            "rates.");
    if (measurement.status.busy)
        add("busy", true,
            "A snapshot or clear was under way when the counters were read: old and new values are mixed.");
    if (facts.trained_down())
        doubts.push_back(
            {"trained_down", false, std::nullopt,
             "The link runs at " + facts.trained->name() + " and could do " + facts.capable->name() + "."});
    for (std::size_t i = 0; i < measurement.endpoints.size(); ++i)
        EndpointChecks(Evidence(measurement, i, facts), doubts).run();
    return doubts;
}

}  // namespace tlmetry::verdict
