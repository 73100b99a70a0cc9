// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/trace/analysis.hpp"

#include <tlmetry/base/quantity.hpp>
#include <tlmetry/report/arithmetic.hpp>
#include <tlmetry/report/latency.hpp>
#include <tlmetry/report/table.hpp>
#include <tlmetry/tlp/text.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace tlmetry::trace {

namespace {

using report::fixed;
using report::pad_left;
using report::Row;
using tlp::Kind;

constexpr std::size_t max_requester_lines = 20;

double seconds(const Analysis& analysis, std::uint64_t ticks) {
    return static_cast<double>(ticks) * static_cast<double>(analysis.tick_fs()) /
           static_cast<double>(fs_per_s);
}

/// GB/s with three digits behind the point; `-` without time.
std::string rate(std::uint64_t bytes, double duration_s) {
    return duration_s <= 0 ? "-" : fixed(static_cast<double>(bytes) / duration_s / 1e9, 3);
}

std::string in_ns(double fs) {
    return fixed(fs / static_cast<double>(fs_per_ns), 1);
}

std::string headline(const std::string& text) {
    return "\n" + text + "\n" + std::string(text.size(), '-') + "\n";
}

std::string kinds_table(const Analysis& analysis) {
    const double duration_s = seconds(analysis, analysis.ticks());
    std::vector<Row> rows;
    std::uint64_t poisoned = 0;
    for (unsigned k = 0; k < tlp::kinds; ++k) {
        const Analysis::KindCounts& counts = analysis.of(static_cast<Kind>(k));
        if (counts.tlps == 0) continue;
        poisoned += counts.poisoned;
        const double share = static_cast<double>(counts.tlps) / static_cast<double>(analysis.tlps());
        rows.push_back({std::string(tlp::name_of(static_cast<Kind>(k))), std::to_string(counts.tlps),
                        fixed(100 * share, 2), std::to_string(counts.payload_bytes),
                        rate(counts.payload_bytes, duration_s)});
    }
    std::string text =
        report::aligned_table({{"kind", false}, {"TLPs"}, {"share %"}, {"payload B"}, {"GB/s"}}, rows);
    if (poisoned != 0) text += "  Poisoned TLPs: " + std::to_string(poisoned) + "\n";
    return text;
}

std::string timeline_table(const Analysis& analysis) {
    const RateTimeline& timeline = analysis.timeline();
    std::vector<Row> rows;
    for (std::size_t i = 0; i < RateTimeline::intervals; ++i) {
        const std::uint64_t begin = i * timeline.interval_ticks();
        if (begin > analysis.ticks()) break;
        const std::uint64_t ticks = std::min(timeline.interval_ticks(), analysis.ticks() + 1 - begin);
        const RateTimeline::Interval& interval = timeline[i];
        rows.push_back(
            {in_ns(static_cast<double>(fs_per_s) * seconds(analysis, begin)), std::to_string(interval.tlps)});
        for (const std::uint64_t bytes : interval.payload_bytes)
            rows.back().push_back(rate(bytes, seconds(analysis, ticks)));
    }
    return report::aligned_table(
        {{"from, ns"}, {"TLPs"}, {"posted GB/s"}, {"non-posted GB/s"}, {"completion GB/s"}}, rows);
}

std::string sizes_table(const Analysis& analysis) {
    std::vector<Row> rows;
    for (std::size_t i = 0; i < Analysis::sizes; ++i) {
        const std::uint64_t reads = analysis.read_sizes()[i];
        const std::uint64_t writes = analysis.write_sizes()[i];
        const std::uint64_t completions = analysis.completion_sizes()[i];
        if (reads + writes + completions == 0) continue;
        rows.push_back({std::to_string(4U << i), std::to_string(reads), std::to_string(writes),
                        std::to_string(completions)});
    }
    return report::aligned_table({{"up to, bytes"}, {"reads"}, {"writes"}, {"completions"}}, rows);
}

std::string latency_part(const RequestMatcher& matcher) {
    std::string text = headline("Reads of memory, from the request to its completions");
    if (matcher.latency().count() == 0) return text + "No read with all of its completions is in the trace\n";
    text += report::latency_table({{"to the first completion", &matcher.first_latency()},
                                   {"to the last completion", &matcher.latency()}});
    return text + "\nShare of the reads by the time to the last completion\n" +
           report::latency_bars(matcher.latency());
}

std::string requesters_table(const RequestMatcher& matcher) {
    std::vector<Row> rows;
    const std::vector<RequesterCounts> all = matcher.requesters();
    for (std::size_t i = 0; i < std::min(all.size(), max_requester_lines); ++i) {
        const RequesterCounts& counts = all[i];
        const bool done = counts.reads_done != 0;
        const double mean =
            static_cast<double>(counts.latency_sum_fs) / static_cast<double>(counts.reads_done);
        rows.push_back({tlp::format_bdf(counts.id), std::to_string(counts.reads),
                        std::to_string(counts.completed_bytes), std::to_string(counts.writes),
                        std::to_string(counts.written_bytes), std::to_string(counts.most_outstanding),
                        done ? in_ns(mean) : "-",
                        done ? in_ns(static_cast<double>(counts.most_latency_fs)) : "-"});
    }
    std::string text = report::aligned_table({{"from", false},
                                              {"reads"},
                                              {"completed B"},
                                              {"writes"},
                                              {"written B"},
                                              {"out"},
                                              {"mean ns"},
                                              {"most ns"}},
                                             rows);
    if (all.size() > max_requester_lines)
        text += "  and " + std::to_string(all.size() - max_requester_lines) + " more\n";
    if (matcher.not_followed() != 0)
        text +=
            "  " + std::to_string(matcher.not_followed()) + " TLPs of further requesters are not followed\n";
    return text + "  out: the most non-posted requests that were outstanding at a time\n" +
           "  Outstanding at the end: " + std::to_string(matcher.outstanding()) + ", at most " +
           std::to_string(matcher.most_outstanding()) +
           "; requests refused: " + std::to_string(matcher.refused()) + "\n" +
           (matcher.unrequested() == 0 ? ""
                                       : "  Completions of requests that are not in the trace: " +
                                             std::to_string(matcher.unrequested()) + "\n");
}

std::string violations_part(const Analysis& analysis) {
    const ViolationLog& log = analysis.violations();
    std::string text = headline("Against the rules: " + std::to_string(log.total()));
    for (std::size_t i = 0; i < violations; ++i) {
        const ViolationLog::Entry& entry = log.of(static_cast<Violation>(i));
        if (entry.count == 0) continue;
        text += pad_left(std::to_string(entry.count), 12) + "  " + std::string(violation_names[i].sentence) +
                "\n" + std::string(14, ' ') + "first: " + std::string(tlp::name_of(entry.header.kind)) +
                " of " + tlp::format_bdf(entry.header.requester) + ", tag " +
                std::to_string(entry.header.tag) + ", at tick " + std::to_string(entry.time) + "\n";
    }
    return text;
}

}  // namespace

std::string format_analysis(const Analysis& analysis) {
    const std::string title = std::to_string(analysis.tlps()) + " TLPs in " +
                              in_ns(static_cast<double>(fs_per_s) * seconds(analysis, analysis.ticks())) +
                              " ns, a tick being " + format_time(analysis.tick_fs());
    std::string text = title + "\n" + std::string(title.size(), '=') + "\n";
    if (analysis.tlps() == 0) return text;
    text += "\n" + kinds_table(analysis);
    text += headline("Payload over time, from the first TLP on") + timeline_table(analysis);
    text += headline("Sizes: data asked for, written and completed") + sizes_table(analysis);
    text += latency_part(analysis.matcher());
    text += headline("Requesters") + requesters_table(analysis.matcher());
    return text + violations_part(analysis);
}

}  // namespace tlmetry::trace
