// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/time.hpp>
#include <tlmetry/telemetry/telemetry.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tlmetry::testing {

/// Two telemetry components of one configuration that software and resets treat alike. What differs is how
/// the buses are told to them.
class Twin {
public:
    /// With `watch`, every delta is compared; without, long idle times may be passed at once.
    Twin(const telemetry::Config& config, const telemetry::Clocks& clocks, bool watch);
    Twin(const Twin&) = delete;
    Twin& operator=(const Twin&) = delete;

    telemetry::Telemetry bulk;   ///< told by logs
    telemetry::Telemetry plain;  ///< told word by word

    void read(cycle_t edge, std::uint32_t address);
    template <class Action>
    void both(const Action& action) {
        action(bulk);
        action(plain);
    }
    /// Looks at time `t` and compares all that can be seen from outside.
    void look(time_fs t);

    /// The first difference so far; empty if there is none.
    const std::string& difference() const { return m_difference; }
    std::uint64_t deltas() const { return m_bulk_deltas.size(); }

private:
    struct Delta {
        std::uint32_t stream;
        std::uint32_t channel;
        std::uint64_t value;
    };
    void compare(const std::string& what, std::uint64_t found, std::uint64_t expected);
    static void watch(telemetry::Telemetry& component, std::vector<Delta>& deltas);

    std::vector<Delta> m_bulk_deltas;
    std::vector<Delta> m_plain_deltas;
    std::size_t m_compared = 0;
    std::string m_difference;
};

}  // namespace tlmetry::testing
