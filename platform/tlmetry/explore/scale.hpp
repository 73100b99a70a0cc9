// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tlmetry::explore {

/// What the values of a parameter count in, as their texts show: whole numbers of a base unit, so that ranges
/// of them are exact.
class Scale {
public:
    struct Dimension;

    /// The dimension that both texts are of: integers, sizes, times, clocks, rates or fractions; nothing if
    /// there is none.
    static std::optional<Scale> of(std::string_view one, std::string_view other);

    /// A text of this dimension in base units, and the other way round.
    std::optional<std::int64_t> parse(std::string_view text) const;
    std::string text(std::int64_t value) const;
    /// Whole numbers without a unit.
    bool plain() const;

private:
    explicit Scale(const Dimension& dimension) : m_dimension(&dimension) {}
    const Dimension* m_dimension;
};

/// A number and what it counts in: s, B, Hz, B/s, b/s, /s, or nothing.
struct Number {
    double value = 0;
    const char* unit = "";
};

/// The number that a text such as `64`, `4KiB`, `1.5us`, `25%` or `8GB/s` stands for, a fraction as part of
/// 1; nothing for a text of another kind.
std::optional<Number> number_of(std::string_view text);

}  // namespace tlmetry::explore
