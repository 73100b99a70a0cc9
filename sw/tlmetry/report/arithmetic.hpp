// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>

/// Numbers of the report. Sums and products of counters are exact integers, wider than 64 bits; each value is
/// rounded to a double as late as the report's definition says.
namespace tlmetry::report {

__extension__ typedef __int128 Wide;

/// 100.0 * part / whole in double arithmetic; none if whole is zero.
std::optional<double> percent(Wide part, Wide whole);

/// The double nearest to the exact quotient of two non-negative integers below 2^96; none if the divisor is
/// zero.
std::optional<double> ratio(Wide dividend, std::uint64_t divisor);

/// `value` with a fixed number of decimals, the same in every locale.
std::string fixed(double value, int decimals);

/// The shortest decimal number that reads back as the same finite value, always with a point or an exponent
/// (1.0, 0.25, 1e-05, 1e+16).
std::string shortest(double value);

}  // namespace tlmetry::report
