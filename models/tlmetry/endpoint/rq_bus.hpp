// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/endpoint/config.hpp>
#include <tlmetry/endpoint/edges.hpp>
#include <tlmetry/endpoint/frame_bus.hpp>
#include <tlmetry/endpoint/logs.hpp>
#include <tlmetry/endpoint/returns.hpp>

#include <algorithm>
#include <cstdint>

namespace tlmetry::endpoint {

/// The RQ bus and the link behind it, up to the arrival of a TLP at the host.
class RqBus {
public:
    RqBus(const Config& config, const Edges& pcie)
        : m_pcie(pcie),
          m_link(config.link),
          m_duty(config.rq),
          m_regions(config.buses.rq_regions),
          m_one_start(config.buses.one_start) {}

    struct Passage {
        cycle_t presented = 0;  ///< P cycle of the word with its start
        cycle_t moved = 0;      ///< P cycle of its last word
        time_fs arrival = 0;    ///< at the host
    };

    /// Passes a frame that is available from P cycle `available` on and is `tlp_bytes` long on the link.
    Passage pass(cycle_t available, std::uint32_t regions, std::uint32_t last_items, std::uint32_t tlp_bytes);

    MfbLog log;

    /// Time for which the link was busy with TLPs so far.
    time_fs busy() const { return m_busy; }

private:
    cycle_t room();
    void place(cycle_t available, std::uint32_t regions, std::uint32_t last_items, cycle_t& first_presented);

    const Edges& m_pcie;
    Link m_link;
    Duty m_duty;
    Regions m_regions;
    bool m_one_start;

    OpenWord m_word;
    std::uint64_t m_taken = 0;  // bytes of complete TLPs that went into the TX buffer
    Returns m_sent;
    time_fs m_free = 0;            // the link is, from then on
    std::uint64_t m_fraction = 0;  // of it, 2^-16 fs
    time_fs m_busy = 0;
};

}  // namespace tlmetry::endpoint
