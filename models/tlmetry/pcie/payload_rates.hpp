// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/pcie/link_settings.hpp>

#include <cstdint>

namespace tlmetry::pcie {

/// How the analytic model cuts the answer to a read: into pieces of the size of the MPS or of the RCB.
enum class CompletionChunks { mps, rcb };

/// What one kind of traffic reaches, in Gb/s. "Sent" is the direction of requests and write data, "received"
/// that of completions.
struct PayloadRate {
    double payload_gbps = 0;   ///< of data; for reads and writes together, of each
    double sent_gbps = 0;      ///< of TLP bytes
    double received_gbps = 0;  ///< of TLP bytes
    double transfers_mps = 0;  ///< millions of transfers of the size asked for, a second
};

/// The analytic model of a link: rates of an endless stream of equal, aligned transfers.
struct PayloadRates {
    PayloadRate write;
    PayloadRate read;
    PayloadRate both;  ///< as many reads as writes at once
};

/// Payload rates of transfers of `bytes` (1 or more). A write sends bytes + request overhead *
/// ceil(bytes/MPS); a read sends request overhead * ceil(bytes/MRRS) and receives bytes + completion overhead
/// * ceil(bytes/chunk); the direction that has more to carry decides, at tlp_rate_gbps(). It knows nothing of
/// latency, tags, credits, whole dwords or 4 KiB boundaries, nor of the DLLPs of DllpMode::spec.
PayloadRates payload_rates(const LinkSettings& settings, std::uint32_t bytes, CompletionChunks chunks);

}  // namespace tlmetry::pcie
