// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/app/run_parameters.hpp>
#include <tlmetry/device/simulated_card.hpp>

#include <cstdint>
#include <string>

namespace tlmetry::app {

/// Throws UserError, naming the parameter, unless it is a card with traffic of its own, for less time than
/// its models can go on.
void require_traced_card(const RunParameters& parameters, const device::SimulatedCard::Config& card);

/// The core that option --core says, one of those that the card is behind. Throws UserError.
std::uint32_t core_of(const std::string& text, const device::SimulatedCard::Config& card);

}  // namespace tlmetry::app
