// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/config/kind.hpp>
#include <tlmetry/endpoint/config.hpp>

#include <cstdint>
#include <vector>

// Kinds of values that several sections of the platform's parameters use.
namespace tlmetry::app {

/// A fraction in millionths, from 0 to `highest`.
config::Kind<std::uint32_t> share(std::uint32_t highest = 1'000'000);

/// A fraction in steps of 10^-9, up to `highest` of them.
config::Kind<std::uint32_t> share_ppb(std::uint32_t highest = 1'000'000'000);

/// Sizes from 128 to 4096 bytes as PCI Express has them.
inline config::Size pcie_size() {
    return config::power_of_two_size(128, 4096);
}

/// A number a second, such as `58M/s`.
config::Kind<std::uint64_t> rate_per_s(std::uint64_t lowest, std::uint64_t highest);
/// Bits a second, such as `50Gb/s`.
config::Kind<std::uint64_t> bit_rate(std::uint64_t lowest, std::uint64_t highest);
/// Bytes a second, such as `25.6GB/s`, or `unlimited`, which is 0.
config::Kind<std::uint64_t> byte_rate(std::uint64_t lowest, std::uint64_t highest);

/// A time that may be negative.
config::Kind<time_fs> signed_time(time_fs most);
/// A time, or `never`.
config::Kind<time_fs> time_or_never(time_fs lowest = 0);

/// Integers separated by commas, or `none`.
config::Kind<std::vector<std::uint64_t>> numbers();

/// So many of so many cycles, such as `3/4`.
config::Kind<endpoint::Duty> duty();

}  // namespace tlmetry::app
