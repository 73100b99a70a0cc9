// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/pcie/payload_rates.hpp"

#include <tlmetry/pcie/link_rate.hpp>
#include <tlmetry/pcie/tlp_sizes.hpp>

#include <algorithm>

namespace tlmetry::pcie {

namespace {

/// Rates when each transfer of `bytes` sends and receives so many bytes of TLPs.
PayloadRate rate_of(double tlp_gbps, double bytes, std::uint32_t sent, std::uint32_t received) {
    const double per_byte = tlp_gbps / std::max(sent, received);
    const double payload = per_byte * bytes;
    return {payload, per_byte * sent, per_byte * received, payload * 1e3 / (8 * bytes)};
}

std::uint32_t divide_up(std::uint32_t a, std::uint32_t b) {
    return (a + b - 1) / b;
}

}  // namespace

PayloadRates payload_rates(const LinkSettings& settings, std::uint32_t bytes, CompletionChunks chunks) {
    const TlpSizes sizes(settings);
    const double tlp_gbps = tlp_rate_gbps(settings);
    const std::uint32_t chunk = chunks == CompletionChunks::mps ? settings.mps_bytes : settings.rcb_bytes;

    const std::uint32_t writes = bytes + sizes.request_overhead() * divide_up(bytes, settings.mps_bytes);
    const std::uint32_t requests = sizes.read() * divide_up(bytes, settings.mrrs_bytes);
    const std::uint32_t completions = bytes + sizes.completion_overhead() * divide_up(bytes, chunk);
    return {rate_of(tlp_gbps, bytes, writes, 0), rate_of(tlp_gbps, bytes, requests, completions),
            rate_of(tlp_gbps, bytes, writes + requests, completions)};
}

}  // namespace tlmetry::pcie
