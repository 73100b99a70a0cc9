// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/config/kind.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/base/trimmed.hpp>
#include <tlmetry/config/text.hpp>

namespace tlmetry::config {

Integer Integer::limited_to(std::uint64_t limit) const {
    Integer result = *this;
    result.highest = std::min(highest, limit);
    if (power_of_two) {
        while ((result.highest & (result.highest - 1)) != 0) {
            result.highest &= result.highest - 1;  // drops the lowest bit
        }
    }
    return result;
}

std::string Integer::expected() const {
    return (power_of_two ? "a power of two from " : "an integer from ") + std::to_string(lowest) + " to " +
           std::to_string(highest) + (unit.empty() ? "" : " " + unit);
}

std::optional<std::uint64_t> Integer::parse(std::string_view text) const {
    const auto value = parse_unsigned(text);
    if (!value || *value < lowest || *value > highest) return {};
    if (power_of_two && (*value == 0 || (*value & (*value - 1)) != 0)) return {};
    return value;
}

std::string Size::expected() const {
    return std::string("a number of bytes") + (power_of_two ? " that is a power of two" : "") +
           " such as 4096, 0x1000 or 4KiB, from " + format_size(lowest) + " to " + format_size(highest);
}

std::optional<std::uint64_t> Size::parse(std::string_view text) const {
    auto value = parse_unsigned(text);
    if (!value) {
        if (const auto quantity = parse_quantity(text, size_units))
            value = static_cast<std::uint64_t>(*quantity);
    }
    if (!value || *value < lowest || *value > highest) return {};
    if (power_of_two && (*value == 0 || (*value & (*value - 1)) != 0)) return {};
    return value;
}

Kind<time_fs> time(time_fs lowest, time_fs highest) {
    Kind<time_fs> kind;
    kind.expected = "a time with its unit such as 2.5ns or 1us";
    if (lowest != 0) kind.expected += ", at least " + format_quantity(lowest, time_units);
    if (highest != never) kind.expected += ", at most " + format_quantity(highest, time_units);
    kind.parse = [lowest, highest](std::string_view text) -> std::optional<time_fs> {
        const auto value = parse_quantity(text, time_units);
        if (!value || *value < lowest || *value > highest) return {};
        return value;
    };
    kind.print = [](const time_fs& value) { return format_quantity(value, time_units); };
    return kind;
}

Kind<time_fs> clock() {
    constexpr time_fs shortest_period = 10 * fs_per_ps;
    Kind<time_fs> kind;
    kind.expected = "a frequency such as 250MHz, from 1Hz to 100GHz, or the period, such as 4ns";
    kind.parse = [](std::string_view text) -> std::optional<time_fs> {
        const auto period = parse_clock(text);
        if (!period || *period < shortest_period || *period > fs_per_s) return {};
        return period;
    };
    kind.print = format_clock;
    return kind;
}

Kind<Fraction> fraction() {
    Kind<Fraction> kind;
    kind.expected = "a fraction from 0 to 1 such as 0.25, 25% or 3ppm, in steps of 1e-15";
    kind.parse = parse_fraction;
    kind.print = format_fraction;
    return kind;
}

Kind<bool> boolean() {
    Kind<bool> kind;
    kind.expected = "true or false";
    kind.json_literal = true;
    kind.parse = [](std::string_view text) -> std::optional<bool> {
        if (text == "true" || text == "yes" || text == "on" || text == "1") return true;
        if (text == "false" || text == "no" || text == "off" || text == "0") return false;
        return {};
    };
    kind.print = [](const bool& value) { return std::string(value ? "true" : "false"); };
    return kind;
}

Kind<std::string> text(std::string expected) {
    Kind<std::string> kind;
    kind.expected = std::move(expected);
    kind.parse = [](std::string_view text) { return std::string(text); };
    kind.print = [](const std::string& value) { return value; };
    return kind;
}

std::vector<std::string_view> split_list(std::string_view text) {
    std::vector<std::string_view> items;
    for (;;) {
        const std::size_t comma = text.find(',');
        items.push_back(trimmed(text.substr(0, comma)));
        if (comma == text.npos) return items;
        text.remove_prefix(comma + 1);
    }
}

void check_length(const std::string& parameter, std::size_t found, std::size_t wanted,
                  const std::string& of_what) {
    if (found == 1 || found == wanted) return;
    const std::string one_each =
        wanted == 1 ? "" : ", or one for each of the " + std::to_string(wanted) + " " + of_what;
    throw UserError(parameter + ": expected one value" + one_each + ", found " + std::to_string(found) +
                    " values");
}

}  // namespace tlmetry::config
