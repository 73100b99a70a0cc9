// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>
#include <tlmetry/pcie/link_rate.hpp>
#include <tlmetry/pcie/link_settings.hpp>

#include <cstdint>

namespace tlmetry::pcie {

/// When one direction of a link sends DLLPs, and what they cost. With DllpMode::analytic and off none is sent
/// on its own: the intervals are `never`, and what the analytic model charges is in byte_time_fs().
class DllpRules {
public:
    /// Size of a DLLP, framing included.
    static constexpr std::uint32_t bytes = 8;

    explicit DllpRules(const LinkSettings& settings)
        : m_limit(settings.dllp == DllpMode::spec ? dllp_limit_symbols(settings) * symbol_time_fs(settings)
                                                  : never) {}

    /// An Ack is sent at most so long after the end of the first TLP that it acknowledges.
    time_fs ack_interval_fs() const { return m_limit; }

    /// Credits that were freed are returned by an UpdateFC at most so long after. Posted and non-posted
    /// credits have a DLLP each; infinite credits need none.
    time_fs fc_interval_fs() const { return m_limit; }

    /// A transmitter sends its unacknowledged TLPs again when no Ack has come for so long.
    time_fs replay_timer_fs() const { return m_limit == never ? never : 3 * m_limit; }

private:
    time_fs m_limit;
};

}  // namespace tlmetry::pcie
