// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/quantity.hpp>

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tlmetry::config {

/// How values of one parameter look as text: what is legal, and both directions of the conversion.
template <class T>
struct Kind {
    std::string expected;       ///< completes the sentence "expected ..." with unit and range
    bool json_literal = false;  ///< the text is a JSON number or boolean as it stands
    bool list = false;          ///< several values separated by commas

    /// Nothing when the text is not what `expected` says.
    std::function<std::optional<T>(std::string_view)> parse;

    /// Text that parse() reads back as the same value.
    std::function<std::string(const T&)> print;
};

/// Unsigned integer. Converts to the kind of whatever unsigned type the parameter has, and its range never
/// exceeds that type.
struct Integer {
    std::uint64_t lowest = 0;
    std::uint64_t highest = std::numeric_limits<std::uint64_t>::max();
    std::string unit;  ///< plural noun: cycles, words, lanes
    bool power_of_two = false;

    template <class T>
    operator Kind<T>() const {
        static_assert(std::is_unsigned_v<T> && !std::is_same_v<T, bool>);
        const Integer range = limited_to(std::numeric_limits<T>::max());
        Kind<T> kind;
        kind.expected = range.expected();
        kind.json_literal = true;
        kind.parse = [range](std::string_view text) -> std::optional<T> {
            const auto value = range.parse(text);
            if (!value) return {};
            return static_cast<T>(*value);
        };
        kind.print = [](const T& value) { return std::to_string(value); };
        return kind;
    }

private:
    /// The same with the highest value that is legal and not above `limit`.
    Integer limited_to(std::uint64_t limit) const;
    std::string expected() const;
    std::optional<std::uint64_t> parse(std::string_view text) const;
};

inline Integer integer(std::uint64_t lowest, std::uint64_t highest, std::string unit = {}) {
    return {lowest, highest, std::move(unit), false};
}

inline Integer power_of_two(std::uint64_t lowest, std::uint64_t highest, std::string unit = {}) {
    return {lowest, highest, std::move(unit), true};
}

/// Size in bytes: `64KiB`, `4096`, `0x8000`. Converts to the kind of any unsigned type.
struct Size {
    std::uint64_t lowest = 0;
    std::uint64_t highest = std::numeric_limits<std::int64_t>::max();
    bool power_of_two = false;  ///< then `lowest` and `highest` are some, too

    template <class T>
    operator Kind<T>() const {
        static_assert(std::is_unsigned_v<T>);
        const Size range{lowest, std::min<std::uint64_t>(highest, std::numeric_limits<T>::max()),
                         power_of_two};
        Kind<T> kind;
        kind.expected = range.expected();
        kind.parse = [range](std::string_view text) -> std::optional<T> {
            const auto value = range.parse(text);
            if (!value) return {};
            return static_cast<T>(*value);
        };
        kind.print = [](const T& value) { return format_size(value); };
        return kind;
    }

private:
    std::string expected() const;
    std::optional<std::uint64_t> parse(std::string_view text) const;
};

inline Size size(std::uint64_t lowest, std::uint64_t highest) {
    return {lowest, highest, false};
}

inline Size power_of_two_size(std::uint64_t lowest, std::uint64_t highest) {
    return {lowest, highest, true};
}

/// Time in femtoseconds, always with a unit: `2.5ns`.
Kind<time_fs> time(time_fs lowest = 0, time_fs highest = never);

/// Period of a clock in femtoseconds, from 10 ps to 1 s, given as frequency or period: `250MHz`, `4ns`.
Kind<time_fs> clock();

/// Fraction from 0 to 1: `25%`, `0.25`, `3ppm`.
Kind<Fraction> fraction();

/// `true` or `false`, also yes/no, on/off and 1/0.
Kind<bool> boolean();

/// Any text.
Kind<std::string> text(std::string expected = "a text");

/// One of several names.
template <class T>
Kind<T> choice(std::vector<std::pair<std::string, T>> names) {
    Kind<T> kind;
    for (const auto& [name, value] : names) {
        kind.expected += (kind.expected.empty() ? "one of " : ", ") + name;
    }
    kind.parse = [names](std::string_view text) -> std::optional<T> {
        for (const auto& [name, value] : names) {
            if (text == name) return value;
        }
        return {};
    };
    kind.print = [names](const T& wanted) {
        for (const auto& [name, value] : names) {
            if (value == wanted) return name;
        }
        return std::string();
    };
    return kind;
}

/// The items of a comma-separated list without the blanks around them; at least one.
std::vector<std::string_view> split_list(std::string_view text);

/// One or more values separated by commas. Where a parameter has one value per endpoint or port, a single
/// value stands for all of them: see expand().
template <class T>
Kind<std::vector<T>> list(const Kind<T>& item) {
    Kind<std::vector<T>> kind;
    kind.expected = "one or more values separated by commas, each " + item.expected;
    kind.json_literal = item.json_literal;
    kind.list = true;
    kind.parse = [item](std::string_view text) -> std::optional<std::vector<T>> {
        std::vector<T> values;
        for (const std::string_view part : split_list(text)) {
            auto value = item.parse(part);
            if (!value) return {};
            values.push_back(std::move(*value));
        }
        return values;
    };
    kind.print = [item](const std::vector<T>& values) {
        std::string text;
        for (const T& value : values) {
            text += (text.empty() ? "" : ", ") + item.print(value);
        }
        return text;
    };
    return kind;
}

/// Throws UserError unless a list has 1 or `wanted` values.
void check_length(const std::string& parameter, std::size_t found, std::size_t wanted,
                  const std::string& of_what);

/// The values of a list for each of `wanted` things; a single one stands for all. Throws UserError naming the
/// parameter when there is any other number of values.
template <class T>
std::vector<T> expand(const std::vector<T>& values, std::size_t wanted, const std::string& parameter,
                      const std::string& of_what) {
    check_length(parameter, values.size(), wanted, of_what);
    return values.size() == wanted ? values : std::vector<T>(wanted, values.front());
}

}  // namespace tlmetry::config
