// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/account/link_capacity.hpp>
#include <tlmetry/base/time.hpp>
#include <tlmetry/card/card.hpp>
#include <tlmetry/host/statistics.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace tlmetry::account {

/// One direction of a link: up, whose payload are the writes, or down, whose payload are the completions.
/// Each count is taken at a boundary of its own.
struct DirectionCounts {
    std::uint64_t all_bytes = 0;       ///< on the lanes
    std::uint64_t first_bytes = 0;     ///< of TLPs that came through
    std::uint64_t cpu_bytes = 0;       ///< of them, of what the processor asks for and its completions
    std::uint64_t repeated_bytes = 0;  ///< sent in vain
    std::uint64_t dllp_bytes = 0;
    std::uint64_t payload_bytes = 0;   ///< of the TLPs that came through, as they were sent
    std::uint64_t useful_bytes = 0;    ///< payload that the host has committed, or a DMA port has got
    std::int64_t under_way_bytes = 0;  ///< payload sent, and neither useful nor lost: what it grew by
    std::uint64_t lost_bytes = 0;      ///< payload that came through and got lost behind the link
};

/// One endpoint over an interval.
struct EndpointCounts {
    LinkCapacity capacity;  ///< of each direction
    DirectionCounts up, down;
    std::uint64_t reads = 0;
    std::uint64_t read_bytes = 0;
    std::uint64_t writes = 0;
    std::uint64_t completions = 0;
    std::uint64_t reads_done = 0;
    std::uint64_t reads_timed_out = 0;
    std::uint64_t malformed = 0;
    std::uint64_t reads_lost = 0;  ///< never answered by the host, since the start of the run

    // The tag manager, in cycles of the PCIe clock.
    std::uint64_t cycles = 0;
    endpoint::TagManager::Statistics grants;
    // Capacities, and what of them was held at the end.
    std::uint64_t tags = 0;
    std::uint64_t words = 0;
    std::uint64_t tags_held = 0;
    std::uint64_t words_held = 0;

    // The host.
    host::Statistics host;
};

/// Adds what another endpoint counted.
EndpointCounts& operator+=(EndpointCounts& sum, const EndpointCounts& other);

/// Counts of a whole card between two looks.
class Meter {
public:
    /// Both must live as long as this.
    Meter(const card::Card& card, const card::Config& config) : m_card(card), m_config(config) {}

    /// The card has been advanced to `t`.
    void start(time_fs t);
    std::vector<EndpointCounts> counts(time_fs t) const;

private:
    EndpointCounts look(std::uint32_t e, time_fs t) const;

    const card::Card& m_card;
    const card::Config& m_config;
    time_fs m_from = 0;
    std::vector<EndpointCounts> m_before;
};

}  // namespace tlmetry::account
