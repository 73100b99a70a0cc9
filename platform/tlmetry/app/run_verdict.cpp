// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/run_verdict.hpp"

#include <tlmetry/base/quantity.hpp>
#include <tlmetry/report/arithmetic.hpp>

#include <algorithm>

namespace tlmetry::app {

namespace {

using account::DirectionCounts;
using account::EndpointCounts;
using endpoint::TagManager;
using report::fixed;
using verdict::CauseId;
using verdict::Finding;

verdict::LinkFacts link_facts(const card::Config& card) {
    verdict::LinkFacts facts;
    facts.trained = {card.link.generation, card.link.lanes};
    facts.capable = {std::max(card.capable_generation, card.link.generation),
                     std::max(card.capable_lanes, card.link.lanes)};
    facts.address_bits = card.link.address_bits;
    facts.ecrc = card.link.ecrc;
    return facts;
}

std::string percent(double share) {
    return fixed(100 * share, 2) + " %";
}

/// What the telemetry cannot see.
class Hidden {
public:
    Hidden(const EndpointCounts& counts, double seconds, std::size_t endpoint) : m_endpoint(endpoint) {
        const double down_s = counts.capacity.down_s;
        if (down_s != 0) {
            add(CauseId::link_down, std::min(1.0, down_s / seconds), verdict::of_link_time,
                "The link was down for " + fixed(down_s * 1e3, 3) + " of " + fixed(seconds * 1e3, 3) +
                    " ms.");
        }
        const std::uint64_t lost = std::max(counts.reads_lost, counts.reads_timed_out);
        if (lost != 0) {
            add(CauseId::lost_completions, share(lost, lost + counts.reads_done), verdict::of_reads,
                std::to_string(lost) + " of " + std::to_string(lost + counts.reads_done) +
                    " reads got no answer, and held their tags until the completion timeout.");
        }
        if (counts.malformed != 0) {
            add(CauseId::malformed, share(counts.malformed, counts.reads + counts.writes),
                verdict::of_requests,
                std::to_string(counts.malformed) + " of " + std::to_string(counts.reads + counts.writes) +
                    " requests were beyond MPS, MRRS or a 4 KiB boundary, and were dropped.");
        }
        const DirectionCounts& worse =
            counts.up.repeated_bytes > counts.down.repeated_bytes ? counts.up : counts.down;
        if (worse.repeated_bytes != 0) {
            const double part = static_cast<double>(worse.repeated_bytes) / counts.capacity.data;
            add(CauseId::retries, part, verdict::of_link_time,
                "TLPs sent in vain took " + percent(part) + " of the time of the link " +
                    (&worse == &counts.up ? "towards" : "from") + " the host; F3 is " +
                    fixed(share(worse.first_bytes, worse.first_bytes + worse.repeated_bytes), 4) + ".");
        }
    }

    std::vector<Finding> take() { return std::move(m_findings); }

private:
    static double share(std::uint64_t part, std::uint64_t whole) {
        return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
    }
    void add(CauseId cause, double share, std::string_view of, std::string evidence) {
        m_findings.push_back({cause, m_endpoint, share, of, std::move(evidence)});
    }

    std::size_t m_endpoint;
    std::vector<Finding> m_findings;
};

/// Puts what the models counted in the place of what the telemetry suggests.
void sharpen(Finding& finding, const EndpointCounts& counts) {
    const TagManager::Statistics& grants = counts.grants;
    const double cycles = static_cast<double>(std::max<std::uint64_t>(1, counts.cycles));
    const auto waited = [&](TagManager::Wait wait) {
        return static_cast<double>(grants.waited[wait]) / cycles;
    };
    const auto of_grants = [&](double share, const char* what) {
        finding.share = share;
        finding.share_of = verdict::of_pcie_cycles;
        finding.evidence += " Counted: the tag manager waited for " + std::string(what) + " in " +
                            percent(share) + " of the PCIe cycles.";
    };
    switch (finding.cause) {
        case CauseId::tags:
            return of_grants(waited(TagManager::for_tags) + waited(TagManager::for_ports), "tags");
        case CauseId::storage:
            return of_grants(waited(TagManager::for_space), "words of the storage FIFO");
        case CauseId::completion_headers:
            return of_grants(waited(TagManager::for_headers), "completion headers");
        default:
            return;
    }
}

std::string number(const char* name, std::uint64_t value, const char* unit = "") {
    return std::string(name) + "=" + std::to_string(value) + unit;
}

std::string time(const char* name, time_fs value) {
    return std::string(name) + "=" + format_time(value);
}

std::string byte_rate(std::uint64_t bytes_per_s) {
    constexpr std::uint64_t mega = 1'000'000;
    return bytes_per_s % mega == 0 ? std::to_string(bytes_per_s / mega) + "MB/s"
                                   : std::to_string(bytes_per_s) + "B/s";
}

/// Of half the period.
std::string faster_clock(const char* name, time_fs period) {
    const time_fs mega = fs_per_us / (period / 2);
    return mega * (period / 2) == fs_per_us ? number(name, static_cast<std::uint64_t>(mega), "MHz")
                                            : time(name, period / 2);
}

/// A link of twice the rate.
std::string faster_link(const pcie::LinkSettings& link) {
    return link.lanes < 16 && link.lanes != 12 ? number("link.lanes", 2 * std::uint64_t{link.lanes})
                                               : number("link.generation", link.generation + 1);
}

std::string more_tags(const card::Config& card) {
    const std::uint32_t tags = std::min(2 * card.endpoint.ptc.tags, card::tags_10bit);
    std::string change = number("ptc.tags", tags);
    if (tags > card::tags_8bit && !card.tags_10bit)
        change += "&link.tag_10bit=true";
    else if (tags > card::tags_without_extended && !card.extended_tags && !card.tags_10bit)
        change += "&link.extended_tag=true";
    return change;
}

std::string list(const char* name, const std::vector<std::uint32_t>& values, const char* unit) {
    std::string text = std::string(name) + "=";
    for (const std::uint32_t value : values)
        text += (text.back() == '=' ? "" : ",") + std::to_string(2 * value) + unit;
    return text;
}

/// Larger payloads: a larger MPS where operations are cut to it, else larger operations, and room for them.
std::string larger_requests(const RunParameters& p) {
    const auto largest = [](const std::vector<std::uint32_t>& bytes) {
        return *std::max_element(bytes.begin(), bytes.end());
    };
    std::uint64_t mps = p.card.link.mps_bytes;
    const std::uint64_t bytes = std::max(largest(p.traffic.read_bytes), largest(p.traffic.write_bytes));
    if (bytes > mps) return number("link.mps", 2 * mps, "B");
    std::string change = list("traffic.read_size.bytes", p.traffic.read_bytes, "B") + "&" +
                         list("traffic.write_size.bytes", p.traffic.write_bytes, "B");
    if (2 * bytes > mps) change += number("&link.mps", 2 * mps, "B");
    return change;
}

std::string more_of_source(const RunParameters& p) {
    const generator::Config& traffic = p.traffic.common;
    if (traffic.gap_fs != 0 || traffic.gap_fs_per_byte != 0) return "traffic.gap=0s&traffic.gap_per_byte=0s";
    if (p.traffic.outstanding.front() != 0)
        return number("traffic.outstanding", 2 * std::uint64_t{p.traffic.outstanding.front()});
    if (traffic.burst_requests != 0) return "traffic.burst_requests=0";
    if (traffic.rate != generator::Rate::saturate) return "traffic.rate=saturate";
    return "";
}

std::string faster_host(const host::Config& host) {
    std::string change;
    for (const auto& [name, rate] : {std::pair("host.memory_rate", host.memory_bytes_per_s),
                                     std::pair("host.memory_read_rate", host.memory_read_bytes_per_s),
                                     std::pair("host.memory_write_rate", host.memory_write_bytes_per_s)}) {
        if (rate != 0) change += (change.empty() ? "" : "&") + std::string(name) + "=" + byte_rate(2 * rate);
    }
    if (!change.empty()) return change;
    if (host.lines_in_flight != 0)
        return number("host.lines_in_flight", 2 * std::uint64_t{host.lines_in_flight});
    return time("host.latency", host.latency_fs / 2);
}

}  // namespace

std::vector<Finding> run_verdict(const account::Account& account, const driver::Measurement& telemetry,
                                 const card::Config& card) {
    std::vector<Finding> hidden;
    for (std::size_t e = 0; e < account.counts.size(); ++e) {
        for (Finding& finding : Hidden(account.counts[e], account.seconds, e).take())
            hidden.push_back(std::move(finding));
    }
    std::vector<Finding> all = verdict::rank(telemetry, link_facts(card), std::move(hidden));
    for (Finding& finding : all)
        sharpen(finding, account.counts[finding.endpoint]);
    all.erase(std::remove_if(all.begin(), all.end(),
                             [](const Finding& finding) {
                                 return finding.share < verdict::least_share &&
                                        !verdict::cause(finding.cause).error;
                             }),
              all.end());
    return all;
}

std::string remedy(const Finding& finding, const RunParameters& p) {
    const card::Config& card = p.card;
    switch (finding.cause) {
        case CauseId::link_down:
            return card.link_up ? "" : "link.up=true";
        case CauseId::lost_completions:
            if (card.host.lost_ppb != 0) return "host.lost_ppb=0";
            return card.host.lost_reads.empty() ? "" : "host.lost_reads=none";
        case CauseId::malformed:
            return p.traffic.common.split ? "" : "traffic.split=true";
        case CauseId::trained_down:
            return number("link.lanes", std::max(card.capable_lanes, card.link.lanes)) +
                   (card.capable_generation > card.link.generation
                        ? number("&link.generation", card.capable_generation)
                        : "");
        case CauseId::link_up_full:
        case CauseId::link_down_full:
            return faster_link(card.link);
        case CauseId::retries:
            return "link.up_errors=0%&link.down_errors=0%";
        case CauseId::link_waits:
            if (card.endpoint.link.has_credits())
                return "link.posted_header_credits=0&link.posted_data_credits=0&link.nonposted_header_"
                       "credits=0";
            return "";
        case CauseId::slow_sink:
            return "card.down_mfb_ready=1/1&card.down_mvb_ready=1/1";
        case CauseId::down_full:
        case CauseId::up_full:
            return faster_clock("telemetry.dma_clock", p.telemetry.dma_clock_fs);
        case CauseId::output_full:
            return number("telemetry.dma_down_mfb_regions",
                          2 * std::uint64_t{p.telemetry.component.dma_down_mfb_regions});
        case CauseId::host_latency:
            return faster_host(card.host);
        case CauseId::tags:
            return more_tags(card);
        case CauseId::completion_headers:
            return card.link.rcb_bytes == 64
                       ? "link.rcb=128B"
                       : number("ptc.completion_headers",
                                2 * std::uint64_t{card.endpoint.ptc.completion_headers});
        case CauseId::storage:
            return number("ptc.storage_words", 2 * std::uint64_t{card.endpoint.ptc.storage_words});
        case CauseId::small_completions:
            return card.combine_completions ? "link.rcb=128B" : "link.combine_completions=true";
        case CauseId::headers:
            return larger_requests(p);
        case CauseId::source:
            return more_of_source(p);
        case CauseId::rc_full:
        case CauseId::rq_full:
        case CauseId::link_held:
        case CauseId::tag_ports:
            return "";
    }
    return "";
}

}  // namespace tlmetry::app
