// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/card/config.hpp>
#include <tlmetry/telemetry/telemetry.hpp>

#include <cstdint>

namespace tlmetry::testing {

/// A small random card with its traffic and clocks.
struct RandomCard {
    explicit RandomCard(std::uint64_t seed);

    /// Every vector of pins fits one signal.
    bool fits_signals() const;

    telemetry::Config component;
    telemetry::Clocks clocks{{}, {}, {}};
    card::Config card;
    time_fs end = 0;  ///< of a run of some thousand cycles
};

}  // namespace tlmetry::testing
