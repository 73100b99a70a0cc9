// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/pcie/link_rate.hpp"

#include <tlmetry/pcie/dllp_rules.hpp>

namespace tlmetry::pcie {

namespace {

constexpr std::uint32_t last_8b10b_generation = 2;
constexpr std::uint32_t last_128b130b_generation = 5;

constexpr std::int64_t lane_rate_bps(std::uint32_t generation) {
    constexpr std::int64_t rates[] = {2'500'000'000,  5'000'000'000,  8'000'000'000,  16'000'000'000,
                                      32'000'000'000, 64'000'000'000, 128'000'000'000};
    return rates[generation - 1];
}

Ratio encoded_share(std::uint32_t generation) {
    if (generation <= last_8b10b_generation) return {8, 10};
    if (generation <= last_128b130b_generation) return {128, 130};
    return {242, 256};
}

/// Tenths: how many packets of the largest size may pass before their Ack must.
std::uint32_t ack_factor_tenths(std::uint32_t lanes, std::uint32_t mps_bytes) {
    if (mps_bytes <= 256) return lanes <= 4 ? 14 : lanes <= 8 ? 25 : 30;
    return lanes <= 8 ? 10 : 20;
}

std::uint32_t internal_delay_symbols(std::uint32_t generation) {
    return generation == 1 ? 19 : generation == 2 ? 70 : 115;
}

/// Share of the data rate that TLPs, and the DLLPs of DllpMode::spec, can have.
Ratio usable_share(const LinkSettings& settings) {
    const Ratio skip = skip_fraction(settings);
    const std::int64_t whole = skip.denominator();
    if (settings.dllp != DllpMode::analytic) return {whole - skip.numerator(), whole};
    // one Ack and one UpdateFC in each limit
    const std::int64_t limit_bytes = dllp_limit_symbols(settings);
    return {limit_bytes * (whole - skip.numerator()) - 2 * whole * DllpRules::bytes, limit_bytes * whole};
}

}  // namespace

Ratio line_rate_bps(const LinkSettings& settings) {
    return {lane_rate_bps(settings.generation) * settings.lanes, 1};
}

Ratio data_rate_bps(const LinkSettings& settings) {
    const Ratio line_rate = line_rate_bps(settings);
    return settings.encoding ? line_rate * encoded_share(settings.generation) : line_rate;
}

Ratio byte_time_fs(const LinkSettings& settings) {
    return Ratio(8 * fs_per_s, 1) / data_rate_bps(settings) / usable_share(settings);
}

double tlp_rate_gbps(const LinkSettings& settings) {
    return 8.0 * static_cast<double>(fs_per_ns) / byte_time_fs(settings).value();
}

time_fs symbol_time_fs(const LinkSettings& settings) {
    const std::int64_t bits = settings.generation <= last_8b10b_generation ? 10 : 8;
    return bits * fs_per_s / lane_rate_bps(settings.generation);
}

std::uint32_t dllp_limit_symbols(const LinkSettings& settings) {
    constexpr std::uint32_t tlp_overhead = 28;  // of the specification's formula, not of this link
    return (settings.mps_bytes + tlp_overhead) * ack_factor_tenths(settings.lanes, settings.mps_bytes) /
               (10 * settings.lanes) +
           internal_delay_symbols(settings.generation);
}

Ratio skip_fraction(const LinkSettings& settings) {
    if (settings.dllp == DllpMode::off) return {0, 1};
    const bool blocks = settings.generation > last_8b10b_generation && settings.dllp == DllpMode::spec;
    return blocks ? Ratio(1, 375) : Ratio(4, 1538);
}

}  // namespace tlmetry::pcie
