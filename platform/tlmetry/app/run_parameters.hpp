// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/app/card_parameters.hpp>
#include <tlmetry/app/telemetry_parameters.hpp>
#include <tlmetry/app/timeline_parameters.hpp>
#include <tlmetry/app/traffic_parameters.hpp>
#include <tlmetry/base/time.hpp>
#include <tlmetry/config/registry.hpp>
#include <tlmetry/device/simulated_card.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tlmetry::app {

/// All parameters of a platform and of a run of it: `run.*`, `card.*`, `ptc.*`, `link.*`, `topology.*`,
/// `host.*`, `cpu.*`, `tune.*`, `traffic.*`, `timeline.*`, `pins.*`, `mi.*`, `faults.*` and `telemetry.*`.
struct RunParameters {
    RunParameters() { card.link.generation = 4; }  // of the shape below

    TelemetryParameters telemetry;
    std::string shape = "gen4x16_ptile";
    card::Config card;
    TrafficParameters traffic;
    std::vector<config::Entry> timeline;
    traffic::Config pins;
    time_fs mi_request_fs = 0;
    time_fs mi_completion_fs = 0;
    bool mi_posted_writes = true;
    time_fs mi_quantum_fs = fs_per_us;
    device::Faults faults;
    std::uint64_t seed = 1;
    time_fs warmup_fs = 100 * fs_per_us;
    time_fs duration_fs = 10 * fs_per_ms;

    /// The registry refers to this object, which must outlive it.
    void bind(config::Registry& registry);

    /// Lets what nobody has set follow from what has been set. To be called once all of it is.
    void complete(config::Registry& registry);

    /// Throws UserError, naming the parameter, when values don't fit one another.
    device::SimulatedCard::Config card_config() const;
};

}  // namespace tlmetry::app
