// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/explore/plan.hpp>
#include <tlmetry/page/charts.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tlmetry::explore {

/// Numbers as short as a page needs them, of seven digits.
double rounded(double value);

/// Axes of the page of a plan: the bases, where there are several, and then the axes of the plan.
inline bool bases_are_an_axis(const Plan& plan) {
    return plan.bases().size() > 1;
}

/// An axis as the page shows it: its places are the values of the plan, or, of a long or a sampled one, bins
/// of them.
class PageAxis {
public:
    /// That of the bases.
    explicit PageAxis(const Plan& plan);
    /// The axis of the plan with this number, in at most so many places.
    PageAxis(const Plan& plan, std::size_t axis, std::size_t most_places);
    /// All of them; of sampled ones in so many bins.
    static std::vector<PageAxis> all(const Plan& plan, std::size_t most_places, std::size_t bins);

    std::size_t size() const { return m_labels.size(); }
    /// The place of a point, and of the value with this number.
    std::size_t place(const Plan& plan, const Point& point) const;
    std::size_t place_of_value(std::uint64_t value) const;
    /// Values are numbers, all of one unit.
    bool numeric() const { return m_numeric; }
    /// Between places lie equal factors, not equal distances.
    bool logarithmic() const { return m_logarithmic; }
    /// Of a point on a numeric axis.
    double number(const Point& point) const;
    page::Json json() const;

private:
    void make_bins(std::size_t count);
    void join_values(const Axis& axis, std::size_t most_places);
    std::size_t bin_of(double number) const;

    bool m_bases = false;
    std::size_t m_axis = 0;
    std::size_t m_first_name = 0;  // in Point::values
    std::size_t m_coordinate = 0;  // the name whose values the numbers are
    std::string m_title;
    std::vector<std::string> m_names;
    std::string m_unit;
    bool m_numeric = false;
    bool m_logarithmic = false;
    bool m_sampled = false;
    std::uint64_t m_values = 0;  // of the plan
    std::vector<std::string> m_labels;
    std::vector<double> m_numbers;
    std::map<std::vector<std::string>, std::size_t> m_place_of;  // of a sampled axis without bins
    double m_low = 0;                                            // of bins of numbers
    double m_high = 0;
};

}  // namespace tlmetry::explore
