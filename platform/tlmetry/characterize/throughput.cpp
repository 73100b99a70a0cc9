// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/characterize/part.hpp"

#include <tlmetry/account/account.hpp>
#include <tlmetry/report/arithmetic.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace tlmetry::characterize {

namespace {

using page::number;
using report::fixed;

constexpr double noticed = 1.001;  // how many times better is better

struct Row {
    Mix mix;
    std::uint32_t bytes;
    Measurement result;
};

/// Where most is lost behind the encoding.
std::string least_of(const account::Cascade& factors) {
    const auto first = factors.factor.begin() + 1;
    const auto least = std::min_element(first, factors.factor.end());
    const auto index = static_cast<std::size_t>(least - factors.factor.begin());
    return std::string(account::factor_names[index].symbol) + " " + fixed(*least, 3);
}

page::Table table_of(const std::vector<Row>& rows, std::size_t group) {
    page::Table table;
    table.key = "throughput";
    table.title = "Rates of one endpoint, as fast as possible";
    table.group_rows = group;
    table.columns = {{"traffic", "traffic", "", 0},
                     {"size_B", "size", "B", 0},
                     {"read_GB_per_s", "read", "GB/s", 3},
                     {"write_GB_per_s", "write", "GB/s", 3},
                     {"requests_M_per_s", "requests", "M/s", 2},
                     {"header_bound_GB_per_s", "link's bound", "GB/s", 3},
                     {"share_of_header_bound_percent", "of it", "%", 1},
                     {"least_factor", "least factor", "measured", 0},
                     {"predicted_GB_per_s", "predicted", "GB/s", 3, false},
                     {"predicted_limit", "predicted to bind", "", 0},
                     {"direction", "direction", "of the factors", 0, false},
                     {"encoding", "F1 encoding", "ratio", 4, false},
                     {"header", "F2 header", "ratio", 4, false},
                     {"retry", "F3 retry", "ratio", 4, false},
                     {"dllp", "FD DLLP", "ratio", 4, false},
                     {"window", "F4 window", "ratio", 4, false},
                     {"path", "F5 path", "ratio", 4, false},
                     {"demand", "F6 demand", "ratio", 4, false}};
    for (const Row& row : rows) {
        const Measurement& m = row.result;
        const bool down = m.counts.down.all_bytes > m.counts.up.all_bytes;
        const account::Cascade factors =
            account::measured(m.counts, down ? m.counts.down : m.counts.up, m.seconds);
        std::vector<page::Cell> cells = {name_of(row.mix),
                                         number(row.bytes),
                                         number(m.read_gbytes()),
                                         number(m.write_gbytes()),
                                         number(m.requests_per_s() / 1e6),
                                         number(m.header_bound_gbytes()),
                                         number(m.percent_of_header_bound()),
                                         least_of(factors),
                                         number(m.predicted_gbytes()),
                                         account::name_of(m.prediction.binds),
                                         down ? "down" : "up"};
        for (const double factor : factors.factor)
            cells.push_back(number(factor));
        table.rows.push_back(cells);
    }
    return table;
}

std::string best_of(const std::vector<Row>& rows, Mix mix, const char* what) {
    const Row* best = nullptr;
    for (const Row& row : rows) {
        if (row.mix == mix && (best == nullptr || row.result.gbytes() > noticed * best->result.gbytes()))
            best = &row;
    }
    return std::string(what) + " reach " + fixed(best->result.gbytes(), 2) + " GB/s at most, with " +
           std::to_string(best->bytes) + " B (" + fixed(best->result.percent_of_header_bound(), 0) +
           " % of what the link could carry)";
}

/// What binds, and how far arithmetic is off.
std::string limits_of(const std::vector<Row>& rows) {
    std::string text;
    for (const Mix mix : all_mixes) {
        std::vector<std::string> names;
        for (const Row& row : rows) {
            const std::string name = account::name_of(row.result.prediction.binds);
            if (row.mix == mix && std::find(names.begin(), names.end(), name) == names.end())
                names.push_back(name);
        }
        text += (text.empty() ? "What binds: " : "; ") + std::string(name_of(mix)) + ": ";
        for (const std::string& name : names)
            text += (name == names.front() ? "" : " or ") + name;
    }
    double off = 0;
    for (const Row& row : rows) {
        if (row.result.gbytes() == 0) return text + ".";
        off = std::max(off, std::abs(row.result.predicted_gbytes() / row.result.gbytes() - 1));
    }
    return text + ". Arithmetic predicts the rates within " + fixed(100 * off, 1) + " %.";
}

}  // namespace

Part throughput(const Subject& subject, const Runner& runner) {
    const std::vector<std::uint32_t> sizes = subject.sizes();
    std::vector<Point> points;
    std::vector<Row> rows;
    for (const Mix mix : all_mixes) {
        for (const std::uint32_t bytes : sizes) {
            points.push_back({subject.saturated(mix, bytes)});
            rows.push_back({mix, bytes, {}});
        }
    }
    const std::vector<Measurement> results = runner.run(points);
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i].result = results[i];

    Part part;
    part.key = "throughput";
    part.title = "Throughput";
    part.method =
        "Operations of one size, each at a multiple of the next power of two, as fast as one endpoint takes "
        "them; 50/50 is a write and a read in turn. The link's bound is what it could carry of such TLPs "
        "with "
        "their headers, if it carried nothing else. Of the factors between the raw rate and the payload the "
        "least one is "
        "shown, of the busier direction: F2 header, F3 retry, FD DLLP, F4 window, F5 path, F6 demand.";
    part.findings = {best_of(rows, Mix::reads, "Reads") + "; " + best_of(rows, Mix::writes, "writes") + "; " +
                         best_of(rows, Mix::both, "both together") + ".",
                     limits_of(rows)};
    part.tables = {table_of(rows, sizes.size())};

    const std::vector<std::string> places = texts(sizes);
    std::vector<page::Series> rates;
    std::vector<page::Series> bounds;
    std::vector<page::Series> shares;
    for (const Mix mix : all_mixes) {
        page::Series rate{name_of(mix), {}};
        page::Series bound{std::string(name_of(mix)) + ", bound", {}, static_cast<int>(mix)};
        page::Series share{name_of(mix), {}};
        for (const Row& row : rows) {
            if (row.mix != mix) continue;
            rate.values.push_back(row.result.gbytes());
            bound.values.push_back(row.result.header_bound_gbytes());
            share.values.push_back(row.result.percent_of_header_bound());
        }
        rates.push_back(rate);
        bounds.push_back(bound);
        shares.push_back(share);
    }
    rates.insert(rates.end(), bounds.begin(), bounds.end());
    part.charts = {
        {"Rate over the size, reads and writes added up",
         page::line_chart({"size, B", places, "GB/s"}, rates)},
        {"Share of what the link could carry", page::line_chart({"size, B", places, "%"}, shares)}};
    return part;
}

}  // namespace tlmetry::characterize
