// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/trace/tuned_run.hpp"

#include <tlmetry/report/arithmetic.hpp>
#include <tlmetry/report/table.hpp>

#include <nlohmann/json.hpp>

#include <cmath>

namespace tlmetry::trace {

namespace {

using report::fixed;
using report::Row;
using Json = nlohmann::ordered_json;

constexpr int indent = 4;

/// A line of the table: what it is, how a number is shown, and the number.
struct Line {
    std::string name;
    double unit;
    int digits;
    double (*of)(const TunedRun&);
};

std::vector<Line> lines() {
    constexpr double mega = 1e6;
    constexpr double giga = 1e9;
    constexpr double nano = 1e-9;
    return {
        {"useful UP, GB/s", giga, 3, [](const TunedRun& r) { return r.useful_up; }},
        {"useful DOWN, GB/s", giga, 3, [](const TunedRun& r) { return r.useful_down; }},
        {"mean latency of a read, ns", nano, 1, [](const TunedRun& r) { return r.mean_read_s; }},
        {"received requests: wait, ns", nano, 1, [](const TunedRun& r) { return r.received_wait_s; }},
        {"received requests: in a batch", 1, 2, [](const TunedRun& r) { return r.received_in_batch; }},
        {"completions sent, M/s", mega, 3, [](const TunedRun& r) { return r.completions.tlps_per_s; }},
        {"completions: on the link, GB/s", giga, 3,
         [](const TunedRun& r) { return r.completions.bytes_per_s; }},
        {"completions: wait, ns", nano, 1, [](const TunedRun& r) { return r.completions.mean_wait_s; }},
        {"completions: in a batch", 1, 2, [](const TunedRun& r) { return r.completions.tlps_in_batch; }},
        {"non-posted sent, M/s", mega, 3, [](const TunedRun& r) { return r.nonposted.tlps_per_s; }},
        {"non-posted: on the link, GB/s", giga, 3, [](const TunedRun& r) { return r.nonposted.bytes_per_s; }},
        {"non-posted: wait, ns", nano, 1, [](const TunedRun& r) { return r.nonposted.mean_wait_s; }},
        {"non-posted: in a batch", 1, 2, [](const TunedRun& r) { return r.nonposted.tlps_in_batch; }},
        {"posted sent, M/s", mega, 3, [](const TunedRun& r) { return r.posted.tlps_per_s; }},
        {"posted: on the link, GB/s", giga, 3, [](const TunedRun& r) { return r.posted.bytes_per_s; }},
        {"posted: wait, ns", nano, 1, [](const TunedRun& r) { return r.posted.mean_wait_s; }},
        {"posted: in a batch", 1, 2, [](const TunedRun& r) { return r.posted.tlps_in_batch; }},
    };
}

Json json(const TunedRun::Sent& sent) {
    return {{"tlps_per_s", sent.tlps_per_s},
            {"bytes_per_s", sent.bytes_per_s},
            {"mean_wait_s", sent.mean_wait_s},
            {"tlps_in_batch", sent.tlps_in_batch}};
}

}  // namespace

std::string tune_text(const std::vector<TunedRun>& runs, std::uint32_t core) {
    const bool compares = runs.size() == 2;
    std::vector<report::Column> columns = {{"event", false}, {"level"}};
    if (compares) columns.push_back({"set to"});
    columns.push_back({"what it is", false});
    std::vector<Row> rows;
    for (std::size_t e = 0; e < ptt::tune_events.size(); ++e) {
        Row& row = rows.emplace_back(Row{ptt::tune_events[e].name});
        for (const TunedRun& run : runs)
            row.push_back(std::to_string(run.levels[e]));
        row.emplace_back(ptt::tune_events[e].description);
    }
    std::string text =
        "Levels of hisi_ptt0_" + std::to_string(core) + "\n\n" + report::aligned_table(columns, rows) + "\n";

    columns = {{"", false}, {compares ? "before" : "value"}};
    if (compares) columns.insert(columns.end(), {{"after"}, {"change"}});
    rows.clear();
    for (const Line& line : lines()) {
        Row& row = rows.emplace_back(Row{line.name});
        for (const TunedRun& run : runs)
            row.push_back(fixed(line.of(run) / line.unit, line.digits));
        if (!compares) continue;
        const double before = line.of(runs[0]);
        const double change = before == 0 ? 0 : 100 * (line.of(runs[1]) / before - 1);
        row.push_back(before == 0 ? "-"
                                  : (change >= 0.05 ? "+" : "") +
                                        fixed(std::abs(change) < 0.05 ? 0 : change, 1) + " %");
    }
    return text + "What they do\n\n" + report::aligned_table(columns, rows);
}

std::string tune_json(const std::vector<TunedRun>& runs, std::uint32_t core) {
    Json document = {{"schema", "tlmetry.tune/1"}, {"core", core}, {"runs", Json::array()}};
    for (const TunedRun& run : runs) {
        Json levels;
        for (std::size_t e = 0; e < ptt::tune_events.size(); ++e)
            levels[ptt::tune_events[e].name] = run.levels[e];
        document["runs"].push_back(
            {{"levels", levels},
             {"useful_up_bytes_per_s", run.useful_up},
             {"useful_down_bytes_per_s", run.useful_down},
             {"mean_read_s", run.mean_read_s},
             {"received", {{"mean_wait_s", run.received_wait_s}, {"tlps_in_batch", run.received_in_batch}}},
             {"completions", json(run.completions)},
             {"nonposted", json(run.nonposted)},
             {"posted", json(run.posted)}});
    }
    return document.dump(indent) + "\n";
}

}  // namespace tlmetry::trace
