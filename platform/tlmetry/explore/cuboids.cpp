// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/explore/cuboids.hpp"

#include <tlmetry/explore/page_axis.hpp>

#include <algorithm>

namespace tlmetry::explore {

namespace {

/// Numbers that a page has room for.
constexpr double room = 120'000;
constexpr const char* other_words = "others";

/// All sets of so many axes.
std::vector<std::vector<std::size_t>> sets_of(std::size_t axes, std::size_t each) {
    std::vector<std::vector<std::size_t>> sets;
    std::vector<bool> chosen(axes, false);
    std::fill(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(each), true);
    do {
        auto& set = sets.emplace_back();
        for (std::size_t a = 0; a < axes; ++a)
            if (chosen[a]) set.push_back(a);
    } while (std::prev_permutation(chosen.begin(), chosen.end()));
    return sets;
}

double cells_of(const std::vector<std::uint64_t>& sizes, const CuboidShape& shape) {
    double cells = 0;
    for (const auto& set : sets_of(sizes.size(), shape.axes)) {
        double product = 1;
        for (const std::size_t axis : set)
            product *= static_cast<double>(std::min<std::uint64_t>(sizes[axis], shape.places));
        cells += product;
    }
    return cells;
}

}  // namespace

CuboidShape cuboid_shape(const std::vector<std::uint64_t>& sizes, std::size_t outputs) {
    const auto fits = [&](const CuboidShape& shape) {
        return cells_of(sizes, shape) * static_cast<double>(outputs + 1) <= room;
    };
    for (const std::size_t places : {48U, 32U, 24U}) {
        for (std::size_t axes = std::min<std::size_t>(sizes.size(), 4); axes > 2; --axes)
            if (fits({axes, places})) return {axes, places};
    }
    const std::size_t axes = std::min<std::size_t>(sizes.size(), 2);
    for (const std::size_t places : {200U, 100U, 48U, 32U, 24U, 16U, 12U})
        if (fits({axes, places})) return {axes, places};
    return {axes, 8};
}

Cuboids::Cuboids(std::vector<std::size_t> sizes, std::size_t axes_each, std::size_t outputs)
    : m_sizes(std::move(sizes)), m_outputs(outputs), m_words(outputs) {
    for (auto& set : sets_of(m_sizes.size(), axes_each)) {
        Cuboid& cuboid = m_cuboids.emplace_back();
        std::size_t cells = 1;
        for (const std::size_t axis : set)
            cells *= m_sizes[axis];
        cuboid.axes = std::move(set);
        cuboid.counts.resize(cells);
        cuboid.cells.resize(cells * outputs);
    }
}

std::size_t Cuboids::word_of(std::size_t output, const std::string& text) {
    auto& words = m_words[output];
    const auto known = std::find(words.begin(), words.end(), text);
    if (known != words.end()) return static_cast<std::size_t>(known - words.begin());
    if (words.size() == most_words) return most_words - 1;
    words.push_back(words.size() + 1 == most_words ? other_words : text);
    return words.size() - 1;
}

void Cuboids::add(const std::vector<std::size_t>& places, const std::vector<Value>& values) {
    for (Cuboid& cuboid : m_cuboids) {
        std::size_t at = 0;
        for (const std::size_t axis : cuboid.axes)
            at = at * m_sizes[axis] + places[axis];
        ++cuboid.counts[at];
        for (std::size_t o = 0; o < m_outputs; ++o) {
            Cell& cell = cuboid.cells[at * m_outputs + o];
            if (const auto* number = std::get_if<double>(&values[o])) {
                ++cell.count;
                cell.sum += *number;
                cell.least = std::min(cell.least, *number);
                cell.most = std::max(cell.most, *number);
            } else if (const auto* text = std::get_if<std::string>(&values[o])) {
                const std::size_t word = word_of(o, *text);
                if (cell.words.size() <= word) cell.words.resize(word + 1);
                ++cell.words[word];
            }
        }
    }
}

page::Json Cuboids::output_json(const Cuboid& cuboid, std::size_t output) const {
    page::Json counts = page::Json::array(), means = counts, least = counts, most = counts, words = counts;
    bool all_counted = true;
    for (std::size_t at = 0; at < cuboid.counts.size(); ++at) {
        const Cell& cell = cuboid.cells[at * m_outputs + output];
        all_counted = all_counted && cell.count == cuboid.counts[at];
        const bool known = cell.count != 0;
        counts.push_back(cell.count);
        means.push_back(known ? page::Json(rounded(cell.sum / cell.count)) : page::Json());
        least.push_back(known ? page::Json(rounded(cell.least)) : page::Json());
        most.push_back(known ? page::Json(rounded(cell.most)) : page::Json());
        words.push_back(cell.words);
    }
    if (!m_words[output].empty()) return {{"words", words}};
    page::Json json = {{"mean", means}, {"least", least}, {"most", most}};
    if (!all_counted) json["count"] = counts;
    return json;
}

page::Json Cuboids::json() const {
    page::Json all = page::Json::array();
    for (const Cuboid& cuboid : m_cuboids) {
        page::Json outputs = page::Json::array();
        for (std::size_t o = 0; o < m_outputs; ++o)
            outputs.push_back(output_json(cuboid, o));
        all.push_back({{"axes", cuboid.axes}, {"count", cuboid.counts}, {"outputs", outputs}});
    }
    return all;
}

}  // namespace tlmetry::explore
