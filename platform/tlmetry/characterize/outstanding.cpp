// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/characterize/part.hpp"

#include <tlmetry/account/account.hpp>
#include <tlmetry/report/arithmetic.hpp>

#include <algorithm>
#include <string>

namespace tlmetry::characterize {

namespace {

using endpoint::ReadLatencies;
using page::number;
using report::fixed;

/// So many reads under way at a time, spread over the ports.
Card with_outstanding(Card card, std::uint32_t count) {
    const std::uint32_t ports = card.generics.dma_ports;
    for (std::uint32_t p = 0; p < ports; ++p) {
        generator::Config& port = card.card.traffic[p];
        port.outstanding_max = count / ports + (p < count % ports ? 1 : 0);
        if (port.outstanding_max == 0) port.stop_fs = 0;
    }
    return card;
}

}  // namespace

Part outstanding(const Subject& subject, const Runner& runner) {
    const std::uint32_t bytes = subject.read_bytes();
    const std::uint32_t tags = subject.card().card.endpoint.ptc.tags;
    std::vector<std::uint32_t> counts;
    for (std::uint32_t n = 1; n < tags; n *= subject.quick() ? 4 : 2)
        counts.push_back(n);
    counts.push_back(tags);
    std::vector<Point> points;
    points.reserve(counts.size());
    for (const std::uint32_t n : counts)
        points.push_back({with_outstanding(subject.saturated(Mix::reads, bytes), n), true});
    const std::vector<Measurement> results = runner.run(points);

    page::Table table;
    table.key = "outstanding";
    table.title = "Rate and latency of reads of " + std::to_string(bytes) + " B over the reads under way";
    table.columns = {
        {"outstanding", "outstanding", "reads", 0}, {"read_GB_per_s", "rate", "GB/s", 3},
        {"requests_M_per_s", "requests", "M/s", 3}, {"share_of_most_percent", "of the most", "%", 1},
        {"mean_ns", "latency, mean", "ns", 1},      {"p99_ns", "99%", "ns", 1},
        {"tags_in_use", "tags in use", "mean", 1},  {"predicted_limit", "predicted to bind", "", 0}};
    double most = 0;
    for (const Measurement& m : results)
        most = std::max(most, m.read_gbytes());
    page::Series rates{"rate, GB/s", {}};
    page::Series latencies{"latency, ns", {}, -1, true};
    std::uint32_t enough = tags;
    for (std::size_t i = 0; i < results.size(); ++i) {
        const Measurement& m = results[i];
        const LatencyHistogram& whole = m.latencies[ReadLatencies::whole];
        constexpr double ns = 1e6;
        const double in_use =
            static_cast<double>(m.counts.grants.tag_cycles) / static_cast<double>(m.counts.cycles);
        table.rows.push_back({number(counts[i]), number(m.read_gbytes()), number(m.requests_per_s() / 1e6),
                              number(100 * m.read_gbytes() / most), number(whole.mean_fs() / ns),
                              number(static_cast<double>(whole.percentile_fs(99)) / ns), number(in_use),
                              account::name_of(m.prediction.binds)});
        rates.values.push_back(m.read_gbytes());
        latencies.values.push_back(whole.mean_fs() / ns);
        constexpr double nearly = 0.95;
        if (m.read_gbytes() >= nearly * most) enough = std::min(enough, counts[i]);
    }

    Part part;
    part.key = "outstanding";
    part.title = "Reads under way";
    part.method = "Reads of " + std::to_string(bytes) +
                  " B, of which so many are under way at a time: the next one starts when one is done.";
    part.findings = {"One read at a time gives " + fixed(results[0].read_gbytes(), 3) + " GB/s; " +
                     std::to_string(enough) + " of them give at least 95 % of the most, " + fixed(most, 2) +
                     " GB/s, and the card has " + std::to_string(tags) + " tags."};
    part.tables = {table};
    part.charts = {{"Rate and latency over the reads under way",
                    page::line_chart({"reads under way", texts(counts), "GB/s", "ns"}, {rates, latencies})}};
    return part;
}

}  // namespace tlmetry::characterize
