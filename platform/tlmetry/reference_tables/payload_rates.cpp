// SPDX-License-Identifier: BSD-3-Clause
// Payload rates over transfer sizes: DMA transfers are cut into requests by MPS and MRRS and sent through an
// endpoint whose buses, tags and storage never bind, over a link with the analytic rules.
#include "tlmetry/reference_tables/link_columns.hpp"
#include "tlmetry/reference_tables/simulation.hpp"
#include "tlmetry/reference_tables/tables.hpp"

#include <tlmetry/pcie/link_rate.hpp>
#include <tlmetry/pcie/tlp_sizes.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace tlmetry::reference_tables {

namespace {

constexpr std::uint32_t block_bytes = 4096;
// A cycle of both clocks lasts as long as so many bytes on the link: less than any TLP.
constexpr std::uint32_t link_cycle_bytes = 16;
constexpr cycle_t host_cycles = 16;
constexpr std::uint64_t tags = 512;
constexpr std::uint64_t measured_transfers = 400;
constexpr std::uint64_t least_warm_up = 32;
constexpr double gbps_of_bytes_per_fs = 8e6;

/// The open shape: a word of any bus takes two of the largest frames or eight of the smaller ones.
endpoint::Config configuration(const pcie::LinkSettings& link, std::uint32_t completion_bytes,
                               time_fs period_fs) {
    endpoint::Config config;
    endpoint::Buses& buses = config.buses;
    buses.up_regions = buses.rq_regions = buses.rc_regions = buses.down_regions = 8;
    buses.up_region_items = buses.down_region_items = block_bytes / 4 / 4;
    buses.mvb_up_items = buses.mvb_down_items = 4;
    config.ptc.tags = tags;
    config.ptc.storage_words = 1 << 20;
    const pcie::TlpSizes sizes(link);
    config.link.write_overhead = config.link.read_overhead = sizes.request_overhead();
    config.link.completion_overhead = sizes.completion_overhead();
    config.link.analytic_completions = true;
    const auto byte_time = static_cast<std::uint64_t>(std::llround(pcie::byte_time_fs(link).value() * 65536));
    config.link.up_byte_time = config.link.down_byte_time = byte_time;
    config.host.rcb = link.rcb_bytes;
    config.host.completion_bytes = completion_bytes;
    config.host.least_latency_fs = host_cycles * period_fs;
    return config;
}

std::uint32_t divide_up(std::uint32_t a, std::uint32_t b) {
    return (a + b - 1) / b;
}

/// Adds the requests of one transfer from the beginning of a block on.
void add_transfer(std::vector<endpoint::Request>& round, bool read, std::uint32_t bytes,
                  std::uint32_t longest) {
    for (std::uint32_t done = 0; done < bytes; done += longest) {
        endpoint::Request request;
        request.read = read;
        request.address = done;
        request.length = std::min(longest, bytes - done);
        round.push_back(request);
    }
}

/// Transfers a second when each has `requests` of `done`: of those behind the warm-up.
double transfer_rate(const std::vector<time_fs>& done, std::uint64_t requests, std::uint64_t warm_up) {
    const time_fs from = done[warm_up * requests - 1];
    const time_fs to = done[(warm_up + measured_transfers) * requests - 1];
    return static_cast<double>(measured_transfers) / static_cast<double>(to - from);
}

struct Rates {
    double writes = 0;  ///< transfers per fs
    double reads = 0;
    double sent = 0;  ///< TLP bytes per fs
    double received = 0;
};

/// One kind of traffic of a row: transfers of `bytes`, endlessly.
class Traffic {
public:
    Traffic(const pcie::LinkSettings& link, std::uint32_t bytes, std::uint32_t completion_bytes, bool writes,
            bool reads)
        : m_period(std::llround(pcie::byte_time_fs(link).value() * link_cycle_bytes)),
          m_config(configuration(link, completion_bytes, m_period)) {
        if (writes) add_transfer(m_round, false, bytes, link.mps_bytes);
        m_writes = m_round.size();
        if (reads) add_transfer(m_round, true, bytes, link.mrrs_bytes);
        m_reads = m_round.size() - m_writes;
        m_sent = (writes ? bytes : 0) + m_config.link.write_overhead * m_round.size();
        const std::uint32_t completions = divide_up(bytes, completion_bytes);
        m_received = reads ? bytes + m_config.link.completion_overhead * completions : 0;
    }

    Rates simulate() const {
        const std::uint64_t before = warm_up();
        const std::uint64_t transfers = before + 2 * measured_transfers;
        Simulation simulation(m_config, m_period, m_period, {m_round, transfers});
        const time_fs step =
            static_cast<time_fs>(std::max(m_sent, m_received) * 64 / link_cycle_bytes + 64) * m_period;
        while (simulation.writes().size() < transfers * m_writes ||
               simulation.source().reads_done.size() < transfers * m_reads) {
            if (simulation.now() > static_cast<time_fs>(8 * transfers) * step)
                throw std::runtime_error("a simulated link does not carry its transfers");
            simulation.advance(simulation.now() + step);
            simulation.forget_logs();
        }
        Rates rates;
        if (m_writes != 0) rates.writes = transfer_rate(simulation.writes(), m_writes, before);
        if (m_reads != 0) rates.reads = transfer_rate(simulation.source().reads_done, m_reads, before);
        const std::uint64_t sent = simulation.endpoint().link_up().statistics().sent_bytes;
        const std::uint64_t received = simulation.endpoint().link_down().statistics().sent_bytes;
        const double share = std::max(rates.writes, rates.reads) / static_cast<double>(transfers);
        rates.sent = static_cast<double>(sent) * share;
        rates.received = static_cast<double>(received) * share;
        return rates;
    }

private:
    /// Transfers until the rates no longer change: where the way down is the narrower one, writes only wait
    /// for reads when all tags are taken. A difference of half a percent is not waited for.
    std::uint64_t warm_up() const {
        if (m_writes == 0 || m_received <= m_sent) return least_warm_up;
        const double excess = 1 - static_cast<double>(m_sent) / static_cast<double>(m_received);
        const double fill =
            (static_cast<double>(tags) / static_cast<double>(m_reads) + 1) / std::max(excess, 0.005);
        return least_warm_up + static_cast<std::uint64_t>(1.2 * fill);
    }

    time_fs m_period;
    endpoint::Config m_config;
    std::vector<endpoint::Request> m_round;
    std::uint64_t m_writes = 0;    // in a round
    std::uint64_t m_reads = 0;     // in a round
    std::uint64_t m_sent = 0;      // bytes on the link, of a round
    std::uint64_t m_received = 0;  // bytes on the link, of a round
};

void run_payload_rates(const Row& row, Outcome& outcome) {
    pcie::LinkSettings link = analytic_link(row);
    link.mrrs_bytes = row.whole("mrrs");
    link.rcb_bytes = row.whole("rcb");
    link.address_bits = row.whole("addr");
    link.ecrc = row.whole("ecrc") == 1;
    link.validate();
    const std::uint32_t bytes = row.whole("size_B");
    const std::uint32_t completion_bytes = row.whole("rcb_chunks") == 1 ? link.rcb_bytes : link.mps_bytes;
    outcome.compare("raw_gbps", pcie::data_rate_bps(link).value() / 1e9, 0);
    outcome.compare("tlp_gbps", pcie::tlp_rate_gbps(link), 0);

    constexpr double percent = 1;
    const auto compare_rate = [&](const char* column, double transfers, const char* also = "") {
        outcome.compare(column, transfers * bytes * gbps_of_bytes_per_fs, percent, 0, also);
    };
    const auto compare_bytes = [&](const char* column, double rate) {
        outcome.compare(column, rate * gbps_of_bytes_per_fs, percent);
    };
    const auto compare_transfers = [&](const char* column, double rate, const char* also = "") {
        outcome.compare(column, rate * static_cast<double>(fs_per_us), percent, 0, also);
    };
    const Rates write = Traffic(link, bytes, completion_bytes, true, false).simulate();
    compare_rate("wr_eff_gbps", write.writes);
    compare_transfers("wr_Mtps", write.writes);
    const Rates read = Traffic(link, bytes, completion_bytes, false, true).simulate();
    compare_rate("rd_eff_gbps", read.reads);
    compare_transfers("rd_Mtps", read.reads);
    compare_bytes("rd_tx_raw_gbps", read.sent);
    compare_bytes("rd_rx_raw_gbps", read.received);
    const Rates both = Traffic(link, bytes, completion_bytes, true, true).simulate();
    compare_rate("rw_eff_gbps_per_dir", both.reads, " (reads)");
    compare_rate("rw_eff_gbps_per_dir", both.writes, " (writes)");
    compare_transfers("rw_Mtps", both.reads, " (reads)");
    compare_transfers("rw_Mtps", both.writes, " (writes)");
    compare_bytes("rw_tx_raw_gbps", both.sent);
    compare_bytes("rw_rx_raw_gbps", both.received);
}

}  // namespace

Table payload_rates_table() {
    Table table;
    table.name = "pciebench_gen3x8_mpschunks, pciebench_gen3x8_rcbchunks, pciebench_matrix_sample";
    table.title = "payload rates of a link over transfer sizes, analytic rules, simulated";
    table.tolerance = "1 %; raw_gbps and tlp_gbps to the last digit";
    table.run = run_payload_rates;
    table.columns = link_columns();
    for (Column column :
         {whole("size_B", 1, block_bytes), choice("mrrs", payload_sizes()), choice("rcb", {"64", "128"}),
          choice("addr", {"32", "64"}), choice("ecrc", {"0", "1"}), choice("rcb_chunks", {"0", "1"})})
        table.columns.push_back(std::move(column));
    for (const char* name :
         {"raw_gbps", "tlp_gbps", "wr_eff_gbps", "wr_Mtps", "rd_eff_gbps", "rd_tx_raw_gbps", "rd_rx_raw_gbps",
          "rd_Mtps", "rw_eff_gbps_per_dir", "rw_tx_raw_gbps", "rw_rx_raw_gbps", "rw_Mtps"})
        table.columns.push_back(number(name));
    return table;
}

}  // namespace tlmetry::reference_tables
