// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/explore/outputs.hpp>
#include <tlmetry/page/charts.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace tlmetry::explore {

/// How finely points are put together.
struct CuboidShape {
    std::size_t axes = 0;    ///< that each cuboid has
    std::size_t places = 0;  ///< that an axis has at most
};

/// The finest one that a page has room for, with axes of so many values and so many outputs.
CuboidShape cuboid_shape(const std::vector<std::uint64_t>& sizes, std::size_t outputs);

/// What has become of many points, put together: a cuboid for each few axes, whose cells count the points and
/// have mean, least and greatest value of each output, or how often each text came.
class Cuboids {
public:
    /// A text that comes after so many others of its output counts as one of the rest.
    static constexpr std::size_t most_words = 12;

    Cuboids(std::vector<std::size_t> sizes, std::size_t axes_each, std::size_t outputs);

    /// A point without an error, by its places on the axes.
    void add(const std::vector<std::size_t>& places, const std::vector<Value>& values);
    page::Json json() const;
    /// The texts of each output, in the order in which they came.
    const std::vector<std::vector<std::string>>& words() const { return m_words; }

private:
    struct Cell {
        std::uint32_t count = 0;
        double sum = 0;
        double least = std::numeric_limits<double>::infinity();
        double most = -std::numeric_limits<double>::infinity();
        std::vector<std::uint32_t> words;
    };
    struct Cuboid {
        std::vector<std::size_t> axes;
        std::vector<std::uint32_t> counts;  // of points
        std::vector<Cell> cells;            // for each place, all outputs
    };

    std::size_t word_of(std::size_t output, const std::string& text);
    page::Json output_json(const Cuboid& cuboid, std::size_t output) const;

    std::vector<std::size_t> m_sizes;
    std::size_t m_outputs;
    std::vector<Cuboid> m_cuboids;
    std::vector<std::vector<std::string>> m_words;
};

}  // namespace tlmetry::explore
