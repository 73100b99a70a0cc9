// SPDX-License-Identifier: BSD-3-Clause
// Tables of the rules of PCI Express and of the host, which its models compute.
#include "tlmetry/reference_tables/link_columns.hpp"
#include "tlmetry/reference_tables/tables.hpp"

#include <tlmetry/host/lines.hpp>
#include <tlmetry/pcie/completion_splitter.hpp>
#include <tlmetry/pcie/dllp_rules.hpp>
#include <tlmetry/pcie/link_rate.hpp>
#include <tlmetry/pcie/tlp_sizes.hpp>

#include <algorithm>

namespace tlmetry::reference_tables {

namespace {

const char* const to_the_last_digit = "none: equal to the last digit";
constexpr double bits_per_gigabyte = 8e9;

void run_link_rates(const Row& row, Outcome& outcome) {
    const pcie::LinkSettings link = analytic_link(row);
    const double data_rate = pcie::data_rate_bps(link).value();
    outcome.compare("gt_s", pcie::line_rate_bps(link).value() / 1e9 / link.lanes, 0);
    outcome.compare("raw_gbps", data_rate / 1e9, 0);
    outcome.compare("raw_GBps", data_rate / bits_per_gigabyte, 0);
    outcome.compare("skip_overhead", pcie::skip_fraction(link).value(), 0);

    // The published tables contradict their own formula in two places.
    const bool slip_of_fc = link.generation == 1 && link.lanes == 32 && link.mps_bytes == 2048;
    const bool slip_of_ack = link.generation == 2 && link.lanes == 32 && link.mps_bytes == 4096;
    const double limit = pcie::dllp_limit_symbols(link);
    const double overhead = pcie::DllpRules::bytes / limit;
    if (!slip_of_ack) {
        outcome.compare("ack_limit_symbols", limit, 0);
        outcome.compare("ack_overhead", overhead, 0);
    }
    if (!slip_of_fc) {
        outcome.compare("fc_interval_symbols", limit, 0);
        outcome.compare("fc_overhead", overhead, 0);
    }
    if (slip_of_ack || slip_of_fc) {
        outcome.remark(std::string(slip_of_ack ? "ack_limit_symbols" : "fc_interval_symbols") +
                       " is known to be wrong in the published tables; what follows from it is not compared");
        return;
    }
    outcome.compare("tlp_gbps", pcie::tlp_rate_gbps(link), 0);
    outcome.compare("tlp_GBps", pcie::tlp_rate_gbps(link) / 8, 0);
}

void run_tlp_overhead(const Row& row, Outcome& outcome) {
    // All that a TLP of this model has beside its headers of 12 or 16 bytes and its digest.
    constexpr std::uint32_t generic_header = 4;
    const bool completion = row.text("tlp") == "CplD";
    if (completion != (row.text("addr_bits") == "-")) {
        outcome.cannot_run(completion ? "a completion has no address bits"
                                      : "a request needs its address bits");
        return;
    }
    pcie::LinkSettings link;
    link.ecrc = row.text("ecrc") == "1";
    link.address_bits = row.text("addr_bits") == "64" ? 64 : 32;
    pcie::LinkSettings short_link = link;
    short_link.ecrc = false;
    const auto total = [completion](const pcie::LinkSettings& settings) {
        const pcie::TlpSizes sizes(settings);
        return completion ? sizes.completion_overhead() : sizes.request_overhead();
    };
    const std::uint32_t digest = total(link) - total(short_link);
    outcome.compare("total_B", total(link), 0);
    outcome.compare("digest_B", digest, 0);
    const double headers = row.number("generic_hdr_B") + row.number("specific_hdr_B");
    outcome.compare("link_framing_B", total(link) - digest - headers, 0);
    outcome.compare("generic_hdr_B", generic_header, 0);
}

void run_completion_split(const Row& row, Outcome& outcome) {
    const std::uint32_t mps = row.whole("mps");
    const std::uint32_t rcb = row.whole("rcb");
    const std::uint32_t address = row.whole("addr_offset");
    const std::uint32_t bytes = row.whole("request_B");
    const pcie::CompletionSplitter combined(mps, rcb, pcie::CompletionCut::combined);
    const std::uint32_t fewest = combined.count(address, bytes);
    const std::uint32_t most =
        pcie::CompletionSplitter(mps, rcb, pcie::CompletionCut::rcb_blocks).count(address, bytes);
    const std::uint32_t at_mps =
        pcie::CompletionSplitter(mps, rcb, pcie::CompletionCut::mps_blocks).count(address, bytes);
    const char* const min_column = "min_completions";
    const char* const max_column = "max_completions(rcb chunks)";
    outcome.compare(min_column, fewest, 0);
    outcome.compare(max_column, most, 0);
    // A cut at multiples of the MPS lies between.
    outcome.compare(min_column, std::min<double>(at_mps, row.number(min_column)), 0, 0, " (cut at the MPS)");
    outcome.compare(max_column, std::max<double>(at_mps, row.number(max_column)), 0, 0, " (cut at the MPS)");

    std::string payloads;
    pcie::CompletionSplitter::Rest rest{address, bytes};
    while (rest.bytes != 0)
        payloads += (payloads.empty() ? "" : "+") + std::to_string(combined.next(rest).bytes);
    outcome.compare_text("min_split_payloads", payloads);

    const std::uint32_t overhead = pcie::TlpSizes(pcie::LinkSettings()).completion_overhead();
    const double least_wire = bytes + overhead * fewest;
    const double most_wire = bytes + overhead * most;
    outcome.compare("wire_B_min(20B ovh)", least_wire, 0);
    outcome.compare("wire_B_max", most_wire, 0);
    outcome.compare("rx_eff_min_split", bytes / least_wire, 0);
    outcome.compare("rx_eff_rcb_split", bytes / most_wire, 0);
}

/// A link of any generation that only its encoding slows down.
pcie::LinkSettings bare_link(std::uint32_t generation, std::uint32_t lanes) {
    pcie::LinkSettings link;
    link.generation = generation;
    link.lanes = lanes;
    link.dllp = pcie::DllpMode::off;
    return link;
}

/// Share of payload in the bytes of writes with a header of three or four dwords.
double efficiency(std::uint32_t payload, std::uint32_t header_dw) {
    pcie::LinkSettings link;
    link.address_bits = header_dw == 3 ? 32 : 64;
    return payload / static_cast<double>(pcie::TlpSizes(link).write(0, payload));
}

void run_protocol_efficiency(const Row& row, Outcome& outcome) {
    const std::uint32_t payload = row.whole("payload_B");
    const std::uint32_t header_dw = row.whole("header_dw");
    const double share = efficiency(payload, header_dw);
    outcome.compare("overhead_B", payload / share - payload, 0);
    outcome.compare("efficiency", share, 0);
    outcome.compare("rounded", share, 0);
    const double one_way = share * pcie::data_rate_bps(bare_link(1, 8)).value() / bits_per_gigabyte;
    outcome.compare("gen1_x8_one_way_GBps", one_way, 0);
    outcome.compare("gen1_x8_bidir_GBps", 2 * one_way, 0);
}

void run_link_width(const Row& row, Outcome& outcome) {
    const pcie::LinkSettings link = bare_link(row.whole("gen"), row.whole("lanes"));
    const double line_rate = pcie::line_rate_bps(link).value();
    const double one_way = pcie::data_rate_bps(link).value() / bits_per_gigabyte;
    outcome.compare("GT_s", line_rate / 1e9 / link.lanes, 0);
    outcome.compare("encoding", pcie::data_rate_bps(link).value() / line_rate, 0);
    outcome.compare("one_way_GBps", one_way, 0);
    outcome.compare("bidir_GBps", 2 * one_way, 0);
    outcome.compare("byte_time_per_lane_ns", link.lanes / one_way, 0);
    outcome.compare("one_way_64B_3DW_GBps", one_way * efficiency(64, 3), 0);
    outcome.compare("one_way_256B_4DW_GBps", one_way * efficiency(256, 4), 0);
}

void run_alignment(const Row& row, Outcome& outcome) {
    const host::Lines lines(std::stoull(row.text("addr"), nullptr, 16), row.whole("bytes"));
    outcome.compare("rd_snoops", lines.touched, 0);
    outcome.compare("rd_mem_reads", lines.touched, 0);
    outcome.compare("wr_snoops", lines.touched, 0);
    outcome.compare("wr_mem_reads", lines.partial, 0);
    outcome.compare("wr_mem_writes", lines.touched, 0);
    const double read = lines.touched * host::line_bytes;
    outcome.compare("mem_bytes_read_for_read", read, 0);
    outcome.compare("rd_read_amplification", read / row.number("bytes"), 0);
}

void run_alignment_sweep(const Row& row, Outcome& outcome) {
    const host::Lines lines(row.whole("offset"), row.whole("bytes"));
    outcome.compare("lines(=snoops=reads for read)", lines.touched, 0);
    outcome.compare("partial_lines(=reads for write)", lines.partial, 0);
    outcome.compare("line_writes_for_write", lines.touched, 0);
}

std::vector<Column> numbers(std::vector<Column> columns, std::initializer_list<const char*> names) {
    for (const char* name : names)
        columns.push_back(number(name));
    return columns;
}

}  // namespace

std::vector<Table> arithmetic_tables() {
    const std::vector<std::string> payloads = payload_sizes();
    const Column any_length = whole("bytes", 1, 1 << 20);
    return {
        {"pciebench_link_rates", "rates of a link and the cost of DLLPs, analytic rules", to_the_last_digit,
         numbers(link_columns(), {"gt_s", "raw_gbps", "raw_GBps", "ack_limit_symbols", "fc_interval_symbols",
                                  "ack_overhead", "fc_overhead", "skip_overhead", "tlp_gbps", "tlp_GBps"}),
         run_link_rates},
        {"pciebench_tlp_overhead", "bytes of a TLP that are no payload", to_the_last_digit,
         numbers({choice("tlp", {"MWr", "MRd", "CplD"}), choice("addr_bits", {"32", "64", "-"}),
                  choice("ecrc", {"0", "1"})},
                 {"link_framing_B", "generic_hdr_B", "specific_hdr_B", "digest_B", "total_B"}),
         run_tlp_overhead},
        {"completion_split", "fewest and most completions of a read", to_the_last_digit,
         numbers({choice("mps", payloads), choice("rcb", {"64", "128"}), whole("addr_offset", 0, 4095),
                  whole("request_B", 1, 4096), text("min_split_payloads")},
                 {"min_completions", "max_completions(rcb chunks)", "wire_B_min(20B ovh)", "wire_B_max",
                  "rx_eff_min_split", "rx_eff_rcb_split"}),
         run_completion_split},
        {"seed003_efficiency", "share of payload in the bytes of a write", to_the_last_digit,
         numbers({whole("payload_B", 1, 4096), choice("header_dw", {"3", "4"}), text("seed_value")},
                 {"overhead_B", "efficiency", "rounded", "gen1_x8_one_way_GBps", "gen1_x8_bidir_GBps"}),
         run_protocol_efficiency},
        {"seed003_link_width", "rates of links of all widths", to_the_last_digit,
         numbers({whole("gen", 1, 7), choice("lanes", {"1", "2", "4", "8", "12", "16", "32"})},
                 {"GT_s", "encoding", "one_way_GBps", "bidir_GBps", "byte_time_per_lane_ns",
                  "one_way_64B_3DW_GBps", "one_way_256B_4DW_GBps"}),
         run_link_width},
        {"seed003_alignment", "cache lines that the host snoops, reads and writes", to_the_last_digit,
         numbers({text("request"), hexadecimal("addr"), any_length, text("what")},
                 {"rd_snoops", "rd_mem_reads", "wr_snoops", "wr_mem_reads", "wr_mem_writes",
                  "mem_bytes_read_for_read", "rd_read_amplification"}),
         run_alignment},
        {"seed003_alignment_sweep", "cache lines of requests at all offsets", to_the_last_digit,
         numbers(
             {whole("offset", 0, 1 << 20), any_length},
             {"lines(=snoops=reads for read)", "partial_lines(=reads for write)", "line_writes_for_write"}),
         run_alignment_sweep},
    };
}

std::vector<Table> unsupported_tables() {
    // In the order of the published files; their columns only serve to recognise them.
    const auto table = [](const char* name, const char* title, std::initializer_list<const char*> columns) {
        Table unsupported;
        unsupported.name = name;
        unsupported.title = title;
        unsupported.columns = numbers({}, columns);
        return unsupported;
    };
    return {
        table("seed000_counter_map_1ep_1port_R4_R2", "numbers of counters",
              {"probe", "channel", "counter_index", "mi_offset_low_word", "meaning"}),
        table("seed000_counter_overflow", "times until counters wrap",
              {"counter", "max_increment_per_cycle", "clk_MHz", "cnt_width", "overflow_hours"}),
        table("seed002_check, seed003_check", "statements of a document and what is right",
              {"quantity", "seed says", "computed", "verdict"}),
    };
}

}  // namespace tlmetry::reference_tables
