// SPDX-License-Identifier: BSD-3-Clause
// The tag manager alone: a stream of equal reads that never ends, buses that never bind, a host that answers
// in order and as fast as the headers can leave the storage FIFO.
#include "tlmetry/reference_tables/simulation.hpp"
#include "tlmetry/reference_tables/tables.hpp"

#include <algorithm>

namespace tlmetry::reference_tables {

namespace {

constexpr time_fs period_fs = 4 * fs_per_ns;

const char* const latency_column = "latency_cycles(issue->completion hdr out of storage FIFO)";
const char* const rate_column = "req_per_cycle_steady(issued/cycles)";
constexpr std::uint32_t least_latency = 24;

endpoint::Config configuration(const Row& row) {
    endpoint::Config config;
    endpoint::Buses& buses = config.buses;
    buses.mvb_up_items = row.whole("mvb_up_items");
    buses.mvb_down_items = row.whole("mvb_down_items");
    // A word of RQ takes a group, one of RC and DOWN as many whole completions as the row says.
    buses.up_regions = buses.rq_regions = buses.mvb_up_items;
    buses.rc_regions = buses.down_regions = row.whole("completions_per_cycle");
    buses.down_region_items = 1024;
    endpoint::Ptc& ptc = config.ptc;
    ptc.word_bytes = row.whole("word_bytes");
    ptc.storage_words = row.whole("stfifo_words");
    ptc.tags = row.text("tag_width") == "10" ? 512 : 256;
    ptc.rx_cycles = 0;
    config.link.tx_buffer_bytes = 1 << 24;  // no link limit
    config.host.completion_bytes = row.whole("cpl_payload_max_B");
    const std::uint32_t bus_cycles = ptc.header_cycles + ptc.storage_cycles + 1;
    config.host.least_latency_fs = (row.whole(latency_column) - bus_cycles) * period_fs - 1;
    return config;
}

struct Measured {
    cycle_t first = -1;  ///< issue
    cycle_t cycles = 0;  ///< to the last issue
    cycle_t blocked = 0;
    int first_stall = -1;
    int most = 0;
    cycle_t first_release = -1;
    cycle_t first_issue_after = -1;
};

/// Reads issued and released in each cycle, up to the cycle of the `issues`-th issue.
struct Course {
    std::vector<int> issued;
    std::vector<int> released;
};

Course course_of(Simulation& simulation, int issues) {
    Course course;
    const endpoint::TagManager& manager = simulation.endpoint().tag_manager();
    int issued = 0;
    // A tag is missing from the pool in the cycle after its issue.
    for (std::size_t i = 0; issued < issues; ++i) {
        const endpoint::Step& step = manager.tags_taken[i];
        course.issued.resize(static_cast<std::size_t>(step.at));
        course.issued.back() -= step.step;
        issued -= step.step;
    }
    course.released.resize(course.issued.size());
    for (std::size_t i = 0; i < manager.tags_back.size(); ++i) {
        const cycle_t header_left = manager.tags_back[i].at - endpoint::TagFifo::pool_cycles;
        if (header_left < static_cast<cycle_t>(course.released.size()))
            course.released[static_cast<std::size_t>(header_left)] += manager.tags_back[i].step;
    }
    return course;
}

Measured measure(const Course& course) {
    Measured measured;
    int outstanding = 0;
    for (std::size_t i = 0; i < course.issued.size(); ++i) {
        if (measured.first < 0 && course.issued[i] == 0) continue;
        const auto cycle = static_cast<cycle_t>(i);
        if (measured.first < 0) measured.first = cycle;
        ++measured.cycles;
        outstanding += course.issued[i] - course.released[i];
        measured.most = std::max(measured.most, outstanding);
        if (measured.first_release < 0 && course.released[i] > 0) measured.first_release = cycle;
        if (course.issued[i] == 0) {
            ++measured.blocked;
            if (measured.first_stall < 0) measured.first_stall = outstanding;
        } else if (measured.first_stall >= 0 && measured.first_release >= 0 &&
                   cycle > measured.first_release && measured.first_issue_after < 0) {
            measured.first_issue_after = cycle;
        }
    }
    return measured;
}

void run_tag_manager(const Row& row, Outcome& outcome) {
    const endpoint::Config config = configuration(row);
    const auto issued = static_cast<int>(row.whole("issued"));
    endpoint::Request read;
    read.address = row.whole("addr_offset_B");
    read.length = row.whole("request_B");
    read.read = true;
    Simulation simulation(config, period_fs, period_fs, {{read}, row.whole("issued") + 2 * config.ptc.tags});
    const endpoint::TagManager& manager = simulation.endpoint().tag_manager();
    const auto longest = static_cast<cycle_t>(4 * row.number("cycles_for_issued")) + 100000;
    int seen = 0;
    for (std::size_t i = 0; seen < issued;) {
        if (simulation.now() > longest * period_fs) {
            outcome.cannot_run("the reads are not issued within four times the cycles of the row");
            return;
        }
        simulation.advance(simulation.now() + 1000 * period_fs);
        for (; i < manager.tags_taken.size(); ++i)
            seen -= manager.tags_taken[i].step;
    }

    const Measured found = measure(course_of(simulation, issued));
    constexpr double percent = 2;
    outcome.compare("first_out_cycle_after_reset", static_cast<double>(found.first), 0);
    outcome.compare("first_stall_outstanding", found.first_stall, 0);
    outcome.compare("max_outstanding", found.most, 0);
    outcome.compare("first_release_cycle", static_cast<double>(found.first_release), 0);
    outcome.compare("first_issue_after_release_cycle", static_cast<double>(found.first_issue_after), 0);
    outcome.compare("cycles_for_issued", static_cast<double>(found.cycles), percent);
    outcome.compare("blocked_cycles", static_cast<double>(found.blocked), percent);
    outcome.compare(rate_column, issued / static_cast<double>(found.cycles), percent);
}

}  // namespace

Table tag_manager_table() {
    Table table;
    table.name = "ptc_tag_manager_rtl_measured";
    table.title = "reads outstanding and issue rate of the tag manager";
    table.tolerance = "exact; totals over the whole row 2 %";
    table.run = run_tag_manager;
    table.columns = {whole("mvb_up_items", 1, 16),
                     whole("mvb_down_items", 1, 64),
                     whole("word_bytes", 4, 4096),
                     whole("stfifo_words", 2, 1 << 20),
                     choice("tag_width", {"8", "10"}),
                     whole("request_B", 1, 4096),
                     whole("addr_offset_B", 0, 4095),
                     whole(latency_column, least_latency, 1000000),
                     whole("cpl_payload_max_B", 64, 4096),
                     whole("completions_per_cycle", 1, 64),
                     number("first_out_cycle_after_reset"),
                     number("first_stall_outstanding"),
                     number("max_outstanding"),
                     number("cycles_for_issued"),
                     whole("issued", 1, 1000000),
                     number("blocked_cycles"),
                     number("first_release_cycle"),
                     number("first_issue_after_release_cycle"),
                     number(rate_column)};
    return table;
}

}  // namespace tlmetry::reference_tables
