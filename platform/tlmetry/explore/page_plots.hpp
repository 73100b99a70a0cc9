// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/explore/outputs.hpp>
#include <tlmetry/explore/plan.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tlmetry::explore {

/// A plot that a plan asks for. Outputs and axes, those of PageAxis::all(), are by their number.
struct Plot {
    enum class Kind { lines, heat_map, scatter };
    /// Which end of a dimension of a scatter is the better one.
    enum class Better { unknown, greatest, least };
    /// A dimension of a scatter: an output, or an axis.
    struct Dimension {
        std::optional<std::size_t> output;
        std::size_t axis = 0;  ///< unless it is an output
        Better better = Better::unknown;
    };
    /// An axis that stays at one value, by its number.
    struct Fixed {
        std::size_t axis = 0;
        std::uint64_t value = 0;
    };

    std::string name;
    Kind kind = Kind::lines;
    std::vector<std::size_t> outputs;  ///< of lines; the one of a heat map
    std::size_t x = 0;
    std::optional<std::size_t> other;  ///< what makes the lines, or y of a heat map
    std::vector<Fixed> fixed;
    Dimension right;  ///< of a scatter: to the right, and up
    Dimension up;
};

/// What the section [page] of a plan says.
struct PageSettings {
    std::string title;  ///< or empty
    std::string text;
    std::vector<Plot> plots;

    /// Throws UserError, naming file and line.
    static PageSettings of(const Plan& plan, const std::vector<Output>& outputs);
};

}  // namespace tlmetry::explore
