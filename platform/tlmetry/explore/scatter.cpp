// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/explore/scatter.hpp"

#include <tlmetry/explore/page_axis.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace tlmetry::explore {

void Front::add(const Entry& entry) {
    const double x = m_x * entry.x, y = m_y * entry.y;
    auto at = m_entries.lower_bound(x);
    if (at != m_entries.end() && m_y * at->second.y >= y) return;
    if (at != m_entries.end() && at->first == x) at = m_entries.erase(at);
    while (at != m_entries.begin() && m_y * std::prev(at)->second.y <= y)
        at = m_entries.erase(std::prev(at));
    m_entries.emplace_hint(at, x, entry);
}

std::vector<Front::Entry> Front::entries(std::size_t most) const {
    std::vector<Entry> entries;
    const std::size_t size = m_entries.size();
    std::size_t number = 0;  // of the entry, and how many came before it as they were spread
    for (auto at = m_entries.rbegin(); at != m_entries.rend(); ++at, ++number) {
        const bool spread = size <= most || number * (most - 1) / (size - 1) >= entries.size();
        if (spread) entries.push_back(at->second);
    }
    return entries;
}

Scatter::Scatter(std::vector<Dimension> dimensions) : m_dimensions(std::move(dimensions)) {
    for (std::size_t x = 0; x < m_dimensions.size(); ++x) {
        for (std::size_t y = x + 1; y < m_dimensions.size(); ++y) {
            if (!m_dimensions[x].output && !m_dimensions[y].output) continue;
            m_pairs.push_back({x, y, {}, {{true, true}, {true, false}, {false, true}, {false, false}}});
        }
    }
}

std::size_t Scatter::bin_of(const Dimension& dimension, double number) {
    if (dimension.high <= dimension.low) return 0;
    const double part = dimension.logarithmic
                            ? std::log(number / dimension.low) / std::log(dimension.high / dimension.low)
                            : (number - dimension.low) / (dimension.high - dimension.low);
    return static_cast<std::size_t>(std::clamp(std::floor(part * bins), 0.0, bins - 1.0));
}

void Scatter::add(std::uint64_t index, const std::vector<double>& numbers) {
    for (Pair& pair : m_pairs) {
        const double x = numbers[pair.x], y = numbers[pair.y];
        if (!std::isfinite(x) || !std::isfinite(y)) continue;
        ++pair.fields[{bin_of(m_dimensions[pair.x], x), bin_of(m_dimensions[pair.y], y)}];
        for (Front& front : pair.fronts)
            front.add({x, y, index});
    }
}

std::vector<std::uint64_t> Scatter::on_fronts() const {
    std::vector<std::uint64_t> points;
    for (const Pair& pair : m_pairs)
        for (const Front& front : pair.fronts)
            for (const Front::Entry& entry : front.entries(most_of_front))
                points.push_back(entry.index);
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    return points;
}

page::Json Scatter::json() const {
    page::Json dimensions = page::Json::array(), pairs = page::Json::array();
    for (const Dimension& d : m_dimensions)
        dimensions.push_back({{"output", d.output},
                              {"number", d.number},
                              {"log", d.logarithmic},
                              {"low", rounded(d.low)},
                              {"high", rounded(d.high)}});
    for (const Pair& pair : m_pairs) {
        page::Json fields = page::Json::array(), fronts = page::Json::array();
        for (const auto& [at, count] : pair.fields) {
            fields.push_back(at.first);
            fields.push_back(at.second);
            fields.push_back(count);
        }
        for (const Front& front : pair.fronts) {
            page::Json entries = page::Json::array();
            for (const Front::Entry& entry : front.entries(most_of_front))
                entries.push_back({rounded(entry.x), rounded(entry.y), entry.index});
            fronts.push_back({{"size", front.size()}, {"entries", entries}});
        }
        pairs.push_back({{"x", pair.x}, {"y", pair.y}, {"fields", fields}, {"fronts", fronts}});
    }
    return {{"bins", bins}, {"dimensions", dimensions}, {"pairs", pairs}};
}

}  // namespace tlmetry::explore
