// SPDX-License-Identifier: BSD-3-Clause
#include <tlmetry/report/arithmetic.hpp>

#include <charconv>
#include <cmath>

namespace tlmetry::report {
namespace {

__extension__ typedef unsigned __int128 UnsignedWide;

}  // namespace

std::optional<double> percent(Wide part, Wide whole) {
    if (whole == 0) return std::nullopt;
    return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::optional<double> ratio(Wide dividend, std::uint64_t divisor) {
    if (divisor == 0) return std::nullopt;
    if (dividend == 0) return 0.0;
    // Scaled up, the integer quotient has more bits than a double; its last bit then only has to say whether
    // anything follows, and the conversion rounds once.
    auto scaled = static_cast<UnsignedWide>(dividend);
    int shift = 0;
    for (; (scaled >> 127) == 0; ++shift)
        scaled <<= 1;
    UnsignedWide quotient = scaled / divisor;
    if (scaled % divisor != 0) quotient |= 1;
    return std::ldexp(static_cast<double>(quotient), -shift);
}

std::string fixed(double value, int decimals) {
    char text[400];  // the largest double has 309 digits
    const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, decimals).ptr;
    return {text, end};
}

std::string shortest(double value) {
    char buffer[40];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr;
    std::string scientific(buffer, end);  // d[.ddd]e+xx
    const int exponent = std::stoi(scientific.substr(scientific.find('e') + 1));
    if (exponent < -4 || exponent >= 16) return scientific;
    const auto plain_end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed).ptr;
    std::string plain(buffer, plain_end);
    if (plain.find('.') == std::string::npos) plain += ".0";
    return plain;
}

}  // namespace tlmetry::report
