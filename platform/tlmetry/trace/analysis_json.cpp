// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/trace/analysis.hpp"

#include <tlmetry/report/latency.hpp>
#include <tlmetry/tlp/text.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace tlmetry::trace {

namespace {

using Json = nlohmann::ordered_json;

constexpr int indent = 4;

Json kinds_json(const Analysis& analysis) {
    Json result = Json::object();
    for (unsigned k = 0; k < tlp::kinds; ++k) {
        const auto kind = static_cast<tlp::Kind>(k);
        const Analysis::KindCounts& counts = analysis.of(kind);
        if (counts.tlps == 0) continue;
        result[std::string(tlp::name_of(kind))] = {
            {"tlps", counts.tlps}, {"payload_bytes", counts.payload_bytes}, {"poisoned", counts.poisoned}};
    }
    return result;
}

Json timeline_json(const Analysis& analysis) {
    const RateTimeline& timeline = analysis.timeline();
    Json intervals = Json::array();
    for (std::size_t i = 0; i < RateTimeline::intervals; ++i) {
        if (analysis.tlps() == 0 || i * timeline.interval_ticks() > analysis.ticks()) break;
        const RateTimeline::Interval& interval = timeline[i];
        intervals.push_back({{"tlps", interval.tlps},
                             {"posted_bytes", interval.payload_bytes[0]},
                             {"non_posted_bytes", interval.payload_bytes[1]},
                             {"completion_bytes", interval.payload_bytes[2]}});
    }
    return {{"interval_ticks", timeline.interval_ticks()}, {"intervals", intervals}};
}

Json sizes_json(const Analysis& analysis) {
    Json result = Json::array();
    for (std::size_t i = 0; i < Analysis::sizes; ++i) {
        result.push_back({{"up_to_bytes", 4U << i},
                          {"reads", analysis.read_sizes()[i]},
                          {"writes", analysis.write_sizes()[i]},
                          {"completions", analysis.completion_sizes()[i]}});
    }
    return result;
}

Json requesters_json(const RequestMatcher& matcher) {
    Json result = Json::array();
    for (const RequesterCounts& counts : matcher.requesters()) {
        const bool done = counts.reads_done != 0;
        const auto if_done = [&](const Json& value) { return done ? value : Json(nullptr); };
        result.push_back(
            {{"requester", tlp::format_bdf(counts.id)},
             {"reads", counts.reads},
             {"read_bytes", counts.read_bytes},
             {"reads_done", counts.reads_done},
             {"writes", counts.writes},
             {"written_bytes", counts.written_bytes},
             {"other_requests", counts.others},
             {"completions", counts.completions},
             {"completed_bytes", counts.completed_bytes},
             {"outstanding", counts.outstanding},
             {"most_outstanding", counts.most_outstanding},
             {"mean_latency_fs", if_done(static_cast<double>(counts.latency_sum_fs) /
                                         static_cast<double>(std::max<std::uint64_t>(1, counts.reads_done)))},
             {"least_latency_fs", if_done(counts.least_latency_fs)},
             {"most_latency_fs", if_done(counts.most_latency_fs)}});
    }
    return result;
}

Json violations_json(const ViolationLog& log) {
    Json result = Json::object();
    for (std::size_t i = 0; i < violations; ++i) {
        const ViolationLog::Entry& entry = log.of(static_cast<Violation>(i));
        Json value = {{"count", entry.count}, {"first", nullptr}};
        if (entry.count != 0)
            value["first"] = {{"time", entry.time},
                              {"kind", tlp::name_of(entry.header.kind)},
                              {"requester", tlp::format_bdf(entry.header.requester)},
                              {"tag", entry.header.tag}};
        result[std::string(violation_names[i].key)] = value;
    }
    return result;
}

}  // namespace

std::string analysis_json(const Analysis& analysis) {
    const RequestMatcher& matcher = analysis.matcher();
    const Json document = {{"schema", "tlmetry.trace_analysis/1"},
                           {"tick_fs", analysis.tick_fs()},
                           {"tlps", analysis.tlps()},
                           {"begin_tick", analysis.begin()},
                           {"ticks", analysis.ticks()},
                           {"kinds", kinds_json(analysis)},
                           {"timeline", timeline_json(analysis)},
                           {"sizes", sizes_json(analysis)},
                           {"first_latency", report::latency_json(matcher.first_latency(), true)},
                           {"latency", report::latency_json(matcher.latency(), true)},
                           {"requesters", requesters_json(matcher)},
                           {"outstanding", matcher.outstanding()},
                           {"most_outstanding", matcher.most_outstanding()},
                           {"refused", matcher.refused()},
                           {"unrequested_completions", matcher.unrequested()},
                           {"not_followed_tlps", matcher.not_followed()},
                           {"violations", violations_json(analysis.violations())}};
    return document.dump(indent) + "\n";
}

}  // namespace tlmetry::trace
