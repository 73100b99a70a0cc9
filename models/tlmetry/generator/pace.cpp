// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/generator/pace.hpp"

namespace tlmetry::generator {

namespace {

constexpr std::uint64_t bits_per_byte = 8;

ExactSum distance(const Config& config) {
    const std::uint64_t second = fs_per_s;
    switch (config.rate) {
        case Rate::requests:
            return {second, config.requests_per_s};
        case Rate::payload:
            return {bits_per_byte * second, config.payload_bits_per_s};
        default:
            return {0, 1};
    }
}

}  // namespace

Pace::Pace(const Config& config)
    : m_rate(config.rate),
      m_exponential(config.spacing == Spacing::exponential),
      m_distance(distance(config)),
      m_now(config.start_fs),
      m_burst(config.burst_requests != 0 ? config.burst_requests : never),
      m_burst_left(m_burst),
      m_gap(config.burst_gap_fs) {}

}  // namespace tlmetry::generator
