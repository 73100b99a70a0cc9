// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/verdict/causes.hpp"

namespace tlmetry::verdict {
namespace {

constexpr std::string_view device_design = "device design";
constexpr std::string_view payload_size = "payload size";
constexpr std::string_view signal_integrity = "signal integrity";
constexpr std::string_view buffer_sizing = "buffer sizing";
constexpr std::string_view host_latency = "host latency";
constexpr std::string_view host_or_link = "host or link";
constexpr std::string_view software_or_source = "software or source";

constexpr std::array<Cause, cause_count> table = {{
    {CauseId::link_down, "link_down", "The link is down", host_or_link,
     "Look at slot, reference clock and reset: nothing moves before the link has trained.", "link.up", true},
    {CauseId::lost_completions, "lost_completions", "Reads are never answered", host_or_link,
     "Look for completion timeouts and uncorrectable errors at the root port; each such read holds its tag "
     "until its "
     "timeout.",
     "host.lost_ppb, host.lost_reads, ptc.completion_timeout, ptc.completion_buffer_headers", true},
    {CauseId::malformed, "malformed", "Requests are malformed", device_design,
     "Let the DMA module respect MPS, MRRS and 4 KiB boundaries: the root port drops what does not.",
     "traffic.split, link.mps, link.mrrs", true},
    {CauseId::trained_down, "trained_down", "The link has trained below its capability", signal_integrity,
     "Find out why the link has not trained to its full width and generation: slot, bifurcation, riser, "
     "lanes.",
     "link.lanes, link.generation"},
    {CauseId::link_up_full, "link_up_full", "The link towards the host is full", host_or_link,
     "Only a wider or faster link carries more; larger payloads leave more of it to data.",
     "link.lanes, link.generation, link.mps"},
    {CauseId::link_down_full, "link_down_full", "The link from the host is full", host_or_link,
     "Only a wider or faster link carries more; larger completions leave more of it to data.",
     "link.lanes, link.generation, link.mps"},
    {CauseId::retries, "retries", "TLPs arrive damaged and are sent again", signal_integrity,
     "Look at the link's correctable errors: riser, connector, equalisation.",
     "link.up_errors, link.down_errors, link.nak_latency"},
    {CauseId::link_waits, "link_waits", "The link stops before it is full", host_or_link,
     "Look at the link's error counters for replays, then at the posted and non-posted credits of the root "
     "port.",
     "link.up_errors, link.posted_header_credits, link.posted_data_credits, link.nonposted_header_credits"},
    {CauseId::link_held, "link_held", "The PCIe endpoint was not ready", host_or_link,
     "Give --link-generation and --link-width to see whether the link is full; if it is not, look for "
     "replays and "
     "missing credits.",
     "link.lanes, link.generation, link.mps"},
    {CauseId::slow_sink, "slow_sink", "The DMA module takes completions slowly", device_design,
     "Let the DMA module accept completions whenever they come: its DST_RDY on DOWN, or the memory behind "
     "it.",
     "card.down_mfb_ready, card.down_mvb_ready"},
    {CauseId::down_full, "down_full", "The bus DOWN (PTC to DMA) is full", device_design,
     "Widen DOWN, raise the DMA clock, or spread the reads over more DMA ports.",
     "telemetry.dma_down_mfb_regions, telemetry.dma_clock, telemetry.dma_ports"},
    {CauseId::output_full, "output_full", "The way out of the storage FIFO is full", device_design,
     "Widen DOWN up to the width of RC, or raise the PCIe clock: in a cycle of it a word of DOWN leaves, "
     "whichever port it is for.",
     "telemetry.dma_down_mfb_regions, telemetry.pcie_clock"},
    {CauseId::rc_full, "rc_full", "The bus RC (PCIe to PTC) is full", device_design,
     "Widen RC or raise the PCIe clock; completions that fill whole words need fewer of them.",
     "telemetry.pcie_rc_mfb_regions, telemetry.pcie_clock, link.combine_completions"},
    {CauseId::rq_full, "rq_full", "The bus RQ (PTC to PCIe) is full", device_design,
     "Widen RQ or raise the PCIe clock; frames that fill whole words need fewer of them.",
     "telemetry.pcie_rq_mfb_regions, telemetry.pcie_clock"},
    {CauseId::up_full, "up_full", "The bus UP (DMA to PTC) is full", device_design,
     "Widen UP, raise the DMA clock, or use more DMA ports; frames that fill whole words need fewer of them.",
     "telemetry.dma_up_mfb_regions, telemetry.dma_clock, telemetry.dma_ports"},
    {CauseId::host_latency, "host_latency", "The host answers reads very late", host_latency,
     "Find out what keeps reads waiting at the host: memory bandwidth, arbitration, IO-TLB misses, a remote "
     "node.",
     "host.latency, host.memory_rate, host.read_weight"},
    {CauseId::tags, "tags", "Too few PCIe tags", device_design,
     "Use more tags (extended or 10-bit), or fewer and larger reads: the same tags then carry more.",
     "ptc.tags, link.extended_tag, link.tag_10bit"},
    {CauseId::tag_ports, "tag_ports", "The tag FIFO shows its tags too late", device_design,
     "Make the tag FIFO show more tags at a time, or ask for fewer reads in a word of headers.",
     "card.mvb_up_items, card.mvb_down_items"},
    {CauseId::completion_headers, "completion_headers", "Too few completion header entries", buffer_sizing,
     "Have the host use a read completion boundary of 128 B, which halves what a read takes, or a larger "
     "buffer.",
     "link.rcb, ptc.completion_headers"},
    {CauseId::storage, "storage", "Too little storage FIFO for completions", buffer_sizing,
     "Enlarge the storage FIFO, or align reads to its words so that they reserve fewer of them.",
     "ptc.storage_words, traffic.alignment"},
    {CauseId::small_completions, "small_completions", "The host answers in small completions", host_or_link,
     "Have the host combine completions up to the MPS, or use a read completion boundary of 128 B.",
     "link.combine_completions, link.rcb"},
    {CauseId::headers, "headers", "Headers take the link's time", payload_size,
     "Send larger payloads up to the MPS, larger reads up to the MRRS; where they already are, raise these.",
     "link.mps, link.mrrs, traffic.write_size.bytes, traffic.read_size.bytes"},
    {CauseId::source, "source", "The source had nothing to send", software_or_source,
     "Ask for more at a time: more operations outstanding, larger ones, fewer pauses between them.",
     "traffic.outstanding, traffic.gap, traffic.rate"},
}};

constexpr bool in_order() {
    for (std::size_t i = 0; i < table.size(); ++i)
        if (static_cast<std::size_t>(table[i].number) != i) return false;
    return true;
}
static_assert(in_order(), "each cause stands in the place of its number");

}  // namespace

const std::array<Cause, cause_count>& causes() {
    return table;
}

const Cause& cause(CauseId id) {
    return table.at(static_cast<std::size_t>(id));
}

}  // namespace tlmetry::verdict
