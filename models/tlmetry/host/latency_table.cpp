// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/host/latency_table.hpp"

#include "tlmetry/host/histogram.hpp"

#include <algorithm>
#include <cstddef>

namespace tlmetry::host {

namespace {

/// e^-x for 0 <= x < 100, with basic operations only, so that it is the same on every machine.
double exp_minus(double x) {
    const double y = x / 1024;
    double result = 1 - y * (1 - y / 2 * (1 - y / 3 * (1 - y / 4 * (1 - y / 5))));
    for (int i = 0; i < 10; ++i)
        result *= result;
    return result;
}

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
    double total = 0;
    for (const LatencyBand& band : bands) {
        m_bands.push_back({band.low, band.count});
        m_least = std::min(m_least, band.low);
        total += band.weight;
    }
    const std::size_t n = bands.size();
    m_constant = n == 1 && bands[0].count == 1;
    m_count = n;
    m_first = m_bands.front();
    m_cells.resize(n);
    std::vector<double> cells_needed(n);
    std::vector<std::uint16_t> poor;  // need less than a cell
    std::vector<std::uint16_t> rich;
    for (std::uint16_t i = 0; i < n; ++i) {
        m_cells[i] = {{i, i}, 0};  // a cell of its own, unless changed below
        cells_needed[i] = bands[i].weight / total * static_cast<double>(n);
        (cells_needed[i] < 1 ? poor : rich).push_back(i);
    }
    while (!poor.empty() && !rich.empty()) {
        const std::uint16_t small = poor.back();
        const std::uint16_t large = rich.back();
        poor.pop_back();
        constexpr double whole = 4294967296.0;  // 2^32
        const double part = cells_needed[small] * whole + 0.5;
        if (part < whole) m_cells[small] = {{large, small}, static_cast<std::uint32_t>(part)};
        cells_needed[large] -= 1 - cells_needed[small];
        if (cells_needed[large] < 1) {
            rich.pop_back();
            poor.push_back(large);
        }
    }
}

}  // namespace tlmetry::host
