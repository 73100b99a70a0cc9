// SPDX-License-Identifier: BSD-3-Clause
// Runs the tables measured on the real part row by row with the literal model and prints the deviations.
#include "endpoint_reference/endpoint.hpp"
#include "endpoint_reference/endpoint_counters.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>

using namespace tlmetry::reference;

namespace {

constexpr int header_cycles = 9;
constexpr int storage_cycles = 13;  // a loop of 29 cycles: header + storage + 1 + 6 of the tag FIFO
constexpr int setup_cycles = 20;    // from the end of reset to the beginning of the measured part's warm-up

using Row = std::map<std::string, double>;

int integer(const Row& row, const std::string& name) {
    return static_cast<int>(row.at(name));
}

std::vector<Row> read_table(const std::string& path) {
    std::ifstream file(path);
    std::vector<std::string> names;
    std::vector<Row> rows;
    std::string line;
    while (std::getline(file, line)) {
        std::istringstream fields(line);
        std::string field;
        Row row;
        for (std::size_t i = 0; std::getline(fields, field, ','); ++i) {
            if (rows.empty() && names.size() == i) {
                names.push_back(field.substr(0, field.find('(')));
            } else {
                row[names.at(i)] = std::stod(field);
            }
        }
        if (!row.empty()) rows.push_back(row);
    }
    return rows;
}

/// A comparison of one row; prints what deviates.
class Check {
public:
    Check(const Row& row, std::size_t number) : m_row(row) { std::printf("row %zu:", number); }
    ~Check() { std::printf("%s\n", m_quiet ? " equal" : ""); }
    Check(const Check&) = delete;
    Check& operator=(const Check&) = delete;

    void compare(const std::string& name, double found, double relative, double absolute) {
        const double expected = m_row.at(name);
        const double off = found - expected;
        if (off == 0) return;
        const bool beyond = std::abs(off) > std::max(relative * expected, absolute);
        m_quiet = false;
        std::printf(" %s %g/%g(%+.1f%%)%s", name.c_str(), found, expected,
                    expected != 0 ? 100 * off / expected : 100.0, beyond ? "!!" : "");
        if (beyond) ++failures;
    }
    int failures = 0;

private:
    const Row& m_row;
    bool m_quiet = true;
};

int full_row(const Row& row, std::size_t number) {
    EndpointConfig c;
    c.p_period_fs = std::llround(1e9 / row.at("pcie_MHz"));
    c.d_period_fs = std::llround(1e9 / row.at("dma_MHz"));
    c.header_cycles = header_cycles;
    c.storage_cycles = storage_cycles;
    c.completion_max = integer(row, "completion_max_B");
    c.rq_duty = {integer(row, "rq_ready_pct"), 100};
    c.down_mfb_duty = c.down_mvb_duty = {integer(row, "down_ready_pct"), 100};

    const int writes = integer(row, "wr_per_group");
    const int reads = integer(row, "rd_per_group");
    std::vector<Request> requests;
    while (requests.size() < 40000) {
        for (int i = 0; i < writes; ++i)
            requests.push_back({0, 0, 0, integer(row, "write_B"), false});
        for (int i = 0; i < reads; ++i) {
            requests.push_back(
                {0, 0, static_cast<std::uint64_t>(row.at("addr_off_B")), integer(row, "read_B"), true});
        }
    }
    // Acceptance in cycle c, first word of the answer in c + latency.
    const std::int64_t latency = integer(row, "host_latency_pcie_cycles") * c.p_period_fs - 1;
    Endpoint endpoint(c, requests, {latency});

    const std::int64_t p_cycles = integer(row, "pcie_cycles");
    const std::int64_t d_cycles = integer(row, "dma_cycles");
    const std::int64_t p_first = setup_cycles + (p_cycles == 10000 ? 6000 : 5000);
    const std::int64_t d_first = p_first * c.p_period_fs / c.d_period_fs;
    endpoint.run(p_first + p_cycles + 10);

    Check check(row, number);
    const auto bus = [&](const std::string& name, const BusCounters& counters, double relative) {
        const double words = 2;
        check.compare(name + "_words", static_cast<double>(counters.words), relative, words);
        check.compare(name + "_mfb_stall", static_cast<double>(counters.stalls), relative, words);
        check.compare(name + "_sof", static_cast<double>(counters.starts), relative, words * 2);
        check.compare(name + "_mfb_items", static_cast<double>(counters.items), relative, words * 16);
        for (std::size_t r = 0; r < counters.regions.size(); ++r) {
            check.compare(name + "_region" + std::to_string(r), static_cast<double>(counters.regions[r]),
                          relative, words);
        }
    };
    const auto headers = [&](const std::string& name, const HeaderCounters& counters) {
        check.compare(name + "_mvb_items", static_cast<double>(counters.items), 0.02, 4);
        check.compare(name + "_mvb_stall", static_cast<double>(counters.stalls), 0.02, 2);
    };
    const PortRecords& port = endpoint.ports[0];
    bus("RQ", count(endpoint.rq, p_first, p_first + p_cycles, c.rq_regions), 0.02);
    bus("RC", count(endpoint.rc, p_first, p_first + p_cycles, c.rc_regions), 0.03);
    bus("UP", count(port.up_mfb, d_first, d_first + d_cycles, c.up_regions), 0.02);
    headers("UP", count(port.up_mvb, d_first, d_first + d_cycles));
    bus("DOWN", count(port.down_mfb, d_first, d_first + d_cycles, c.down_regions), 0.02);
    headers("DOWN", count(port.down_mvb, d_first, d_first + d_cycles));
    int rq_reads = 0;
    for (std::size_t r = 0; r < requests.size(); ++r) {
        const std::int64_t moved = endpoint.events[r].rq_moved;
        if (requests[r].read && moved >= p_first && moved < p_first + p_cycles) ++rq_reads;
    }
    check.compare("RQ_reads", rq_reads, 0.02, 4);
    // Accepted on RQ and not yet answered to the end.
    int outstanding = 0;
    int most = 0;
    std::map<std::int64_t, int> steps;
    for (std::size_t r = 0; r < requests.size(); ++r) {
        if (!requests[r].read || endpoint.events[r].rq_moved < 0) continue;
        ++steps[endpoint.events[r].rq_moved];
        if (endpoint.events[r].rc_moved >= 0) --steps[endpoint.events[r].rc_moved];
    }
    for (const auto& [cycle, step] : steps) {
        outstanding += step;
        if (cycle < p_first + p_cycles) most = std::max(most, outstanding);
    }
    check.compare("max_outstanding_reads", most, 0.02, 2);
    return check.failures;
}

int tag_manager_row(const Row& row, std::size_t number) {
    EndpointConfig c;
    const int per_cycle = integer(row, "completions_per_cycle");
    const int issued = integer(row, "issued");
    c.d_period_fs = c.p_period_fs;
    c.mvb_up_items = integer(row, "mvb_up_items");
    c.mvb_down_items = integer(row, "mvb_down_items");
    c.up_regions = c.rq_regions = c.mvb_up_items;
    c.rc_regions = c.down_regions = per_cycle;
    c.down_region_items = 1024;
    c.rc_header_items = 0;
    c.word_bytes = integer(row, "word_bytes");
    c.storage_words = integer(row, "stfifo_words");
    c.tags = integer(row, "tag_width") == 10 ? 512 : 256;
    c.completion_max = integer(row, "cpl_payload_max_B");
    c.header_cycles = header_cycles;
    c.storage_cycles = storage_cycles;
    const std::vector<Request> requests(
        static_cast<std::size_t>(issued + 2 * c.tags),
        {0, 0, static_cast<std::uint64_t>(row.at("addr_offset_B")), integer(row, "request_B"), true});
    const int bus_cycles = header_cycles + storage_cycles + 1;
    const std::int64_t latency = (integer(row, "latency_cycles") - bus_cycles) * c.p_period_fs - 1;
    Endpoint endpoint(c, requests, {latency});
    const auto last = static_cast<std::size_t>(issued - 1);
    for (std::int64_t cycles = 1000; endpoint.events[last].granted < 0; cycles += 1000)
        endpoint.run(cycles);

    const std::int64_t first = endpoint.events[0].granted;
    const std::int64_t end = endpoint.events[last].granted + 1;
    std::vector<int> granted(static_cast<std::size_t>(end));
    std::vector<int> released(static_cast<std::size_t>(end));
    for (const RequestEvents& event : endpoint.events) {
        if (event.granted >= 0 && event.granted < end) ++granted[static_cast<std::size_t>(event.granted)];
        if (event.header_out >= 0 && event.header_out < end)
            ++released[static_cast<std::size_t>(event.header_out)];
    }
    int outstanding = 0;
    int most = 0;
    int first_stall = -1;
    std::int64_t first_release = -1;
    std::int64_t first_issue = -1;
    std::int64_t blocked = 0;
    for (std::int64_t cycle = first; cycle < end; ++cycle) {
        const auto i = static_cast<std::size_t>(cycle);
        outstanding += granted[i] - released[i];
        most = std::max(most, outstanding);
        if (first_release < 0 && released[i] > 0) first_release = cycle;
        if (granted[i] == 0) {
            ++blocked;
            if (first_stall < 0) first_stall = outstanding;
        } else if (first_stall >= 0 && first_release >= 0 && cycle > first_release && first_issue < 0) {
            first_issue = cycle;
        }
    }
    Check check(row, number);
    check.compare("first_out_cycle_after_reset", static_cast<double>(first), 0, 0);
    check.compare("first_stall_outstanding", first_stall, 0, 0);
    check.compare("max_outstanding", most, 0, 0);
    check.compare("cycles_for_issued", static_cast<double>(end - first), 0.02, 0);
    check.compare("blocked_cycles", static_cast<double>(blocked), 0.02, 0);
    check.compare("first_release_cycle", static_cast<double>(first_release), 0, 0);
    check.compare("first_issue_after_release_cycle", static_cast<double>(first_issue), 0, 0);
    check.compare("req_per_cycle_steady", issued / static_cast<double>(end - first), 0.02, 0);
    return check.failures;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::cerr << "usage: literal_tables FILE.csv [ROW]\n";
        return 2;
    }
    const std::vector<Row> rows = read_table(argv[1]);
    if (rows.empty()) {
        std::cerr << argv[1] << ": no rows\n";
        return 2;
    }
    const bool full = rows[0].count("rq_ready_pct") != 0;
    int failures = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (argc > 2 && std::stoul(argv[2]) != i) continue;
        failures += full ? full_row(rows[i], i) : tag_manager_row(rows[i], i);
    }
    std::printf("%d beyond the tolerance\n", failures);
    return failures == 0 ? 0 : 1;
}
