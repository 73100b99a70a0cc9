// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tlmetry {

/// A unit that texts may use, as a multiple of the base unit in which the integer value counts. The unit with
/// the empty name stands for a bare number.
struct Unit {
    std::string_view name;
    std::int64_t factor;
};

/// View of the units of one dimension.
class Units {
public:
    template <std::size_t n>
    constexpr Units(const std::array<Unit, n>& units) : m_begin(units.data()), m_end(units.data() + n) {}
    constexpr const Unit* begin() const { return m_begin; }
    constexpr const Unit* end() const { return m_end; }

private:
    const Unit* m_begin;
    const Unit* m_end;
};

/// Times in femtoseconds. A bare number is no time.
inline constexpr std::array<Unit, 6> time_units{
    {{"s", fs_per_s}, {"ms", fs_per_ms}, {"us", fs_per_us}, {"ns", fs_per_ns}, {"ps", fs_per_ps}, {"fs", 1}}};

/// Sizes in bytes. A bare number counts bytes, as they have no other unit.
inline constexpr std::array<Unit, 6> size_units{{{"TiB", std::int64_t{1} << 40},
                                                 {"GiB", std::int64_t{1} << 30},
                                                 {"MiB", std::int64_t{1} << 20},
                                                 {"KiB", std::int64_t{1} << 10},
                                                 {"", 1},
                                                 {"B", 1}}};

/// Frequencies in hertz.
inline constexpr std::array<Unit, 4> frequency_units{
    {{"GHz", 1'000'000'000}, {"MHz", 1'000'000}, {"kHz", 1'000}, {"Hz", 1}}};

/// Events a second.
inline constexpr std::array<Unit, 4> event_rate_units{
    {{"G/s", 1'000'000'000}, {"M/s", 1'000'000}, {"k/s", 1'000}, {"/s", 1}}};

/// Bits a second.
inline constexpr std::array<Unit, 5> bit_rate_units{
    {{"Tb/s", 1'000'000'000'000}, {"Gb/s", 1'000'000'000}, {"Mb/s", 1'000'000}, {"kb/s", 1'000}, {"b/s", 1}}};

/// Bytes a second.
inline constexpr std::array<Unit, 5> byte_rate_units{
    {{"TB/s", 1'000'000'000'000}, {"GB/s", 1'000'000'000}, {"MB/s", 1'000'000}, {"kB/s", 1'000}, {"B/s", 1}}};

/// A part of a whole in steps of 10^-15, so that decimals keep their exact value.
struct Fraction {
    static constexpr std::int64_t one = 1'000'000'000'000'000;
    std::int64_t parts = 0;

    constexpr bool operator==(Fraction other) const { return parts == other.parts; }
};

/// Exact number of base units in a text such as `2.5ns`, `100 ps` or `1e3us`; nothing when the text is no
/// decimal number with a unit of the table, is negative, is not a whole number of base units, or does not
/// fit.
std::optional<std::int64_t> parse_quantity(std::string_view text, Units units);

/// Text in the unit with the fewest digits that parse_quantity() reads back as `value` (0 or more).
std::string format_quantity(std::int64_t value, Units units);

/// A time of either sign in the same way: `2.5us`, `-1ns`.
std::string format_time(time_fs t);

/// A size as a whole number of the largest unit that gives one: `64KiB`, `1000B`, `0B`.
std::string format_size(std::uint64_t bytes);

/// Period, rounded to the nearest femtosecond, of a clock given as a frequency (`333.333MHz`) or as the
/// period itself (`2.5ns`). Nothing when the text is neither or the period would be 0.
std::optional<time_fs> parse_clock(std::string_view text);

/// A period as the frequency of fewest digits that parse_clock() reads back as this very period, or as a time
/// where six decimals don't suffice for a frequency.
std::string format_clock(time_fs period_fs);

/// Fraction from 0 to 1 of a text such as `25.86%`, `0.2586` or `1e-12`.
std::optional<Fraction> parse_fraction(std::string_view text);
std::string format_fraction(Fraction fraction);

/// Unsigned integer, decimal or hexadecimal after 0x, with single underscores between digits allowed. Nothing
/// on a sign, on anything else and beyond 64 bits.
std::optional<std::uint64_t> parse_unsigned(std::string_view text);

}  // namespace tlmetry
