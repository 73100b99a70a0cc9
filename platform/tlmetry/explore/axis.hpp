// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/config/registry.hpp>
#include <tlmetry/explore/scale.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tlmetry::explore {

/// Values of a parameter in a row: one text, or a range of numbers, which is worked out value by value.
class Stretch {
public:
    /// `64`, `64..512 step 64`, `64..512 log2`, `64..512 lin 8`, `64..512 log 8`, or, with every number
    /// between, `64..512`. Throws UserError; `place` begins its sentence.
    Stretch(std::string_view text, const std::string& place);

    std::uint64_t size() const { return m_size; }
    std::string value(std::uint64_t i) const;
    /// At `u` of the way through the range, 0 <= u <= 1; by the logarithm where the range is one of `log`.
    std::string at_part(double u) const;
    /// It can be sampled only: a logarithmic range without a number of values.
    bool unbounded() const { return m_unbounded; }
    /// A range of numbers with a unit that does not say which of them, so that each of the finest is one.
    bool stepless() const { return m_stepless; }
    /// As it stands in the plan, without what follows a range.
    const std::string& text() const { return m_text; }

private:
    void read_range(std::string_view ends, std::string_view how, const std::string& place);
    void spread(std::uint64_t count, bool logarithmic);

    std::string m_text;            // of one value, or the ends of a range
    std::optional<Scale> m_scale;  // of a range
    std::int64_t m_low = 0;
    std::int64_t m_high = 0;
    std::int64_t m_step = 0;             // 0: m_values
    std::vector<std::int64_t> m_values;  // spread over the range
    bool m_logarithmic = false;
    bool m_unbounded = false;
    bool m_stepless = false;
    std::uint64_t m_size = 1;
};

/// What moves a point: one parameter, or several that move together, and their values.
class Axis {
public:
    /// From a line `NAME = VALUES` or `NAME & NAME = VALUE & VALUE, ...` of a plan, whose name has no section
    /// in front any more. Throws UserError, naming its place, when it is badly formed; names and values are
    /// not looked at.
    explicit Axis(const config::Assignment& line);

    /// What begins error messages.
    const std::string& place() const { return m_place; }
    const std::vector<std::string>& names() const { return m_names; }
    /// Names with " & " between them.
    std::string title() const;

    /// Values in the order of the plan.
    std::uint64_t size() const { return m_size; }
    /// One text for each name.
    std::vector<std::string> values(std::uint64_t i) const;
    /// Somewhere among the values: `u` of the way through the list of items, 0 <= u <= 1.
    std::vector<std::string> sample(double u) const;
    /// Has no list of values, and can be sampled only.
    bool unbounded() const;
    /// Throws UserError for a range of numbers with a unit, but no step.
    void require_steps() const;

private:
    /// Between two commas: one stretch for each name, and how many values it has.
    struct Item {
        std::vector<Stretch> stretches;
        std::uint64_t size = 1;
    };

    std::string m_place;
    std::vector<std::string> m_names;
    std::vector<Item> m_items;
    std::uint64_t m_size = 0;
};

}  // namespace tlmetry::explore
