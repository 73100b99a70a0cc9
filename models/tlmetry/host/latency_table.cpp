// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/host/latency_table.hpp"

#include "tlmetry/host/histogram.hpp"

#include <algorithm>

namespace tlmetry::host {

namespace {

std::vector<LatencyBand> normal_bands(const Config& config) {
    constexpr int count = 1024;
    constexpr time_fs reach = 6;
    const time_fs low =
        std::max(config.latency_low_fs, config.latency_fs - reach * config.latency_deviation_fs);
    const time_fs high = config.latency_fs + reach * config.latency_deviation_fs;
    std::vector<LatencyBand> bands;
    for (int i = 0; i < count; ++i) {
        const time_fs from = low + (high - low) * i / count;
        const time_fs to = low + (high - low) * (i + 1) / count;
        const double middle = static_cast<double>(from + to) / 2 - static_cast<double>(config.latency_fs);
        const double z = middle / static_cast<double>(config.latency_deviation_fs);
        const auto width = static_cast<std::uint64_t>(to - from);
        if (width != 0) bands.push_back({from, width, static_cast<double>(width) * exp_minus(z * z / 2)});
    }
    return bands;
}

std::vector<LatencyBand> bands_of(const Config& config) {
    switch (config.latency) {
        case Latency::constant:
            break;
        case Latency::uniform:
            return {{config.latency_low_fs,
                     static_cast<std::uint64_t>(config.latency_high_fs - config.latency_low_fs) + 1, 1}};
        case Latency::normal:
            return normal_bands(config);
        case Latency::histogram: {
            std::vector<LatencyBand> bands;
            for (const HistogramBin& bin : read_histogram(config.latency_file))
                bands.push_back({bin.latency, 1, static_cast<double>(bin.count)});
            return bands;
        }
    }
    return {{config.latency_fs, 1, 1}};
}

}  // namespace

LatencyTable::LatencyTable(const Config& config) : LatencyTable(bands_of(config)) {}

LatencyTable::LatencyTable(const std::vector<LatencyBand>& bands) {
    std::vector<double> weights;
    for (const LatencyBand& band : bands) {
        m_bands.push_back({band.low, band.count});
        m_least = std::min(m_least, band.low);
        weights.push_back(band.weight);
    }
    m_indices = AliasTable(weights);
    m_constant = bands.size() == 1 && bands[0].count == 1;
    m_single = bands.size() == 1;
    m_first = m_bands.front();
}

}  // namespace tlmetry::host
