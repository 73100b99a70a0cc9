// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/card/card.hpp>
#include <tlmetry/telemetry/telemetry.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tlmetry::account {

/// One number about what a simulation has done.
struct Statistic {
    std::string name;  ///< where it was counted and what: endpoint0.dma1.requests
    std::uint64_t value = 0;
    std::string unit;
    std::string description;
};

/// What a component and the card that it watches, which may be null, have counted up to the last look.
std::vector<Statistic> statistics(const telemetry::Telemetry& component, const card::Card* card);

}  // namespace tlmetry::account
