// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/characterize/part.hpp"

#include <tlmetry/report/arithmetic.hpp>

#include <cmath>
#include <string>

// Two ways to do the same, beside each other.
namespace tlmetry::characterize {

namespace {

using page::number;
using report::fixed;

double change_percent(double from, double to) {
    return 100 * (to / from - 1);
}

double mean_ns(const Measurement& m) {
    return m.latencies[endpoint::ReadLatencies::whole].mean_fs() / 1e6;
}

std::string signed_percent(double value) {
    return (value < 0 ? "" : "+") + fixed(value, 1) + " %";
}

/// The largest change of a rate in a sentence.
struct Largest {
    double percent = 0;
    std::string where;

    void look(double value, const std::string& place) {
        if (std::abs(value) <= std::abs(percent) && !where.empty()) return;
        percent = value;
        where = place;
    }
    /// What becomes of a rate.
    std::string text() const {
        constexpr double noticed = 0.05;
        if (std::abs(percent) < noticed) return "does not change";
        return "changes by " + signed_percent(percent) + " at most, for " + where;
    }
};

}  // namespace

Part snoop(const Subject& subject, const Runner& runner) {
    const std::vector<std::uint32_t> sizes = {64, 256, 4096};
    std::vector<Point> points;
    for (const Mix mix : all_mixes) {
        for (const std::uint32_t bytes : sizes) {
            for (const std::uint32_t no_snoop : {0u, generator::million}) {
                Card card = subject.saturated(mix, bytes);
                generator::Config traffic = card.card.traffic.front();
                traffic.no_snoop_ppm = no_snoop;
                set_traffic(card, traffic);
                points.push_back({card, true});
            }
        }
    }
    const std::vector<Measurement> results = runner.run(points);

    page::Table table;
    table.key = "snoop";
    table.title = "Requests with and without snooping, as fast as possible";
    table.group_rows = sizes.size();
    table.columns = {{"traffic", "traffic", "", 0},
                     {"size_B", "size", "B", 0},
                     {"snoop_GB_per_s", "snooped", "GB/s", 3},
                     {"no_snoop_GB_per_s", "not", "GB/s", 3},
                     {"change_percent", "change", "%", 2},
                     {"snoop_lines", "snooped", "lines/request", 3},
                     {"no_snoop_lines", "not", "lines/request", 3},
                     {"snoop_read_mean_ns", "read, snooped", "ns", 1},
                     {"no_snoop_read_mean_ns", "not", "ns", 1}};
    Largest largest;
    std::vector<std::string> places;
    page::Series snooped{"snooped", {}};
    page::Series free{"no snoop", {}};
    for (std::size_t i = 0; i < results.size(); i += 2) {
        const Mix mix = all_mixes[i / 2 / sizes.size()];
        const std::uint32_t bytes = sizes[i / 2 % sizes.size()];
        const Measurement& with = results[i];
        const Measurement& without = results[i + 1];
        const double change = change_percent(with.gbytes(), without.gbytes());
        const bool reads = mix != Mix::writes;
        table.rows.push_back({name_of(mix), number(bytes), number(with.gbytes()), number(without.gbytes()),
                              number(change), number(with.per_request(&host::Statistics::lines_snooped)),
                              number(without.per_request(&host::Statistics::lines_snooped)),
                              reads ? number(mean_ns(with)) : page::Cell{},
                              reads ? number(mean_ns(without)) : page::Cell{}});
        const char* word = mix == Mix::reads ? "read" : mix == Mix::writes ? "write" : "50/50";
        places.push_back(std::string(word) + "\n" + std::to_string(bytes));
        largest.look(change, std::string(name_of(mix)) + ", " + std::to_string(bytes) + " B");
        snooped.values.push_back(with.gbytes());
        free.values.push_back(without.gbytes());
    }

    Part part;
    part.key = "snoop";
    part.title = "Snoop and no snoop";
    part.method =
        "The same operations with and without the attribute No Snoop. A host that is asked for no snoop "
        "looks "
        "up no line in the caches; the model's memory and latency are the same.";
    part.findings = {"Without snooping the rate " + largest.text() + "."};
    part.tables = {table};
    part.charts = {{"Rate with and without snooping, reads and writes added up",
                    page::bar_chart({"traffic and size, B", places, "GB/s"}, {snooped, free})}};
    return part;
}

Part combining(const Subject& subject, const Runner& runner) {
    const std::vector<std::uint32_t> sizes = subject.powers_of_two();
    std::vector<Point> points;
    for (const std::uint32_t bytes : sizes) {
        for (const bool combine : {false, true}) {
            Card card = subject.saturated(Mix::reads, bytes);
            card.card.combine_completions = combine;
            points.push_back({card, true});
        }
    }
    const std::vector<Measurement> results = runner.run(points);

    page::Table table;
    table.key = "combining";
    table.title = "Reads, answered by one completion for each RCB block, and combined up to MPS";
    table.columns = {{"size_B", "size", "B", 0},
                     {"single_GB_per_s", "single", "GB/s", 3},
                     {"combined_GB_per_s", "combined", "GB/s", 3},
                     {"change_percent", "change", "%", 1},
                     {"single_completions", "single", "completions/request", 2},
                     {"combined_completions", "combined", "completions/request", 2},
                     {"single_mean_ns", "latency, single", "ns", 1},
                     {"combined_mean_ns", "combined", "ns", 1},
                     {"single_header_bound_GB_per_s", "link's bound, single", "GB/s", 3, false},
                     {"combined_header_bound_GB_per_s", "combined", "GB/s", 3, false}};
    Largest largest;
    page::Series series[] = {
        {"single", {}}, {"combined", {}}, {"single, bound", {}, 0}, {"combined, bound", {}, 1}};
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const Measurement* both[] = {&results[2 * i], &results[2 * i + 1]};
        const auto completions = [&](std::size_t which) {
            return number(static_cast<double>(both[which]->counts.completions) /
                          static_cast<double>(both[which]->counts.reads_done));
        };
        const double change = change_percent(both[0]->read_gbytes(), both[1]->read_gbytes());
        table.rows.push_back(
            {number(sizes[i]), number(both[0]->read_gbytes()), number(both[1]->read_gbytes()), number(change),
             completions(0), completions(1), number(mean_ns(*both[0])), number(mean_ns(*both[1])),
             number(both[0]->header_bound_gbytes()), number(both[1]->header_bound_gbytes())});
        largest.look(change, "reads of " + std::to_string(sizes[i]) + " B");
        for (const std::size_t which : {std::size_t{0}, std::size_t{1}}) {
            series[which].values.push_back(both[which]->read_gbytes());
            series[which + 2].values.push_back(both[which]->header_bound_gbytes());
        }
    }

    Part part;
    part.key = "combining";
    part.title = "Completion combining";
    part.method = "Reads as fast as possible; the host cuts its answers at every RCB boundary (" +
                  std::to_string(subject.link().rcb_bytes) + " B), or combines them up to MPS (" +
                  std::to_string(subject.link().mps_bytes) + " B). It is " +
                  (subject.card().card.combine_completions ? "on" : "off") + " in the configuration.";
    part.findings = {"With combined completions the rate of reads " + largest.text() + "."};
    part.tables = {table};
    part.charts = {{"Rate of reads over the size",
                    page::line_chart({"size, B", texts(sizes), "GB/s", ""},
                                     std::vector<page::Series>(std::begin(series), std::end(series)))}};
    return part;
}

}  // namespace tlmetry::characterize
