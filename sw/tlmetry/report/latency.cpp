// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/report/latency.hpp"

#include <tlmetry/report/arithmetic.hpp>
#include <tlmetry/report/shares.hpp>
#include <tlmetry/report/table.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace tlmetry::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<double, 6> percents{50, 90, 99, 99.9, 99.99, 100};

std::string ns(double fs) {
    return fixed(fs / static_cast<double>(fs_per_ns), 1);
}

}  // namespace

std::string latency_table(const std::vector<NamedLatency>& latencies) {
    const auto line = [](const std::string& name, const std::vector<std::string>& cells) {
        std::string text = report::pad_right(name, 28);
        for (const std::string& cell : cells)
            text += pad_left(cell, 9);
        return text + "\n";
    };
    const std::string heads = line("ns", {"mean", "least", "50%", "90%", "99%", "99.9%", "99.99%", "most"});
    std::string text = heads + std::string(heads.size() - 1, '-') + "\n";
    for (const NamedLatency& latency : latencies) {
        const LatencyHistogram& h = *latency.histogram;
        std::vector<std::string> cells = {ns(h.mean_fs()), ns(static_cast<double>(h.least_fs()))};
        for (const double percent : percents) {
            const time_fs value = percent == 100 ? h.most_fs() : h.percentile_fs(percent);
            cells.push_back(ns(static_cast<double>(value)));
        }
        text += line(latency.name, cells);
    }
    return text;
}

std::string latency_bars(const LatencyHistogram& h) {
    constexpr std::size_t lines = 16;
    constexpr std::uint64_t longest = 50;
    const time_fs from = h.least_fs();
    const time_fs to = std::max(from + 1, h.percentile_fs(99.9));
    std::array<std::uint64_t, lines + 1> counts{};
    for (std::size_t b = 0; b < LatencyHistogram::buckets; ++b) {
        if (h.in_bucket(b) == 0) continue;
        const time_fs at = std::max(from, LatencyHistogram::begin_of(b));
        const auto line =
            static_cast<std::size_t>(static_cast<double>(at - from) / static_cast<double>(to - from) * lines);
        counts[std::min(line, lines)] += h.in_bucket(b);
    }
    const std::uint64_t most = std::max<std::uint64_t>(1, *std::max_element(counts.begin(), counts.end()));
    const Shares shares = Shares::of_sum(std::vector<double>(counts.begin(), counts.end()));
    std::string text;
    for (std::size_t l = 0; l <= lines; ++l) {
        const bool nothing_left = l == lines ? counts[l] == 0 : l != 0 && h.least_fs() == h.most_fs();
        if (nothing_left) break;
        const double begin =
            static_cast<double>(from) + static_cast<double>(to - from) * static_cast<double>(l) / lines;
        text += pad_left(ns(begin), 12) + (l == lines ? " ns and more" : " ns         ") +
                pad_left(fixed(shares[l], 2), 6) + " %" +
                (counts[l] == 0 ? "" : "  " + std::string(counts[l] * longest / most, '#')) + "\n";
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
