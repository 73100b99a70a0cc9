// SPDX-License-Identifier: BSD-3-Clause
// Useful rate of reads by headers, retries and tags: equal reads, each answered by one completion, on a link
// without encoding and DLLPs on which some completions have to be sent again.
#include "tlmetry/reference_tables/simulation.hpp"
#include "tlmetry/reference_tables/tables.hpp"

#include <algorithm>
#include <cmath>

namespace tlmetry::reference_tables {

namespace {

// A cycle of both clocks lasts as long as so many bytes on the link, so that the cycles from the release of a
// tag to its next grant hardly count beside the time from grant to release.
constexpr std::uint32_t cycle_bytes = 4;
constexpr std::uint64_t warm_up_reads = 4000;
constexpr std::uint64_t measured_reads = 50000;
constexpr double near_share = 0.02;

/// Of the table's inputs.
struct Inputs {
    explicit Inputs(const Row& row)
        : payload(row.whole("payload_B")),
          overhead(row.whole("overhead_B")),
          retry(row.number("retry")),
          tags(row.whole("tags")),
          round_trip_fs(row.number("rtt_ns") * fs_per_ns),
          byte_fs(fs_per_ns / row.number("ceiling_GBps")) {}

    std::uint32_t payload;
    std::uint32_t overhead;
    double retry;  // TLPs sent again, of those that came through
    std::uint32_t tags;
    double round_trip_fs;  // from grant to release
    double byte_fs;
};

/// Payload per fs of the reads behind the warm-up; 0 when the round trip is shorter than the way through the
/// PTC.
double simulate(const Inputs& inputs) {
    const auto period = static_cast<time_fs>(std::llround(inputs.byte_fs * cycle_bytes));
    endpoint::Config config;
    endpoint::Buses& buses = config.buses;
    // The largest completion takes one word of RC, a read one of RQ.
    buses.up_regions = buses.rq_regions = buses.rc_regions = buses.down_regions = 1;
    buses.down_region_items = 1024;
    buses.mvb_up_items = buses.mvb_down_items = 1;
    config.ptc.tags = inputs.tags;
    config.ptc.storage_words = 1 << 20;
    config.ptc.rx_cycles = 0;
    config.link.completion_overhead = inputs.overhead;
    config.link.down_byte_time = static_cast<std::uint64_t>(std::llround(inputs.byte_fs * 65536));
    config.link.down_errors =
        static_cast<std::uint32_t>(std::llround(inputs.retry / (1 + inputs.retry) * 4294967296.0));
    config.host.completion_bytes = 4096;
    const double ptc_fs =
        (config.ptc.header_cycles + config.ptc.storage_cycles + 1) * static_cast<double>(period);
    const double tlp_fs = (inputs.payload + inputs.overhead) * inputs.byte_fs;
    const double host_fs = inputs.round_trip_fs - ptc_fs - tlp_fs;
    if (host_fs < 0) return 0;
    config.host.least_latency_fs = static_cast<time_fs>(host_fs);

    endpoint::Request read;
    read.read = true;
    read.length = inputs.payload;
    constexpr std::uint64_t reads = warm_up_reads + measured_reads;
    Simulation simulation(config, period, period, {{read}, reads + inputs.tags});
    const std::vector<time_fs>& done = simulation.source().reads_done;
    while (done.size() < reads) {
        simulation.advance(simulation.now() + static_cast<time_fs>(inputs.round_trip_fs) + 1000 * period);
        simulation.forget_logs();
    }
    return static_cast<double>(measured_reads) * inputs.payload /
           static_cast<double>(done[reads - 1] - done[warm_up_reads - 1]);
}

void run_useful_rates(const Row& row, Outcome& outcome) {
    const Inputs inputs(row);
    const double useful = simulate(inputs) * fs_per_ns;
    if (useful == 0) {
        outcome.cannot_run("the round trip is shorter than the way through the PTC and the link");
        return;
    }
    const double ceiling = row.number("ceiling_GBps");
    const double headers = inputs.payload / static_cast<double>(inputs.payload + inputs.overhead);
    const double retries = 1 / (1 + inputs.retry);
    const double permit = ceiling * headers * retries;
    const double window = inputs.tags * inputs.payload / row.number("rtt_ns");
    // Retries come at random, now too many for the link and now too few.
    const bool near = std::abs(window / permit - 1) < near_share;
    if (near && inputs.retry != 0)
        outcome.remark("window and link bind about equally, so that each is idle at times: 2 % are allowed");
    const double percent = near && inputs.retry != 0 ? 2 : 1;
    outcome.compare("useful_GBps", useful, percent);
    outcome.compare("overall", useful / ceiling, percent);

    const double needed = permit * row.number("rtt_ns") / inputs.payload;
    outcome.compare("F2", headers, 0);
    outcome.compare("F3", retries, 0);
    outcome.compare("permit_GBps", permit, 0);
    outcome.compare("window_GBps", window, 0);
    outcome.compare("F4", std::min(1.0, window / permit), 0);
    outcome.compare("window_binds", window < permit ? 1 : 0, 0);
    outcome.compare("tags_needed_exact", needed, 0);
    outcome.compare("tags_needed", std::ceil(needed), 0);
    outcome.compare("naive_wire_report", std::min(permit, window) / permit, 0);
    outcome.compare("no_retry_wire_report", std::min(permit, window) / (ceiling * headers), 0);
}

}  // namespace

Table useful_rates_table() {
    Table table;
    table.name = "seed002_payload_sweep, seed002_tags_sweep_256B, seed002_retry_sweep_512B";
    table.title = "useful rate of reads by headers, retries and tags, simulated";
    table.tolerance =
        "useful_GBps and overall 1 %, 2 % where window and link bind about equally; the factors, which are "
        "computed, to the last digit";
    table.run = run_useful_rates;
    table.columns = {whole("payload_B", 1, 4096),
                     whole("overhead_B", 0, 1000),
                     number("retry"),
                     whole("tags", 1, 1024),
                     number("rtt_ns"),
                     number("ceiling_GBps")};
    for (const char* name :
         {"F2", "F3", "permit_GBps", "window_GBps", "F4", "window_binds", "useful_GBps", "overall",
          "tags_needed_exact", "tags_needed", "naive_wire_report", "no_retry_wire_report"})
        table.columns.push_back(number(name));
    return table;
}

}  // namespace tlmetry::reference_tables
