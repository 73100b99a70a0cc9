// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/parameter_kinds.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace tlmetry::app {

namespace {

config::Kind<std::uint64_t> rate(const char* example, Units units, std::uint64_t lowest,
                                 std::uint64_t highest) {
    const auto text = [units](const std::uint64_t& value) {
        return format_quantity(static_cast<std::int64_t>(value), units);
    };
    config::Kind<std::uint64_t> kind;
    kind.expected =
        "a rate such as " + std::string(example) + ", from " + text(lowest) + " to " + text(highest);
    kind.parse = [units, lowest, highest](std::string_view value) -> std::optional<std::uint64_t> {
        const auto quantity = parse_quantity(value, units);
        if (!quantity) return {};
        const auto found = static_cast<std::uint64_t>(*quantity);
        if (found < lowest || found > highest) return {};
        return found;
    };
    kind.print = text;
    return kind;
}

/// A fraction in so many parts, from 0 to `highest`.
config::Kind<std::uint32_t> fraction(std::uint32_t parts, std::uint32_t highest, const char* steps) {
    const std::int64_t step = Fraction::one / parts;
    const auto text = [step](std::uint32_t value) { return format_fraction({value * step}); };
    config::Kind<std::uint32_t> kind;
    kind.expected = "a fraction from 0 to " + text(highest) + " in steps of " + steps;
    kind.parse = [step, highest](std::string_view value) -> std::optional<std::uint32_t> {
        const auto found = parse_fraction(value);
        if (!found || found->parts % step != 0 || found->parts > highest * step) return {};
        return static_cast<std::uint32_t>(found->parts / step);
    };
    kind.print = text;
    return kind;
}

}  // namespace

config::Kind<std::uint32_t> share(std::uint32_t highest) {
    return fraction(1'000'000, highest, "1ppm (as 25%, 0.25, 10ppm)");
}

config::Kind<std::uint32_t> share_ppb(std::uint32_t highest) {
    return fraction(1'000'000'000, highest, "1e-9 (as 1%, 1e-6)");
}

config::Kind<std::uint64_t> rate_per_s(std::uint64_t lowest, std::uint64_t highest) {
    return rate("58M/s", event_rate_units, lowest, highest);
}

config::Kind<std::uint64_t> bit_rate(std::uint64_t lowest, std::uint64_t highest) {
    return rate("50Gb/s", bit_rate_units, lowest, highest);
}

config::Kind<std::uint64_t> byte_rate(std::uint64_t lowest, std::uint64_t highest) {
    config::Kind<std::uint64_t> kind = rate("25.6GB/s", byte_rate_units, lowest, highest);
    kind.expected += ", or unlimited";
    kind.parse = [limited = kind.parse](std::string_view value) -> std::optional<std::uint64_t> {
        if (value == "unlimited") return 0;
        return limited(value);
    };
    kind.print = [limited = kind.print](const std::uint64_t& value) {
        return value == 0 ? std::string("unlimited") : limited(value);
    };
    return kind;
}

config::Kind<time_fs> signed_time(time_fs most) {
    config::Kind<time_fs> kind;
    kind.expected = "a time with its unit and maybe a minus such as 100ns or -50ns, at most " +
                    format_quantity(most, time_units);
    kind.parse = [most](std::string_view value) -> std::optional<time_fs> {
        const bool negative = !value.empty() && value.front() == '-';
        if (negative) value.remove_prefix(1);
        const auto quantity = parse_quantity(value, time_units);
        if (!quantity || *quantity > most) return {};
        return negative ? -*quantity : *quantity;
    };
    kind.print = [](const time_fs& value) { return format_time(value); };
    return kind;
}

config::Kind<time_fs> time_or_never(time_fs lowest) {
    config::Kind<time_fs> kind = config::time(lowest);
    kind.expected += ", or never";
    kind.parse = [timed = kind.parse](std::string_view value) -> std::optional<time_fs> {
        if (value == "never") return never;
        return timed(value);
    };
    kind.print = [timed = kind.print](const time_fs& value) {
        return value == never ? std::string("never") : timed(value);
    };
    return kind;
}

config::Kind<std::vector<std::uint64_t>> numbers() {
    using Numbers = std::vector<std::uint64_t>;
    config::Kind<Numbers> kind = config::list<std::uint64_t>(config::integer(0, ~std::uint64_t{0}));
    kind.expected = "different integers separated by commas, or none";
    kind.json_literal = false;
    kind.list = false;
    kind.parse = [some = kind.parse](std::string_view value) -> std::optional<Numbers> {
        if (value == "none") return Numbers{};
        auto found = some(value);
        if (!found) return {};
        Numbers sorted = *found;
        std::sort(sorted.begin(), sorted.end());
        if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) return {};
        return found;
    };
    kind.print = [some = kind.print](const Numbers& value) {
        return value.empty() ? std::string("none") : some(value);
    };
    return kind;
}

config::Kind<endpoint::Duty> duty() {
    constexpr std::uint32_t most = 1'000'000;
    config::Kind<endpoint::Duty> kind;
    kind.expected = "ready cycles of all cycles such as 3/4 or 1/1, integers up to " + std::to_string(most);
    kind.parse = [](std::string_view value) -> std::optional<endpoint::Duty> {
        const std::size_t slash = value.find('/');
        if (slash == value.npos) return {};
        const auto ready = parse_unsigned(value.substr(0, slash));
        const auto of = parse_unsigned(value.substr(slash + 1));
        if (!ready || !of || *ready == 0 || *ready > *of || *of > most) return {};
        return endpoint::Duty{static_cast<std::uint32_t>(*ready), static_cast<std::uint32_t>(*of)};
    };
    kind.print = [](const endpoint::Duty& value) {
        return std::to_string(value.ready) + "/" + std::to_string(value.of);
    };
    return kind;
}

}  // namespace tlmetry::app
