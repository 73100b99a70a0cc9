// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/report/latency.hpp"

#include <tlmetry/report/arithmetic.hpp>
#include <tlmetry/report/shares.hpp>
#include <tlmetry/report/table.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>

namespace tlmetry::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<double, 6> percents{50, 90, 99, 99.9, 99.99, 100};

std::string ns(double fs) {
    return fixed(fs / static_cast<double>(fs_per_ns), 1);
}

}  // namespace

std::string latency_table(const std::vector<NamedLatency>& latencies) {
    constexpr std::size_t name_width = 28;
    std::size_t width = 9;
    std::vector<std::pair<std::string, std::vector<std::string>>> rows = {
        {"ns", {"mean", "least", "50%", "90%", "99%", "99.9%", "99.99%", "most"}}};
    for (const NamedLatency& latency : latencies) {
        const LatencyHistogram& h = *latency.histogram;
        std::vector<std::string> cells = {ns(h.mean_fs()), ns(static_cast<double>(h.least_fs()))};
        for (const double percent : percents) {
            const time_fs value = percent == 100 ? h.most_fs() : h.percentile_fs(percent);
            cells.push_back(ns(static_cast<double>(value)));
        }
        for (const std::string& cell : cells)
            width = std::max(width, cell.size() + 1);
        rows.emplace_back(latency.name, std::move(cells));
    }
    std::string text;
    for (const auto& [name, cells] : rows) {
        text += pad_right(name, name_width);
        for (const std::string& cell : cells)
            text += pad_left(cell, width);
        text += "\n";
        if (&cells == &rows.front().second) text += std::string(text.size() - 1, '-') + "\n";
    }
    return text;
}

std::string latency_bars(const LatencyHistogram& h) {
    constexpr std::uint64_t longest = 50;
    const time_fs from = h.least_fs();
    const time_fs to = std::max(from + 1, h.percentile_fs(99.9));
    // No finer than the buckets, which are widest at the end.
    time_fs widest = 1;
    for (std::size_t b = 0; b + 1 < LatencyHistogram::buckets && LatencyHistogram::begin_of(b) <= to; ++b)
        widest = LatencyHistogram::begin_of(b + 1) - LatencyHistogram::begin_of(b);
    const auto lines = static_cast<std::size_t>(std::clamp<time_fs>((to - from) / widest, 1, 16));
    std::vector<std::uint64_t> counts(lines + 1);
    for (std::size_t b = 0; b < LatencyHistogram::buckets; ++b) {
        if (h.in_bucket(b) == 0) continue;
        const time_fs at = std::max(from, LatencyHistogram::begin_of(b));
        const auto line = static_cast<std::size_t>(
            static_cast<double>(at - from) / static_cast<double>(to - from) * static_cast<double>(lines));
        counts[std::min(line, lines)] += h.in_bucket(b);
    }
    const std::uint64_t most = std::max<std::uint64_t>(1, *std::max_element(counts.begin(), counts.end()));
    const Shares shares = Shares::of_sum(std::vector<double>(counts.begin(), counts.end()));
    std::string text;
    for (std::size_t l = 0; l <= lines; ++l) {
        const bool nothing_left = l == lines ? counts[l] == 0 : l != 0 && h.least_fs() == h.most_fs();
        if (nothing_left) break;
        const double begin = static_cast<double>(from) + static_cast<double>(to - from) *
                                                             static_cast<double>(l) /
                                                             static_cast<double>(lines);
        const std::string bar(counts[l] * longest / most, '#');
        text += pad_left(ns(begin), 12) + (l == lines ? " ns and more" : " ns         ") +
                pad_left(fixed(shares[l], 2), 6) + " %" + (bar.empty() ? "" : "  " + bar) + "\n";
    }
    return text;
}

Json latency_json(const LatencyHistogram& h, bool with_buckets) {
    Json result = {
        {"count", h.count()}, {"mean_fs", h.mean_fs()}, {"least_fs", h.least_fs()}, {"most_fs", h.most_fs()}};
    for (const double percent : percents)
        if (percent != 100) result["p" + shortest(percent)] = h.percentile_fs(percent);
    if (!with_buckets) return result;
    Json buckets = Json::array();
    for (std::size_t b = 0; b < LatencyHistogram::buckets; ++b) {
        if (h.in_bucket(b) == 0) continue;
        buckets.push_back({LatencyHistogram::begin_of(b),
                           b + 1 < LatencyHistogram::buckets ? LatencyHistogram::begin_of(b + 1) : never,
                           h.in_bucket(b)});
    }
    result["buckets_fs"] = buckets;
    return result;
}

}  // namespace tlmetry::report
