// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/base/clock_domain.hpp>
#include <tlmetry/base/time.hpp>
#include <tlmetry/endpoint/reset_domain.hpp>
#include <tlmetry/endpoint/tuning.hpp>
#include <tlmetry/host/config.hpp>

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace tlmetry::card {

/// Requests that arrive at the host from then on meet this.
struct HostChange {
    host::Config host;
};

/// TLPs that come to the links from then on are sent at this speed.
struct LinkChange {
    std::uint32_t generation = 0;
    std::uint32_t lanes = 0;
};

/// All links are down for so long.
struct LinkDown {
    time_fs length = 0;
};

/// All endpoints are in reset for so long, and the probes of these clocks.
struct Reset {
    time_fs length = 0;
    endpoint::ResetDomain domain = endpoint::ResetDomain::both;
};

/// All root ports have this level from then on.
struct TuneChange {
    endpoint::TuneEvent event{};
    std::uint32_t level = 0;
};

/// What changes during a run. It concerns what is decided at `at` or later; what has been decided stays.
struct Event {
    time_fs at = 0;
    std::variant<HostChange, LinkChange, LinkDown, Reset, TuneChange> action;
    std::string name = "timeline";  ///< begins error messages
};

/// Events of one time happen in the order of the list; those of different times may stand in any order.
using Timeline = std::vector<Event>;

/// When a link that goes down is up again, or a reset is over; else `at` itself.
time_fs end_of(const Event& event);

/// The same in the order of time.
Timeline in_order(Timeline timeline);

/// Throws UserError, naming the event, where one is at no time, or begins while a link is down or a reset
/// lasts and is one itself.
void check_timeline(const Timeline& timeline);

/// Throws UserError where a reset is too short for these clocks.
void check_resets(const Timeline& timeline, const ClockDomain& dma, const std::vector<ClockDomain>& pcie);

}  // namespace tlmetry::card
