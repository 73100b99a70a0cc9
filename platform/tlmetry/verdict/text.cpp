// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/config/text.hpp>
#include <tlmetry/report/arithmetic.hpp>
#include <tlmetry/report/shares.hpp>
#include <tlmetry/report/table.hpp>
#include <tlmetry/verdict/explanation.hpp>
#include <tlmetry/verdict/reasons.hpp>

#include <algorithm>
#include <array>
#include <optional>

namespace tlmetry::verdict {
namespace {

using report::percent_sign;
using report::percent_text;
using report::Shares;

using Rows = std::vector<report::Row>;
using report::aligned_table;
using report::fixed;

constexpr const char* nothing = "-";

std::string under(const std::string& title, char line) {
    return title + "\n" + std::string(title.size(), line) + "\n";
}

std::string count_of(std::size_t count, const std::string& what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string bounds_text(const std::optional<Bounds>& bounds, int decimals) {
    if (!bounds) return nothing;
    const std::string low = fixed(bounds->low, decimals), high = fixed(bounds->high, decimals);
    return low == high ? low : low + ".." + high;
}

/// Wrapped, but not between a number and its unit.
std::string prose(std::string text, const std::string& indent) {
    constexpr char kept = '\x01';
    for (std::size_t i = 1; i < text.size(); ++i)
        if (text[i] == ' ' && text[i - 1] >= '0' && text[i - 1] <= '9') text[i] = kept;
    std::string lines = config::wrapped(text, indent);
    std::replace(lines.begin(), lines.end(), kept, ' ');
    return lines;
}

/// Prose with a mark in front of its first line.
std::string item(const std::string& mark, const std::string& text) {
    const std::string indent(mark.size(), ' ');
    return mark + prose(text, indent).substr(mark.size());
}

std::string duration(double seconds) {
    if (seconds >= 0.1) return fixed(seconds, 2) + " s";
    if (seconds >= 1e-4) return fixed(seconds * 1e3, 2) + " ms";
    return fixed(seconds * 1e6, 2) + " us";
}

std::string head(const Explanation& e) {
    const driver::Measurement& m = e.measurement;
    return under("Where the bandwidth went - " + count_of(m.endpoints.size(), "endpoint") + ", " +
                     count_of(m.layout.dma_ports, "DMA port") + " per endpoint, " +
                     (m.seconds ? duration(*m.seconds) : std::string("since the last clear")),
                 '=');
}

std::string sanity(const Explanation& e) {
    const auto wrong =
        std::count_if(e.doubts.begin(), e.doubts.end(), [](const Doubt& d) { return d.wrong; });
    std::string text = "\nSanity: ";
    if (e.doubts.empty()) return text + "nothing contradicts itself.\n";
    const std::size_t others = e.doubts.size() - static_cast<std::size_t>(wrong);
    if (wrong != 0)
        text +=
            count_of(static_cast<std::size_t>(wrong), "contradiction") + " - THE NUMBERS CANNOT BE TRUSTED";
    if (others != 0) text += (wrong != 0 ? "; " : "") + count_of(others, "remark");
    text += "\n";
    for (const Doubt& doubt : e.doubts)
        text += item(doubt.wrong ? "  !! " : "   - ",
                     (doubt.endpoint ? "Endpoint " + std::to_string(*doubt.endpoint) + ": " : std::string()) +
                         doubt.sentence);
    return text;
}

std::string settings(const Evidence& e) {
    const driver::EndpointCounts& c = e.counts;
    std::string text = "\n" + under("PCIe endpoint " + std::to_string(e.index), '-');
    std::string line = std::string("Link ") + (c.link_up ? "up" : "DOWN") + ", MPS " + std::to_string(c.mps) +
                       " B, MRRS " + std::to_string(c.mrrs) + " B, RCB " + std::to_string(c.rcb) + " B, " +
                       (c.tag_10bit ? "10-bit tags"
                        : c.ext_tag ? "8-bit tags"
                                    : "5-bit tags");
    if (e.measurement.seconds)
        line += "; PCIe clock " +
                fixed(static_cast<double>(c.pcie_cycles) / *e.measurement.seconds / 1e6, 1) +
                " MHz, DMA clock " +
                fixed(static_cast<double>(c.dma_cycles) / *e.measurement.seconds / 1e6, 1) + " MHz";
    text += prose(line + ".", "  ");
    const double cycles = static_cast<double>(std::min(c.pcie_cycles, c.dma_cycles));
    constexpr double worth_saying = 0.1;
    if (cycles > 0) {
        const double off = 100 * drain_period(e.measurement.layout) / cycles;
        if (off >= worth_saying)
            text += prose("The interval is short: counts may be " + percent_sign(off) +
                              " off, as counters are read out every " +
                              fixed(drain_period(e.measurement.layout), 0) + " cycles.",
                          "  ");
    }
    return text;
}

std::string buses(const Evidence& e) {
    const std::optional<double> seconds = e.measurement.seconds;
    Rows rows;
    for (const BusUse& bus : e.buses) {
        const bool counted = bus.cycles > 0;
        const Shares shares = Shares::with_rest({bus.busy, bus.stalled}, 1);
        const auto share = [&](double value) { return counted ? percent_text(value) : nothing; };
        const auto filled = bus.filled();
        rows.push_back(
            {bus.counts->name, share(shares[0]), share(shares[1]), share(shares[2]),
             bus.counts->has_mvb ? share(100 * bus.mvb_held) : nothing,
             bounds_text(filled ? std::optional<Bounds>(*filled * 100) : std::nullopt, 0),
             seconds ? fixed(bus.frames / *seconds / 1e6, 3) : nothing,
             seconds ? bounds_text(bus.bytes * (1e-9 / *seconds), bus.bytes.exact() ? 3 : 2) : nothing,
             bounds_text(bus.frame_bytes(), 0)});
    }
    std::string text = "\n" + aligned_table({{"Bus", false},
                                             {"busy %"},
                                             {"held %"},
                                             {"idle %"},
                                             {"MVB held %"},
                                             {"filled %"},
                                             {"Mframe/s"},
                                             {"GB/s"},
                                             {"B/frame"}},
                                            rows);
    return text +
           prose(
               "busy + held + idle are the cycles of the bus's clock: it moved a word, its consumer did "
               "not take one, nothing was offered. filled: of the width of the words moved.",
               "  ");
}

std::string requests(const Evidence& e) {
    const double all = e.reads + e.writes;
    if (all == 0) return "";
    const std::optional<double> seconds = e.measurement.seconds;
    const auto rate = [&](double count) {
        return seconds ? fixed(count / *seconds / 1e6, 3) + " M/s" : fixed(count, 0);
    };
    const Shares shares = Shares::of_sum({e.reads, e.writes});
    std::string line;
    if (e.reads > 0) line = rate(e.reads) + " reads (" + percent_sign(shares[0]) + ")";
    if (e.writes > 0)
        line += (line.empty() ? "" : ", ") + rate(e.writes) + " writes (" + percent_sign(shares[1]) +
                ") of " + bounds_text(e.write_bytes * (1 / e.writes), 0) + " B";
    if (e.reads > 0 && e.completions > 0)
        line += "; " + fixed(e.completions / e.reads, 2) + " completions of " +
                bounds_text(e.completion_bytes * (1 / e.completions), 0) + " B a read";
    return "\n" + prose("Requests: " + line + ".", "  ");
}

std::string reasons(const Evidence& e) {
    Rows rows;
    const auto row = [&](const std::string& name, double share, std::string_view meaning) {
        rows.push_back(
            {name, e.counts.pcie_cycles == 0 ? nothing : percent_text(100 * share), std::string(meaning)});
    };
    for (std::size_t i = 0; i < e.counts.reasons.size(); ++i) {
        const ReasonText text = reason_text(i);
        row(text.name, e.reason(i), text.meaning);
    }
    row("PCIe endpoint not ready", e.rq().stalled, "RQ held: link full, no credits, or a retry");
    return "\n" + aligned_table({{"Reason", false}, {"PCIe cycles %"}, {"meaning", false}}, rows);
}

std::string resources(const Evidence& e) {
    if (e.counts.histograms.empty()) return "";
    std::vector<report::Column> columns = {{"Free", false}, {"capacity"}, {"now"}, {"lowest"}};
    const std::size_t bands = e.counts.histograms.front().bands.size();
    constexpr std::array<const char*, 4> names = {"none %", "<=1/8 %", "<=1/2 %", "rest %"};
    for (std::size_t band = 0; band < bands; ++band)
        columns.push_back({band < names.size() ? names[band] : "band " + std::to_string(band) + " %"});
    const driver::Layout& layout = e.measurement.layout;
    Rows rows;
    for (std::size_t i = 0; i < e.counts.histograms.size(); ++i) {
        std::vector<std::string> row;
        if (i < resource_names.size()) {
            const driver::Level level = i == 0 ? e.counts.tags : e.counts.stfifo;
            row = {std::string(resource_names[i]),
                   std::to_string(i == 0 ? layout.tag_capacity : layout.stfifo_capacity),
                   std::to_string(level.now), std::to_string(level.lowest)};
        } else {
            row = {"resource " + std::to_string(i), nothing, nothing, nothing};
        }
        const std::vector<std::uint64_t>& counted = e.counts.histograms[i].bands;
        const Shares shares = Shares::of_sum({counted.begin(), counted.end()});
        const bool any = std::any_of(counted.begin(), counted.end(), [](std::uint64_t c) { return c != 0; });
        for (std::size_t band = 0; band < shares.size(); ++band)
            row.push_back(any ? percent_text(shares[band]) : nothing);
        rows.push_back(std::move(row));
    }
    std::string text = "\n" + aligned_table(columns, rows);
    for (std::size_t i = 0; i < std::min(e.counts.histograms.size(), resource_names.size()); ++i)
        text += prose(resource_reading(e, i), "  ");
    return text;
}

std::string link(const Evidence& e) {
    if (!e.up || !e.down) return "";
    Rows rows;
    const auto row = [&](const char* direction, const LinkUse& use) {
        const Shares shares = Shares::of_sum({use.encoding, use.headers, use.payload, use.rest});
        rows.push_back({direction, fixed(use.line_gbytes, 3), percent_text(shares[0]),
                        percent_text(shares[1]), percent_text(shares[2]), percent_text(shares[3]),
                        fixed(use.payload_gbytes, 3)});
    };
    row("towards the host", *e.up);
    row("from the host", *e.down);
    return "\n" +
           aligned_table({{"Link " + e.facts.trained->name(), false},
                          {"GB/s on the lanes"},
                          {"encoding %"},
                          {"headers %"},
                          {"payload %"},
                          {"rest %"},
                          {"payload GB/s"}},
                         rows) +
           prose(
               "encoding + headers + payload + rest are all that the lanes carry. rest: DLLPs, retries, and "
               "time in which nothing was sent.",
               "  ");
}

std::string factors(const Evidence& e) {
    const auto rest = [](const std::optional<LinkUse>& use) {
        return use ? fixed(use->used(), 4) : std::string(nothing);
    };
    const auto encoding = [](const std::optional<LinkUse>& use) {
        return use ? fixed(1 - use->encoding, 4) : std::string(nothing);
    };
    const auto useful = [](const std::optional<LinkUse>& use) {
        return use ? fixed(use->payload, 4) : std::string(nothing);
    };
    const std::string overheads = std::to_string(e.facts.request_overhead()) + " B a request, " +
                                  std::to_string(e.facts.completion_overhead()) + " B a completion";
    const Rows rows = {
        {"F1 encoding", encoding(e.up), encoding(e.down),
         e.up ? "8b/10b, 128b/130b or flits" : "needs generation, width and an interval"},
        {"F2 headers", bounds_text(e.up_header_efficiency, 4), bounds_text(e.down_header_efficiency, 4),
         overheads},
        {"F3 retries", nothing, nothing, "cannot be seen"},
        {"F4 window", bounds_text(e.window, 4), "", "granted of the cycles with work"},
        {"F3 x F4 x idle", rest(e.up), rest(e.down), "TLPs of what F1 leaves"},
        {"all together", useful(e.up), useful(e.down), "payload of all that the lanes carry"},
    };
    return "\n" +
           aligned_table({{"Factor", false}, {"towards the host"}, {"from the host"}, {"what it is", false}},
                         rows);
}

std::string endpoint(const Evidence& e) {
    const bool moved = std::any_of(e.buses.begin(), e.buses.end(),
                                   [](const BusUse& bus) { return bus.busy + bus.stalled > 0; });
    if (!e.measured() && !moved) return settings(e) + "  No word moved on any of its buses.\n";
    std::string text = settings(e) + buses(e) + requests(e) + reasons(e) + resources(e);
    return e.measured() ? text + link(e) + factors(e) : text;
}

}  // namespace

std::string format_verdict(const std::vector<Finding>& verdict) {
    std::string text = under("Verdict: what held the transfer", '-');
    if (verdict.empty()) return text + "  Nothing held it in 1 % of the time or more.\n";
    Rows rows;
    for (std::size_t i = 0; i < verdict.size(); ++i) {
        const Finding& finding = verdict[i];
        rows.push_back({std::to_string(i + 1), percent_text(100 * finding.share),
                        std::string(finding.share_of), std::to_string(finding.endpoint),
                        std::string(cause(finding.cause).name), std::string(cause(finding.cause).owner)});
    }
    text += aligned_table(
        {{"#"}, {"share %"}, {"of", false}, {"endpoint"}, {"what", false}, {"whose matter", false}}, rows);
    text += prose(
        "A share is the part of the time in which this held the transfer. Several can hold it at once, so "
        "that "
        "shares of different lines do not add up.",
        "  ");
    for (std::size_t i = 0; i < verdict.size(); ++i) {
        const Finding& finding = verdict[i];
        const Cause& known = cause(finding.cause);
        text += "\n" + item("  " + std::to_string(i + 1) + ". ", finding.evidence);
        const auto first = std::find_if(verdict.begin(), verdict.end(),
                                        [&](const Finding& other) { return other.cause == finding.cause; });
        const auto place = static_cast<std::size_t>(first - verdict.begin());
        text += prose(place == i ? "-> " + std::string(known.remedy) +
                                       " In a simulation: " + std::string(known.parameter) + "."
                                 : "-> As for " + std::to_string(place + 1) + ".",
                      "     ");
    }
    return text;
}

std::string format_text(const Explanation& e) {
    std::string text = head(e) + sanity(e) + "\n" + format_verdict(e.verdict);
    for (const Evidence& evidence : e.endpoints)
        text += endpoint(evidence);
    text += "\n" + under("What the counters cannot tell", '-');
    for (const std::string_view sentence : limits())
        text += item("  - ", std::string(sentence));
    return text;
}

}  // namespace tlmetry::verdict
