// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/explore/sampling.hpp"

#include <tlmetry/base/random.hpp>

#include <algorithm>
#include <string>

namespace tlmetry::explore {

namespace {

/// Equally likely from 0 to below 1.
double part(std::uint64_t seed, std::string_view axis, std::uint64_t i) {
    Random random(seed, std::string(axis) + " " + std::to_string(i));
    constexpr unsigned bits_of_double = 53;
    return static_cast<double>(random.next() >> (64 - bits_of_double)) /
           static_cast<double>(std::uint64_t{1} << bits_of_double);
}

}  // namespace

Permutation::Permutation(std::uint64_t size, std::uint64_t seed, std::string_view name) : m_size(size) {
    Random random(seed, std::string(name) + " permutation");
    for (std::uint64_t& key : m_keys)
        key = random.next();
    while (m_half_bits < 31 && std::uint64_t{1} << (2 * m_half_bits) < size)
        ++m_half_bits;
}

/// A Feistel network permutes the numbers below the next power of four; those that are too high go on until
/// they are not.
std::uint64_t Permutation::operator()(std::uint64_t i) const {
    do {
        i = shuffled(i);
    } while (i >= m_size);
    return i;
}

std::uint64_t Permutation::shuffled(std::uint64_t i) const {
    const std::uint64_t mask = (std::uint64_t{1} << m_half_bits) - 1;
    std::uint64_t left = i >> m_half_bits;
    std::uint64_t right = i & mask;
    for (const std::uint64_t key : m_keys) {
        std::uint64_t mixed = (right ^ key) * 0xBF58'476D'1CE4'E5B9;
        mixed = (mixed ^ mixed >> 29) * 0x94D0'49BB'1331'11EB;
        const std::uint64_t next = left ^ (mixed >> 33 & mask);
        left = right;
        right = next;
    }
    return left << m_half_bits | right;
}

double sample_part(Sampling sampling, std::uint64_t i, std::uint64_t points, std::uint64_t seed,
                   std::string_view axis) {
    const double inside = part(seed, axis, i);
    if (sampling == Sampling::random) return inside;
    const double stratum = static_cast<double>(Permutation(points, seed, axis)(i));
    // Rounding must not carry it into the next part.
    constexpr double below_one = 1 - 1e-9;
    return (stratum + std::min(inside, below_one)) / static_cast<double>(points);
}

}  // namespace tlmetry::explore
