// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/trace_core.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/base/quantity.hpp>
#include <tlmetry/config/text.hpp>

namespace tlmetry::app {

device::SimulatedCard::Config load_traced_card(CardFile& file, config::CommandLine& line,
                                               const std::string& command) {
    line.add_short("duration", "run.duration");
    line.add_short("seed", "run.seed");
    line.add_short("timeline", "timeline.at");
    if (line.arguments.empty()) {
        throw UserError(command + ": expected a configuration file, found none; see tlmetry " + command +
                        " --help");
    }
    file.load(line.arguments, line.parameters);
    const RunParameters& parameters = file.parameters();
    device::SimulatedCard::Config card = parameters.card_config();
    if (!card.requests) {
        throw UserError(
            "traffic.kind: expected requests, the traffic of a card, for its links, found another kind");
    }
    const time_fs duration = parameters.warmup_fs + parameters.duration_fs;
    if (duration >= device::SimulatedCard::restart_fs) {
        throw UserError("run.duration: expected less than " + format_time(device::SimulatedCard::restart_fs) +
                        " together with run.warmup, found " + format_time(duration));
    }
    return card;
}

std::uint32_t core_of(const std::string& text, const device::SimulatedCard::Config& card) {
    const std::uint32_t cores = card::topology(card.card, card.generics).cores();
    const auto core = parse_unsigned(text);
    if (core && *core < cores) return static_cast<std::uint32_t>(*core);
    throw UserError("option --core: expected " +
                    (cores == 1 ? "0, the only core" : "a core from 0 to " + std::to_string(cores - 1)) +
                    ", found " + config::found(text));
}

}  // namespace tlmetry::app
