// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/base/quantity.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace tlmetry {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr int max_decimals = 18;
constexpr std::uint64_t max_mantissa = 9'999'999'999'999'999'999U;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

Wide power_of_ten(int exponent) {
    Wide result = 1;
    for (int i = 0; i < exponent; ++i) {
        result *= 10;
    }
    return result;
}

/// mantissa / 10^decimals; at most 19 digits and 18 decimals.
struct Decimal {
    std::uint64_t mantissa = 0;
    int decimals = 0;
};

/// Takes an unsigned decimal number with optional fraction and exponent off the front of `text`.
std::optional<Decimal> take_decimal(std::string_view& text) {
    Decimal result;
    bool any = false;
    bool fraction = false;
    std::size_t i = 0;
    for (; i < text.size(); ++i) {
        if (text[i] == '.' && !fraction) {
            fraction = true;
        } else if (is_digit(text[i])) {
            any = true;
            if (result.mantissa > max_mantissa / 10 || result.decimals == max_decimals) return {};
            result.mantissa = result.mantissa * 10 + static_cast<std::uint64_t>(text[i] - '0');
            result.decimals += fraction ? 1 : 0;
        } else {
            break;
        }
    }
    if (!any || text[i - 1] == '.') return {};
    if (i < text.size() && text[i] == 'e') {
        ++i;
        const bool negative = i < text.size() && text[i] == '-';
        i += negative ? 1 : 0;
        const std::size_t first = i;
        int exponent = 0;
        for (; i < text.size() && is_digit(text[i]) && exponent <= max_decimals; ++i) {
            exponent = exponent * 10 + (text[i] - '0');
        }
        if (i == first) return {};
        result.decimals += negative ? exponent : -exponent;
    }
    for (; result.decimals > 0 && result.mantissa % 10 == 0; --result.decimals) {
        result.mantissa /= 10;
    }
    for (; result.decimals < 0; ++result.decimals) {
        if (result.mantissa > max_mantissa / 10) return {};
        result.mantissa *= 10;
    }
    if (result.decimals > max_decimals) return {};
    text.remove_prefix(i);
    return result;
}

/// A number and the factor of the unit behind it.
struct Measured {
    Decimal number;
    std::int64_t factor = 0;
};

std::optional<Measured> measure(std::string_view text, Units units) {
    const auto number = take_decimal(text);
    if (!number) return {};
    while (!text.empty() && text.front() == ' ') {
        text.remove_prefix(1);
    }
    const auto unit = std::find_if(units.begin(), units.end(), [&](const Unit& u) { return u.name == text; });
    if (unit == units.end()) return {};
    return Measured{*number, unit->factor};
}

std::string decimal_text(std::uint64_t mantissa, int decimals) {
    std::string text = std::to_string(mantissa);
    if (decimals == 0) return text;
    const auto fraction = static_cast<std::size_t>(decimals);
    if (text.size() <= fraction) {
        text.insert(0, fraction + 1 - text.size(), '0');
    }
    return text.insert(text.size() - fraction, ".");
}

/// Keeps the text that reads best of those offered: not below 1, then few digits, then the first.
class BestText {
public:
    void offer(std::uint64_t mantissa, int decimals, std::string_view unit) {
        const std::string digits = std::to_string(mantissa);
        const bool below_one = digits.size() <= static_cast<std::size_t>(decimals);
        const auto rank = std::pair(below_one, digits.size());
        if (!m_text.empty() && rank >= m_rank) return;
        m_rank = rank;
        m_text = decimal_text(mantissa, decimals).append(unit);
    }
    const std::string& text() const { return m_text; }

private:
    std::pair<bool, std::size_t> m_rank;
    std::string m_text;
};

}  // namespace

std::optional<std::int64_t> parse_quantity(std::string_view text, Units units) {
    const auto measured = measure(text, units);
    if (!measured) return {};
    const Wide scaled = Wide{measured->number.mantissa} * static_cast<Wide>(measured->factor);
    const Wide divisor = power_of_ten(measured->number.decimals);
    if (scaled % divisor != 0) return {};
    if (scaled / divisor > static_cast<Wide>(std::numeric_limits<std::int64_t>::max())) return {};
    return static_cast<std::int64_t>(scaled / divisor);
}

std::string format_time(time_fs t) {
    return t < 0 ? "-" + format_quantity(-t, time_units) : format_quantity(t, time_units);
}

std::string format_quantity(std::int64_t value, Units units) {
    BestText best;
    for (const Unit& unit : units) {
        auto mantissa = static_cast<std::uint64_t>(value / unit.factor);
        std::int64_t rest = value % unit.factor;
        int decimals = 0;
        for (; rest != 0 && mantissa <= max_mantissa / 10; ++decimals) {
            mantissa = mantissa * 10 + static_cast<std::uint64_t>(rest * 10 / unit.factor);
            rest = rest * 10 % unit.factor;
        }
        if (rest == 0 && decimals <= max_decimals && mantissa <= max_mantissa) {
            best.offer(mantissa, decimals, unit.name);
        }
    }
    return best.text();
}

std::string format_size(std::uint64_t bytes) {
    for (const Unit& unit : size_units) {
        const auto factor = static_cast<std::uint64_t>(unit.factor);
        if (bytes != 0 && !unit.name.empty() && bytes % factor == 0)
            return std::to_string(bytes / factor).append(unit.name);
    }
    return "0B";
}

std::optional<time_fs> parse_clock(std::string_view text) {
    const auto measured = measure(text, frequency_units);
    if (!measured) {
        const auto period = parse_quantity(text, time_units);
        return period == 0 || period > never ? std::nullopt : period;
    }
    const Wide hertz = Wide{measured->number.mantissa} * static_cast<Wide>(measured->factor);
    if (hertz == 0) return {};
    const Wide numerator = static_cast<Wide>(fs_per_s) * power_of_ten(measured->number.decimals);
    const Wide period = (2 * numerator + hertz) / (2 * hertz);
    if (period == 0 || period > static_cast<Wide>(never)) return {};
    return static_cast<time_fs>(period);
}

std::string format_clock(time_fs period_fs) {
    constexpr int enough_decimals = 6;
    BestText best;
    for (const Unit& unit : frequency_units) {
        for (int decimals = 0; decimals <= enough_decimals; ++decimals) {
            const Wide divisor = static_cast<Wide>(period_fs) * static_cast<Wide>(unit.factor);
            const Wide rounded =
                (2 * static_cast<Wide>(fs_per_s) * power_of_ten(decimals) + divisor) / (2 * divisor);
            if (rounded > max_mantissa) break;
            const auto mantissa = static_cast<std::uint64_t>(rounded);
            if (parse_clock(decimal_text(mantissa, decimals).append(unit.name)) == period_fs) {
                best.offer(mantissa, decimals, unit.name);
                break;
            }
        }
    }
    return best.text().empty() ? format_quantity(period_fs, time_units) : best.text();
}

namespace {
constexpr std::array<Unit, 4> fraction_units{
    {{"%", Fraction::one / 100}, {"ppm", Fraction::one / 1'000'000}, {"ppb", 1'000'000}, {"ppt", 1'000}}};
constexpr std::array<Unit, 1> whole{{{"", Fraction::one}}};
}  // namespace

std::optional<Fraction> parse_fraction(std::string_view text) {
    auto parts = parse_quantity(text, fraction_units);
    if (!parts) parts = parse_quantity(text, whole);
    if (!parts || *parts > Fraction::one) return {};
    return Fraction{*parts};
}

std::string format_fraction(Fraction fraction) {
    return format_quantity(fraction.parts, fraction_units);
}

std::optional<std::uint64_t> parse_unsigned(std::string_view text) {
    std::uint64_t base = 10;
    if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        base = 16;
        text.remove_prefix(2);
    }
    std::uint64_t value = 0;
    bool digit_before = false;
    for (const char c : text) {
        if (c == '_') {
            if (!digit_before) return {};
            digit_before = false;
            continue;
        }
        std::uint64_t digit = 16;
        if (is_digit(c)) digit = static_cast<std::uint64_t>(c - '0');
        if (c >= 'a' && c <= 'f') digit = static_cast<std::uint64_t>(c - 'a') + 10;
        if (c >= 'A' && c <= 'F') digit = static_cast<std::uint64_t>(c - 'A') + 10;
        if (digit >= base) return {};
        if (value > (std::numeric_limits<std::uint64_t>::max() - digit) / base) return {};
        value = value * base + digit;
        digit_before = true;
    }
    if (!digit_before) return {};
    return value;
}

}  // namespace tlmetry
