// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

// Nothing of this is passed between functions that are not inlined.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace tlmetry {

/// Eight numbers that go through the same steps side by side: instructions for several at a time where the
/// processor has them. Comparisons give -1 for what is true and 0 for what is not.
using Lanes = std::int64_t __attribute__((vector_size(64)));

inline constexpr std::size_t lane_count = sizeof(Lanes) / sizeof(std::int64_t);

/// The same number in all lanes.
[[gnu::always_inline]] inline Lanes lanes_of(std::int64_t value) {
    return Lanes{} + value;
}
[[gnu::always_inline]] inline Lanes load_lanes(const void* from) {
    Lanes lanes;
    std::memcpy(&lanes, from, sizeof lanes);
    return lanes;
}
[[gnu::always_inline]] inline void store_lanes(void* to, const Lanes& lanes) {
    std::memcpy(to, &lanes, sizeof lanes);
}
[[gnu::always_inline]] inline Lanes max_of(const Lanes& a, const Lanes& b) {
    return a > b ? a : b;
}
[[gnu::always_inline]] inline Lanes min_of(const Lanes& a, const Lanes& b) {
    return a < b ? a : b;
}
/// `dividend` / `divisor` rounded down, of numbers from 0 to 2^50; `inverse` is 1.0 / divisor.
[[gnu::always_inline]] inline Lanes quotient_of(const Lanes& dividend, std::int64_t divisor, double inverse) {
    using Doubles = double __attribute__((vector_size(64)));
    Lanes quotient = __builtin_convertvector(__builtin_convertvector(dividend, Doubles) * inverse, Lanes);
    // It may be wrong by one.
    const Lanes rest = dividend - quotient * divisor;
    quotient += rest < 0;
    quotient -= rest >= divisor;
    return quotient;
}

/// Where lane `lane` comes from when all go up by `by`: 0 to 7 what is below them, from 8 on themselves.
constexpr int source_of(int lane, int by) {
    return lane < by ? lane : 8 + lane - by;
}
/// All numbers go up by `by` lanes; those of `below` stay below them.
template <int by>
[[gnu::always_inline]] inline Lanes moved_up(const Lanes& lanes, const Lanes& below) {
    return __builtin_shufflevector(below, lanes, source_of(0, by), source_of(1, by), source_of(2, by),
                                   source_of(3, by), source_of(4, by), source_of(5, by), source_of(6, by),
                                   source_of(7, by));
}
/// Of each lane the sum up to it.
[[gnu::always_inline]] inline Lanes sums_of(Lanes lanes) {
    const Lanes none{};
    lanes += moved_up<1>(lanes, none);
    lanes += moved_up<2>(lanes, none);
    lanes += moved_up<4>(lanes, none);
    return lanes;
}
/// Of each lane the largest up to it.
[[gnu::always_inline]] inline Lanes maxima_of(Lanes lanes) {
    lanes = max_of(lanes, moved_up<1>(lanes, lanes));
    lanes = max_of(lanes, moved_up<2>(lanes, lanes));
    lanes = max_of(lanes, moved_up<4>(lanes, lanes));
    return lanes;
}

/// Rows become columns: eight lanes of eight numbers each.
[[gnu::always_inline]] inline void transpose(Lanes* rows) {
    Lanes t[lane_count];
    for (std::size_t i = 0; i < lane_count; i += 2) {
        t[i] = __builtin_shufflevector(rows[i], rows[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        t[i + 1] = __builtin_shufflevector(rows[i], rows[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (std::size_t i = 0; i < lane_count; i += 4) {
        for (std::size_t j = i; j < i + 2; ++j) {
            rows[j] = __builtin_shufflevector(t[j], t[j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            rows[j + 2] = __builtin_shufflevector(t[j], t[j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    }
    for (std::size_t i = 0; i < 4; ++i) {
        t[i] = __builtin_shufflevector(rows[i], rows[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        t[i + 4] = __builtin_shufflevector(rows[i], rows[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
    for (std::size_t i = 0; i < lane_count; ++i)
        rows[i] = t[i];
}

}  // namespace tlmetry
