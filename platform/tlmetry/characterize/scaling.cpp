// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/characterize/part.hpp"

#include <tlmetry/account/account.hpp>
#include <tlmetry/report/arithmetic.hpp>

#include <algorithm>
#include <string>

namespace tlmetry::characterize {

namespace {

using page::number;
using report::fixed;

constexpr std::uint32_t sizes[] = {64, 4096};

/// The first endpoint whose clock is the same: what one of them reaches alone, both do.
std::uint32_t twin_of(const Card& card, std::uint32_t endpoint) {
    std::uint32_t e = 0;
    while (card.clocks.pcie[e].period_fs() != card.clocks.pcie[endpoint].period_fs())
        ++e;
    return e;
}

/// How many endpoints are measured together: few, doubled, and all.
std::vector<std::uint32_t> counts_up_to(std::uint32_t endpoints) {
    std::vector<std::uint32_t> counts;
    for (std::uint32_t n = 1; n < endpoints; n = n < 4 ? n + 1 : 2 * n)
        counts.push_back(n);
    counts.push_back(endpoints);
    return counts;
}

}  // namespace

Part scaling(const Subject& subject, const Runner& runner) {
    const Card& card = subject.card();
    const std::uint32_t endpoints = card.generics.pcie_endpoints;
    const std::vector<std::uint32_t> counts = counts_up_to(endpoints);
    struct Load {
        Mix mix;
        std::uint32_t bytes;
    };
    std::vector<Load> loads;
    for (const Mix mix : all_mixes) {
        for (const std::uint32_t bytes : sizes)
            loads.push_back({mix, bytes});
    }
    // Each endpoint alone, then the first so many together.
    std::vector<Point> points;
    for (const Load& load : loads) {
        for (std::uint32_t e = 0; e < endpoints; ++e) {
            if (twin_of(card, e) == e) points.push_back({subject.endpoints(load.mix, load.bytes, e, 1)});
        }
        for (const std::uint32_t count : counts) {
            if (count > 1) points.push_back({subject.endpoints(load.mix, load.bytes, 0, count)});
        }
    }
    const std::vector<Measurement> results = runner.run(points);

    page::Table table;
    table.key = "scaling";
    table.title = "Endpoints at once, each as fast as possible";
    table.group_rows = endpoints == 1 ? 0 : counts.size();
    table.columns = {{"traffic", "traffic", "", 0},
                     {"size_B", "size", "B", 0},
                     {"endpoints", "endpoints", "count", 0},
                     {"total_GB_per_s", "total", "GB/s", 3},
                     {"perfect_GB_per_s", "perfect", "GB/s", 3},
                     {"share_of_perfect_percent", "of perfect", "%", 1},
                     {"predicted_limit", "predicted to bind", "", 0}};
    std::vector<page::Series> series;
    double worst = 100;
    std::string where;
    std::size_t next = 0;
    for (const Load& load : loads) {
        std::vector<const Measurement*> alone(endpoints);
        for (std::uint32_t e = 0; e < endpoints; ++e)
            alone[e] = twin_of(card, e) == e ? &results[next++] : alone[twin_of(card, e)];
        page::Series share{std::string(name_of(load.mix)) + ", " + std::to_string(load.bytes) + " B", {}};
        for (const std::uint32_t count : counts) {
            double perfect = 0;
            for (std::uint32_t e = 0; e < count; ++e)
                perfect += alone[e]->gbytes();
            const Measurement& m = count == 1 ? *alone.front() : results[next++];
            const double percent = 100 * m.gbytes() / perfect;
            table.rows.push_back({name_of(load.mix), number(load.bytes), number(count), number(m.gbytes()),
                                  number(perfect), number(percent), account::name_of(m.prediction.binds)});
            share.values.push_back(percent);
            if (count == endpoints && percent < worst) {
                worst = percent;
                where = share.name;
            }
        }
        series.push_back(share);
    }

    Part part;
    part.key = "scaling";
    part.title = "Aggregate scaling";
    part.method =
        "The first endpoints of the card at once. Perfect is the sum of what each of them reaches alone; "
        "less "
        "says that they share a limit of the host.";
    const std::string all = std::to_string(endpoints) + " endpoints at once reach ";
    constexpr double nearly = 99;
    if (endpoints == 1) {
        part.findings = {"The configuration has one endpoint: there is nothing to scale."};
    } else if (worst > nearly) {
        part.findings = {all + "what each reaches alone: scaling is perfect (" + fixed(worst, 1) +
                         " % at least)."};
    } else {
        part.findings = {all + fixed(worst, 1) + " % of perfect (" + where + ")."};
    }
    part.tables = {table};
    if (endpoints > 1) {
        part.charts = {
            {"Share of perfect scaling", page::line_chart({"endpoints", texts(counts), "%"}, series)}};
    }
    return part;
}

}  // namespace tlmetry::characterize
