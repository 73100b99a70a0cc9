// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>
#include <tlmetry/pcie/link_settings.hpp>
#include <tlmetry/pcie/ratio.hpp>

#include <cstdint>

namespace tlmetry::pcie {

// Rates of one direction of a link. All settings must be valid (LinkSettings::validate).

/// Bits a second on all lanes together, encoding included: 16 GT/s x16 is 256e9.
Ratio line_rate_bps(const LinkSettings& settings);

/// Bits a second that are left after the encoding: 8b/10b up to 5 GT/s, 128b/130b up to 32 GT/s, then 242 of
/// the 256 bytes of a flit.
Ratio data_rate_bps(const LinkSettings& settings);

/// Femtoseconds in which the TLP bytes of this link pass, each. It includes what takes a fixed share of the
/// time: nothing (DllpMode::off), SKP (spec), or SKP, Acks and UpdateFCs (analytic). The DLLPs of
/// DllpMode::spec are no share: they are sent when DllpRules says so, DllpRules::bytes each.
Ratio byte_time_fs(const LinkSettings& settings);

/// Gb/s of TLP bytes, payload and overhead: 8e6 / byte_time_fs. With DllpMode::analytic
/// data rate * (1 - 8/AckLimit - 8/FcLimit - 4/1538).
double tlp_rate_gbps(const LinkSettings& settings);

/// Time of one symbol on a lane: ten bits with 8b/10b, eight bits above.
time_fs symbol_time_fs(const LinkSettings& settings);

/// Ack transmission latency limit in symbol times:
/// (MPS + 28) * AckFactor / lanes + internal delay, where the delay is 19 symbols at 2.5 GT/s, 70 at 5 GT/s
/// and 115 above. It is the limit for UpdateFCs as well, whose factors are the same.
///
/// The tables that the analytic model is usually run with disagree with this formula in two places, for
/// which the value of the specification is returned here: UpdateFC at 2.5 GT/s x32 MPS 2048 (148) and Ack at
/// 5 GT/s x32 MPS 4096 (327).
std::uint32_t dllp_limit_symbols(const LinkSettings& settings);

/// Share of the time that SKP ordered sets take when they are as rare as allowed: with 8b/10b and in the
/// analytic model 4 symbols in 1538, with 128b/130b one block in 375.
Ratio skip_fraction(const LinkSettings& settings);

}  // namespace tlmetry::pcie
