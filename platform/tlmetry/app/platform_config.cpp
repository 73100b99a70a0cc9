// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/platform_config.hpp"

namespace tlmetry::app {

platform::Platform::Config platform_config(const RunParameters& parameters) {
    const device::SimulatedCard::Config card = parameters.card_config();
    platform::Platform::Config config;
    static_cast<device::Stimulus::Config&>(config) = card;
    config.telemetry.generics = card.generics;
    config.telemetry.clocks = card.clocks;
    config.bus.request.fs = card.request_fs;
    config.bus.completion.fs = card.completion_fs + card.faults.delay_fs;
    config.bus.posted_writes = card.posted_writes;
    config.processor.quantum_fs = parameters.mi_quantum_fs;
    config.faults = card.faults;
    config.validate();
    return config;
}

}  // namespace tlmetry::app
