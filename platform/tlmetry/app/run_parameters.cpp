// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/app/run_parameters.hpp"

#include "tlmetry/app/card_shapes.hpp"
#include "tlmetry/app/fault_parameters.hpp"
#include "tlmetry/app/host_parameters.hpp"
#include "tlmetry/app/root_port_parameters.hpp"

#include <tlmetry/base/error.hpp>
#include <tlmetry/config/text.hpp>

#include <filesystem>
#include <limits>

namespace tlmetry::app {

namespace {

/// Each port, and each simulation of a card, reads these files from their beginning.
void refuse_pipe(const std::string& parameter, const std::string& path) {
    std::error_code none;
    if (!std::filesystem::is_fifo(path, none)) return;
    throw UserError(parameter + ": expected a file that can be read again, found the pipe " +
                    config::found(path));
}

}  // namespace

void RunParameters::bind(config::Registry& registry) {
    // Together below `never`, 4611 s, with room for the accesses of the software.
    constexpr time_fs longest = 3600 * fs_per_s;
    constexpr time_fs longest_warmup = 600 * fs_per_s;
    registry.section("run", "The run itself.")
        .add("seed", seed, config::integer(0, std::numeric_limits<std::uint64_t>::max()),
             "Seed of everything random; each source makes its own sequence from it and its name.")
        .add("warmup", warmup_fs, config::time(0, longest_warmup),
             "Simulated time before the measurement begins.")
        .add("duration", duration_fs, config::time(0, longest), "Simulated time that the report covers.",
             "0 prints the totals since the start instead.");
    bind_card(registry, shape, card);
    bind_host(registry, card.host);
    bind_cpu(registry, card.endpoint.cpu);
    bind_tune(registry, card);
    traffic.bind(registry);
    bind_timeline(registry, timeline);
    bind_pins(registry, pins);
    registry.section("mi", "The MI bus between the software and the component.")
        .add("request_latency", mi_request_fs, config::time(0, fs_per_s),
             "Time from an access of the software to the component.")
        .add("completion_latency", mi_completion_fs, config::time(0, fs_per_s),
             "Time from the component's answer to the software.")
        .add("posted_writes", mi_posted_writes, config::boolean(),
             "The software goes on after a write as soon as the bus has taken it.")
        .add("quantum", mi_quantum_fs, config::time(0, fs_per_s),
             "How far the software may run ahead of the simulation; changes the speed and no result.");
    bind_faults(registry, faults);
    telemetry.bind(registry);
}

void RunParameters::complete(config::Registry& registry) {
    apply_shape(registry);
}

device::SimulatedCard::Config RunParameters::card_config() const {
    telemetry.validate();
    refuse_pipe("traffic.trace", traffic.common.trace_file);
    refuse_pipe("host.latency_file", card.host.latency_file);
    device::SimulatedCard::Config config;
    config.generics = telemetry.component;
    config.clocks = {telemetry.mi_clock(), telemetry.dma_clock(), telemetry.pcie_clocks()};
    config.request_fs = mi_request_fs;
    config.completion_fs = mi_completion_fs;
    config.posted_writes = mi_posted_writes;
    config.faults = faults;
    config.card = card;
    config.card.traffic =
        traffic.ports(std::size_t{telemetry.component.pcie_endpoints} * telemetry.component.dma_ports);
    config.requests = traffic.kind == TrafficKind::requests;
    if (!config.requests && !timeline.empty()) {
        throw UserError(timeline.front().place +
                        ": expected traffic.kind = requests, the traffic of a card, found another kind");
    }
    config.card.timeline = read_timeline(timeline, card);
    config.pins = pins;
    config.pins.kind = traffic.kind == TrafficKind::idle ? traffic::Kind::idle : traffic::Kind::random;
    config.seed = seed;
    config.validate();
    return config;
}

}  // namespace tlmetry::app
