// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/app/card_file.hpp>
#include <tlmetry/config/command_line.hpp>
#include <tlmetry/device/simulated_card.hpp>

#include <cstdint>
#include <string>

namespace tlmetry::app {

/// The card of a command line with the short options --duration, --seed and --timeline. Throws UserError,
/// also unless it is a card with traffic of its own, for less time than its models can go on; `command`
/// begins the sentence if no configuration is given.
device::SimulatedCard::Config load_traced_card(CardFile& file, config::CommandLine& line,
                                               const std::string& command);

/// The core that option --core says, one of those that the card is behind. Throws UserError.
std::uint32_t core_of(const std::string& text, const device::SimulatedCard::Config& card);

}  // namespace tlmetry::app
