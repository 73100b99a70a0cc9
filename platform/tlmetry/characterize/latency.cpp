// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/characterize/part.hpp"

#include <tlmetry/report/arithmetic.hpp>

#include <algorithm>
#include <string>

namespace tlmetry::characterize {

namespace {

using endpoint::ReadLatencies;
using page::number;
using report::fixed;
using report::shortest;

constexpr double fs_per_nanosecond = 1e6;
constexpr std::uint32_t paced_percents[] = {50, 80, 95};
constexpr double percentiles[] = {50, 90, 99, 99.9};

struct Load {
    std::string name;
    double gbytes;
    const std::vector<LatencyHistogram>* stages;

    const LatencyHistogram& whole() const { return (*stages)[ReadLatencies::whole]; }
};

double ns(double fs) {
    return fs / fs_per_nanosecond;
}

double percentile_ns(const LatencyHistogram& histogram, double percent) {
    return ns(static_cast<double>(histogram.percentile_fs(percent)));
}

/// The name of a percentile in a key: 99_9.
std::string percentile_key(double percent) {
    std::string key = "p" + shortest(percent);
    if (key.size() > 2 && key.substr(key.size() - 2) == ".0") key.resize(key.size() - 2);
    std::replace(key.begin(), key.end(), '.', '_');
    return key + "_ns";
}

std::string percentile_title(double percent) {
    return percent == 99.9 ? "99.9%" : fixed(percent, 0) + "%";
}

page::Table summary(const std::vector<Load>& loads) {
    page::Table table;
    table.key = "latency";
    table.title = "Latency of reads, mean of each stage, and percentiles of the whole";
    table.columns = {{"load", "load", "", 0}, {"read_GB_per_s", "rate", "GB/s", 3}};
    for (const account::StageName& stage : account::stage_names) {
        const std::string key = stage.key;
        table.columns.push_back({key + "_mean_ns", key, "ns", 1});
    }
    // A terminal has not room for all.
    for (const double percent : percentiles) {
        table.columns.push_back({percentile_key(percent), percentile_title(percent), "ns", 1, percent != 90});
    }
    table.columns.push_back({"most_ns", "most", "ns", 1, false});
    for (const Load& load : loads) {
        std::vector<page::Cell> row = {load.name, number(load.gbytes)};
        for (const LatencyHistogram& stage : *load.stages)
            row.push_back(number(ns(stage.mean_fs())));
        for (const double percent : percentiles)
            row.push_back(number(percentile_ns(load.whole(), percent)));
        row.push_back(number(ns(static_cast<double>(load.whole().most_fs()))));
        table.rows.push_back(row);
    }
    return table;
}

page::Table by_stage(const std::vector<Load>& loads) {
    page::Table table;
    table.key = "latency_stages";
    table.title = "Latency of reads by stage";
    table.group_rows = ReadLatencies::stages;
    table.columns = {{"load", "load", "", 0},
                     {"stage", "stage", "", 0},
                     {"reads", "reads", "count", 0},
                     {"mean_ns", "mean", "ns", 1},
                     {"least_ns", "least", "ns", 1}};
    for (const double percent : percentiles)
        table.columns.push_back({percentile_key(percent), percentile_title(percent), "ns", 1});
    table.columns.push_back({"most_ns", "most", "ns", 1});
    for (const Load& load : loads) {
        for (std::size_t s = 0; s < ReadLatencies::stages; ++s) {
            const LatencyHistogram& h = (*load.stages)[s];
            std::vector<page::Cell> row = {load.name, account::stage_names[s].name,
                                           number(static_cast<double>(h.count())), number(ns(h.mean_fs())),
                                           number(ns(static_cast<double>(h.least_fs())))};
            for (const double percent : percentiles)
                row.push_back(number(percentile_ns(h, percent)));
            row.push_back(number(ns(static_cast<double>(h.most_fs()))));
            table.rows.push_back(row);
        }
    }
    return table;
}

std::vector<Chart> charts_of(const std::vector<Load>& loads) {
    std::vector<std::string> places;
    std::vector<page::Series> stages;
    for (std::size_t s = 0; s < ReadLatencies::whole; ++s)
        stages.push_back({account::stage_names[s].name, {}, -1, false, "stages"});
    std::vector<page::Series> tails = {{"mean", {}}};
    for (const double percent : percentiles)
        tails.push_back({percentile_title(percent), {}});
    for (const Load& load : loads) {
        places.push_back(load.name);
        for (std::size_t s = 0; s < ReadLatencies::whole; ++s)
            stages[s].values.push_back(ns((*load.stages)[s].mean_fs()));
        tails[0].values.push_back(ns(load.whole().mean_fs()));
        for (std::size_t p = 0; p < std::size(percentiles); ++p)
            tails[p + 1].values.push_back(percentile_ns(load.whole(), percentiles[p]));
    }
    const page::Json whole = page::line_chart({"load", places, "ns", "", true}, tails);
    // As fast as possible a read spends its time in queues, next to which the rest is not seen.
    places.pop_back();
    for (page::Series& stage : stages)
        stage.values.pop_back();
    return {{"Where a read spends its time below saturation, mean",
             page::bar_chart({"load", places, "ns"}, stages)},
            {"Mean and percentiles of the whole latency", whole}};
}

}  // namespace

Part latency(const Subject& subject, const Runner& runner) {
    const std::uint32_t bytes = subject.read_bytes();
    const Card saturated = subject.saturated(Mix::reads, bytes);
    const std::vector<Measurement> full = runner.run({{saturated, true}});
    std::vector<Point> points;
    for (const std::uint32_t percent : paced_percents) {
        Card card = saturated;
        generator::Config traffic = card.card.traffic.front();
        traffic.rate = generator::Rate::requests;
        traffic.spacing = generator::Spacing::exponential;
        traffic.requests_per_s = std::max<std::uint64_t>(
            1,
            static_cast<std::uint64_t>(full[0].requests_per_s() * percent / 100 / card.generics.dma_ports));
        set_traffic(card, traffic);
        points.push_back({card, true});
    }
    const std::vector<Measurement> paced = runner.run(points);

    const std::vector<LatencyHistogram>& idle = full[0].idle.stages;
    std::vector<Load> loads = {{"idle", bytes / full[0].idle.read.whole_s / 1e9, &idle}};
    for (std::size_t i = 0; i < paced.size(); ++i) {
        loads.push_back(
            {std::to_string(paced_percents[i]) + " %", paced[i].read_gbytes(), &paced[i].latencies});
    }
    loads.push_back({"100 %", full[0].read_gbytes(), &full[0].latencies});

    Part part;
    part.key = "latency";
    part.title = "Read latency";
    part.method =
        "Reads of " + std::to_string(bytes) +
        " B from their header at the DMA port to their last completion there: idle is one read under "
        "way at a time, 100 % as fast as possible, and between them shares of that rate with random "
        "distances.";
    const LatencyHistogram& loaded = loads[3].whole();
    part.findings = {
        "A read of " + std::to_string(bytes) + " B takes " + fixed(ns(loads[0].whole().mean_fs()), 1) +
        " ns when idle, " + fixed(ns(loaded.mean_fs()), 1) +
        " ns at 95 % of the reachable rate (99 % of them at most " + fixed(percentile_ns(loaded, 99), 1) +
        " ns) and " + fixed(ns(loads[4].whole().mean_fs()), 1) + " ns at all of it."};
    part.tables = {summary(loads)};
    part.details = {by_stage(loads)};
    part.charts = charts_of(loads);
    return part;
}

}  // namespace tlmetry::characterize
