// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/explore/scale.hpp"

#include <tlmetry/base/quantity.hpp>

#include <limits>

namespace tlmetry::explore {

struct Scale::Dimension {
    std::optional<std::int64_t> (*parse)(std::string_view text);
    std::string (*text)(std::int64_t value);
    double per_unit;  // base units in one unit
    const char* unit;
};

namespace {

using Whole = std::optional<std::int64_t>;

Whole parse_integer(std::string_view text) {
    const auto value = parse_unsigned(text);
    if (!value || *value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return {};
    return static_cast<std::int64_t>(*value);
}

/// A part of 1 in whole steps of 1 / `per_one`: parameters are refused where a range has finer ones than
/// they.
template <std::int64_t per_one>
Whole parse_part(std::string_view text) {
    constexpr std::int64_t step = Fraction::one / per_one;
    const auto fraction = parse_fraction(text);
    if (!fraction || fraction->parts % step != 0) return {};
    return fraction->parts / step;
}

template <std::int64_t per_one>
std::string print_part(std::int64_t value) {
    return format_fraction({value * (Fraction::one / per_one)});
}

template <const auto& units>
Whole parse(std::string_view text) {
    return parse_quantity(text, units);
}

template <const auto& units>
std::string print(std::int64_t value) {
    return format_quantity(value, units);
}

// A bare number is an integer; so a size needs its unit here to be one.
constexpr Scale::Dimension dimensions[] = {
    {parse_integer, [](std::int64_t value) { return std::to_string(value); }, 1, ""},
    {parse<size_units>, [](std::int64_t value) { return format_size(static_cast<std::uint64_t>(value)); }, 1,
     "B"},
    {parse<time_units>, print<time_units>, 1e15, "s"},
    {parse<frequency_units>, print<frequency_units>, 1, "Hz"},
    {parse<byte_rate_units>, print<byte_rate_units>, 1, "B/s"},
    {parse<bit_rate_units>, print<bit_rate_units>, 1, "b/s"},
    {parse<event_rate_units>, print<event_rate_units>, 1, "/s"},
    {parse_part<1'000'000>, print_part<1'000'000>, 1e6, ""},
    {parse_part<1'000'000'000>, print_part<1'000'000'000>, 1e9, ""},
    {parse_part<Fraction::one>, print_part<Fraction::one>, 1e15, ""},
};

}  // namespace

std::optional<Scale> Scale::of(std::string_view one, std::string_view other) {
    for (const Dimension& dimension : dimensions) {
        if (dimension.parse(one) && dimension.parse(other)) return Scale(dimension);
    }
    return {};
}

std::optional<std::int64_t> Scale::parse(std::string_view text) const {
    return m_dimension->parse(text);
}

bool Scale::plain() const {
    return m_dimension == dimensions;
}

std::string Scale::text(std::int64_t value) const {
    return m_dimension->text(value);
}

std::optional<Number> number_of(std::string_view text) {
    for (const Scale::Dimension& dimension : dimensions) {
        const Whole value = dimension.parse(text);
        if (value) return Number{static_cast<double>(*value) / dimension.per_unit, dimension.unit};
    }
    return {};
}

}  // namespace tlmetry::explore
