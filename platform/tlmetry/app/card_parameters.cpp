// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/card_parameters.hpp"

#include "tlmetry/app/card_shapes.hpp"
#include "tlmetry/app/parameter_kinds.hpp"

namespace tlmetry::app {

namespace {

using config::integer;

void bind_buses(config::Registry& registry, std::string& shape, card::Config& c) {
    auto s =
        registry.section("card", "The card: its shape, and what its buses look like besides their widths.");
    std::vector<std::pair<std::string, std::string>> names;
    std::string explanation =
        "Sets widths, clocks, headers, link and sizes of the PTC; whatever is given explicitly wins, "
        "wherever it "
        "stands.";
    for (const CardShape& known : card_shapes()) {
        names.emplace_back(known.name, known.name);
        explanation += " " + std::string(known.name) + ": " + known.doc + ".";
    }
    endpoint::Buses& b = c.endpoint.buses;
    s.add("shape", shape, config::choice<std::string>(names), "Which card it is.", explanation);
    s.add("mvb_up_items", b.mvb_up_items, integer(1, 16, "headers"),
          "Headers in a word of the UP MVB; the tag manager grants a word as a whole.",
          "One for each region of UP, unless it is given.");
    s.add("mvb_down_items", b.mvb_down_items, config::power_of_two(1, 64, "headers"),
          "Headers in a word of the DOWN MVB, and tags that come back in one cycle.",
          "At least one for each region of RC and DOWN, unless it is given.");
    s.add("rq_write_header", b.rq_write_header, integer(0, 16, "items"),
          "Header of a write in front of its payload on RQ.");
    s.add("rq_read_header", b.rq_read_header, integer(1, 16, "items"), "Frame of a read on RQ.",
          "1 is the dummy item of a bus without headers in the data.");
    s.add("rc_header", b.rc_header, integer(0, 16, "items"),
          "Header of a completion in front of its data on RC.");
    s.add("one_start", b.one_start, config::boolean(), "On RQ and RC frames start in the first region only.");
    s.add("rq_ready", c.endpoint.rq, duty(),
          "Cycles in which the PCIe core takes a word of RQ, evenly spread.",
          "On top of what the link can send.");
    s.add("down_mfb_ready", c.endpoint.down_mfb, duty(),
          "Cycles in which a DMA port takes a word of the DOWN MFB, evenly spread.");
    s.add("down_mvb_ready", c.endpoint.down_mvb, duty(),
          "Cycles in which a DMA port takes a word of the DOWN MVB, evenly spread.");
}

void bind_ptc(config::Registry& registry, endpoint::Ptc& p) {
    constexpr std::uint64_t most_words = 1 << 20;
    const auto cycles = [](std::uint64_t lowest) { return integer(lowest, 1000, "cycles"); };
    auto s = registry.section("ptc", "PCIE_TRANSACTION_CTRL: tags, storage FIFO, crossings and pipelines.");
    s.add("tags", p.tags, integer(1, 1024, "tags"), "Reads that can be under way.",
          "32 without link.extended_tag, unless it is given.");
    s.add("storage_words", p.storage_words, integer(1, 0xFFFF, "words"), "Words that the storage FIFO holds.",
          "A read is granted when all words that its completions need are free.");
    s.add("word_bytes", p.word_bytes, config::power_of_two_size(1, 4096),
          "Size of a word of the storage FIFO.",
          "A word of RC or DOWN, whichever is wider, unless it is given.");
    s.add("completion_headers", p.completion_headers, integer(0, most_words, "headers"),
          "Completions that the receive buffer of the PCIe core holds; 0: the PTC does not meter them.",
          "A read takes one for each RCB block that it touches.");
    s.add("completion_buffer_headers", p.completion_buffer_headers, integer(0, most_words, "headers"),
          "Completions that the receive buffer of the PCIe core really holds, until they have moved on RC; "
          "0: any "
          "number.",
          "One that finds it full is lost with what follows of its read, which ends by its timeout: an error "
          "of "
          "the design, which ptc.completion_headers is to prevent.");
    s.add("completion_timeout", p.completion_timeout_fs, config::time(1, 1000 * fs_per_s),
          "From the end of a read request on the link until the PTC gives it up.",
          "Its tag, words and headers are free again, and the DMA port gets no more of it.");
    s.add("up_fifo_words", p.up_fifo_words, integer(2, most_words, "words"),
          "Words in each crossing from UP into the PCIe clock.");
    s.add("down_fifo_words", p.down_fifo_words, integer(2, most_words, "words"),
          "Words in each crossing to DOWN into the DMA clock.");
    s.add("down_almost_full", p.down_almost_full, integer(0, most_words, "words"),
          "Free words in the crossings to DOWN at which the storage FIFO stops.");
    s.add("header_queue", p.header_queue, integer(1, most_words, "words"),
          "Words of headers between the tag manager and RQ.");
    s.add("sync_cycles", p.sync_cycles, integer(1, 16, "cycles"),
          "Cycles until the other clock sees a crossing move.");
    s.add("up_cycles", p.up_cycles, cycles(0), "PCIe cycles from the UP crossing to the tag manager.");
    s.add("header_cycles", p.header_cycles, cycles(1), "PCIe cycles from a grant to RQ.");
    s.add("payload_cycles", p.payload_cycles, cycles(1),
          "PCIe cycles of payload from the UP crossing to RQ.");
    s.add("storage_cycles", p.storage_cycles, cycles(0),
          "PCIe cycles from RC to the output of the storage FIFO.");
    s.add("rx_cycles", p.rx_cycles, cycles(0), "PCIe cycles from the arrival of a completion to RC.");
}

void bind_link(config::Registry& registry, card::Config& c) {
    using pcie::DllpMode;
    pcie::LinkSettings& l = c.link;
    constexpr time_fs longest = fs_per_s;
    auto s = registry.section("link", "The link of each endpoint, and what PCIE_STATUS shows of it.");
    s.add("up", c.link_up, config::boolean(), "The link is up; a port asks for nothing while it is not.");
    s.add("generation", l.generation, integer(1, 7), "Of PCI Express: 2.5, 5, 8, 16, 32, 64 or 128 GT/s.",
          "6 and 7 are approximate: their flits count as an encoding of 242 in 256 bytes.");
    s.add("lanes", l.lanes,
          config::choice<std::uint32_t>(
              {{"1", 1}, {"2", 2}, {"4", 4}, {"8", 8}, {"12", 12}, {"16", 16}, {"32", 32}}),
          "Lanes that the link has trained.");
    s.add("capable_generation", c.capable_generation, integer(0, 7),
          "What both ends could do; 0: what link.generation says.", "Only --verdict looks at it.");
    s.add("capable_lanes", c.capable_lanes,
          config::choice<std::uint32_t>(
              {{"0", 0}, {"1", 1}, {"2", 2}, {"4", 4}, {"8", 8}, {"12", 12}, {"16", 16}, {"32", 32}}),
          "Lanes that both ends have; 0: as many as link.lanes.", "Only --verdict looks at it.");
    s.add("mps", l.mps_bytes, pcie_size(), "Max_Payload_Size.");
    s.add("mrrs", l.mrrs_bytes, pcie_size(), "Max_Read_Request_Size.");
    s.add("rcb", l.rcb_bytes, config::power_of_two_size(64, 128), "Read Completion Boundary.");
    s.add("extended_tag", c.extended_tags, config::boolean(),
          "Extended (8-bit) tags; without them there are 32.");
    s.add("tag_10bit", c.tags_10bit, config::boolean(), "10-bit tags.");
    s.add("combine_completions", c.combine_completions, config::boolean(),
          "The host answers with completions of up to MPS; else with one for each RCB block.");
    s.add("address_bits", l.address_bits, config::choice<std::uint32_t>({{"32", 32}, {"64", 64}}),
          "Addresses of requests, which decide the length of their headers.");
    s.add("ecrc", l.ecrc, config::boolean(), "A digest of 4 bytes in every TLP.");
    s.add("encoding", l.encoding, config::boolean(),
          "8b/10b, 128b/130b or flits; without it data pass at the full signalling rate.");
    s.add("dword_padding", l.dword_padding, config::boolean(),
          "The payload of a TLP takes whole dwords on the link, from the one with its first byte on.",
          "So the specification has it; the well-known analytic model counts bytes.");
    s.add("dllp", l.dllp,
          config::choice<DllpMode>(
              {{"spec", DllpMode::spec}, {"analytic", DllpMode::analytic}, {"off", DllpMode::off}}),
          "What DLLPs and SKP ordered sets cost.",
          "spec: SKP, Acks and UpdateFCs as the specification has them, the latter against what they answer. "
          "analytic: as the well-known analytic model, a fixed share "
          "for SKP, "
          "Acks and flow control in the direction of the data. off: nothing.");
    s.add("tx_buffer", c.endpoint.link.tx_buffer_bytes, config::size(1, 1 << 24),
          "TLPs that wait for the link; RQ stops while it is full.");
    s.add("tx_latency", c.endpoint.link.tx_latency_fs, config::time(0, longest),
          "From the last word of a TLP on RQ to its first byte on the link.");
    s.add("propagation", c.endpoint.link.propagation_fs, config::time(0, longest),
          "From the last byte of a TLP on the link to its arrival, in each direction.");
    endpoint::Link& credits = c.endpoint.link;
    // With more, hardly anything comes through, after any number of times.
    constexpr std::uint32_t most_errors = 900'000'000;
    constexpr std::uint64_t most_credits = 1 << 20;
    s.add("posted_header_credits", credits.posted_headers, integer(0, most_credits, "TLPs"),
          "Writes that the receive buffer of the host holds; 0: any number.",
          "A write is not sent before its credits are there, and what is behind it waits. They are free when "
          "the host has committed it.");
    s.add("posted_data_credits", credits.posted_data, integer(0, most_credits, "credits"),
          "Payload of writes that the receive buffer of the host holds, in 16 bytes; 0: any amount.",
          "At least a write of link.mps bytes.");
    s.add("nonposted_header_credits", credits.nonposted_headers, integer(0, most_credits, "TLPs"),
          "Reads that the receive buffer of the host holds; 0: any number.",
          "They are free when the host has begun to read the last line.");
    s.add("credit_update_latency", credits.credit_update_latency_fs, config::time(0, longest),
          "From the end of a TLP in the receive buffer of the host until the endpoint knows of its credits.",
          "Above 0, unless link.propagation is. Turns of the simulation are not longer than both.");
    s.add("up_errors", c.up_error_ppb, share_ppb(most_errors),
          "Requests that arrive damaged and are sent again.");
    s.add("down_errors", c.down_error_ppb, share_ppb(most_errors),
          "Completions that arrive damaged and are sent again.");
    s.add("up_damaged", c.endpoint.link.up_damaged, numbers(),
          "Requests that arrive damaged, as numbers of transmissions on each link, from 0.",
          "Repetitions count.");
    s.add("down_damaged", c.endpoint.link.down_damaged, numbers(), "The same of completions.");
    s.add("nak_latency", c.endpoint.link.nak_latency_fs, config::time(0, longest),
          "From the end of a damaged TLP until its transmitter sends it again.",
          "With it everything is sent again that was sent behind it meanwhile.");
    s.add("part_gap", c.endpoint.host.part_gap_fs, config::time(0, longest),
          "From one completion of a read to the next, at the host.");
}

void bind_topology(config::Registry& registry, card::Config& c) {
    auto s = registry.section("topology", "How the endpoints hang on the root complex.");
    s.add(
        "switch", c.through_switch, config::boolean(),
        "All endpoints are behind a switch at one root port, instead of one each.",
        "It gives them other numbers and adds a latency; its upstream link is as wide as all of them need.");
    s.add("switch_latency", c.switch_latency_fs, config::time(0, fs_per_ms),
          "What the switch adds in each direction.");
}

}  // namespace

void bind_card(config::Registry& registry, std::string& shape, card::Config& config) {
    bind_buses(registry, shape, config);
    bind_ptc(registry, config.endpoint.ptc);
    bind_link(registry, config);
    bind_topology(registry, config);
}

}  // namespace tlmetry::app
