// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/page/charts.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace tlmetry::explore {

/// Points than which no other is better in one of two numbers and not worse in the other one.
class Front {
public:
    struct Entry {
        double x = 0;
        double y = 0;
        std::uint64_t index = 0;
    };

    Front(bool greatest_x, bool greatest_y) : m_x(greatest_x ? 1 : -1), m_y(greatest_y ? 1 : -1) {}

    /// Of equal ones the first one counts.
    void add(const Entry& entry);
    std::size_t size() const { return m_entries.size(); }
    /// From the best x to the worst, both of them and so many in all, where there are more.
    std::vector<Entry> entries(std::size_t most) const;

private:
    double m_x;
    double m_y;
    std::map<double, Entry> m_entries;  // by how good x is; the better, the worse is y
};

/// Many points in fields for each two of some dimensions, and their fronts.
class Scatter {
public:
    static constexpr std::size_t bins = 40;
    static constexpr std::size_t most_of_front = 300;

    struct Dimension {
        bool output = false;
        std::size_t number = 0;  ///< of the output, or the axis of the page
        bool logarithmic = false;
        double low = 0;  ///< of the values that come
        double high = 0;
    };

    explicit Scatter(std::vector<Dimension> dimensions);

    /// Numbers for the dimensions; not finite where the point has none.
    void add(std::uint64_t index, const std::vector<double>& numbers);
    page::Json json() const;
    /// Points on any of the fronts.
    std::vector<std::uint64_t> on_fronts() const;

private:
    struct Pair {
        std::size_t x, y;
        std::map<std::pair<std::size_t, std::size_t>, std::uint32_t> fields;
        std::vector<Front> fronts;  // max max, max min, min max, min min of x and y
    };

    static std::size_t bin_of(const Dimension& dimension, double number);

    std::vector<Dimension> m_dimensions;
    std::vector<Pair> m_pairs;
};

}  // namespace tlmetry::explore
