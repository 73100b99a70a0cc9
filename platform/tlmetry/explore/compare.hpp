// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/explore/outputs.hpp>
#include <tlmetry/explore/results_reader.hpp>
#include <tlmetry/page/table.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tlmetry::explore {

/// An output of a point that is not the same in two results.
struct Change {
    std::size_t output = 0;           ///< in Comparison::outputs
    std::vector<std::string> values;  ///< of Comparison::names
    Value a;
    Value b;
    std::optional<double> difference;  ///< b - a
    std::optional<double> relative;    ///< of a, where that is not 0
    double interval = 0;               ///< to each side of the difference, 95 %; 0: not known
};

/// What moved between two results.
struct Comparison {
    /// A point, or several that differ in their repetition.
    struct Place {
        std::vector<std::string> values;
        std::string error;  ///< of one that failed
    };

    /// A parameter that has one value for all points of a side, and another one for those of the other.
    struct Common {
        std::string name;
        std::optional<std::string> a;  ///< nothing: it is not set
        std::optional<std::string> b;
    };

    std::string a;  ///< files
    std::string b;
    std::vector<Common> common;
    std::vector<std::string> names;  ///< what places are told apart by
    std::vector<Output> outputs;     ///< that both have
    /// Outputs that only a or only b has, unless outputs were chosen.
    std::array<std::vector<std::string>, 2> only_outputs;
    std::uint64_t compared = 0;                ///< places
    std::uint64_t moved = 0;                   ///< of these, with a change
    std::uint64_t uncertain = 0;               ///< outputs of places that differ, but within their interval
    std::vector<Change> changes;               ///< the greatest ones first, texts behind numbers
    std::array<std::vector<Place>, 2> only;    ///< in a, in b
    std::array<std::vector<Place>, 2> failed;  ///< in a and not in b, in b and not in a

    bool equal() const;
};

/// Compares results in folders or files. Points are the same where base and values of all axes are; with
/// one base on each side their names may differ. Of repetitions means are compared. Nothing is said
/// of a difference of less than `tolerance` of the greater value, or within the interval of 95 %. `at` keeps
/// those points only that have these values; `outputs` are what is compared, all where they are empty. Throws
/// UserError, also when an axis that one of them does not have has several values.
Comparison compare(const std::string& a, const std::string& b, double tolerance,
                   const std::vector<std::pair<std::string, std::string>>& at,
                   const std::vector<std::string>& outputs = {});

/// A row for each change and each place that only one has or that failed in one: as CSV, as JSON
/// (docs/json.md), and for people, with at most so many rows.
std::string comparison_csv(const Comparison& comparison);
std::string comparison_json(const Comparison& comparison, double tolerance);
std::string comparison_text(const Comparison& comparison, double tolerance, std::size_t most_rows);

}  // namespace tlmetry::explore
